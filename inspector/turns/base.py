"""What every kind of event is made of."""

import json
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    SerializerFunctionWrapHandler,
    model_serializer,
)


class Ours(BaseModel):
    """Ours to write: strict, frozen, nothing unknown."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    @model_serializer(mode="wrap")
    def _with_type(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """The tag of a union is written even where defaults are left out."""
        data: dict[str, Any] = write(self)
        tag = getattr(self, "type", None)
        return data if tag is None else {"type": tag, **data}


def _spelled(value: object) -> object:
    """JSON as text; a value written out in a turns file is spelled here."""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return value


type JsonText = Annotated[str, BeforeValidator(_spelled)]
"""JSON as it was written, for numbers and odd characters stay as they are in the text alone."""
