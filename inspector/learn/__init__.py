"""Learning from captures: words of client texts, and whole profiles from probes."""

from inspector.learn.draft import Draft
from inspector.learn.harvest import harvest, harvest_session
from inspector.learn.lesson import Unlearned
from inspector.learn.study import Sample, Study, unlearned

__all__ = [
    "Draft",
    "Sample",
    "Study",
    "Unlearned",
    "harvest",
    "harvest_session",
    "unlearned",
]
