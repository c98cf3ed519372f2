"""The effective settings for people and for records, never with a secret in them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import Enum
from hashlib import sha256
from io import StringIO
from typing import Any

from pydantic import SecretStr
from ruamel.yaml import YAML

from config.schema import Settings
from config.variables import without_password

MASK = "****"


def show(settings: Settings) -> str:
    """All effective values as YAML; secrets and passwords in addresses are masked."""
    return as_yaml(_plain(settings.model_dump()))


def as_yaml(values: Mapping[str, Any]) -> str:
    """Plain values as YAML, each on one line."""
    yaml = YAML()
    yaml.width = 1000
    yaml.representer.add_representer(type(None), _null)
    text = StringIO()
    yaml.dump(values, text)
    return text.getvalue()


def config_hash(settings: Settings) -> str:
    """Twelve hexadecimal digits that change with any value but a secret one."""
    plain = json.dumps(_without_secrets(_plain(settings.model_dump())), sort_keys=True, ensure_ascii=False)
    return sha256(plain.encode()).hexdigest()[:12]


def _null(representer: Any, _: None) -> Any:
    """`null` in full, which reads better than nothing behind the colon."""
    return representer.represent_scalar("tag:yaml.org,2002:null", "null")


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, SecretStr):
        return MASK
    if isinstance(value, Enum):
        return value.value
    return without_password(value) if isinstance(value, str) else value


def _without_secrets(value: Any) -> Any:
    """Whether a secret is set makes no difference."""
    if isinstance(value, dict):
        return {name: _without_secrets(each) for name, each in value.items() if each != MASK and each is not None}
    return value
