"""The settings of the bot's own web server."""

from __future__ import annotations

from pydantic import Field

from config.strict import Strict


class WebSettings(Strict):
    host: str = Field(
        "127.0.0.1",
        min_length=1,
        description="Address to listen on; `0.0.0.0` in a container. TLS is for a proxy before it.",
    )
    port: int = Field(8080, ge=0, le=65_535, description="Port to listen on; `0` is any free one.")
