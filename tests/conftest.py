"""For every test: vectors are made at once, by the command that wrote, so that a test sees the same each time.

Work in the background has tests of its own (`corpus/test_background.py`), which switch it on.
"""

from __future__ import annotations

import os

os.environ["BRAIN_SEARCH_BACKGROUND"] = "false"
