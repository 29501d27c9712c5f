"""One client version's wire format, as data.

A profile is a YAML file: a base and ordered overlays `{axis: values} → values`; the last match
wins. `extends` names one parent whose values come first. Nothing in a profile is a program.
"""

from inspector.profiles.load import (
    PROBED,
    find,
    layers,
    learning,
    names,
    order,
    resolve,
    stand_in,
    unknown,
    whole,
)
from inspector.profiles.schema import CHOICES, KnownText, MaskRule, Profile, Slot

__all__ = [
    "CHOICES",
    "PROBED",
    "KnownText",
    "MaskRule",
    "Profile",
    "Slot",
    "find",
    "layers",
    "learning",
    "names",
    "order",
    "resolve",
    "stand_in",
    "unknown",
    "whole",
]
