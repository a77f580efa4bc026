"""Whose words a tool's output holds: a local tool's own, or text from the web, mail and documents of others."""

from __future__ import annotations

import re

from brain.types import Trust

_EXTERNAL_TOOL = re.compile(
    r"web[-_]?(?:fetch|search|browse|page|view)|fetch(?:[-_ ]?(?:url|page|web|html|markdown|txt))?$"
    r"|^(?:mcp__)?fetch(?:__|\.|$)"
    r"|browse|navigate|playwright|puppeteer|chrome|crawl|scrape|tavily|firecrawl|(?:^|_)exa(?:_|$)"
    r"|perplexity|brave|bing|duckduckgo"
    r"|google_?search|search_?(?:web|internet|online|query)|open_?(?:page|url|link)|read_?(?:url|page)|url_?(?:context|fetch)"
    r"|mail|inbox|imap|outlook|calendar|slack|teams|discord|telegram|whatsapp|notion|confluence|jira|linear|zendesk|intercom"
    r"|sharepoint|dropbox|gdrive|google_?drive|(?:^|_|\.)drive(?:_|$|\.)|file_?search|myfiles|tether|sonic|retriev|arxiv|wikipedia"
    r"|rss|feed|youtube|reddit|twitter|hackernews|^search$|^web(?:$|\.)|^browser|computer_use",
    re.IGNORECASE,
)
_AGENT_TOOL = re.compile(
    r"task|agent|dispatch_agent|sub_?agent|spawn_agent|wait_agent|send_input|wait|delegate", re.IGNORECASE
)
_SHELL = re.compile(r"bash|shell|exec|terminal|command|run_|powershell|cmd$", re.IGNORECASE)
_FETCHES = re.compile(
    r"\b(?:curl|wget|lynx|w3m|links|httpie|http|xh|gh\s+(?:issue|pr|api)|himalaya|mutt|mail)\b[^\n|;&]{0,400}",
    re.IGNORECASE,
)
_LOCAL = re.compile(r"https?://(?:localhost|127\.|0\.0\.0\.0|\[::1\])")
_MAIL_COMMAND = re.compile(r"^(?:himalaya|mutt|mail|gh)", re.IGNORECASE)


def of_tool(name: str | None, arguments: str = "") -> Trust | None:
    """EXTERNAL for tools that bring in other people's text, AGENT for another agent's report, else None.

    >>> of_tool("WebFetch"), of_tool("Read"), of_tool("Bash", '{"command": "curl -s https://example.org"}')
    (<Trust.EXTERNAL: 'external'>, None, <Trust.EXTERNAL: 'external'>)
    """
    if not name:
        return None
    if _AGENT_TOOL.fullmatch(name):
        return Trust.AGENT
    if _EXTERNAL_TOOL.search(name):
        return Trust.EXTERNAL
    if _SHELL.search(name) and any(map(_is_remote, _FETCHES.findall(arguments))):
        return Trust.EXTERNAL
    return None


def _is_remote(command: str) -> bool:
    return ("://" in command and not _LOCAL.search(command)) or _MAIL_COMMAND.match(command) is not None
