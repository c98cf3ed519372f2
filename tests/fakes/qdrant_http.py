"""A small server that speaks as much of Qdrant's REST interface as the index uses, over the client's in-memory mode.

    async with qdrant() as url:
        ...  # AsyncQdrantClient(url=url)

It checks each request against the client's models, as the real server would by its own.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from pydantic import BaseModel, ValidationError
from qdrant_client import AsyncQdrantClient, models

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Endpoints:
    """One method for each endpoint; all over one in-memory database."""

    def __init__(self) -> None:
        self.database = AsyncQdrantClient(":memory:")

    def routes(self) -> list[web.RouteDef]:
        at = "/collections/{name}"
        return [
            web.get(f"{at}/exists", self.exists),
            web.put(at, self.create),
            web.delete(at, self.delete),
            web.put(f"{at}/index", self.create_index),
            web.put(f"{at}/points", self.upsert),
            web.post(f"{at}/points", self.retrieve),
            web.post(f"{at}/points/delete", self.remove),
            web.post(f"{at}/points/scroll", self.scroll),
            web.post(f"{at}/points/count", self.count),
            web.post(f"{at}/points/query", self.query),
            web.post(f"{at}/points/query/batch", self.query_batch),
        ]

    async def exists(self, request: web.Request) -> web.StreamResponse:
        return said({"exists": await self.database.collection_exists(name(request))})

    async def create(self, request: web.Request) -> web.StreamResponse:
        body = models.CreateCollection.model_validate(await request.json())
        await self.database.create_collection(
            name(request), vectors_config=body.vectors or {}, sparse_vectors_config=body.sparse_vectors
        )
        return said(True)

    async def delete(self, request: web.Request) -> web.StreamResponse:
        return said(await self.database.delete_collection(name(request)))

    async def create_index(self, request: web.Request) -> web.StreamResponse:
        """Known, but without effect in memory."""
        models.CreateFieldIndex.model_validate(await request.json())
        return said(done())

    async def upsert(self, request: web.Request) -> web.StreamResponse:
        body = models.PointsList.model_validate(await request.json())
        return said(await self.database.upsert(name(request), body.points))

    async def retrieve(self, request: web.Request) -> web.StreamResponse:
        body = models.PointRequest.model_validate(await request.json())
        return said(await self.database.retrieve(name(request), body.ids, with_payload=bool(body.with_payload)))

    async def remove(self, request: web.Request) -> web.StreamResponse:
        body = models.FilterSelector.model_validate(await request.json())
        return said(await self.database.delete(name(request), body))

    async def scroll(self, request: web.Request) -> web.StreamResponse:
        body = models.ScrollRequest.model_validate(await request.json())
        records, beyond = await self.database.scroll(
            name(request), offset=body.offset, limit=body.limit or 10, with_payload=bool(body.with_payload)
        )
        return said(models.ScrollResult(points=records, next_page_offset=beyond))

    async def count(self, request: web.Request) -> web.StreamResponse:
        body = models.CountRequest.model_validate(await request.json())
        return said(await self.database.count(name(request), body.filter, exact=bool(body.exact)))

    async def query(self, request: web.Request) -> web.StreamResponse:
        body = models.QueryRequest.model_validate(await request.json())
        return said((await self.database.query_batch_points(name(request), [body]))[0])

    async def query_batch(self, request: web.Request) -> web.StreamResponse:
        body = models.QueryRequestBatch.model_validate(await request.json())
        # In memory every search is exact, and the client warns about parameters that have no effect.
        searches = [search.model_copy(update={"params": None}) for search in body.searches]
        return said(await self.database.query_batch_points(name(request), searches))


def name(request: web.Request) -> str:
    return request.match_info["name"]


def done() -> models.UpdateResult:
    return models.UpdateResult(operation_id=0, status=models.UpdateStatus.COMPLETED)


def said(result: Any) -> web.StreamResponse:
    """A result in the envelope that every endpoint uses."""
    return web.json_response({"result": plain(result), "status": "ok", "time": 0.0})


def plain(result: Any) -> Any:
    if isinstance(result, list):
        return [plain(one) for one in result]
    return result.model_dump(mode="json") if isinstance(result, BaseModel) else result


@web.middleware
async def refusals(request: web.Request, handler: Handler) -> web.StreamResponse:
    """What the in-memory mode raises, as the statuses of the server."""
    try:
        return await handler(request)
    except ValidationError as error:
        return web.json_response({"status": {"error": str(error)}, "time": 0.0}, status=422)
    except ValueError as error:
        status = 404 if "not found" in str(error) else 400
        return web.json_response({"status": {"error": str(error)}, "time": 0.0}, status=status)


@asynccontextmanager
async def qdrant() -> AsyncIterator[str]:
    """The address of a new server on a free port of this machine."""
    endpoints = Endpoints()
    app = web.Application(middlewares=[refusals], client_max_size=64 * 1024 * 1024)
    app.add_routes(endpoints.routes())
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
        await endpoints.database.close()
