"""The field's own programs: the real ones where they are here, and a program in the place of R where it is not."""

import importlib.util
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import spcabench_peers

import spcabench
from spcabench import MethodUnavailable
from spcabench.check.subjects import subjects
from spcabench.plugins import load_registry

PEERS = [spec for spec in load_registry().methods.specs.values() if spec.family == "peers"]
IN_R = [spec.name for spec in PEERS if spec.name.startswith("r_")]
PYTHON = os.environ.get("SPCABENCH_PEERS_PYTHON", sys.executable)
"""A Python that has the packages of the extra `peers`, if it is another."""

FAKE = """\
#!{python}
import sys
from pathlib import Path
import numpy as np
from spcabench.program import read_matrix, write_matrix
script, package, place, *words = sys.argv[1:]
assert Path(script).is_file()
folder, given = Path(place), dict(word.split("=") for word in words)
if package == "rospca":
    (folder / "lacks").write_text("R has no package rospca; install it")
    sys.exit()
X = read_matrix(folder / "X")
W = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][: int(given["n_components"])].T
kept = 4 if "penalty" not in given and "alpha" not in given else 3
write_matrix(folder / "loadings", 7 * np.where(np.argsort(np.argsort(-abs(W), axis=0), axis=0) < kept, W, 0))
(folder / "seconds").write_text("0.0005 0.0004")
(folder / "version").write_text(package + " " + " ".join(words))
"""


@pytest.fixture(scope="module")
def X():
    rng = np.random.default_rng(0)
    scores = rng.standard_normal((80, 2)) * [4, 3]
    loadings = np.zeros((2, 12))
    loadings[0, :4] = loadings[1, 4:8] = 0.5
    return scores @ loadings + 0.3 * rng.standard_normal((80, 12))


def planted(loadings):
    return sorted(tuple(np.flatnonzero(row)) for row in loadings) == [(0, 1, 2, 3), (4, 5, 6, 7)]


def has(python, module):
    code = f"import importlib.util as u; raise SystemExit(u.find_spec({module!r}) is None)"
    return subprocess.run([python, "-c", code], check=False).returncode == 0


def test_each_has_words_of_its_own():
    assert len(PEERS) == 10
    assert len({spec.title for spec in PEERS}) == len(PEERS)


@pytest.mark.parametrize("name", IN_R)
def test_packages_of_r_are_called_with_their_parameters(name, X, tmp_path):
    program = tmp_path / "Rscript"
    program.write_text(FAKE.format(python=sys.executable))
    program.chmod(0o755)
    method = spcabench.make(name, n_components=2, program=str(program))
    if name == "r_rospca":
        with pytest.raises(MethodUnavailable, match="R has no package rospca; install it"):
            method.fit(X)
        return
    method.fit(X)
    np.testing.assert_allclose(np.linalg.norm(method.components_, axis=1), 1)
    np.testing.assert_allclose(np.linalg.norm(method.loadings_[:, 0]) * method.components_[0], method.loadings_[:, 0])
    assert method.fit_seconds_ == 0.0005
    package, *words = method.program_.split()
    assert package == method.package
    assert "n_components=2" in words
    assert not any(word.startswith("program=") for word in words)


WITHOUT_RISTRETTO = pytest.mark.skipif(
    importlib.util.find_spec("ristretto") is not None, reason="ristretto is installed, and may have sparse PCA"
)


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("r_pcapp", {"program": "R-of-nobody"}, "there is no program 'R-of-nobody' here; install R, on Debian with"),
        ("octave", {}, "name it in the suite"),
        pytest.param(
            *("py_ristretto", {}, "cannot import ristretto .*; install it with: .* -m pip install"),
            marks=WITHOUT_RISTRETTO,
        ),
    ],
)
def test_what_is_not_here_is_named_with_the_remedy(name, given, words, X):
    with pytest.raises(MethodUnavailable, match=words):
        spcabench.make(name, **given).fit(X)


def test_a_check_of_what_is_not_here_finds_no_fault():
    (subject,) = subjects("octave", load_registry())
    found = {finding.promise: (finding.verdict, finding.reason) for finding in subject.findings()}
    assert found["shape"][0] == "no matter"
    assert found["shape"][1].startswith("the method is unavailable here: octave needs the file")
    assert {verdict for verdict, _ in found.values()} == {"kept", "no matter", "not tried"}


def test_ristretto_of_pypi_is_said_to_lack_it(X, tmp_path, monkeypatch):
    (tmp_path / "ristretto").mkdir()
    (tmp_path / "ristretto" / "__init__.py").touch()
    (tmp_path / "ristretto-0.1.2.dist-info").mkdir()
    (tmp_path / "ristretto-0.1.2.dist-info" / "METADATA").write_text("Name: ristretto\nVersion: 0.1.2\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(MethodUnavailable, match=r"ristretto 0.1.2 has no sparse PCA, as its releases on PyPI; install"):
        spcabench.make("py_ristretto").fit(X)


def in_r(package):
    """Mark a test that needs a package of R itself."""
    have = shutil.which("Rscript") is not None
    lacks = not have or subprocess.run(["Rscript", "-e", f"library({package})"], check=False).returncode != 0
    return pytest.mark.skipif(lacks, reason=f"R with {package} is not here")


@pytest.mark.parametrize(
    "name", [pytest.param("r_pcapp", marks=in_r("pcaPP")), pytest.param("r_pma", marks=in_r("PMA"))]
)
def test_penalties_searched_in_r_are_the_mildest(name, X):
    method = spcabench.make(name, n_nonzero=4).fit(X)
    assert planted(method.components_)
    found = np.array(method.calibrated_params_["penalty"])
    again = spcabench.make(name, penalty=found).fit(X)
    np.testing.assert_allclose(again.components_, method.components_)
    gentler = spcabench.make(name, n_components=1, penalty=0.99 * found[0]).fit(X)
    assert np.count_nonzero(gentler.components_) > 4
    assert method.program_.startswith("R ")
    assert 0 < method.fit_seconds_ < 10


@in_r("PMA")
def test_pma_itself_finds_what_pmd_finds(X):
    theirs = spcabench.make("r_pma", n_nonzero=5).fit(X)
    root = np.sqrt(X.shape[1])
    bounds = root - np.array(theirs.calibrated_params_["penalty"]) * (root - 1)
    ours = spcabench.make("pmd", n_nonzero=None, bound=bounds, init="published").fit(X)
    np.testing.assert_allclose(np.abs(theirs.components_), np.abs(ours.components_), atol=1e-4)


@in_r("pcaPP")
def test_pcapp_itself_finds_what_spcagrid_finds(X):
    theirs = spcabench.make("r_pcapp", n_nonzero=5).fit(X)
    ours = spcabench.make("spcagrid_sd", n_nonzero=None, lam=theirs.calibrated_params_["penalty"]).fit(X)
    np.testing.assert_allclose(np.abs(theirs.components_), np.abs(ours.components_), atol=1e-12)


@pytest.mark.parametrize("begin", [0.1, 2.001, 3.0, 40.0])
def test_penalties_searched_in_python_are_the_mildest(begin):
    bisected = runpy.run_path(str(Path(spcabench_peers.__file__).with_name("programs") / "peer.py"))["bisected"]
    found = bisected(lambda penalty: 3 - (penalty >= 2) - (penalty >= 5), 2, begin)
    assert 2 <= found < 2.01
    assert 5 <= bisected(lambda penalty: 1 + 2 * (penalty < 5), 2, begin) < 5.01


@pytest.mark.parametrize(("name", "package"), [("py_abess", "abess"), ("py_amanpg", "sparsepca")])
def test_a_package_of_python_itself_finds_the_planted_supports(name, package, X):
    if not has(PYTHON, package):
        pytest.skip(f"{package} is not here: pip install {package}, or name a Python in SPCABENCH_PEERS_PYTHON")
    method = spcabench.make(name, n_nonzero=4, program=PYTHON).fit(X)
    assert planted(method.components_)
    if package == "sparsepca":
        assert method.n_fits_ > 1
    else:
        wide = spcabench.make(name, n_components=1, n_nonzero=5, program=PYTHON).fit(X[:8])
        assert np.count_nonzero(wide.components_) == 5


@pytest.mark.skipif(shutil.which("octave-cli") is None, reason="Octave is not here: apt-get install octave")
def test_a_function_of_octave_itself(X, tmp_path):
    source = tmp_path / "leading.m"
    source.write_text(
        "function W = leading(X, r, nonzeros)\n"
        "  [~, ~, W] = svd(X - mean(X), 'econ');\n"
        "  W = W(:, 1:r);\n"
        "  for j = 1:r\n"
        "    [~, order] = sort(abs(W(:, j)), 'descend');\n"
        "    W(order(nonzeros(j) + 1:end), j) = 0;\n"
        "  end\n"
        "end\n"
    )
    method = spcabench.make("octave", n_nonzero=[4, 3], path=str(source)).fit(X)
    assert np.count_nonzero(method.components_, axis=1).tolist() == [4, 3]
    assert method.program_.endswith(", leading")
    with pytest.raises(MethodUnavailable, match=r"there is no file .*; name the file of the function"):
        spcabench.make("octave", path=str(tmp_path / "no.m")).fit(X)
