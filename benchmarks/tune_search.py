"""Choose the weights of search on the tuning conversations and write them to the package's data file.

    python benchmarks/tune_search.py turns DATA/locomo/locomo_dev6.json --brains DIR [--write]
    python benchmarks/tune_search.py messages DATA/realmem --brains DIR [--write]

`turns`: the weights maximise the likelihood of the gold turns under a softmax over all turns of the conversation, with
a small penalty on their size: a smooth stand-in for recall. `spread` is then the one that finds most among the first
10 and 50. Only conv-26 and conv-30 are looked at. Their brains are dreamed, so that the wiki's weight is learned too;
`--brains` keeps them, and one that is there already is used as it is. `recent` and `rerank` are not chosen here.

`messages`: in the same way the weights by which sessions are ranked for a message of several sentences, on the queries
of two personas of RealMem, with the weights of turns as they are. `message_turns` is held at what still lets a time or
a speaker that the message names count. Each persona is also ranked by weights fitted on the other one alone.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from brain.bench.brains import Dreamed, Plain
from brain.bench.datasets import locomo, realmem
from brain.bench.datasets.dialogue import Conversation, Question
from brain.bench.datasets.parts import part_of
from brain.bench.plan import Arm, Part
from brain.bench.recall import weights_of
from brain.bench.vectors import Kept
from brain.corpus.search import finding, fuse, sessions
from brain.corpus.search.finding import Filters
from brain.corpus.search.index import SearchIndex
from brain.corpus.search.meaning import open_embedder
from brain.types import Surface

TUNED_ON = ("conv-26", "conv-30")
FEATURES = (
    "words", "before", "after", "around", "session_words", "meaning", "session_meaning", "speaker", "size", "time",
    "wiki", "when",
)  # fmt: skip
NEIGHBOUR = 0.5  # a turn next to a match never weighs more than this share of the match: chats alone would have it even
FILE = Path(__file__).parents[1] / "src/brain/corpus/search/data/weights.json"
OF_A_SESSION = ("turns", "words", "meaning", "alike", "recent")
TURNS_OF_A_MESSAGE = 0.15
SPREADS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
TURNS_ONLY = np.array([1.0, 0.0, 0.0, 0.0, 0.0])
Bounds = Callable[[NDArray[np.float64]], NDArray[np.float64]]
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


def recall(data: list[Example], weights: NDArray[np.float64], spread: float, ks: tuple[int, ...]) -> float:
    """The mean of recall at some depths."""
    found = []
    for x, gold, session in data:
        total = (x @ weights).astype(np.float32)
        order = np.argsort(-total, kind="stable")[: finding.TOP]
        order = order[np.argsort(-fuse.spread(total[order], session[order], spread), kind="stable")]
        found.append(np.mean([np.isin(gold, order[:k]).mean() for k in ks]))
    return float(np.mean(found))


def fit(
    data: list[Example], bounds: Bounds, *, penalty: float = 0.003, steps: int = 600, rate: float = 0.05
) -> NDArray[np.float64]:
    """Adam on the mean log likelihood of the gold, features scaled by their spread, within bounds."""
    scale = np.concatenate([x for x, _, _ in data]).std(axis=0) + 1e-9
    weights = np.zeros(data[0][0].shape[1])
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
        weights = bounds(weights / scale) * scale
    return np.asarray(weights / scale)


def no_neighbour_beats_a_match(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    weights[1:4] = np.minimum(weights[1:4], NEIGHBOUR * weights[0])
    return weights


def turns_count(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    weights[0] = TURNS_OF_A_MESSAGE
    return np.maximum(weights, 0)


def messages(conversation: Conversation, embedder: Kept) -> list[Example]:
    """For each message that needs earlier sessions: the features of every session, and which are gold."""
    asked: dict[frozenset[int], list[Question]] = {}
    for question in conversation.questions:
        if question.sessions:
            asked.setdefault(conversation.seen_by(question), []).append(question)
    found = []
    with TemporaryDirectory() as folder:
        brain = Plain(conversation, Path(folder) / "brain", embedder)
        for numbers in sorted(asked, key=len):
            index = brain.reach(numbers)
            for question in asked[numbers]:
                finder = index.finder()
                now = question.asked_at.date() if question.asked_at else None
                read = finder.read(question.text, now)
                if not read.sentences:
                    continue
                by = {sessions.MESSAGE: 0.0, **weights_of(Arm.FUSED)}
                scores, names = sessions.features(
                    finder, read, index.rows(read), Filters(surfaces={Surface.TURN}), now=now, weights=by
                )
                gold = {conversation.session_id(number) for number in question.sessions}
                places = [at for at, name in enumerate(names) if finder.seen.sessions[name] in gold]
                x = np.stack([scores[name] for name in OF_A_SESSION], axis=1)
                found.append((x, np.array(places), names.astype(np.int32)))
    return found


def tune_turns(path: Path, brains: Path, embedder: Kept) -> dict[str, float]:
    data: list[Example] = []
    for conversation in locomo.load(path):
        if conversation.id in TUNED_ON:
            everything = frozenset(session.number for session in conversation.sessions)
            brain = Dreamed(conversation, brains / conversation.id, embedder)
            data += examples(conversation, brain.reach(everything))
    fitted = fit(data, no_neighbour_beats_a_match)
    weights = {name: round(float(value), 2) for name, value in zip(FEATURES, fitted, strict=True)}
    tried = {by: recall(data, fitted, by, (10, 50)) for by in SPREADS}
    weights["spread"] = max(tried, key=lambda by: round(tried[by], 4))
    print("recall by spread:", {by: round(value, 4) for by, value in tried.items()})
    return weights


def tune_messages(path: Path, embedder: Kept) -> dict[str, float]:
    parts = [messages(one, embedder) for one in realmem.load(path) if part_of(one) is Part.TUNE]
    for at, part in enumerate(parts):
        apart = fit([example for other in parts if other is not part for example in other], turns_count)
        print(
            f"persona {at + 1}, by the other: {_at_5_and_10(part, apart)}; by turns: {_at_5_and_10(part, TURNS_ONLY)}"
        )
    fitted = fit([example for part in parts for example in part], turns_count)
    names = (sessions.MESSAGE + name for name in OF_A_SESSION)
    return {name: round(float(value), 2) for name, value in zip(names, fitted, strict=True)}


def _at_5_and_10(data: list[Example], weights: NDArray[np.float64]) -> str:
    return " ".join(f"R@{k} {recall(data, weights, 0, (k,)):.3f}" for k in (5, 10))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["turns", "messages"])
    parser.add_argument("data", type=Path)
    parser.add_argument("--brains", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="put the weights into the package")
    options = parser.parse_args()
    embedder = Kept(open_embedder(), options.brains / "vectors.sqlite")
    if options.what == "turns":
        weights = tune_turns(options.data, options.brains, embedder)
    else:
        weights = tune_messages(options.data, embedder)
    text = json.dumps({**json.loads(FILE.read_text("utf-8")), **weights}, indent=2) + "\n"
    if options.write:
        FILE.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
