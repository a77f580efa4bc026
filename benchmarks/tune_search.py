"""Choose the weights of search on the tuning conversations and write them to the package's data file.

    python benchmarks/tune_search.py DATA/locomo/locomo_dev6.json --brains DIR [--write]

The weights maximise the likelihood of the gold turns under a softmax over all turns of the conversation, with a small
penalty on their size: a smooth stand-in for recall. `spread` is then the one that finds most among the first 10 and 50.
Only two conversations are looked at. Their brains are dreamed, so that the wiki's weight is learned too; `--brains`
keeps them, and one that is there already is used as it is. `recent` and `rerank` are not chosen here.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from brain.bench.brains import Dreamed
from brain.bench.datasets import locomo
from brain.bench.datasets.dialogue import Conversation
from brain.bench.vectors import Kept
from brain.corpus.search import finding, fuse
from brain.corpus.search.index import SearchIndex
from brain.corpus.search.meaning import open_embedder

TUNED_ON = ("conv-26", "conv-30")
FEATURES = (
    "words", "before", "after", "around", "session_words", "meaning", "session_meaning", "speaker", "size", "time",
    "wiki", "when",
)  # fmt: skip
NEIGHBOUR = 0.5  # a turn next to a match never weighs more than this share of the match: chats alone would have it even
FILE = Path(__file__).parents[1] / "src/brain/corpus/search/data/weights.json"
SPREADS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
Example = tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int32]]


def examples(conversation: Conversation, index: SearchIndex) -> list[Example]:
    """For each question with evidence: the features of every turn, which turns are gold, and whose session each is."""
    finder = index.finder()
    seen = finder.seen
    names = {session.number: conversation.session_id(session.number) for session in conversation.sessions}
    uri_of = {doc: document.uri for doc, document in index.documents([int(doc) for doc in seen.turns.ids]).items()}
    found = []
    for asked in conversation.questions:
        if not asked.evidence or asked.category == "adversarial":
            continue
        read = finder.read(asked.text)
        turns, features, _ = finder.features("turns", read, index.rows(read))
        uris = {f"session://{names[session]}#t{turn}" for session, turn in asked.evidence}
        gold = [place for place, doc in enumerate(turns.ids) if uri_of.get(int(doc)) in uris]
        zero = np.zeros(len(turns), np.float32)
        found.append((np.stack([features.get(name, zero) for name in FEATURES], axis=1), np.array(gold), turns.session))
    return found


def recall(data: list[Example], weights: NDArray[np.float64], spread: float) -> float:
    """The mean of recall at 10 and at 50."""
    found = []
    for x, gold, session in data:
        total = (x @ weights).astype(np.float32)
        order = np.argsort(-total, kind="stable")[: finding.TOP]
        order = order[np.argsort(-fuse.spread(total[order], session[order], spread), kind="stable")]
        found.append(np.mean([np.isin(gold, order[:k]).mean() for k in (10, 50)]))
    return float(np.mean(found))


def fit(data: list[Example], *, penalty: float = 0.003, steps: int = 600, rate: float = 0.05) -> NDArray[np.float64]:
    """Adam on the mean log likelihood of the gold turns, features scaled by their spread, neighbours held down."""
    scale = np.concatenate([x for x, _, _ in data]).std(axis=0) + 1e-9
    weights = np.zeros(len(FEATURES))
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, steps + 1):
        gradient = -penalty * weights
        for x, gold, _ in data:
            scores = (x / scale) @ weights
            likely = np.exp(scores - scores.max())
            likely /= likely.sum()
            gradient += ((x[gold].mean(axis=0) - likely @ x) / scale) / len(data)
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        weights += rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        most = NEIGHBOUR * weights[0] / scale[0]
        weights[1:4] = np.minimum(weights[1:4], most * scale[1:4])
    return np.asarray(weights / scale)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--brains", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="put the weights into the package")
    options = parser.parse_args()
    data: list[Example] = []
    embedder = Kept(open_embedder(), options.brains / "vectors.sqlite")
    for conversation in locomo.load(options.data):
        if conversation.id in TUNED_ON:
            everything = frozenset(session.number for session in conversation.sessions)
            brain = Dreamed(conversation, options.brains / conversation.id, embedder)
            data += examples(conversation, brain.reach(everything))
    fitted = fit(data)
    weights = {name: round(float(value), 2) for name, value in zip(FEATURES, fitted, strict=True)}
    tried = {by: recall(data, fitted, by) for by in SPREADS}
    weights["spread"] = max(tried, key=lambda by: round(tried[by], 4))
    print("recall by spread:", {by: round(value, 4) for by, value in tried.items()})
    text = json.dumps({**json.loads(FILE.read_text("utf-8")), **weights}, indent=2) + "\n"
    if options.write:
        FILE.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
