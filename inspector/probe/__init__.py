"""Running a client on small workspaces of ours, so that its profile can be learned."""

from inspector.probe.learning import Result, learned
from inspector.probe.plan import Job, Probe, Step, jobs, probes
from inspector.probe.runs import Run, run

__all__ = ["Job", "Probe", "Result", "Run", "Step", "jobs", "learned", "probes", "run"]
