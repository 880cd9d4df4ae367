"""Ctrl-C during an auction of one-to-one links."""

import signal
import threading

import numpy as np
import pytest

from shoal import kernels

N_PERSONS = 20_000


@pytest.mark.usefixtures("ctrl_c_heard")
def test_an_interrupt_is_heard_before_the_auction_ends():
    """Twice as many persons as records that anybody wants: they raise prices for seconds. Who has no link yet was
    interrupted within the auction."""
    chance = np.random.default_rng(1)
    assignment = kernels.Assignment(N_PERSONS, np.ones(N_PERSONS, dtype=np.int64), 1e6)
    persons = np.repeat(np.arange(N_PERSONS), 10)
    records = chance.integers(0, N_PERSONS // 2, len(persons))
    assignment.add(persons, records, chance.random(len(persons)))
    pressed = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    pressed.start()
    with pytest.raises(KeyboardInterrupt):
        assignment.start()
    pressed.join()
    assert (assignment.records() == -1).all()
