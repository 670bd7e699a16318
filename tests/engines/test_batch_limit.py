"""Spark's limit on the bytes of a batch, on sessions that only have settings; tests/engines/spark has real ones."""

from __future__ import annotations

import pytest

from rankgauge.engines.batch_limit import BYTES, ROWS, SETTINGS, lifted


class Settings(dict[str, str]):
    """The settings of a session, of Spark's interface."""

    def set(self, name: str, value: str) -> None:
        self[name] = value

    def unset(self, name: str) -> None:
        del self[name]


class FixedSettings(Settings):
    """Settings that a platform does not let anyone change."""

    def set(self, name: str, value: str) -> None:
        raise PermissionError(name, value)


class InterruptedSettings(Settings):
    """Settings that are changed when the user presses Ctrl-C."""

    def set(self, name: str, value: str) -> None:
        super().set(name, value)
        raise KeyboardInterrupt


class StoppedSettings(Settings):
    """Settings of a session that is stopped when they are to be restored."""

    def unset(self, name: str) -> None:
        raise ConnectionError(name)


class Session:
    """A session of which only the settings are looked at."""

    def __init__(self, conf: Settings) -> None:
        self.conf = conf


def test_default_limit_is_lifted_inside_and_is_back_afterwards() -> None:
    session = Session(Settings())
    with lifted(session):
        assert session.conf == SETTINGS == {BYTES: "2147483647", ROWS: "2000"}
    assert session.conf == {}


@pytest.mark.parametrize("limits", [{BYTES: "1m"}, {ROWS: "0"}, {BYTES: "1m", ROWS: "500"}])
def test_limits_of_the_user_are_kept(limits: dict[str, str]) -> None:
    session = Session(Settings(limits))
    with lifted(session):
        assert session.conf == limits
    assert session.conf == limits


def test_limit_that_the_user_sets_meanwhile_is_kept() -> None:
    session = Session(Settings())
    with lifted(session):
        session.conf.set(BYTES, "1m")
    assert session.conf == {BYTES: "1m"}


def test_settings_that_cannot_be_changed_are_left_alone() -> None:
    session = Session(FixedSettings())
    with lifted(session):
        assert session.conf == {}
    assert session.conf == {}


def test_interrupt_while_the_limit_is_lifted_leaves_nothing() -> None:
    session = Session(InterruptedSettings())
    with pytest.raises(KeyboardInterrupt), lifted(session):
        pass
    assert session.conf == {}


def test_errors_inside_are_raised_and_the_limit_is_back() -> None:
    session = Session(Settings())
    with pytest.raises(KeyError, match="row"), lifted(session):
        raise KeyError("row")
    assert session.conf == {}


def test_errors_inside_are_raised_where_the_session_was_stopped() -> None:
    with pytest.raises(KeyError, match="row"), lifted(Session(StoppedSettings())):
        raise KeyError("row")
