"""What a person allowed on this machine: connectors that start a program or reach the network.

A memory tree can come from somebody else, its config with it. So a command or an address in it does nothing until it is
approved here, once; when the table changes it is asked for again. Approvals lie with the user's keys, outside of trees.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from brain.config import Connector
from brain.errors import ConfigError

FILE = "connectors.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Approvals:
    """The approvals of one user, kept in the folder `state`."""

    state: Path

    def has(self, root: Path, name: str, connector: Connector) -> bool:
        return mark(root, name, connector) in self._read()

    def give(self, root: Path, name: str, connector: Connector) -> None:
        """Remember that this table of this brain may act. Approvals of brains that are gone are dropped."""
        known = {key: where for key, where in self._read().items() if Path(where).is_dir()}
        self._write({**known, mark(root, name, connector): str(root.resolve())})

    def take(self, root: Path, name: str, connector: Connector) -> None:
        self._write({key: where for key, where in self._read().items() if key != mark(root, name, connector)})

    def _read(self) -> dict[str, str]:
        place = self.state / FILE
        try:
            raw = json.loads(place.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise ConfigError(f"{str(place)!r} does not read: {error}", hint=f"rm {place}") from error
        return {str(key): str(value) for key, value in raw.items()} if isinstance(raw, dict) else {}

    def _write(self, known: dict[str, str]) -> None:
        self.state.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = self.state / f".{FILE}.{os.getpid()}"
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(known, file, indent=1, sort_keys=True)
        fresh.replace(self.state / FILE)


def mark(root: Path, name: str, connector: Connector) -> str:
    """What an approval is for: this brain, this name, and every setting that says what is done."""
    table = {key: value for key, value in asdict(connector).items() if key not in ("owner_authoritative", "timeout")}
    said = json.dumps([str(root.resolve()), name, table], sort_keys=True)
    return sha256(said.encode("utf-8")).hexdigest()
