"""Does a word that stands where a secret would stand look like one, rather than like code, a place, or a stand-in?"""

# ruff: noqa: E501 — one pattern a line reads better than a wrapped one
from __future__ import annotations

import re
from itertools import pairwise

_STAND_IN = re.compile(
    r"(?ix)^(?:[\W_]+|(.)\1+|x{2,}[\w-]*|\$[a-z_]\w*|\$[{(].*|%\w+%|<.*|\{.*|\[.*|@[\w./]+|‹?redacted\b.*|\.\.\..*|(?:your|my|the|some|a|an|insert|enter|put|add|new|old)(?:[-_ .][a-z\-_ .]*)?"
    r"|(?:none|null|nil|true|false|undefined|string|str|int|integer|bytes|bool|boolean|object|any|text|number|required|optional|secret|secrets"
    r"|pass(?:word|wd|phrase)?s?|tokens?|api[-_ ]?keys?|keys?|credentials?|example|sample|test|testing|dummy|fake|todo|tbd|empty|unset|default|hidden"
    r"|(?:your|my|the|insert|enter)[-_ ]?(?:own[-_ ]?)?(?:db|api|access|secret)?[-_ ]?(?:pass(?:word|wd)?|token|key|secret|value)[-_ ]?(?:here)?"
    r"|masked|changed?|changeme|unknown|missing|invalid|wrong|incorrect|expired|sha\d+|md5|bearer|basic|env|prompt|auth|read-\w+|get-\w+|convertto-\w+|user(?:name)?|email|login|public|private))[.,;:!?]*$"
)
_CODE = re.compile(
    r"^[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)+[.,;]?$|^(?:await|new|self|this|os|process|env|config|settings|args|lambda|async|return|func|fn|def|not|and|or|for|if|in|the)\b",
    re.I,
)
_CALL = re.compile(r"[A-Za-z_$][\w.$]*\(")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_PLACE = re.compile(
    r"^(?:https?:|ftp:|file:|/|\./|\.\./|~/|[A-Za-z]:\\|\d{4}-\d\d-\d\d|session:|connector:|[\w.+-]+@[\w-]+\.\w+)"
)
_NUMBER = re.compile(r"^[\d\s.,:%/+\-]*(?:k|kb|mb|ms|s|min|h|hours?|days?|m|t|b)?[.,;)]*$", re.I)
_ALGORITHM = re.compile(
    r"(?i)(?:sha|aes|rsa|pbkdf|hmac|bcrypt|scrypt|argon|utf|md|base|ed|tls|ssl|http|oauth|iso|rfc|ec|p|v)[-_.]?\d"
)
_FILE = re.compile(
    r"(?i)\.(?:[a-z]{1,4}|json|yaml|html|scss|toml|lock|[ch]pp|[jt]sx|ipynb|swift|py3|mp[34])(?::\d+)*$|^[\w.@~-]*/[\w./@~-]+$"
)


def plausible(value: str, *, quoted: bool, loud: bool) -> bool:
    """May this be a password? `quoted`: it stood in quotation marks; `loud`: its label is in capitals."""
    value = value.strip()
    if len(value) < 4 or _STAND_IN.match(value) or is_code(value) or _PLACE.match(value):
        return False
    if " " in value and (value.count(" ") > 4 or not any(c.isdigit() for c in value)):
        return False
    if _NUMBER.match(value) and not value.isdigit():
        return False
    return quoted or loud or odd(value)


def random_enough(value: str) -> bool:
    """May this be a key or a token: long, of many letters, with digits among them?"""
    value = value.strip()
    if len(value) < 8 or " " in value or _NUMBER.match(value):
        return False
    if _STAND_IN.match(value) or is_code(value) or _PLACE.match(value):
        return False
    if not any(c.isalpha() for c in value) or _CALL.match(value):
        return False
    if sum(c.isdigit() for c in value) >= 2 and len(set(value)) >= 6:
        return True
    mixed = value != value.lower() and value != value.upper()
    return len(value) >= 16 and len(set(value)) >= 10 and mixed and turns(value) > 0.3 and not _named(value)


def _named(value: str) -> bool:
    """Is it put together of words, as names in code are: `OpenAICodexOAuthFlow`?"""
    return len(_PART.findall(value)) * 3 <= len(value)


def strong(value: str, *, beside: bool = False) -> bool:
    """Is this what only a password looks like, so that no separator is needed between it and its label?

    `beside`: it stands next to the label, so that capitals are not asked for.
    """
    if not 8 <= len(value) <= 64 or _STAND_IN.match(value) or _PLACE.match(value) or _FILE.search(value):
        return False
    digits, letters = sum(c.isdigit() for c in value), sum(c.isalpha() for c in value)
    if not digits or letters < 3 or _ALGORITHM.search(value) or is_code(value):
        return False
    if any(c in "(){}[]<>=" for c in value) or value.count(":") > 1:
        return False
    upper, lower = any(c.isupper() for c in value), any(c.islower() for c in value)
    if any(c in "!@#$%^&*+?~" for c in value.rstrip("!?")):
        return True
    inside = any(c in "-_.:" for c in value)
    if beside and inside and digits >= 2 and len(value) >= 10 and letters >= 6:
        return True
    return upper and lower and digits >= 2 and (inside or turns(value) > 0.5)


def is_code(value: str) -> bool:
    """A name with a path to it, or a word that begins code. `Maple.quartz1188` is not: names do not end so."""
    if not _CODE.match(value):
        return False
    last = re.split(r"[.:>]", value.rstrip(".,;"))[-1]
    return sum(c.isdigit() for c in last) < 2 or bool(re.search(r"(?i)(?:sha|utf|base|md|int|float|v|x)\d+$", last))


def odd(value: str) -> bool:
    """Not a plain word: a digit, a symbol inside, or capitals after the first letter."""
    core = value.strip(".,;:!?\"'()")
    return (
        any(c.isdigit() for c in core)
        or any(not c.isalnum() and c not in "-'’_./" for c in core)
        or (core[1:] != core[1:].lower() and not core.isupper())
    )


def turns(value: str) -> float:
    """How often the class of letter changes from one character to the next: about .2 in names, .5 and more in random text."""
    classes = ["u" if c.isupper() else "l" if c.islower() else "d" if c.isdigit() else "s" for c in value]
    return sum(a != b for a, b in pairwise(classes)) / max(1, len(value) - 1)
