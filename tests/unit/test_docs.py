"""What the documents say is what the program does."""

from __future__ import annotations

from pathlib import Path

import pytest

from config.describe import reference
from config.loader import load_settings
from config.problems import dotted
from config.schema import EncoderKind, IndexKind
from config.tree import settings

ROOT = Path(__file__).parents[2]
EXAMPLE_ENVIRONMENT = {
    "POSTGRES_PASSWORD": "p",
    "QDRANT_API_KEY": "q",
    "MODEL_URL": "http://127.0.0.1:8080/v1",
    "MODEL_SMALL": "small",
    "MODEL_LARGE": "large",
}


def test_the_configuration_page_is_the_schemas() -> None:
    assert (ROOT / "docs/configuration.md").read_text(encoding="utf-8") == reference(), "run `make docs`"


@pytest.mark.parametrize("setting", list(settings()), ids=lambda setting: dotted(setting.path))
def test_every_setting_is_explained(setting: object) -> None:
    description = getattr(setting, "field").description  # noqa: B009
    assert description
    assert description.endswith(".")


def test_the_example_is_a_valid_configuration() -> None:
    found = load_settings(ROOT / "config/example.yaml", EXAMPLE_ENVIRONMENT)
    assert found.index.kind is IndexKind.SERVER
    assert found.embeddings.kind is EncoderKind.SENTENCE_TRANSFORMERS
    assert found.models.assistant == found.models.enricher
    assert found.models.master is not None
    assert found.models.master.api_key is None
