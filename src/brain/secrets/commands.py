"""Secrets where a program or a protocol takes them: flags, headers, pipes, QR codes, lines of password files."""

# ruff: noqa: E501 — one pattern a line reads better than a wrapped one
from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator

from brain.secrets.likely import plausible
from brain.secrets.reading import Anchors, Reading
from brain.secrets.secret import Secret, occurrences

_Q = r"\\*[\"']?"

# kind, anchors in lower case, pattern that is matched where an anchor stands
_KNOWN: tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...] = (
    ("bearer-token", ("bearer",), re.compile(r"bearer(?:\s|%20|\+)+(?P<v>[A-Za-z0-9_\-.=+/~]{12,})", re.I)),
    ("token", ("authorization",), re.compile(r"authorization" + _Q + r"\s*[:=,]\s*" + _Q + r"(?:(?!basic|bearer)[A-Za-z][A-Za-z0-9\-]{1,15}[ =])?(?P<v>[A-Za-z0-9_\-.=+/~]{16,})", re.I)),
    ("basic-auth", ("basic",), re.compile(r"basic\s+(?P<v>[A-Za-z0-9+/]{8,}={0,2})", re.I)),
    ("basic-auth", ('"auth',), re.compile(r"\"auth\\*\"\s*:\s*\\*\"(?P<v>[A-Za-z0-9+/]{8,}={0,2})", re.I)),
    ("cookie", ("cookie",), re.compile(r"cookie\\*[\"']?\s*[:=]\s*\\*[\"']?(?P<v>[^\n\"'\\]{12,})", re.I)),
    ("password", ("machine",), re.compile(r"machine\s+\S+\s+login\s+\S+\s+password\s+(?P<v>\S+)")),
    ("password", (" -u",), re.compile(r" -u ?" + _Q + r"[^\s:\"'=/]{1,60}:(?P<v>[^\s\"'@/]{3,100})(?=[\s\"'\\]|$)")),
    ("password", ("--user", "--proxy-user"), re.compile(r"--(?:proxy-)?user[ =]" + _Q + r"[^\s:\"']{1,60}:(?P<v>[^\s\"'@/]{3,100})(?=[\s\"'\\]|$)")),
    ("password", ("mysql", "sshpass"), re.compile(r"\w*[^\n|;]{0,80}?\s-p ?" + _Q + r"(?P<v>[^\s\"'-][^\s\"'\\]{3,100})")),
    ("password", ("redis-cli",), re.compile(r"redis-cli\b[^\n|;]{0,80}?\s-a ?" + _Q + r"(?P<v>[^\s\"'\\]{4,100})")),
    ("password", ("docker login", "podman login", "helm registry login", "az login"), re.compile(r"\w+[^\n|;]{0,80}?\s-p ?" + _Q + r"(?P<v>[^\s\"'\\-][^\s\"'\\]{3,100})")),
    ("password", ("zip -p", "unzip -p"), re.compile(r"zip -P ?" + _Q + r"(?P<v>[^\s\"'\\]{4,100})")),
    ("password", ("7z ", "7za "), re.compile(r"7za? [a-z]\b[^\n|;]{0,40}?\s-p" + _Q + r"(?P<v>[^\s\"'\\]{4,100})")),
    ("password", ("net use",), re.compile(r"net use\s+(?:\S+\s+)?\\\\\S+\s+" + _Q + r"(?P<v>[^\s\"'/\\][^\s\"'\\]{3,100})", re.I)),
    ("password", ("pass:",), re.compile(r"pass:(?P<v>[^\s\"'\\]{4,100})")),
    ("password", ("wifi:",), re.compile(r"WIFI:[^\n]{0,100}?;P:" + _Q + r"(?P<v>(?:\\.|[^;\\\"'\n]){4,63});", re.I)),
    ("password", ("jdbc:oracle:",), re.compile(r"jdbc:oracle:[a-z]{1,8}:[^/\s:@]{1,40}/" + _Q + r"(?P<v>[^\s@\"']{3,100})@", re.I)),
    ("password", ("credentials", "creds"), re.compile(r"cred(?:ential)?s\b[^\n]{0,12}?[:=]?\s+[\w.@\-]{2,40}\s*[/:]\s*" + _Q + r"(?P<v>(?=[^\s]*[0-9])[^\s\"',;]{6,64})", re.I)),
    ("api-key", ("openssl enc",), re.compile(r"openssl enc\b[^\n|;]{0,80}?\s-K ?(?P<v>[0-9A-Fa-f]{16,})", re.I)),
    ("secret", ("otpauth://",), re.compile(r"otpauth://[^\s\"'<>]{0,200}?[?&]secret=(?P<v>[A-Z2-7a-z]{8,}=*)")),
    ("cookie", ("jsessionid", "phpsessid", "asp.net_sessionid", "connect.sid", "sessionid", "session_id=", "sid="), re.compile(r"[\w.]+[=:]\s*" + _Q + r"(?P<v>(?=[^\s;&\"']*[0-9])[A-Za-z0-9%._\-+/]{16,})", re.I)),
)  # fmt: skip
_PIPED = re.compile(
    r"(?:echo|printf)\s+(?:-\w+\s+)*"
    + _Q
    + r"(?P<v>[^\s\"'|\\$][^\s\"'|\\]{3,100})"
    + _Q
    + r"\s*\|\s*(?:sudo\s+-S|[\w /-]{0,30}(?:passwd|--password-stdin|chpasswd|gpg|openssl))"
)
_PGPASS = re.compile(
    r"(?:^|(?<=[\s\"'`]))[\w.*\-]{1,80}:(?:[0-9]{2,5}|\*):[\w*\-]{1,60}:[\w.\-*]{1,60}:(?P<v>[^\s:\"'`]{4,100})(?=[\s\"'`\\]|$)",
    re.M,
)


_ANCHORS = Anchors(anchor for _, anchors, _ in _KNOWN for anchor in anchors)
_BY_ANCHOR = {
    word: [(kind, pattern) for kind, anchors, pattern in _KNOWN if word in anchors] for word in _ANCHORS.words
}


def find_in_commands(reading: Reading) -> Iterator[Secret]:
    """Passwords and keys in the places where programs take them."""
    text, lower = reading.text, reading.lower
    for anchor in _ANCHORS.within(reading):
        for at in occurrences(lower, anchor):
            for kind, pattern in _BY_ANCHOR[anchor]:
                match = pattern.match(text, at)
                if match is not None and _holds(kind, match["v"]):
                    yield Secret(kind=kind, start=match.start("v"), end=match.end("v"))
    if "|" in text and ("echo" in lower or "printf" in lower):
        for match in _PIPED.finditer(text):
            if plausible(match["v"], quoted=True, loud=False):
                yield Secret(kind="password", start=match.start("v"), end=match.end("v"))
    if text.count(":") > 3:
        for match in _PGPASS.finditer(text):
            if plausible(match["v"], quoted=False, loud=False):
                yield Secret(kind="password", start=match.start("v"), end=match.end("v"))


def _holds(kind: str, value: str) -> bool:
    if kind == "basic-auth":
        return _encodes_pair(value)
    if kind in ("bearer-token", "cookie", "token"):
        return any(c.isdigit() for c in value) and "redacted:" not in value
    if kind == "password":
        return plausible(value, quoted=True, loud=False)
    return True


def _encodes_pair(value: str) -> bool:
    try:
        return b":" in b64decode(value + "=" * (-len(value) % 4))
    except ValueError:
        return False
