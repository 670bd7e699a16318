"""Property tests repeat their examples in `make test`, more in `make test-full`; `make explore` draws new ones."""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

# Neither deadline nor speed check: a busy machine is no fault of the code.
explore = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("explore", explore)
settings.register_profile("full", explore, derandomize=True)
settings.register_profile("check", explore, derandomize=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "check"))

# ranx runs as plain Python: numba needs two minutes to compile it, which only `make test-full` spends.
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")

# Each adapter imports its tool, which may live in an environment of its own; tests/parity asks those that are here.
collect_ignore_glob = ["parity/tools/*"]

# Programs that tests start and send a signal to inherit signals that are ignored, as under `nohup` or in a script that
# runs in the background, and would wait for ever; signals with a handler are reset. This one ignores them as before.
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, lambda *_: None)
