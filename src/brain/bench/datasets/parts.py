"""Which part of a data set weights and rules may be chosen on, and which is kept to judge them.

LoCoMo: conv-26 and conv-30. RealMem: the first two personas by name. LongMemEval: half of the questions by a hash of
their id, so that a question is in the same part of the oracle and of the long variants.
"""

from __future__ import annotations

from hashlib import sha256

from brain.bench.datasets.dialogue import Conversation
from brain.bench.plan import Part

_LOCOMO = frozenset({"conv-26", "conv-30"})
_REALMEM = frozenset({"Adeleke_Okonjo", "Kenta_Tanaka"})


def part_of(conversation: Conversation) -> Part:
    """TUNE or HELD_OUT."""
    name = conversation.id
    if conversation.source == "locomo":
        tune = name in _LOCOMO
    elif conversation.source == "realmem":
        tune = name in _REALMEM
    else:
        tune = sha256(b"brain bench " + name.encode()).digest()[0] % 2 == 0
    return Part.TUNE if tune else Part.HELD_OUT
