"""The registry in which the words of a user are looked up: a plugin file has to be loaded first."""

from __future__ import annotations

from collections.abc import Sequence

from spcabench.plugins import Registry, load_registry, plugin_files


def load_for(what: Sequence[str], files: Sequence[str] = ()) -> Registry:
    """Load the registry with the plugin files that a user names, and those that are to be checked."""
    return load_registry(plugin_files([*files, *(word for word in what if word.endswith(".py"))]))
