"""A module that needs a package which is not here."""

import no_such_package  # noqa: F401
from planted_methods import Sound as Missing  # noqa: F401
