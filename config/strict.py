"""What every branch of the settings tree holds to."""

from __future__ import annotations

from typing import Annotated, Any, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

Seconds = Annotated[float, Field(gt=0, le=3600)]


class Strict(BaseModel):
    """A branch of the settings tree: frozen, finite numbers, and no names but the ones below."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, validate_default=True)

    @field_validator("*", mode="before")
    @classmethod
    def _yes_is_not_a_number(cls, value: Any, info: ValidationInfo) -> Any:
        """`true` is a word, although Python would take it for 1."""
        field = cls.model_fields[info.field_name or ""]
        numbers = {int, float}.intersection(get_args(field.annotation) or (field.annotation,))
        if isinstance(value, bool) and numbers:
            raise ValueError("must be a number")
        return value
