"""The verb certify: what it proves of a component, and what it refuses."""

import numpy as np
import pytest
from spcabench_methods import ExactSPCA, certify


@pytest.fixture
def S():
    X = np.random.default_rng(0).standard_normal((30, 8)) * np.arange(1, 9)
    return np.cov(X.T, bias=True)


def test_an_optimal_component_is_proved(command, tmp_path, S):
    np.save(tmp_path / "S.npy", S)
    w = ExactSPCA(1, 3, covariance="precomputed").fit(S).components_
    np.savez(tmp_path / "loadings.npz", components=w)
    data = ("file", "--set", f"path={tmp_path / 'S.npy'}", "--set", "kind=covariance")
    code, out, err = command("certify", tmp_path / "loadings.npz", *data, "--by", "exact")
    assert (code, err) == (0, "")
    (row,) = out.splitlines()[2:]
    assert row.split()[:5] == ["file", "0", "loadings.npz", "3", f"{w[0] @ S @ w[0]:.9g}"]
    assert row.split()[-1] == "optimal"
    assert "better" not in out


def test_a_better_support_is_shown(command, tmp_path, S):
    X = np.random.default_rng(1).standard_normal((40, 8)) * np.arange(1, 9)
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "w.npy", np.eye(8)[0] + np.eye(8)[1])
    code, out, _ = command(
        "certify", str(tmp_path / "w.npy"), "file", "--by", "exact", "--set", f"path={tmp_path / 'X.npy'}"
    )
    proof = certify(X, np.eye(8)[0] + np.eye(8)[1])
    assert code == 0
    assert f"better: {proof.best_value:.9g} on the features {' '.join(str(i + 1) for i in proof.best_support)}" in out
    assert out.split()[-2:] == [f"{proof.gap:.3g}", "improvable"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["w.npy", "pitprop"], "(did you mean 'pitprops'?)"),
        (["w.npy", "pitprops"], "has the shape (1, 8); wanted is row 1, and 13 features"),
        (["none.npy", "pitprops"], "does not exist"),
        (["w.npy", "file", "--set", "path=w.npy", "--component", "2"], "has one sample only"),
        (["p.npy", "pitprops", "--by", "exat"], "(did you mean 'exact'?)"),
        (["p.npy", "pitprops", "--by", "tpower"], "proves no bound"),
        (["z.npy", "pitprops"], "component 1 is zero"),
        (["t.txt", "pitprops"], "it ends in '.txt'; valid are .npy, .npz"),
        (["w.npy"], "valid is LOADING with the name of a DATASET, or the folder of a RUN"),
        (["."], "no run there"),
        ([".", "pitprops"], "is a folder, not a file"),
    ],
)
def test_bad_input_is_refused(command, tmp_path, monkeypatch, args, words):
    monkeypatch.chdir(tmp_path)
    np.save("w.npy", np.eye(8)[:1])
    np.save("p.npy", np.eye(13)[:1])
    np.save("z.npy", np.zeros(13))
    (tmp_path / "t.txt").write_text("no array")
    code, _, err = command("certify", "--by", "exact", *args)
    assert code == 2
    assert words in err


def test_each_fit_of_a_run_is_a_row(command, suite_file):
    file = suite_file(
        datasets=["pitprops", {"name": "spiked", "params": {"n": 50, "d": 12, "support_size": 4, "spikes": [8, 5]}}],
        methods=["st", "exact"],
    )
    assert command("run", str(file), "-o", "done", "--no-isolation")[0] == 0
    code, out, err = command("certify", "done", "--by", "exact")
    assert (code, err) == (0, "")
    _, _, st, exact, _, last = (line.split() for line in out.splitlines())
    assert st[:4] == ["pitprops", "0", "st", "3"]
    assert exact[:4] == ["pitprops", "0", "exact", "3"]
    assert float(exact[4]) == pytest.approx(2.47533, abs=1e-5)
    assert [st[5], st[7], exact[7]] == [exact[5], "improvable", "optimal"]
    assert float(st[6]) == pytest.approx(1 - float(st[4]) / float(st[5]), rel=0.05)
    assert (last[0], last[-1]) == ("spiked", "optimal")
    assert len(command("certify", "done", "--by", "exact", "--component", "9")[1].splitlines()) == 2
