"""Secrets that are known by the word before them: passwords, keys and tokens in assignments, headers and plain speech."""

# ruff: noqa: E501 — one pattern a line reads better than a wrapped one
from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from brain.secrets.secret import Secret, occurrences, present

# Stems, in lower case: a pass of str.find each, so few; what follows a stem decides (`_TAIL`, `_is_other_word`).
_PASSWORD = (
    "pass", "pwd", "contrase", "clave", "senha", "mdp", "kennwort", "parola", "haslo", "hasło", "heslo", "wachtwoord", "lösenord",
    "adgangskode", "salasana", "jelszó", "sifre", "şifre", "mật khẩu", "парол", "密码", "密碼", "口令", "パスワード", "비밀번호", "암호",
    "كلمة المرور", "كلمة السر", "סיסמ", "पासवर्ड", "รหัสผ่าน", "κωδικ", "identified by",
)  # fmt: skip
_KEY = (
    "_key", "-key", "apikey", "api key", "accesskey", "access key", "accountkey", "privatekey", "secret", "sig=", "signature=",
    "ключ api", "api-ключ", "clé api", "api 密钥", "密钥", "apiキー", "シークレット", "секрет",
)  # fmt: skip
_TOKEN = ("token", "credential", "authorization", "_auth", "cookie", "токен", "令牌", "トークン")
_PHRASE = ("seed phrase", "recovery phrase", "mnemonic", "сид-фраз", "сид фраз", "助记词")
_PIN = ("pin", "пин", "пін", "暗証番号")

_KIND_OF = {
    word: kind for kind, words in (("password", _PASSWORD), ("api-key", _KEY), ("token", _TOKEN)) for word in words
}
_PASS = re.compile(r"pass(?:w(?:or)?d|wort|word|code|phrase|wort|e\b|(?=\s*[=:]))|(?<=_)pass")

_TAIL = r"(?P<tail>[A-Za-z0-9_.\-\u00c0-\u04ff\u0590-\u06ff]{0,40})(?:\\*[\"'`*_\])]){0,4}"
_FOR = r"(?P<for>\s+(?:for|to|of|on|in|at|de|du|da|do|del|pour|für|fürs|від|до|для|от|к|на|w|do)\s[^\n:=\"'`]{1,50}?)?"
_GLUE = (
    r"\s*(?P<sep>:=|=>|==?|:|：|＝|→|->|>|\||,(?=\s*[\"'])|\bwas\b|\bis\b|\best\b|\bist\b|\bes\b|\bé\b|\bè\b|\bis:|\bto\b|—|–|-(?=\s)"
    r"|это|є|은|는|は|是|为|為|का|है)\s*"
)
_VALUE = (
    r"(?:\\*(?P<quote>[\"'`«“「『])(?P<quoted>(?:[^\"'`»”」』\\\n]|\\(?![\"'`n])){1,200})"
    r"|(?P<bare>[!#-&(-+\--:=?-Z^_a-z~]{4,200}|[^\W\da-zA-Z_][^\s\"'`,;<>(){}\[\]|&。、，；]{3,80}))"
)
_ASSIGNED = re.compile(_TAIL + _FOR + _GLUE + _VALUE)
_SPACED = re.compile(_TAIL + r"(?P<for>)(?P<sep>)\s+" + _VALUE)
_NEXT_PARAMETER = re.compile(r"&[\w.\-]+=")
_BEARER = re.compile(r"(?:bearer|token)\s+(?P<v>[A-Za-z0-9_\-.=+/~]{12,})", re.I)
_BASIC = re.compile(r"basic\s+(?P<v>[A-Za-z0-9+/]{8,}={0,2})", re.I)
_COOKIE = re.compile(r"cookie\\*[\"']?\s*[:=]\s*\\*[\"']?(?P<v>[^\n\"'\\]{12,})", re.I)
_PINNED = re.compile(
    r"(?:[ -]?(?:code|number|код|コード))?(?:\s+(?:for|от|для|de)\s[^\n.:=]{1,40}?)?\s*(?:is|est|ist|:|=|：|是|は|-|—)\s*(?P<v>[0-9]{4,8})(?![0-9A-Za-z]|[.:][0-9])"
)
_WORDS = re.compile(r"[\s\w\"':=-]{0,12}?[\s:=\"'](?P<v>[^\W\d]{3,12}(?:[ ,]+[^\W\d]{3,12}){11,23})")
_USER_FLAG = re.compile(r"(?:-u|--user|--proxy-user)[ =][\"']?[^\s:\"']{1,60}:(?P<v>[^\s\"'@/]{3,100})(?=[\s\"']|$)")
_PASS_FLAG = re.compile(r"\b(?:mysql\w*|sshpass)\b[^\n|;]{0,80}?\s-p ?[\"']?(?P<v>[^\s\"'-][^\s\"']{3,100})")
_NETRC = re.compile(r"machine\s+\S+\s+login\s+\S+\s+password\s+(?P<v>\S+)")

_NOT_A_KEY = re.compile(
    r"(?i)(?:^|[_.\-])(?:name|names|ids?|file|files|path|dir|url|uri|type|types|kind|length|len|count|counts|size|policy|field|label"
    r"|hint|env|min|max|ttl|expir\w*|limits?|usage|budget|rotation|reset|manager|management|store|strategy|provider|version|format"
    r"|status|error|input|class|regex|pattern|prompt|required|strength|valid\w*|index|at|date|time|endpoint|list|rate|price|per|left)s?$"
)
_CONTINUES = re.compile(r"[a-zа-яіїє]")
_INFLECTED = re.compile(
    r"(?:ord|d|ort|wd|phrase|words|orte?s?|s|h|а|у|ем|ом|ь|ю|я|и|і|ами|ів|о|en|er|ς|ός|ה|ת)?(?![a-zа-яіїє])"
)
_PLACEHOLDER = re.compile(
    r"(?ix)^(?:[\W_]+|(.)\1+|x+[\w-]*x+|\$.*|%\w+%|<.*|\{.*|\[.*|@.*|‹?redacted\b.*|\.\.\..*|(?:your|my|the|some|a|an|insert|enter|put|add|new|old)[-_ .]?.*"
    r"|(?:none|null|nil|true|false|undefined|string|str|int|integer|bytes|bool|boolean|object|any|text|number|required|optional|secret|secrets"
    r"|pass(?:word|wd|phrase)?s?|tokens?|api[-_ ]?keys?|keys?|credentials?|example|sample|test|testing|dummy|fake|todo|tbd|empty|unset|default|hidden"
    r"|masked|changed?|changeme|unknown|missing|invalid|wrong|incorrect|expired|sha\d+|md5|bearer|basic|env|prompt|auth|read-\w+|get-\w+|convertto-\w+|user(?:name)?|email|login|public|private))[.,;:!?]*$"
)
_CODE = re.compile(
    r"^[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)+[.,;]?$|^(?:await|new|self|this|os|process|env|config|settings|args|lambda|async|return|func|fn|def|not|and|or|for|if|in|the)\b",
    re.I,
)
_PLACE = re.compile(
    r"^(?:https?:|ftp:|file:|/|\./|\.\./|~/|[A-Za-z]:\\|\d{4}-\d\d-\d\d|session:|connector:|[\w.+-]+@[\w-]+\.\w+)"
)
_NUMBER = re.compile(r"^[\d\s.,:%/+\-]*(?:k|kb|mb|ms|s|min|h|hours?|days?|m|t|b)?[.,;)]*$", re.I)


def find_assigned(text: str) -> Iterator[Secret]:
    """Values behind the words for password, key, token, cookie, PIN and seed phrase, in the languages listed above."""
    lower = text.lower()
    if len(lower) != len(text):  # a few letters (İ) change length in lower case: keep every offset true
        lower = "".join(low if len(low := c.lower()) == 1 else c for c in text)
    yield from _headers(text, lower)
    for word in present(lower, _KIND_OF):
        for at in occurrences(lower, word):
            if secret := _assigned(text, lower, _KIND_OF[word], word, at):
                yield secret
    for word in present(lower, _PHRASE):
        for at in occurrences(lower, word):
            if match := _WORDS.match(text, at + len(word)):
                yield Secret(kind="passphrase", start=match.start("v"), end=match.end("v"))
    for word in present(lower, _PIN):
        for at in occurrences(lower, word):
            if (not at or not lower[at - 1].isalnum()) and (match := _PINNED.match(lower, at + len(word))):
                yield Secret(kind="pin", start=match.start("v"), end=match.end("v"))


def _headers(text: str, lower: str) -> Iterator[Secret]:
    for kind, word, pattern in (
        ("bearer-token", "bearer", _BEARER), ("basic-auth", "basic", _BASIC), ("cookie", "cookie", _COOKIE), ("password", "machine", _NETRC),
    ):  # fmt: skip
        for at in occurrences(lower, word):
            match = pattern.match(text, at)
            if match is not None and (kind != "basic-auth" or _encodes_pair(match["v"])):
                if kind in ("bearer-token", "cookie") and not any(c.isdigit() for c in match["v"]):
                    continue
                yield Secret(kind=kind, start=match.start("v"), end=match.end("v"))
    for word, pattern in (
        (" -u", _USER_FLAG),
        ("--user", _USER_FLAG),
        ("--proxy-user", _USER_FLAG),
        ("mysql", _PASS_FLAG),
        ("sshpass", _PASS_FLAG),
    ):
        for at in occurrences(text, word):
            match = pattern.match(text, at + word.startswith(" "))
            if match is not None and _plausible(match["v"], quoted=True, loud=False):
                yield Secret(kind="password", start=match.start("v"), end=match.end("v"))


def _encodes_pair(value: str) -> bool:
    from base64 import b64decode

    try:
        return b":" in b64decode(value + "=" * (-len(value) % 4))
    except ValueError:
        return False


def _assigned(text: str, lower: str, kind: str, word: str, at: int) -> Secret | None:
    stop = at + len(word)
    if word == "pass":
        stem = _PASS.match(lower, at)
        if stem is None or (stem[0] == "passe" and not lower.endswith("mot de ", 0, at)):
            return None
        stop = stem.end()
    if (
        at
        and word[0].isalpha()
        and word.isascii()
        and lower[at - 1].isalpha()
        and not text[at].isupper()
        and len(word) < 6
    ):
        return None
    if "redacted:" in text[max(0, at - 24) : at]:
        return None
    flag = text[max(0, at - 20) : at].rpartition(" ")[2].startswith("--") or word == "identified by"
    match = _ASSIGNED.match(text, stop - word.endswith("=")) or _SPACED.match(text, stop)
    if match is None or _is_other_word(text, kind, word, stop, match["tail"]):
        return None
    sep, group = match["sep"], "quoted" if match["quoted"] is not None else "bare"
    value = match[group]
    prose = (sep.isalpha() and sep.isascii()) or sep in ("→", ">", "|", "-", "—", "–", ",")
    if sep == "" and not flag and not (group == "quoted" and kind == "password"):
        return None
    if sep == "to" and kind != "password":
        return None
    loud = sep in ("=", ":") and text[at:stop].isupper()
    if group == "bare":
        value = _NEXT_PARAMETER.split(value)[0].rstrip(".,;:?)…")
        follow = text[match.start(group) + len(value) : match.start(group) + len(value) + 1]
        if follow in ("(", "[", "{") or (prose and not _odd(value)) or (match["for"] and not _odd(value)):
            return None
    good = (
        _plausible(value, quoted=group == "quoted", loud=loud)
        if kind == "password"
        else _random_enough(value, quoted=group == "quoted")
    )
    if not good:
        return None
    return Secret(kind=_kind(kind, lower[at:stop]), start=match.start(group), end=match.start(group) + len(value))


def _is_other_word(text: str, kind: str, word: str, stop: int, tail: str) -> bool:
    """`tokenizer`, `secretary`, `password_file`, `token_count`: the word goes on into something that is not a secret."""
    if _NOT_A_KEY.search(tail):
        return True
    if not tail or not _CONTINUES.match(tail):
        return False
    return _INFLECTED.match(tail) is None


def _kind(kind: str, word: str) -> str:
    return "secret" if word in ("secret", "секрет", "シークレット") else "passphrase" if word == "passphrase" else kind


def _odd(value: str) -> bool:
    """Not a plain word: a digit, a symbol inside, or capitals after the first letter."""
    core = value.strip(".,;:!?\"'()")
    return (
        any(c.isdigit() for c in core)
        or any(not c.isalnum() and c not in "-'’_./" for c in core)
        or (core[1:] != core[1:].lower() and not core.isupper())
    )


def _plausible(value: str, *, quoted: bool, loud: bool) -> bool:
    value = value.strip()
    if len(value) < 4 or _PLACEHOLDER.match(value) or _CODE.match(value) or _PLACE.match(value):
        return False
    if " " in value and (value.count(" ") > 4 or not any(c.isdigit() for c in value)):
        return False
    if _NUMBER.match(value) and not value.isdigit():
        return False
    return quoted or loud or _odd(value)


def _random_enough(value: str, *, quoted: bool) -> bool:
    value = value.strip()
    if (
        len(value) < 8
        or " " in value
        or _PLACEHOLDER.match(value)
        or _CODE.match(value)
        or _PLACE.match(value)
        or _NUMBER.match(value)
    ):
        return False
    digits = sum(c.isdigit() for c in value)
    letters = sum(c.isalpha() for c in value)
    if not letters:
        return False
    if digits >= 2 and len(set(value)) >= 6:
        return True
    return (
        len(value) >= 16
        and len(set(value)) >= 10
        and value != value.lower()
        and value != value.upper()
        and _turns(value) > 0.3
    )


def _turns(value: str) -> float:
    """How often the class of letter changes from one character to the next: about .2 in names, .5 and more in random text."""
    classes = ["u" if c.isupper() else "l" if c.islower() else "d" if c.isdigit() else "s" for c in value]
    return sum(a != b for a, b in pairwise(classes)) / max(1, len(value) - 1)
