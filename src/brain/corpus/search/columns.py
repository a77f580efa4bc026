"""What scoring needs of every document, as arrays: kept in a file, brought up to date by what is new, read at once.

A table of turns grows with the ids of what was added and is read anew when a turn was removed; that of the wiki, a
tenth of it, is read anew whenever a page, a note or a summary changed. Which vector belongs to which passage follows
by the rows that were added. All of it is in the catalogue too; this is only the quick way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brain.corpus.search import sidecar
from brain.corpus.search.catalogue import Catalogue
from brain.corpus.search.stores import Store
from brain.types import Surface

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NO_DAY = -1
NO_ROW = -1
SURFACES = tuple(Surface)
WORTH_WRITING = 1_000  # documents or vectors that a file may be behind before it is written again, and a fiftieth
_FIELDS = ("id", "session", "first", "speaker", "role", "day", "size", "dated", "about_first", "about_last", "surface")
_OF_KIND = {"turns": "docs.surface = 'turn'", "wiki": "docs.surface IN ('page', 'note', 'summary')"}
_ORDER = {"turns": "session, first, id", "wiki": "path, id"}
_COLUMN_OF = {"sessions": "session", "speakers": "speaker", "roles": "role", "languages": "language"}
_CITED = """SELECT cites.doc, max(turns.day) FROM docs JOIN cites ON cites.doc = docs.id JOIN docs AS turns
            ON turns.surface = 'turn' AND turns.session = cites.session AND turns.first = cites.first
            WHERE docs.surface = 'page' GROUP BY cites.doc"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Documents of one kind as parallel arrays: turns by session and turn, the wiki by path and id.

    `session`, `speaker`, `role` and `language` count in `names`. `unit_hash` and `unit_row` hold the passages of all
    documents in order, `unit_count` how many each has; a passage without a vector has NO_ROW.
    """

    kind: str
    stamp: Mapping[str, str]
    names: Mapping[str, tuple[str, ...]]
    arrays: Mapping[str, NDArray[Any]]

    def __len__(self) -> int:
        return len(self.arrays["id"])

    def numbered(self, name: str, names: Mapping[str, tuple[str, ...]]) -> NDArray[np.int32]:
        """A column of numbers as they count in longer lists of names."""
        import numpy as np

        column: NDArray[np.int32] = self.arrays[_COLUMN_OF[name]]
        if self.names[name] == names[name][: len(self.names[name])]:
            return column
        number = {one: at for at, one in enumerate(names[name])}
        return np.array([*(number[one] for one in self.names[name]), -1], np.int32)[column]

    def counted(self, name: str) -> dict[str, int]:
        """How many documents have each name."""
        import numpy as np

        column = self.arrays[_COLUMN_OF[name]]
        counts = np.bincount(column[column >= 0], minlength=len(self.names[name])).tolist()
        return dict(zip(self.names[name], counts, strict=True))


def file_of(folder: Path, kind: str) -> Path:
    return folder / f"columns-{kind}.bin"


def tables(
    catalogue: Catalogue, folder: Path, store: Store | None, before: Mapping[str, Table] | None = None
) -> dict[str, Table]:
    """The tables as of the catalogue's present state; call it inside a snapshot. `before` are those held already."""
    return {kind: _table(catalogue, folder, kind, store, (before or {}).get(kind)) for kind in _OF_KIND}


def behind(catalogue: Catalogue, folder: Path, store: Store | None) -> list[str]:
    """The kinds whose file is not there, another's, or behind by more than is quickly made up for."""
    return [
        kind for kind in _OF_KIND if _is_far(sidecar.stamp_of(file_of(folder, kind)), _stamp(catalogue, kind, store))
    ]


def keep(folder: Path, made: Mapping[str, Table], kinds: Iterable[str]) -> None:
    """Write the files of some kinds. The caller holds the writer's lock, `made` is of the present state."""
    for kind in kinds:
        table = made[kind]
        held = sidecar.Sidecar(stamp=table.stamp, names=table.names, arrays=table.arrays)
        sidecar.write(file_of(folder, kind), held)


def forget(catalogue: Catalogue, folder: Path) -> None:
    """Drop the files that hold documents which are gone. The caller holds the writer's lock."""
    for kind in _OF_KIND:
        there = sidecar.stamp_of(file := file_of(folder, kind))
        if there is None or not _goes_on(there, _stamp(catalogue, kind, None)):
            file.unlink(missing_ok=True)


def waiting(made: Iterable[Table]) -> int:
    """How many different passages have no vector, told apart by the first eight bytes of their hashes."""
    import numpy as np

    hashes = np.concatenate([one.arrays["unit_hash"][one.arrays["unit_row"] == NO_ROW] for one in made])
    if not len(hashes):
        return 0
    first = np.ascontiguousarray(hashes).view(np.uint64).reshape(len(hashes), -1)[:, 0]
    return 1 + int(np.count_nonzero(np.diff(np.sort(first))))


def _is_far(there: Mapping[str, str] | None, now: Mapping[str, str]) -> bool:
    if there is None or any(there.get(key) != now[key] for key in ("born", "changed", "embedder", "lost")):
        return True
    limit = max(WORTH_WRITING, int(now["last"]) // 50)
    return any(int(now[key]) - int(there[key]) > limit for key in ("last", "rows"))


def _table(catalogue: Catalogue, folder: Path, kind: str, store: Store | None, held: Table | None) -> Table:
    now = _stamp(catalogue, kind, store)
    if held is None or not _goes_on(held.stamp, now):
        held = _kept(folder, kind)
    if held is None or not _goes_on(held.stamp, now):
        table = _read(catalogue, kind, store)
    else:
        table = _with_rows(catalogue, held, now, store)
        after = int(held.stamp["last"])
        if after < int(now["last"]) and len(more := _read(catalogue, kind, store, after=after)):
            table = _joined(table, more)
    if kind == "wiki" and (held is None or held.stamp["turns"] != now["turns"] or "said" not in table.arrays):
        table = _with_days_said(catalogue, table)
    return replace(table, stamp=now)


def _kept(folder: Path, kind: str) -> Table | None:
    found = sidecar.read(file_of(folder, kind))
    if found is None:
        return None
    names = {name: tuple(values) for name, values in found.names.items()}
    return Table(kind=kind, stamp=found.stamp, names=names, arrays=found.arrays)


def _stamp(catalogue: Catalogue, kind: str, store: Store | None) -> dict[str, str]:
    last = str(int(catalogue.get("next_id", "1")) - 1)
    return {
        "born": catalogue.get("born"),
        "changed": catalogue.get(f"changed:{kind}", "0"),
        "last": last,
        "turns": f"{catalogue.get('changed:turns', '0')} {last}",
        "embedder": store.id if store else "",
        "lost": catalogue.get("vectors:lost", "0"),
        "rows": str(store.rows if store else 0),
    }


def _goes_on(stamp: Mapping[str, str], now: Mapping[str, str]) -> bool:
    """Whether the catalogue is the one a stamp is of, with documents added at most."""
    same = bool(now["born"]) and all(stamp.get(key) == now[key] for key in ("born", "changed"))
    return same and int(stamp["last"]) <= int(now["last"])


def same_documents(table: Table, catalogue: Catalogue) -> bool:
    now = _stamp(catalogue, table.kind, None)
    return all(table.stamp[key] == now[key] for key in ("born", "changed", "last", "lost"))


def _read(catalogue: Catalogue, kind: str, store: Store | None, *, after: int = 0) -> Table:
    """The documents of a kind behind an id, in their order."""
    import numpy as np

    names = {name: _Names() for name in _COLUMN_OF}
    sessions, speakers, roles = names["sessions"], names["speakers"], names["roles"]
    days, kinds = _Days(), {surface.value: at for at, surface in enumerate(SURFACES)}
    ids, blocks = [np.zeros(0, np.int64)], [np.zeros((0, len(_FIELDS)), np.int32)]
    which = f"{_OF_KIND[kind]} AND id > {after}" if after else _OF_KIND[kind]
    for piece in catalogue.stream(f"SELECT {', '.join(_FIELDS)} FROM docs WHERE {which} ORDER BY {_ORDER[kind]}"):
        numbers = [
            (
                0, sessions.number(session), turn or 0, speakers.number(speaker), roles.number(role), days[day or ""],
                size, dated, first or NO_DAY, last or NO_DAY, kinds[surface],
            )
            for _, session, turn, speaker, role, day, size, dated, first, last, surface in piece
        ]  # fmt: skip
        ids.append(np.array([row[0] for row in piece], np.int64))
        blocks.append(np.array(numbers, np.int32))
    block = np.concatenate(blocks)
    types = {"size": np.float32, "dated": np.bool_}
    arrays: dict[str, NDArray[Any]] = {
        name: np.ascontiguousarray(block[:, at].astype(types.get(name, np.int32))) for at, name in enumerate(_FIELDS)
    }
    arrays["id"] = np.concatenate(ids)
    arrays["language"] = _languages(catalogue, arrays["id"], names["languages"], after)
    arrays |= _units(catalogue, kind, store, arrays["id"], after)
    return Table(kind=kind, stamp={}, names={name: tuple(found) for name, found in names.items()}, arrays=arrays)


class _Names(dict[str, int]):
    def number(self, name: object) -> int:
        return -1 if name is None else self.setdefault(str(name), len(self))


class _Days(dict[str, int]):
    """Days as ordinals; there are far fewer of them than documents."""

    def __missing__(self, day: str) -> int:
        self[day] = found = date.fromisoformat(day).toordinal() if day else NO_DAY
        return found


def _languages(catalogue: Catalogue, ids: NDArray[np.int64], names: _Names, after: int) -> NDArray[np.int32]:
    """The language of each document, by an index that holds nothing else."""
    import numpy as np

    out = np.full(len(ids), -1, np.int32)
    order = np.argsort(ids, kind="stable")
    by = "docs" if after else "docs INDEXED BY docs_language"
    docs, numbers = [np.zeros(0, np.int64)], [np.zeros(0, np.int32)]
    for piece in catalogue.stream(f"SELECT id, language FROM {by} WHERE id > {after}"):
        docs.append(np.array([doc for doc, _ in piece], np.int64))
        numbers.append(np.array([names.number(language) for _, language in piece], np.int32))
    at, mine = _found(ids, order, np.concatenate(docs))
    out[at[mine]] = np.concatenate(numbers)[mine]
    return out


def _units(
    catalogue: Catalogue, kind: str, store: Store | None, ids: NDArray[np.int64], after: int
) -> dict[str, NDArray[Any]]:
    """How many passages each document has; the beginnings of their hashes and their rows, in the documents' order."""
    import numpy as np

    of_kind = f"units WHERE units.doc > {after}"
    if kind == "wiki" and not after:  # not by way of every turn
        of_kind = f"docs JOIN units ON units.doc = docs.id WHERE {_OF_KIND[kind]}"
    source, _, where = of_kind.partition(" WHERE ")
    sql = f"""SELECT units.doc, units.hash, coalesce(vectors.row, {NO_ROW}) FROM {source} LEFT JOIN vectors
              ON vectors.embedder = ? AND vectors.hash = units.hash WHERE {where} ORDER BY units.doc, units.part"""
    docs, hashes, rows = [np.zeros(0, np.int64)], [np.zeros(0, np.uint64)], [np.zeros(0, np.int32)]
    for piece in catalogue.stream(sql, (store.id if store else "",)):
        docs.append(np.array([doc for doc, _, _ in piece], np.int64))
        hashes.append(_short(digest for _, digest, _ in piece))
        rows.append(np.array([row for _, _, row in piece], np.int32))
    at, mine = _found(ids, np.argsort(ids, kind="stable"), np.concatenate(docs))
    place = at[mine]
    order = np.argsort(place, kind="stable")
    return {
        "unit_count": np.bincount(place, minlength=len(ids)).astype(np.int32),
        "unit_hash": np.concatenate(hashes)[mine][order],
        "unit_row": np.concatenate(rows)[mine][order],
    }


def _short(digests: Iterable[bytes]) -> NDArray[np.uint64]:
    """The first eight bytes of hashes, as numbers."""
    import numpy as np

    return np.frombuffer(b"".join(digest[:8] for digest in digests), np.uint64)


def _found(
    ids: NDArray[Any], order: NDArray[np.int64], wanted: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Where some numbers lie among `ids`, which `order` sorts, and which of them are there at all."""
    import numpy as np

    if not len(ids):
        return np.zeros(len(wanted), np.int64), np.zeros(len(wanted), np.bool_)
    in_order = ids[order]
    at = np.minimum(np.searchsorted(in_order, wanted), len(ids) - 1)
    return order[at], in_order[at] == wanted


def _joined(old: Table, new: Table) -> Table:
    """Turns and turns that were added, by session and turn again."""
    import numpy as np

    names: dict[str, tuple[str, ...]] = {}
    arrays = dict(old.arrays)
    for name, column in _COLUMN_OF.items():
        every = tuple(dict.fromkeys((*old.names[name], *new.names[name])))
        names[name] = tuple(sorted(every)) if name == "sessions" else every
        arrays[column] = np.concatenate([one.numbered(name, names) for one in (old, new)])
    for name in ("id", "first", "day", "size", "dated", "about_first", "about_last", "surface", "unit_count"):
        arrays[name] = np.concatenate([old.arrays[name], new.arrays[name]])
    order = np.lexsort((arrays["id"], arrays["first"], arrays["session"]))
    counts = arrays["unit_count"]
    begins = np.cumsum(counts) - counts
    arrays = {name: values[order] for name, values in arrays.items() if not name.startswith("unit_")}
    arrays["unit_count"] = counts[order]
    units = _runs(begins[order], counts[order])
    for name in ("unit_hash", "unit_row"):
        arrays[name] = np.concatenate([old.arrays[name], new.arrays[name]])[units]
    return Table(kind=old.kind, stamp=old.stamp, names=names, arrays=arrays)


def _runs(begins: NDArray[np.int64], counts: NDArray[np.int32]) -> NDArray[np.int64]:
    """`begins[0], begins[0] + 1, …` for each of some runs, one after another."""
    import numpy as np

    ends = np.cumsum(counts, dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    return np.asarray(np.arange(total) + np.repeat(begins - (ends - counts), counts), np.int64)


def _with_rows(catalogue: Catalogue, table: Table, now: Mapping[str, str], store: Store | None) -> Table:
    """The table with the rows of vectors that were added since; all of them when they are another embedder's."""
    import numpy as np

    stamp = table.stamp
    same = all(stamp[key] == now[key] for key in ("embedder", "lost")) and int(stamp["rows"]) <= int(now["rows"])
    if same and stamp["rows"] == now["rows"]:
        return table
    old = table.arrays["unit_row"]
    rows = old.copy() if same else np.full(len(old), NO_ROW, np.int32)
    since = int(stamp["rows"]) if same else 0
    hashes, numbers = [np.zeros(0, np.uint64)], [np.zeros(0, np.int32)]
    for piece in catalogue.stream(
        "SELECT hash, row FROM vectors WHERE embedder = ? AND row >= ?", (store.id if store else "", since)
    ):
        hashes.append(_short(digest for digest, _ in piece))
        numbers.append(np.array([row for _, row in piece], np.int32))
    short, number = np.concatenate(hashes), np.concatenate(numbers)
    order = np.argsort(short, kind="stable")
    at, mine = _found(short, order, table.arrays["unit_hash"])
    rows[mine] = number[at[mine]]
    return replace(table, arrays={**table.arrays, "unit_row": rows})


def _with_days_said(catalogue: Catalogue, table: Table) -> Table:
    """A page's own day is that of its last change: what a claim says was said on the day of the turns it cites."""
    import numpy as np

    said = np.where(table.arrays["surface"] == SURFACES.index(Surface.PAGE), np.int32(NO_DAY), table.arrays["day"])
    cited = [(int(str(doc)), date.fromisoformat(str(day)).toordinal()) for doc, day in catalogue.rows(_CITED) if day]
    ids = table.arrays["id"]
    pairs = np.array(cited, np.int64).reshape(-1, 2)
    at, mine = _found(ids, np.argsort(ids, kind="stable"), pairs[:, 0])
    said[at[mine]] = pairs[mine, 1]
    return replace(table, arrays={**table.arrays, "said": said})
