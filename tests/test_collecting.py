import gc

import pytest

from synth.core.gc_pause import no_collection


def test_collection_pauses_and_goes_on_whatever_happens():
    with no_collection():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ValueError, match="within"), no_collection():
        raise ValueError("within")
    assert gc.isenabled()


def test_a_pause_within_a_pause_does_not_end_it():
    with no_collection():
        with no_collection():
            pass
        assert not gc.isenabled()
    gc.disable()
    try:
        with no_collection():
            pass
        assert not gc.isenabled(), "who had it off keeps it off"
    finally:
        gc.enable()
