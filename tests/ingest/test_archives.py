"""Zip archives: exports as they are downloaded, several of one export, nested ones, hostile ones."""

from __future__ import annotations

import io
import json
import stat
import struct
import tempfile
import zipfile
from pathlib import Path

import pytest
from foreign import Importing, conversation, message, said


def talks(*names: str) -> str:
    return json.dumps(
        [conversation(name, [None, message("user", f"About {name}.", 1_760_000_000.0)]) for name in names]
    )


def zipped(members: dict[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def test_an_export_is_read_as_it_was_downloaded(brain: Importing) -> None:
    """T35: importing it again adds nothing and does not unpack it."""
    export: dict[str, str | bytes] = {
        "conversations.json": talks("Tides"),
        "user.json": "{}",
        "chat.html": "<html></html>",
        "a/photo.png": b"\x89PNG",
    }
    path = brain.write("export.zip", zipped(export))

    report = brain.take(path)

    assert report.exit_code == 0
    assert said(brain.one()) == ["About Tides."]
    assert report.skips.left_out["file of the archive that is no text"] == 1
    again = brain.take(path)
    assert (again.new, again.unchanged, again.exit_code) == (0, 1, 0)


def test_several_archives_of_one_export_and_archives_in_archives(brain: Importing) -> None:
    brain.write("one.zip", zipped({"conversations-000.json": talks("Tides", "Knots")}))
    brain.write("two.zip", zipped({"conversations-001.json": talks("Knots", "Paint")}))
    inner = zipped({"Takeout/conversations.json": talks("Inner")})
    brain.write("three.zip", zipped({"part.zip": zipped({"deeper.zip": inner})}))

    report = brain.take()

    assert sorted(said(one)[0] for one in brain.stored()) == [
        "About Inner.",
        "About Knots.",
        "About Paint.",
        "About Tides.",
    ]
    assert (report.new, report.exit_code) == (4, 0)
    assert brain.take().new == 0


def test_an_export_that_grew_grows_its_sessions(brain: Importing) -> None:
    path = brain.write("export.zip", zipped({"conversations.json": talks("Tides")}))
    brain.take()
    longer = conversation(
        "Tides", [None, message("user", "About Tides.", 1_760_000_000.0), message("user", "More.", 1_760_000_100.0)]
    )
    path.write_bytes(zipped({"conversations.json": json.dumps([longer])}))

    assert (brain.take().grown, said(brain.one())) == (1, ["About Tides.", "More."])


@pytest.mark.parametrize(
    "name", ["../evil.json", "/evil.json", "a/../../evil.json", "C:/evil.json", "..\\evil.json", "a\n.json"]
)
def test_names_that_lead_out_are_refused_and_the_rest_is_read(brain: Importing, name: str) -> None:
    path = brain.write("deep/export.zip", zipped({name: talks("Evil"), "conversations.json": talks("Good")}))

    report = brain.take(path)

    assert [said(one) for one in brain.stored()] == [["About Good."]]
    assert report.skips.broken == {"name leads out of the archive; refused": 1}
    assert report.exit_code == 1
    assert not list(brain.source.parent.rglob("evil.json"))


def test_links_are_refused(brain: Importing) -> None:
    secret = brain.write("secret.txt", "User: hidden words\n\nAssistant: yes\n")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        link = zipfile.ZipInfo("talk.md")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, str(secret))
    path = brain.write("zips/links.zip", out.getvalue())

    report = brain.take(path)

    assert report.skips.broken == {"link in the archive; refused": 1}
    assert not brain.files()


def test_bombs_are_refused_before_they_go_off(brain: Importing) -> None:
    bomb = zipped({"bomb.json": b"[" + b" " * (80 << 20) + b"]", "conversations.json": talks("Good")})
    path = brain.write("bomb.zip", bomb)

    report = brain.take(path)

    assert [said(one) for one in brain.stored()] == [["About Good."]]
    assert any("refused" in problem and "bomb.json" in problem for problem in report.problems)


def test_a_member_larger_than_it_says_is_stopped(brain: Importing) -> None:
    whole = bytearray(zipped({"conversations.json": talks("Liar")}))
    size = struct.pack("<L", len(talks("Liar")))
    assert whole.count(size) >= 2
    path = brain.write("liar.zip", bytes(whole.replace(size, struct.pack("<L", 10))))

    report = brain.take(path)

    assert report.exit_code == 1
    assert not brain.files()
    assert any("conversations.json" in problem for problem in report.problems)


def test_archives_nested_without_end_are_refused(brain: Importing) -> None:
    inner = zipped({"conversations.json": talks("Deep")})
    for _ in range(4):
        inner = zipped({"next.zip": inner})
    path = brain.write("russian.zip", inner)

    report = brain.take(path)

    assert report.exit_code == 1
    assert any("nested" in problem for problem in report.problems)


@pytest.mark.parametrize("damage", ["cut", "crc", "password", "empty"])
def test_damaged_archives_are_named_with_a_way_out(brain: Importing, damage: str) -> None:
    whole = bytearray(zipped({"conversations.json": talks("Tides")}))
    if damage == "cut":
        whole = whole[: len(whole) // 2]
    elif damage == "crc":
        whole[whole.index(b"conversations.json") + 25] ^= 0xFF
    elif damage == "password":
        for at in (6, bytes(whole).index(b"PK\x01\x02") + 8):
            whole[at] |= 1
    else:
        whole = bytearray(zipped({"readme.css": "body {}"}))
    path = brain.write("export.zip", bytes(whole))
    brain.write("talk.json", talks("Other"))

    report = brain.take(path, brain.source / "talk.json")

    assert report.exit_code == 1
    assert [said(one) for one in brain.stored()] == [["About Other."]]
    assert any("export.zip" in problem for problem in report.problems)


def test_a_dry_run_of_an_archive_says_what_would_come_in(brain: Importing) -> None:
    path = brain.write("export.zip", zipped({"conversations.json": talks("Tides", "Knots")}))

    report = brain.take(path, dry_run=True)

    assert report.new == 2
    assert not (brain.root / "sessions").exists()
    assert not list(Path(tempfile.gettempdir()).glob("brain-*/export"))
