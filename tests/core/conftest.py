"""Settings of the tests of the core."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# The same examples on every run and no limit on the time of one: a slow machine is no fault.
# HYPOTHESIS_PROFILE=search looks for new ones, and longer.
# How quickly examples are made depends on what else the machine does.
settings.register_profile(
    "repeatable",
    deadline=None,
    derandomize=True,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("search", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
