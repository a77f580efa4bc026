"""The labels people and tools put before a message, and the role each names by itself."""

from __future__ import annotations

import re

from brain.text import normal_name
from brain.types import Role

_USER = """
user human prompt question you i me moi ich yo io 我 私 я utilisateur utilisatrice usuario usuaria nutzer benutzer
utente 用户 使用者 ユーザー ユーザ 사용자 користувач пользователь
"""
_ASSISTANT = """
assistant ai agent bot model response answer reply chatgpt claude gemini copilot codex llama mistral deepseek grok aider
cursor perplexity bard asistente assistente assistent асистент ассистент помічник 助手 助理 アシスタント 어시스턴트
"""
_ROLES = {
    **dict.fromkeys(_USER.split(), Role.USER),
    **dict.fromkeys(_ASSISTANT.split(), Role.ASSISTANT),
    "system": Role.SYSTEM,
    "système": Role.SYSTEM,
    "system prompt": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "tool": Role.TOOL,
    "function": Role.TOOL,
    "tool result": Role.TOOL,
    "tool output": Role.TOOL,
    "observation": Role.TOOL,
    "ai assistant": Role.ASSISTANT,
    "the user": Role.USER,
    "the assistant": Role.ASSISTANT,
}
SELF = {normal_name(word) for word in ["me", "i", "moi", "ich", "yo", "io", "我", "私", "я"]}
"""Labels of the one who owns the file, in a conversation with other people."""

_BRAND = re.compile(
    r"(?:gpt|claude|gemini|chatgpt|llama|mistral|deepseek|grok|qwen|o[134])[\w .:-]{0,30}", re.IGNORECASE
)
_SAID = re.compile(r"\s+(?:said|says|wrote|asked|a dit|schrieb)$", re.IGNORECASE)
_PARTICLES = {"de", "da", "van", "von", "del", "la", "le", "bin", "al", "den", "der", "di", "du"}
_NOT_NAMES = frozenset(
    " ".join(
        (
            "note notes warning todo tip hint example examples important caution info step title date time",
            "summary result results output input usage returns args parameters error errors cause fix http https",
            "file path url version status see also ps nb re fwd from to cc bcc subject sent attachments source",
            "sources references reason why what how when where who pros cons total default description name type",
            "id key value goal goals context background license author authors participants location place topic",
            "language created updated owner owners due priority assignee deadline budget address phone email",
            "website price size color weight monday tuesday wednesday thursday friday saturday sunday january",
            "february march april may june july august september october november december morning afternoon",
            "evening day week month year debug warn trace critical fatal severe notice stdout stderr exception",
            "traceback caused",
        )
    ).split()
)


def role_of(label: str) -> Role | None:
    """The role a label names by itself; None for a person's name."""
    plain = _SAID.sub("", normal_name(label)).strip("#*_: ")
    found = _ROLES.get(plain)
    if found is None and _BRAND.fullmatch(plain):
        return Role.ASSISTANT
    return found


def is_name(label: str) -> bool:
    """Could this be a person's name: few words, none of them a usual heading, written like a name?"""
    parts = label.split()
    if not parts or len(parts) > 4 or normal_name(label) in _NOT_NAMES or normal_name(parts[0]) in _NOT_NAMES:
        return False
    return all(not part[0].islower() or part in _PARTICLES for part in parts)
