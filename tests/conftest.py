"""For every test: vectors are made at once, by the command that wrote, so that a test sees the same each time, and no
model that a developer's environment names is asked.

Work in the background has tests of its own (`corpus/test_background.py`), which switch it on.
"""

from __future__ import annotations

import os

os.environ["BRAIN_SEARCH_BACKGROUND"] = "false"
for _name in [name for name in os.environ if name.startswith("BRAIN_MODEL") or name == "BRAIN_RUN_ENGINE"]:
    del os.environ[_name]
