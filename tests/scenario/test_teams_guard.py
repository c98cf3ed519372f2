"""Who is let in at the door of Teams: every wrong caller is turned away with the right word, and nobody is called."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.fakes.raw_http import on_one_connection, posted
from tests.fakes.teams import Fault
from tests.fakes.teams.server import APP, AYA, TENANT, personal, place_of
from tests.fakes.teams_place import Place, opened


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with opened(tmp_path) as place, place.running():
        yield place
        # Whatever was tried, nobody was written to and nothing was asked.
        assert place.teams.messages == []
        assert place.answers.questions == []


async def tell(place: Place, *, claims: dict[str, Any] | None = None, **changed: Any) -> int:
    """Tell of a message with these fields changed, by a token with these claims changed; the status."""
    activity = place.teams.activity("message", AYA, personal(AYA), text="VPNが切れます", **changed)
    said = {"audience": APP, "service": activity["serviceUrl"], **(claims or {})}
    status, _ = await place.teams.tell(activity, token=place.teams.signing.token(**said))
    return status


async def post(
    place: Place, body: bytes, *, kind: str = "application/json", header: str | None = None, packed: str = "identity"
) -> int:
    """Post any bytes, by a right token unless a header is given; the status."""
    token = place.teams.signing.token(audience=APP, service=place.teams.service)
    signed = f"Bearer {token}" if header is None else header
    headers = {"Content-Type": kind, "Content-Encoding": packed, "Authorization": signed}
    async with aiohttp.ClientSession() as session, session.post(place.teams.bot, data=body, headers=headers) as answer:
        return answer.status


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Basic abc",
        "Bearer",
        "Bearer abc.def",
        "Bearer a.b.c",
        "Bearer ....",
        "Bearer " + "a" * 8_000,
        "Bearer eyJhbGciOiJub25lIn0.eyJpc3MiOiJodHRwczovL2FwaS5ib3RmcmFtZXdvcmsuY29tIn0.",
        "Bearer W10.W10.W10",
    ],
    ids=range(9),
)
async def test_without_a_token_that_can_be_read_nobody_is_let_in(place: Place, header: str) -> None:
    assert await post(place, b"{}", header=header) == 401


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://evil.example"},
        {"iss": None},
        {"audience": "0a5c9c5e-9999-4abc-9def-000000000009"},
        {"aud": [APP]},
        {"aud": None},
        {"exp": int(time.time()) - 400},
        {"exp": None},
        {"nbf": int(time.time()) + 4000},
        {"foreign": True},
        {"key_id": "key-2"},
    ],
    # The same in every process that collects them, whatever the time.
    ids=",".join,
)
async def test_a_token_with_one_thing_wrong_is_not_believed(place: Place, claims: dict[str, Any]) -> None:
    assert await tell(place, claims=claims) == 401


async def test_a_token_that_another_channel_may_sign_is_not_believed(place: Place) -> None:
    place.teams.signing.endorsements = ["webchat"]
    assert await tell(place) == 401


@pytest.mark.parametrize(
    "service",
    [
        "https://evil.example/jp/",
        "https://smba.trafficmanager.net.evil.example/",
        "https://evil.trafficmanager.net/",
        "http://127.0.0.1.evil.example/",
        "https://127.0.0.1@evil.example/",
        "https://evil.example\\@127.0.0.1/",
        "https://evil.example/?127.0.0.1",
        "//127.0.0.1/",
        "ftp://127.0.0.1/",
        "http://127.0.0.1:65536/",
        "http://127.0.0.1:99999/",
        "http://127.0.0.1:0/",
        "",
        None,
        5,
    ],
)
async def test_who_wants_answers_to_go_elsewhere_is_turned_away(place: Place, service: Any) -> None:
    claims = {} if isinstance(service, str) else {"service": place.teams.service}
    activity = place.teams.activity("message", AYA, personal(AYA), text="VPN", serviceUrl=service)
    token = place.teams.signing.token(**{"audience": APP, "service": service, **claims})
    assert (await place.teams.tell(activity, token=token))[0] == 403


async def test_an_address_that_the_token_does_not_name_is_not_answered(place: Place) -> None:
    assert await tell(place, claims={"service": "https://smba.trafficmanager.net/jp/"}) == 403
    assert await tell(place, claims={"serviceurl": None}) == 403


@pytest.mark.parametrize("channel", ["webchat", "emulator", "", None, ["msteams"]])
async def test_other_channels_are_turned_away(place: Place, channel: Any) -> None:
    assert await tell(place, channelId=channel) == 403


@pytest.mark.parametrize(
    ("data", "conversation"),
    [
        ("elsewhere", "elsewhere"),
        (TENANT, "elsewhere"),
        ("elsewhere", TENANT),
        (None, None),
        ("elsewhere", None),
        ({"a": 1}, TENANT),
        ([TENANT], TENANT),
        (7, TENANT),
        (False, TENANT),
        ("", TENANT),
        (TENANT, [TENANT]),
        (TENANT, {"id": TENANT}),
        (TENANT, 0),
        (TENANT, ""),
    ],
    ids=str,
)
async def test_other_organisations_and_what_names_none_are_turned_away(
    place: Place, data: object, conversation: object
) -> None:
    chat = {**personal(AYA)["conversation"], "tenantId": conversation}
    assert await tell(place, conversation=chat, channelData={"tenant": {"id": data}}) == 403


@pytest.mark.parametrize(
    "data", [[1], [], "x", "", 7, True, {"tenant": "x"}, {"tenant": [TENANT]}, {"tenant": 0}], ids=str
)
async def test_what_stands_where_the_organisation_is_told_and_is_none_is_turned_away(
    place: Place, data: object
) -> None:
    assert await tell(place, channelData=data) == 403


@pytest.mark.parametrize("conversation", [[1], [], "x", 7, True], ids=str)
async def test_a_conversation_that_is_none_is_turned_away(place: Place, conversation: object) -> None:
    assert await tell(place, conversation=conversation) == 403


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"{}", b'{"type": 5}', b"\xff\xfe", b"[" * 100_000])
async def test_what_is_no_activity_is_said_to_be_none(place: Place, body: bytes) -> None:
    assert await post(place, body) == 400


@pytest.mark.parametrize("header", ["", None])
async def test_a_packed_body_that_cannot_be_unpacked_is_said_to_be_wrong_and_fails_nothing(
    place: Place, header: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    assert await post(place, b"zzzz", packed="gzip", header=header) == 400
    assert await post(place, b"[]") == 400
    assert [entry for entry in caplog.records if entry.exc_info] == []


async def test_what_is_too_large_or_of_another_kind_is_not_read(place: Place) -> None:
    assert await post(place, b" " * 1_000_001) == 413
    assert await post(place, b"{}", kind="text/plain") == 415


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"zz", {"Content-Encoding": "gzip"}, 400),
        (b"zz", {"Content-Encoding": "deflate"}, 400),
        (b" " * 1_200_000, {}, 413),
        (b"zz", {"Content-Type": "text/plain"}, 415),
        (b"zz", {"Content-Type": "text/plain", "Content-Encoding": "gzip"}, 400),
        (b"zz", {}, 401),
    ],
    ids=["gzip", "deflate", "large", "type", "type and gzip", "token"],
)
async def test_who_comes_after_a_stranger_on_the_same_connection_is_answered_or_let_go(
    place: Place, body: bytes, headers: dict[str, str], status: int
) -> None:
    told = posted("/api/messages", body, {"Content-Type": "application/json", **headers})
    refused, then = await on_one_connection(place.teams.bot, told)
    assert (refused, then in (200, None)) == (status, True)


async def test_while_the_keys_cannot_be_had_teams_is_asked_to_come_again(place: Place) -> None:
    place.teams.keys_down = True
    assert await tell(place) == 503
    assert await tell(place) == 503
    assert place.teams.keys_asked == 1


async def test_unknown_keys_do_not_make_the_key_server_busy_and_known_ones_go_on_to_hold(place: Place) -> None:
    for _ in range(3):
        assert await tell(place, claims={"key_id": "key-2"}) == 401
    assert await tell(place, claims={"iss": "https://evil.example", "key_id": "key-3"}) == 401
    assert place.teams.keys_asked == 1
    status, _ = await place.teams.tell(place.teams.activity("messageReaction", AYA, personal(AYA)))
    assert status == 200


async def test_nothing_is_asked_of_the_key_server_for_whom_a_token_is_not_even_said_to_be(place: Place) -> None:
    await tell(place, claims={"audience": "0a5c9c5e-9999-4abc-9def-000000000009"})
    await post(place, b"{}", header="Bearer a.b.c")
    assert place.teams.keys_asked == 0


async def test_an_address_that_is_off_the_list_now_gets_no_answer_though_it_was_noted(tmp_path: Path) -> None:
    async with opened(tmp_path) as place:
        place.teams.coming = [Fault(status=429, retry_after="0")] * 5
        async with place.running():
            await place.teams.say(AYA, personal(AYA), "VPNが切れます")
            await place.teams.until(lambda: not place.teams.coming)
        assert await place.owed() == 1
        place.settings = place.settings.model_copy(update={"service_hosts": ("smba.trafficmanager.net",)})
        async with place.running():
            await place.replied()
        assert place.teams.written(place_of(personal(AYA))) == []


async def test_without_credentials_the_bot_does_not_start_unless_it_is_in_development(tmp_path: Path) -> None:
    async with opened(tmp_path) as place:
        place.settings = place.settings.model_copy(update={"app_id": None, "login_url": "http://127.0.0.1:9"})
        with pytest.raises(ValueError, match="would believe anybody"):
            async with place.running():
                pass


async def test_in_development_this_machine_is_believed_and_answered_and_no_other(tmp_path: Path) -> None:
    async with opened(tmp_path) as place:
        place.settings = place.settings.model_copy(
            update={"app_id": None, "tenant": None, "app_password": None, "development": True}
        )
        async with place.running():
            activity = place.teams.activity("message", AYA, personal(AYA), text="VPNが切れます")
            foreign = {**activity, "serviceUrl": "https://smba.trafficmanager.net/jp/"}
            assert (await place.teams.tell(foreign, token=""))[0] == 403
            assert (await place.teams.tell(activity, token=""))[0] == 200
            await place.teams.answered(place_of(personal(AYA)))
            await place.replied()
