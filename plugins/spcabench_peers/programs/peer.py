"""Fit sparse PCA by a package of Python: ``python peer.py PACKAGE FOLDER name=value ...``.

The files in FOLDER are those of `spcabench.ProgramMethod`.  It needs nothing but numpy and the package, so that the
interpreter may be any that has these.
"""

import importlib
import platform
import sys
import time
from functools import partial
from importlib import metadata
from pathlib import Path

import numpy as np

ROUNDS, STEPS, EDGE = 3, 25, 1e-3


def abess(X, r, given):
    """Return loadings by splicing.

    The sizes of the supports are rows of a mask, one column for each component.  With more features than samples its
    check for a positive semidefinite matrix refuses the covariance, and what it returns is dense; it then gets the
    covariance with a little on the diagonal.
    """
    from abess.decomposition import SparsePCA

    sizes = np.broadcast_to(np.atleast_1d(given["n_nonzero"]), r)
    mask = (np.arange(1, sizes.max() + 1)[:, None] == sizes).astype(int)
    method = SparsePCA(support_size=mask, max_iter=given["max_iter"], exchange_num=given["exchange_num"])
    n, d = X.shape
    if d <= n:
        method.fit(X, number=r)
    else:
        S = np.cov(X.T)
        method.fit(Sigma=S + 1e-8 * np.trace(S) / d * np.eye(d), n=n, number=r)
    return np.asarray(method.coef_).reshape(d, r)


def sparsepca(X, r, given):
    """Return loadings by the alternating manifold proximal gradient, of samples centred and divided by their root."""
    from sparsepca import spca

    samples = (X - X.mean(axis=0)) / np.sqrt(len(X))
    options = {"k": r, "maxiter": given["max_iter"], "tol": given["tol"], "normalize": False}
    penalties = np.broadcast_to(np.atleast_1d(given["penalty"]).astype(float), r).reshape(r, 1).copy()
    return np.asarray(spca(samples, penalties, given.get("ridge", np.inf), **options)["loadings"])


def ristretto(X, r, given):
    """Return loadings by variable projection, where the package has it."""
    try:
        spca = importlib.import_module("ristretto.pca").spca
    except (ImportError, AttributeError):
        have = metadata.version("ristretto")
        reason = f"ristretto {have} has no sparse PCA, as its releases on PyPI"
        raise Lacks(f"{reason}; install a version with ristretto.pca.spca") from None
    names = ("alpha", "beta", "max_iter", "tol")
    found = spca(X - X.mean(axis=0), n_components=r, **{name: given[name] for name in names})
    return np.asarray(found[0] if isinstance(found, tuple) else found)


def penalties_of(counts, wanted):
    """Return one penalty for each component that leaves the wanted nonzeros, and the number of fits.

    Components depend on each other.  The search begins from the one penalty of all that leaves the wanted nonzeros in
    total, and goes on in rounds, one penalty with the others as they are.

    Parameters
    ----------
    counts : callable
        ``counts(penalties)`` returns the nonzeros of each component.
    wanted : array of int
        The wanted nonzeros.
    """
    n_fits = 0

    def left(penalties):
        nonlocal n_fits
        n_fits += 1
        return counts(penalties)

    def count(j, penalty):
        return left(np.where(np.arange(len(wanted)) == j, penalty, penalties))[j]

    shared = bisected(lambda penalty: left(np.full(len(wanted), penalty)).sum(), wanted.sum(), 1.0)
    penalties = np.full(len(wanted), shared)
    seen = []
    for _ in range(ROUNDS):
        misses = np.abs(left(penalties) - wanted)
        seen.append((misses.sum(), n_fits, penalties.copy()))
        if not misses.any():
            break
        for j in np.flatnonzero(misses):
            penalties[j] = bisected(partial(count, j), wanted[j], penalties[j])
    return min(seen)[2], n_fits


def bisected(count, wanted, begin):
    """Return the mildest penalty near `begin` that leaves the wanted nonzeros, or fewer if none does.

    Larger penalties leave fewer.  The first one found is arbitrary, and shrinks more than it must: its range is halved
    on, to a thousandth.
    """
    low = high = begin
    factor, is_loose = 1.05, count(begin) > wanted
    for _ in range(STEPS):
        if is_loose:
            low, high = high, high * factor
            found = count(high) <= wanted
        else:
            low, high = low / factor, low
            found = count(low) > wanted
        if found:
            break
        factor = min(2.0, factor**2)
    width = None
    for _ in range(STEPS):
        if width and high - low <= EDGE * width:
            break
        middle = (low + high) / 2
        left = count(middle)
        if left == wanted:
            width = width or middle - low
        if left == wanted or (left < wanted and not width):
            high = middle
        else:
            low = middle
    return high


FITS = {"abess": abess, "sparsepca": sparsepca, "ristretto": ristretto}


class Lacks(Exception):
    """What is missing, and the remedy."""


def value(text):
    """Return a word as the numbers, or the word, that it stands for."""
    values = [number(word) for word in text.split(",")]
    return values if len(values) > 1 else values[0]


def number(word):
    """Return a whole number, a number, or the word."""
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            pass
    return word


def imported(package):
    """Import a package, or say that it is missing."""
    try:
        importlib.import_module(package)
    except ImportError as error:
        remedy = f"install it with: {sys.executable} -m pip install {package}"
        raise Lacks(f"{sys.executable} cannot import {package} ({error}); {remedy}") from None


def fitted(package, folder, given):
    """Read the samples, search the penalties if need be, fit under the clock; return loadings and seconds."""
    numbers = np.fromfile(folder / "X", "<f8")
    X = np.ascontiguousarray(numbers[2:].reshape(int(numbers[1]), int(numbers[0])).T)
    fit, r = FITS[package], given["n_components"]
    if package == "sparsepca" and "penalty" not in given:
        wanted = np.broadcast_to(np.atleast_1d(given["n_nonzero"]), r)
        penalties, n_fits = penalties_of(
            lambda tried: np.count_nonzero(fit(X, r, {**given, "penalty": tried}), axis=0), wanted
        )
        given = {**given, "penalty": penalties}
        text = f"n_fits={n_fits} penalty={','.join(map(repr, penalties.tolist()))}"
        (folder / "found").write_text(text, encoding="ascii")
    begun = time.perf_counter(), time.process_time()
    loadings = fit(X, r, given)
    return loadings, (time.perf_counter() - begun[0], time.process_time() - begun[1])


def main(package, place, *words):
    """Fit, and write what was found, or what is missing."""
    folder = Path(place)
    given = {name: value(text) for name, _, text in (word.partition("=") for word in words)}
    sys.path.pop(0)  # the folder of this file
    try:
        imported(package)
        loadings, seconds = fitted(package, folder, given)
    except Lacks as reason:
        (folder / "lacks").write_text(str(reason), encoding="utf-8")
        return
    with (folder / "loadings").open("wb") as out:
        np.array(loadings.shape, "<f8").tofile(out)
        np.asarray(loadings, "<f8").T.tofile(out)
    (folder / "seconds").write_text("{:.9f} {:.9f}".format(*seconds), encoding="ascii")
    version = f"Python {platform.python_version()}, {package} {metadata.version(package)}"
    (folder / "version").write_text(version, encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
