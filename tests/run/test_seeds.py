"""What seeds depend on: the data on their own alone, a solver on its method too."""

from spcabench.run.worker.draw import data_rng, solver_seed


def drawn(name="spiked", params=(), seed=0):
    return data_rng(name, dict(params), seed).standard_normal(4).tolist()


def test_a_draw_depends_on_the_data_set_its_parameters_and_the_seed():
    draws = [drawn(), drawn(seed=1), drawn(name="hastie"), drawn(params={"n": 3})]
    assert len({tuple(draw) for draw in draws}) == 4
    assert drawn() == drawn()
    assert drawn(params={"a": 1, "b": 2}) == drawn(params={"b": 2, "a": 1})


def test_a_file_has_the_same_draws_wherever_it_lies():
    assert drawn(params={"path": "here.npy"}) == drawn(params={"path": "there/x.npy"}) == drawn(params={"path": None})
    assert drawn(params={"path": "here.npy", "n": 3}) != drawn(params={"path": "here.npy"})


def test_a_solver_draws_by_its_method_parameters_data_and_seed():
    seeds = [
        solver_seed("rspca", {}, "f00d", 0),
        solver_seed("rspca", {}, "f00d", 1),
        solver_seed("pca_l1", {}, "f00d", 0),
        solver_seed("rspca", {"p": 1}, "f00d", 0),
        solver_seed("rspca", {}, "beef", 0),
    ]
    assert len(set(seeds)) == 5
    assert all(0 <= seed < 2**31 for seed in seeds)
