"""Files that an app uploads: an address is asked for, the bytes go there, then the upload is told to be complete."""

from __future__ import annotations

from aiohttp import web

from tests.fakes.slack.calls import Call
from tests.fakes.slack.errors import Refused
from tests.fakes.slack.world import Json, World

#: Of the words that say what a picture shows.
_ALT = 1000
_PICTURES = ("png", "jpg", "jpeg", "gif")


def get_url(call: Call) -> Json:
    name, length = call.text("filename"), call.text("length")
    if not length.isdecimal() or int(length) < 1:
        raise Refused.because("invalid_arguments", "length must be at least 1")
    if len(call.maybe("alt_txt") or "") > _ALT:
        raise Refused("alt_txt_too_large")
    id = call.world.fresh("F")
    call.world.uploads[id] = {"id": id, "name": name, "length": int(length)}
    return {"ok": True, "upload_url": f"{call.world.base_url}/upload/v1/{id}", "file_id": id}


async def receive(world: World, request: web.Request) -> web.StreamResponse:
    """The bytes; as many as were announced."""
    about = world.uploads.get(request.match_info["id"])
    content = await request.read()
    if about is None:
        return web.Response(status=404, text="no such upload")
    if len(content) != about["length"]:
        return web.Response(status=400, text="another length")
    world.contents[about["id"]] = content
    return web.Response(text=f"OK - {len(content)}", content_type="text/plain")


def complete(call: Call) -> Json:
    """The files are there from now on; as pictures only once Slack has looked at them."""
    given = call.json("files")
    if not isinstance(given, list) or not given:
        raise Refused.because("invalid_arguments", "missing required field: files")
    return {"ok": True, "files": [_completed(call, one) for one in given]}


def _completed(call: Call, given: Json) -> Json:
    about = call.world.uploads.pop(str(given.get("id")), None)
    if about is None or about["id"] not in call.world.contents:
        raise Refused("file_not_found")
    id, name = about["id"], about["name"]
    title = str(given.get("title") or name)
    call.world.files[id] = {
        "id": id, "name": name, "title": title, "filetype": name.rpartition(".")[2], "mimetype": "image/png",
        "user": call.world.me.id, "size": about["length"],
    }  # fmt: skip
    call.world.unseen[id] = call.world.looks_late
    return {"id": id, "title": title}


def pictures(call: Call, blocks: list[Json]) -> None:
    """A message shows only pictures that Slack has looked at."""
    for place, block in enumerate(blocks):
        given = block.get("slack_file") if block["type"] == "image" else None
        if given is None:
            continue
        found = call.world.files.get(str(given.get("id")), {})
        late = call.world.unseen.get(str(found.get("id")), 0)
        if found.get("filetype") not in _PICTURES or late > 0:
            if late > 0:
                call.world.unseen[found["id"]] = late - 1
            raise Refused.because("invalid_blocks", f"invalid slack file [json-pointer:/blocks/{place}/slack_file]")
