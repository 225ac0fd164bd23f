"""What a run says while it goes: events to its listener, and its state to who looks from another terminal."""

from __future__ import annotations

import time
from collections.abc import Callable

from spcabench.run.events import Event, Listener
from spcabench.run.executors.contract import Executor
from spcabench.run.options import Options
from spcabench.run.pulse import Pulse, State
from spcabench.run.remaining import Remaining
from spcabench.run.tally import Tally
from spcabench.run.under_way import UnderWay
from spcabench.store.folder import RunFolder
from spcabench.store.record import Record


class Reporter:
    """Reports what a run does.

    Parameters
    ----------
    folder : RunFolder
        Of the run.
    options : Options
        How it was started.
    executor : Executor
        Does its tasks.
    listener : Listener
        Hears the events.
    seconds_left : callable
        Returns the seconds left; None if they are not known.
    """

    def __init__(
        self,
        folder: RunFolder,
        options: Options,
        executor: Executor,
        listener: Listener,
        seconds_left: Callable[[], float | None],
    ) -> None:
        self.tally = Tally()
        self.under_way = UnderWay()
        self.pulse = Pulse(folder, self._state)
        self._remaining = Remaining(seconds_left)
        self._options = options
        self._executor = executor
        self._listener = listener

    def say(self, text: str, loud: bool = False, record: Record | None = None) -> None:
        """Report an event, with how much is done."""
        tally = self.tally
        left = self._remaining.words if record is not None else ""
        self._listener(Event(text, tally.done, tally.total, tally.growing, record, loud, left))

    def say_drawing(self, text: str, loud: bool) -> None:
        """Report what is drawn, also to who looks from elsewhere, since it may take long."""
        self.under_way.begin("draw", text)
        self.pulse.beat_now()
        self.under_way.end("draw")
        self.say(text, loud)

    def _state(self) -> State:
        return State(
            time=time.time(),
            jobs=self._executor.capacity,
            done=self.tally.done,
            total=self.tally.total,
            growing=self.tally.growing,
            under_way=self.under_way.tasks,
            beyond=self.under_way.beyond,
            only=list(self._options.only),
            skip=list(self._options.skip),
            rescoring=self._options.rescore,
        )
