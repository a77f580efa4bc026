"""Putting Brain into a host and taking it out again, file by file; what cannot be done safely is left and said."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from brain.errors import FormatError, UsageError
from brain.hosts import entries, files, receipts, toml_edit
from brain.hosts.command import Command
from brain.hosts.entries import State
from brain.hosts.files import File
from brain.hosts.host import Entry, Format, Host, Own, Place, Scope, Settings
from brain.hosts.receipts import Receipt, Written


class Did(StrEnum):
    ADDED = "added"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    RESTORED = "restored"  # byte for byte as it was before
    REMOVED = "removed"
    KEPT = "kept"  # somebody else's, or changed by somebody
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What was done to one file, or would be. `text` is ours: what goes in, or what to write by hand when refused.

    Nothing that somebody else wrote stands in it: settings hold keys and passwords.
    """

    path: str
    what: str
    did: Did
    why: str = ""
    text: str = ""

    @property
    def well(self) -> bool:
        return self.did is not Did.REFUSED


def install(host: Host, place: Place, command: Command, *, dry_run: bool = False) -> list[Change]:
    """Put the entries, hooks and the skill of a host in. Raises UsageError when a path cannot stand in its settings.

    What is there already is left, so that doing it again changes nothing.
    """
    for word in (*command.serve, *command.words):
        if found := next((text for text in host.expands if text in word), None):
            raise UsageError(
                f"{host.title} would replace {found!r} in the path {word!r}", hint="move it, or use a link"
            )
    receipt = receipts.find(host.name, place)
    receipt = Receipt(
        host=host.name, scope=place.scope, project=receipt.project, memory=command.memory, files=receipt.files
    )
    changes = []
    for settings in host.settings(place, command):
        change, receipt = _put_settings(host, settings, receipt, place, dry_run=dry_run)
        changes.append(change)
    for own in host.own(place, command):
        change, receipt = _put_own(own, receipt, place, dry_run=dry_run)
        changes.append(change)
    if not dry_run:
        receipts.save(receipt)
    return changes


def uninstall(host: Host, place: Place, *, dry_run: bool = False) -> list[Change]:
    """Take everything of ours out of a host. A file that nobody else changed since is again as it was before."""
    receipt = receipts.find(host.name, place)
    made = [Path(folder) for written in receipt.files.values() for folder in written.folders]
    blank = Command(words=("brain",), memory="")
    changes = []
    for settings in host.settings(place, blank):
        for path in settings.paths:
            change, receipt = _take_settings(host, settings, path, receipt, dry_run=dry_run)
            changes += [change] if change else []
    for own in host.own(place, blank):
        change, receipt = _take_own(own, receipt, dry_run=dry_run)
        changes += [change] if change else []
    if not dry_run:
        files.remove_folders(made)
        receipts.save(receipt)
    return changes


def _put_settings(
    host: Host, settings: Settings, receipt: Receipt, place: Place, *, dry_run: bool
) -> tuple[Change, Receipt]:
    path, before = settings.path, receipt.files.get(str(settings.path))
    wanted = settings.entries({})
    what, backup = _named(wanted), ""
    try:
        file = files.read(path)
        found = entries.values(file.text, settings.format)
        wanted = settings.entries(found)
        states = [entries.state(found, entry, host.name) for entry in wanted]
        untouched = before is not None and before.sha256 == file.sha256
        if before is not None and all(state is State.SAME for state in states):
            return Change(path=str(path), what=what, did=Did.UNCHANGED), receipt
        original = _original(file, before, untouched, wanted, states, host, settings.format)
        start = _text(original) if untouched else file.text
        new = entries.put(start, wanted, host.name, settings.format)
        data = (file.mark + new).encode()
        if not dry_run:
            folders = [str(folder) for folder in files.missing_folders(path)]
            backup = receipts.keep(path, original) if original is not None else ""
            if data != file.data:
                files.write(file, data, mode=_mode(place))
            written = Written(
                path=str(path),
                sha256=files.digest(data),
                backup=backup,
                made=tuple(entries.made_for(entries.values(_text(original), settings.format), wanted)),
                folders=before.folders if before else tuple(folders),
            )
            receipt = receipt.with_file(written)
    except FormatError as error:
        receipts.drop([backup] if before is None else [])
        return _refused(path, what, error, _paste(wanted, settings.format)), receipt
    if data == file.data:
        return Change(path=str(path), what=what, did=Did.UNCHANGED), receipt
    fresh = all(state is State.ABSENT for entry, state in zip(wanted, states, strict=True) if entry.kind != "default")
    did = Did.ADDED if fresh else Did.UPDATED
    return Change(path=str(path), what=what, did=did, text=_paste(wanted, settings.format)), receipt


def _original(
    file: File,
    before: Written | None,
    untouched: bool,
    wanted: tuple[Entry, ...],
    states: list[State],
    host: Host,
    format: Format,
) -> bytes | None:
    """The file as it is without us; None when it is not there then."""
    if file.data is None:
        return None
    if untouched and before is not None:
        kept = receipts.kept(before.backup)
        if kept is not None or not before.backup:
            return kept
    if all(state is State.ABSENT for entry, state in zip(wanted, states, strict=True) if entry.kind != "default"):
        return file.data
    made = list(before.made) if before else []
    return (file.mark + entries.take(file.text, wanted, made, host.name, format)).encode()


def _take_settings(
    host: Host, settings: Settings, path: Path, receipt: Receipt, *, dry_run: bool
) -> tuple[Change | None, Receipt]:
    before = receipt.files.get(str(path))
    what = _named(settings.entries({}))
    try:
        file = files.read(path)
        if file.data is None:
            return None, receipt if dry_run else receipt.without(path)
        found = entries.values(file.text, settings.format)
        wanted = settings.entries(found)
        data: bytes | None
        kept = receipts.kept(before.backup) if before else None
        if before and before.sha256 == file.sha256 and (kept is not None or not before.backup):
            data, did = kept, Did.RESTORED
        else:
            made = list(before.made) if before else []
            left = entries.take(file.text, wanted, made, host.name, settings.format)
            gone = before is not None and not before.backup and _only_defaults(left, wanted, settings.format)
            data, did = None if gone else (file.mark + left).encode(), Did.REMOVED
        if not dry_run:
            if data != file.data:
                files.write(file, data, mode=0o600)
            receipts.drop([before.backup] if before else [])
            receipt = receipt.without(path)
    except FormatError as error:
        said = "take out by hand: " + ", ".join(".".join(entry.path) for entry in settings.entries({}))
        return _refused(path, what, error, said), receipt
    if data == file.data:
        return None, receipt
    return Change(path=str(path), what=what, did=did), receipt


def _put_own(own: Own, receipt: Receipt, place: Place, *, dry_run: bool) -> tuple[Change, Receipt]:
    before = receipt.files.get(str(own.path))
    try:
        file = files.read(own.path)
        data = own.text.encode()
        if file.data is not None and file.data != data and not (before and before.sha256 == file.sha256):
            why = "it is there and not as Brain wrote it; remove it to have Brain's"
            return Change(path=str(own.path), what=own.what, did=Did.KEPT, why=why), receipt
        if not dry_run:
            folders = tuple(str(folder) for folder in files.missing_folders(own.path))
            if file.data != data:
                files.write(file, data, mode=_mode(place))
            kept_folders = before.folders if before else folders
            receipt = receipt.with_file(Written(path=str(own.path), sha256=files.digest(data), folders=kept_folders))
    except FormatError as error:
        return _refused(own.path, own.what, error, own.text), receipt
    did = Did.UNCHANGED if file.data == data else Did.UPDATED if file.data is not None else Did.ADDED
    return Change(path=str(own.path), what=own.what, did=did), receipt


def _take_own(own: Own, receipt: Receipt, *, dry_run: bool) -> tuple[Change | None, Receipt]:
    before = receipt.files.get(str(own.path))
    try:
        file = files.read(own.path)
        if file.data is None:
            return None, receipt if dry_run else receipt.without(own.path)
        if file.data != own.text.encode() and not (before and before.sha256 == file.sha256):
            why = "it was changed after Brain wrote it" if before else "it is not as Brain wrote it"
            return Change(path=str(own.path), what=own.what, did=Did.KEPT, why=why), receipt.without(own.path)
        if not dry_run:
            files.write(file, None, mode=0o600)
            receipt = receipt.without(own.path)
    except FormatError as error:
        return _refused(own.path, own.what, error, ""), receipt
    return Change(path=str(own.path), what=own.what, did=Did.REMOVED), receipt


def _refused(path: Path, what: str, error: FormatError, text: str) -> Change:
    why = error.reason + (f" (line {error.line})" if error.line else "")
    return Change(path=str(path), what=what, did=Did.REFUSED, why=why, text=text)


def _only_defaults(text: str, wanted: tuple[Entry, ...], format: Format) -> bool:
    """Whether nothing is left but values that were put where there were none."""
    left = entries.values(text, format)
    defaults = {entry.path[0] for entry in wanted if entry.kind == "default"}
    return isinstance(left, dict) and set(left) <= defaults


def _named(wanted: tuple[Entry, ...]) -> str:
    """What the entries of a file are, in a few words."""
    hooks = [entry for entry in wanted if entry.kind == "item"]
    named = [entry.what for entry in wanted if entry.kind == "member"]
    return ", ".join([*named, *([f"{len(hooks)} hooks"] if hooks else [])])


def _paste(wanted: tuple[Entry, ...], format: Format) -> str:
    """The entries as they would be written, to be pasted by hand."""
    if format is Format.TOML:
        return "\n".join(line for entry in wanted for line in toml_edit.render(entry.path, _table(entry.value)))
    whole: dict[str, object] = {}
    for entry in wanted:
        inner = whole
        for key in entry.path[:-1]:
            step = inner.setdefault(key, {})
            inner = step if isinstance(step, dict) else {}
        inner[entry.path[-1]] = [entry.value] if entry.kind == "item" else entry.value
    return json.dumps(whole, ensure_ascii=False, indent=2)


def _table(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8").removeprefix(files.MARK)


def _mode(place: Place) -> int:
    return 0o600 if place.scope is Scope.USER else 0o644
