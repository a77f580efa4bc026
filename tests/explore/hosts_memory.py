"""A small memory with a wiki on top of sessions: hosts in two cities, a changed plan, a preference, an outside page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from brain.config import Config
from brain.corpus.search.index import SearchIndex
from brain.tree import layout, note, transcript
from brain.tree.ids import session_id
from brain.types import Role, Transcript, Turn


@dataclass(frozen=True)
class Told:
    root: Path
    hosts: str
    moved: str
    page: str = "projects/two-city-sprint"

    def index(self, *, meaning: bool = True) -> SearchIndex:
        config = Config() if meaning else Config.parse('[search]\nembedder = "none"\n')
        index = SearchIndex(self.root, config)
        index.update()
        if meaning:
            index.embed()
        return index


def _session(name: str, day: str, *said: tuple[Role, str]) -> Transcript:
    time = datetime.fromisoformat(f"{day}T09:00:00Z").astimezone(UTC)
    turns = tuple(Turn(number=n, role=role, text=text, time=time) for n, (role, text) in enumerate(said, start=1))
    return Transcript(
        id=session_id("test", name), source="test", external_id=name, title=name, started_at=time, turns=turns
    )


def _page(name: str, title: str, about: str, body: str, aliases: str = "") -> str:
    return (
        f"---\nid: {name}\ntype: {layout.page_type(name)}\ntitle: {title}\ndescription: {about}\nstatus: active\n"
        "created_at: 2026-06-21T04:10:00Z\nupdated_at: 2026-08-06T07:51:00Z\nupdated_by: dream/0.1\nnext_cite: 9\n"
        f"language: en\n{aliases}---\n# {title}\n\n{body}"
    )


def write(root: Path) -> Told:
    hosts = _session(
        "hosts",
        "2026-06-21",
        (Role.USER, "The sprint runs in Kyoto and Sendai. In Kyoto I meet Sora City Lab."),
        (Role.ASSISTANT, "Noted. And in Sendai?"),
        (Role.USER, "In Sendai I meet Sapphir Mobility Coop. The Kyoto stay is planned for September."),
        (Role.USER, "Send figures as PDF, not PNG, please."),
        (Role.ASSISTANT, "You could rent a minibus with a ramp."),
    )
    moved = _session("moved", "2026-07-30", (Role.USER, "The Kyoto stay moves to October after all."))
    h, m = hosts.id, moved.id
    sprint = _page(
        "projects/two-city-sprint",
        "Two-city sprint",
        "Accessibility sprint in Kyoto and Sendai, October 2026",
        "A field sprint in two cities. [cite:1]\n\n## Facts\n"
        "- **Kyoto** — the host is [[entities/sora-city-lab|Sora City Lab]]. [cite:1]\n"
        "- **Sendai** — the host is [[entities/sapphir-mobility-coop]]. [cite:2]\n"
        "- **Stay in Kyoto** — October (as of 2026-07-30). [cite:4]\n"
        "- A minibus with a ramp can be rented. ^[assistant] [cite:3]\n\n"
        "## History\n- The Kyoto stay was planned for September; moved to October on 2026-07-30. [cite:2] [cite:4]\n\n"
        f'## References\n[cite:1]: session://{h}#t1 "hosts"\n[cite:2]: session://{h}#t3 "2026-06-21 · user"\n'
        f"[cite:3]: session://{h}#t5\n[cite:4]: session://{m}#t1\n",
    )
    files = {
        layout.page_path("projects/two-city-sprint"): sprint,
        layout.page_path("entities/sora-city-lab"): _page(
            "entities/sora-city-lab",
            "Sora City Lab",
            "Host organisation in Kyoto",
            f"Hosts the [[projects/two-city-sprint]]. [cite:1]\n\n## References\n[cite:1]: session://{h}#t1\n",
            "aliases: [Sora Lab, 空都市研究所]\nentity_kind: org\n",
        ),
        layout.page_path("entities/sapphir-mobility-coop"): _page(
            "entities/sapphir-mobility-coop",
            "Sapphir Mobility Coop",
            "Host organisation in Sendai",
            f"Hosts in Sendai. [cite:1]\n\n## References\n[cite:1]: session://{h}#t3\n",
            "entity_kind: org\n",
        ),
        layout.note_path("notes/preferences/figures"): note.render(
            note.NoteFile(
                id="notes/preferences/figures",
                title="Figures",
                snippets=(note.snippet("Wants figures as PDF, not PNG.", f"session://{h}#t4", day=hosts.started_at),),
            )
        ),
        "sessions/artifacts/tables/hosts.csv": "city,host\nKyoto,Sora City Lab\nSendai,Sapphir\n",
        "sessions/artifacts/connectors/calendar/9f2c41d07ab3e655.json": '{"events": 2}\n',
        **{layout.transcript_path(layout.stem(s)): transcript.render(s) for s in (hosts, moved)},
    }
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    return Told(root, h, m)
