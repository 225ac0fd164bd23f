"""Hold the BLAS and OpenMP pools of a process to a number of threads, and see that they obey."""

from __future__ import annotations

from threadpoolctl import ThreadpoolController


class Threads:
    """The BLAS and OpenMP pools that this process has loaded.

    Parameters
    ----------
    limit : int
        The most threads of each.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._pools = ThreadpoolController()

    def hold(self) -> dict[str, int]:
        """Limit every pool, and return what each then says of itself.

        Raises
        ------
        RuntimeError
            If a pool does not obey.
        """
        self._pools.limit(limits=self._limit)
        counts = self.counts
        disobedient = {name: count for name, count in counts.items() if count > self._limit}
        if disobedient:
            raise RuntimeError(f"{self._limit} threads wanted, but {disobedient} runs with more")
        return counts

    @property
    def counts(self) -> dict[str, int]:
        """What each pool says of itself now."""
        return {f"{pool['internal_api']} {pool['version']}": int(pool["num_threads"]) for pool in self._pools.info()}
