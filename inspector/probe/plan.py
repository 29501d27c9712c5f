"""Probe workspaces: what a client is run on, read from YAML that comes with the package.

A probe is a folder of files full of words that stand nowhere else, a command line and what the
model answers. A set of axes values says how it is run: host, model, traffic.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field

from inspector.mock.script import fill


class Step(BaseModel):
    """One client process in the workspace."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    prompt: str = "hello"
    argv: list[str] = Field(default_factory=list[str])
    script: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]])
    resume: bool = False


class Probe(BaseModel):
    """A workspace and the client processes in it."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    about: str
    name: str
    held: bool = False
    """Whether it is only scored on, never learned from."""
    cwd: str
    """Where the client starts, below the probe's folder."""
    git: str = ""
    """Branch of a repository with one commit at the workspace's top; empty: none."""
    top: str = ""
    """The workspace's top, where it is not `cwd`."""
    files: dict[str, str] = Field(default_factory=dict[str, str])
    mcp: dict[str, dict[str, Any]] = Field(default_factory=dict[str, dict[str, Any]])
    steps: list[Step] = Field(default_factory=lambda: [Step()])

    def filled(self, root: str) -> "Probe":
        """With the folder it lies in put into its words."""
        return self.model_validate(fill(self.model_dump(), {"{ROOT}": root}))


@dataclass(frozen=True, slots=True)
class Job:
    """One probe at one point of the axes."""

    probe: Probe
    route: str
    model: str
    """As the user gives it; empty: none given."""
    traffic: str

    @property
    def label(self) -> str:
        """A name for it in messages."""
        return f"{self.probe.name} ({self.route}, {self.model or 'default model'}, {self.traffic})"


def probes(client: str) -> Iterator[Probe]:
    """The probes of a client, in order."""
    text = (resources.files("inspector") / "data" / "probes" / f"{client}.yaml").read_text("utf-8")
    for item in yaml.load(text, Loader=yaml.CSafeLoader):
        yield Probe.model_validate(item)


def looks(client: str) -> Iterator[Job]:
    """The first look: the smallest probe on both hosts, which tells the version and its tools."""
    first = next(probes(client))
    for route, traffic in (("base-url", "essential"), ("tls", "all")):
        yield Job(first, route, "", traffic)


def jobs(client: str, classes: "tuple[str, ...]") -> Iterator[Job]:
    """Every other probe at the points where it tells most.

    `classes` are one model name of each class the profile knows apart, the default one first. What
    depends on the class alone is seen in one process on each host; the default sees all of them.
    """
    _, *every = probes(client)
    learned = [probe for probe in every if not probe.held]
    held = [probe for probe in every if probe.held]
    for number, probe in enumerate(learned):
        for route in ("base-url", "tls"):
            yield Job(probe, route, "", ("essential", "all")[number % 2])
    for number, model in enumerate(classes[1:]):
        for turn, route in enumerate(("base-url", "tls")):
            probe = learned[(number + turn) % len(learned)]
            short = probe.model_copy(update={"steps": probe.steps[:1]})
            yield Job(short, route, model, "all")
    for number, probe in enumerate(held):
        for route in ("base-url", "tls"):
            yield Job(probe, route, "", ("all", "essential")[number % 2])
