"""The settings of the knowledge base: which folders of Markdown it is made of, and who may use them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from config.strict import Strict
from config.values import collection_name, web_address


class OpenTo(StrEnum):
    EVERYONE = "everyone"
    AGENTS = "agents"


CollectionName = Annotated[str, AfterValidator(collection_name)]


class CollectionSettings(Strict):
    name: CollectionName = Field(description="What the collection is called, in `knowledge` of channels too.")
    folder: str = Field(
        min_length=1,
        description="Folder of the Markdown files, below it too; where it is not absolute, it is below the folder of "
        "this configuration.",
    )
    visibility: OpenTo = Field(
        OpenTo.EVERYONE,
        description="`everyone`: whoever asks where the collection may be used. `agents`: only support agents, in "
        "direct messages.",
    )
    base_url: Annotated[str, AfterValidator(web_address)] | None = Field(
        None, description="Address at which people read the folder; citations link to base_url/path#heading."
    )


class KnowledgeSettings(Strict):
    collections: tuple[CollectionSettings, ...] = Field(
        (), description="Folders of Markdown whose articles are used in answers; each needs `name` and `folder`."
    )
    sync_minutes: float = Field(
        15, ge=0.2, le=10_080, description="How often `helpdesk run` looks for articles that changed."
    )

    def below(self, folder: Path) -> KnowledgeSettings:
        """With folders that are not absolute below this one."""
        found = [
            one.model_copy(update={"folder": str(folder / Path(one.folder).expanduser())}) for one in self.collections
        ]
        return self.model_copy(update={"collections": tuple(found)})
