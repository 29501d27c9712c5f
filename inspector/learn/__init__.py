"""Learning from captures: words of client texts, and whole profiles from probes."""

from inspector.learn.account import Account, Refused
from inspector.learn.bench import Sample
from inspector.learn.draft import Draft
from inspector.learn.harvest import harvest, harvest_session
from inspector.learn.lesson import Unlearned
from inspector.learn.sessions import Taken
from inspector.learn.shared import shared
from inspector.learn.study import Study, unlearned

__all__ = [
    "Account",
    "Draft",
    "Refused",
    "Sample",
    "Study",
    "Taken",
    "Unlearned",
    "harvest",
    "harvest_session",
    "shared",
    "unlearned",
]
