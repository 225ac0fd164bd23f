"""What a large run costs when it is looked at again; ``pytest tests/perf/test_sizes.py`` shows it."""

import pytest

from spcabench.store.folder import RunFolder

pytestmark = pytest.mark.benchmark(group="sizes")

MANY = 1_000_000


def test_the_look_up_of_a_million_records(benchmark, tmp_path):
    folder = RunFolder(tmp_path)
    body = '{"key":"","cell":{},"status":"error","reason":"' + 800 * "." + '"}'
    rows = ((f"{n:020d}", "ok", "", "0" * 20, "0.01", 0, 0, 0, body) for n in range(MANY))
    folder._database.write((f"INSERT INTO records VALUES ({', '.join('?' * 9)})", rows))
    folder.keep_index({f"cell{n:016d}": f"{n:020d}" for n in range(MANY)})
    folder.close()

    def look():
        found = RunFolder(tmp_path)
        return found.summaries(), found.index

    summaries, index = benchmark.pedantic(look, rounds=3)
    assert len(summaries) == len(index) == MANY
