"""The site's words: what an administrator may write, where names stand in texts, and what they add to questions."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.glossary import TermKind, TermSettings
from config.loader import load_settings
from config.problems import ConfigProblems
from memory.model import Episode
from memory.recall.widening import ALIAS, all_terms, widened
from memory.remember.enricher import Enrichment
from memory.remember.site_names import SiteNames
from memory.text.glossary import MOST_NAMED, NO_GLOSSARY, Glossary
from memory.text.sparse import overlap, question_terms
from tests.fakes.small_desk import episode, turn

PRINTER = TermSettings(name="プリンター", aliases=("複合機", "printer"))
VPN = TermSettings(name="VPN", aliases=("リモート接続", "remote access"), kind=TermKind.SYSTEM)
GLOSSARY = Glossary((PRINTER, VPN))


# --- what may be written ----------------------------------------------------------------------------------------------


def problems_of(text: str, folder: Path) -> list[str]:
    path = folder / "desk.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigProblems) as found:
        load_settings(path, {})
    return [str(problem).removeprefix(f"{folder}/") for problem in found.value.problems]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "- name: VPN\n  aliases: [リモート]\n- name: 遠隔\n  aliases:\n  - 在宅\n  - ﾘﾓｰﾄ\n",
            "desk.yaml:7: glossary[1].aliases[1]: is a name of VPN too, which cannot be told apart from 遠隔",
        ),
        ("- name: VPN\n- name: vpn\n", "desk.yaml:3: glossary[1].name: is a name of VPN too"),
        ("- name: VPN\n  aliases: ['']\n", "desk.yaml:3: glossary[0].aliases[0]: must be a name"),
        ("- name: VPN\n  aliases: ['--']\n", "desk.yaml:3: glossary[0].aliases[0]: must be a name"),
        ("- name: VPN\n  aliases: [の]\n", "desk.yaml:3: glossary[0].aliases[0]: must have two characters or more"),
        ("- name: VPN\n  aliases:\n  - the\n", "desk.yaml:4: glossary[0].aliases[0]: is a word that stands in nearly"),
        ("- name: VPN\n  aliases: [これ]\n", "desk.yaml:3: glossary[0].aliases[0]: is a word that stands in nearly"),
        ("- name: ' VPN'\n", "desk.yaml:2: glossary[0].name: must not begin or end with a space"),
        ("- aliases: [VPN]\n", "desk.yaml:2: glossary[0].name: must be given; it has no default"),
        ("- name: VPN\n  kind: animal\n", "desk.yaml:3: glossary[0].kind: must be one of product, system, place"),
        ("- name: VPN\n  alias: [x]\n", "desk.yaml:3: glossary[0].alias: there is no such setting"),
        (f"- name: VPN\n  aliases: {[f'n{n}' for n in range(21)]}\n", "desk.yaml:3: glossary[0].aliases: must have 20"),
    ],
)
def test_a_mistake_in_the_glossary_is_told_with_its_line(text: str, problem: str, tmp_path: Path) -> None:
    [told] = problems_of(f"glossary:\n{text}", tmp_path)
    assert told.startswith(problem)


def test_two_spellings_of_one_name_may_stand_in_one_term(tmp_path: Path) -> None:
    path = tmp_path / "desk.yaml"
    path.write_text("glossary:\n- name: プリンタ\n  aliases: [プリンター, 複合機]\n", encoding="utf-8")
    assert load_settings(path, {}).glossary[0].aliases == ("プリンター", "複合機")


# --- names in texts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("プリンタが動かない", ("プリンター",)),
        ("ﾌﾟﾘﾝﾀｰが動かない", ("プリンター",)),
        ("新複合機とVPN", ("プリンター", "VPN")),
        ("ＶＰＮがつながらない", ("VPN",)),
        ("Is the Printer on?", ("プリンター",)),
        ("Remote Access is down", ("VPN",)),
        ("openvpn, vpns and vpn2 are other words", ()),
        ("blueprinters", ()),
        ("", ()),
    ],
)
def test_names_are_found_whatever_their_spelling_and_never_within_a_latin_word(
    text: str, names: tuple[str, ...]
) -> None:
    assert GLOSSARY.names_in(text) == names


def test_of_two_names_that_begin_at_one_place_the_longer_is_meant() -> None:
    glossary = Glossary((TermSettings(name="会議室"), TermSettings(name="会議室予約", aliases=("booking",))))
    assert glossary.names_in("会議室予約ができない") == ("会議室予約",)


def test_a_named_thing_comes_with_its_other_names_and_not_with_its_own_spelling() -> None:
    [named] = GLOSSARY.named("プリンタ")
    assert (named.said, named.others) == ("プリンタ", ("複合機", "printer"))


def test_a_question_is_widened_by_so_many_things_and_no_more() -> None:
    terms = tuple(TermSettings(name=f"system{n}", aliases=(f"alias{n}",)) for n in range(MOST_NAMED + 3))
    assert len(Glossary(terms).named(" ".join(term.name for term in terms))) == MOST_NAMED


@pytest.mark.parametrize(("asked", "said"), [("複合機の紙", "プリンタの紙"), ("VPN 切断", "リモート接続が切断")])
def test_for_comparing_all_names_are_one(asked: str, said: str) -> None:
    assert overlap(asked, said) < 1
    assert GLOSSARY.overlap(asked, said) == 1


@given(st.text(max_size=60), st.text(max_size=60))
def test_without_a_glossary_nothing_is_named_and_comparing_is_as_it_was(one: str, other: str) -> None:
    assert NO_GLOSSARY.named(one) == ()
    assert NO_GLOSSARY.overlap(one, other) == overlap(one, other)


# --- what names add to a question -------------------------------------------------------------------------------------

_WORDS = st.sampled_from(["プリンタ", "複合機", "printer", "VPN", "リモート接続", "紙詰まり", "paper", "3階", "昨日"])
_RARITY = st.floats(min_value=0.01, max_value=15)


@given(st.lists(_WORDS, min_size=1, max_size=6), st.data())
def test_no_other_name_is_worth_more_than_the_one_that_was_said(asked: list[str], data: st.DataObject) -> None:
    text = " ".join(asked)
    terms, names = question_terms(text), GLOSSARY.named(text)
    idf = {term: data.draw(_RARITY) for term in all_terms(terms, names)}
    wide = widened(terms, names, idf)
    weight = dict(zip(wide.terms.ids, wide.terms.weights, strict=True))

    def worth(name: str) -> float:
        return sum(weight[term] * idf[term] for term in question_terms(name).ids)

    assert wide.terms.ids == tuple(sorted(set(wide.terms.ids)))
    assert wide.mass == pytest.approx(sum(weight[term] * idf[term] for term in terms.ids))
    for named in names:
        for other in named.others:
            if not set(question_terms(other).ids) & set(terms.ids):
                assert worth(other) == pytest.approx(ALIAS * worth(named.said))


@given(st.lists(_WORDS, min_size=1, max_size=6))
def test_what_a_question_says_itself_stays_in_it(asked: list[str]) -> None:
    text = " ".join(asked)
    terms, names = question_terms(text), GLOSSARY.named(text)
    wide = widened(terms, names, dict.fromkeys(all_terms(terms, names), 2.0))
    assert set(terms.ids) <= set(wide.terms.ids)
    own = dict(zip(wide.terms.ids, wide.terms.weights, strict=True))
    # All equally rare: what was said counts as it would without a glossary.
    assert all(own[term] == pytest.approx(1.0) for term in terms.ids)


# --- notes ------------------------------------------------------------------------------------------------------------


class _Says:
    async def enrich(self, episode: Episode) -> Enrichment:
        return Enrichment(summary="紙が詰まる", keywords=("プリンタ", "紙"), entities=("bl-61",), made_by="test")


async def test_a_note_has_the_desks_names_among_its_keywords_and_systems_among_its_entities() -> None:
    said = episode(turn("複合機で BL-61 が出ます"), turn("リモート接続でも同じです", 2))
    made = await SiteNames(_Says(), GLOSSARY).enrich(said)
    assert made.keywords == ("プリンター", "VPN", "紙")
    assert made.entities == ("プリンター", "VPN", "bl-61")
    assert [one.text for one in said.turns] == ["複合機で BL-61 が出ます", "リモート接続でも同じです"]


async def test_what_only_the_bot_said_is_in_no_note() -> None:
    said = episode(turn("紙が詰まります"), turn("複合機ですか", 2, derived=True))
    made = await SiteNames(_Says(), GLOSSARY).enrich(said)
    assert "プリンター" not in made.keywords
