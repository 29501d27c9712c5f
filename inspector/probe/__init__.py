"""Running a client on small workspaces of ours, so that its profile can be learned."""

from inspector.probe.learning import Result, learned, samples
from inspector.probe.plan import Job, Probe, Step, jobs, looks, probes
from inspector.probe.runs import Run, run

__all__ = [
    "Job",
    "Probe",
    "Result",
    "Run",
    "Step",
    "jobs",
    "learned",
    "looks",
    "probes",
    "run",
    "samples",
]
