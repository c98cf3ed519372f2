"""What the documents say is what the program does."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from ruamel.yaml import YAML

from bot.cli import helpdesk
from config.describe import reference
from config.loader import load_settings
from config.problems import dotted
from config.schema import EncoderKind, IndexKind
from config.tree import Setting, settings
from tests.fakes.source import PACKAGES, modules

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
def test_every_setting_is_explained(setting: Setting) -> None:
    assert (setting.field.description or "").endswith(".")


def test_the_example_is_a_valid_configuration() -> None:
    found = load_settings(ROOT / "config/example.yaml", EXAMPLE_ENVIRONMENT)
    assert found.index.kind is IndexKind.SERVER
    assert found.embeddings.kind is EncoderKind.SENTENCE_TRANSFORMERS
    assert found.models.assistant == found.models.enricher
    assert found.models.master is not None
    assert found.models.master.api_key is None


def module_map() -> Iterator[tuple[str, str]]:
    """Each path of the map in docs/architecture.md (a folder with a slash at its end), and what is said of it."""
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    [block] = re.findall(r"^```\n(.*?)^```$", page.partition("## The module map")[2], re.MULTILINE | re.DOTALL)
    above: list[str] = []
    for line in block.splitlines():
        name, _, about = line.strip().partition(" ")
        above[(len(line) - len(line.lstrip())) // 2 :] = [name]
        yield "".join(above), about.strip()


def test_every_path_of_the_module_map_exists_and_is_explained_once() -> None:
    paths = [path for path, _ in module_map()]
    assert len(paths) == len(set(paths))
    for path, about in module_map():
        assert (ROOT / path).is_dir() if path.endswith("/") else (ROOT / path).is_file(), path
        assert about, path


def test_the_module_map_names_every_module() -> None:
    mapped = {path for path, _ in module_map()}
    assert {f"{package}/" for package in PACKAGES} <= mapped
    assert {module.name for module in modules() if not module.name.endswith("__init__.py")} - mapped == set()


def commands(group: click.Group, name: str = "helpdesk") -> Iterator[tuple[str, click.Command]]:
    for word, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{name} {word}")
        else:
            yield f"{name} {word}", command


def test_the_readme_lists_every_command_with_its_options() -> None:
    rows = re.findall(r"^\| `(helpdesk [^`]*)` \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    known = dict(commands(helpdesk))
    assert len(rows) == len(known)
    for name, command in known.items():
        [row] = [row for row in rows if f"{row} ".startswith(f"{name} ")]
        options = {
            option
            for each in command.params
            if isinstance(each, click.Option)
            for option in (*each.opts, *each.secondary_opts)
        }
        assert set(re.findall(r"--[a-z-]+", row)) == options, name


# --- the image and the services around it ---------------------------------------------------------------------------


def compose() -> Any:
    return YAML(typ="safe", pure=True).load((ROOT / "compose.yaml").read_text(encoding="utf-8"))


def test_compose_gives_the_bot_every_variable_of_the_example() -> None:
    example = (ROOT / "config/example.yaml").read_text(encoding="utf-8")
    settings_only = "\n".join(line for line in example.splitlines() if not line.lstrip().startswith("#"))
    wanted = set(re.findall(r"\$\{(\w+)", settings_only))
    assert wanted >= {"POSTGRES_PASSWORD", "QDRANT_API_KEY"}
    assert wanted <= compose()["services"]["bot"]["environment"].keys()


def test_compose_holds_no_secret() -> None:
    for service in compose()["services"].values():
        for name, value in service["environment"].items():
            if name.endswith(("PASSWORD", "API_KEY")):
                assert re.fullmatch(r"\$\{\w+:(\?[^}]+|-)\}", value), name


def test_the_example_reaches_the_services_by_their_names() -> None:
    found = load_settings(ROOT / "config/example.yaml", EXAMPLE_ENVIRONMENT)
    services = compose()["services"]
    assert urlsplit(found.store.url).hostname in services
    assert urlsplit(found.index.url).hostname in services
    postgres = services["postgres"]["environment"]
    assert urlsplit(found.store.url).username == postgres["POSTGRES_USER"]
    assert urlsplit(found.store.url).path == f"/{postgres['POSTGRES_DB']}"


def volumes_of(service: Any) -> dict[str, str]:
    """Where named volumes are mounted."""
    given = [volume.split(":") for volume in service["volumes"] if not volume.startswith(("$", ".", "/"))]
    return {name: path for name, path, *_ in given}


def test_two_bots_differ_in_their_names_their_ports_and_their_data_alone() -> None:
    services = compose()["services"]
    bots = {name: service for name, service in services.items() if "build" in service}
    assert list(bots) == ["bot", "bot2"]
    apart = ("hostname", "ports", "volumes")
    one, two = ({key: value for key, value in bot.items() if key not in apart} for bot in bots.values())
    assert one == two
    # What had a turn in hand when it ended is known by its host and its data folder.
    assert [bot["hostname"] for bot in bots.values()] == list(bots)
    assert len({bot["ports"][0].rsplit(":", 1)[0] for bot in bots.values()}) == 2
    assert all(bot["ports"][0].startswith("127.0.0.1:") for bot in bots.values())
    for name, bot in bots.items():
        assert volumes_of(bot) == {name: "/data", "models": "/data/models"}
        assert "${HELPDESK_CONFIG_FILE:-./config/example.yaml}:/etc/helpdesk.yaml:ro" in bot["volumes"]


def test_several_bots_share_what_only_servers_can_share() -> None:
    found = load_settings(ROOT / "config/example.yaml", EXAMPLE_ENVIRONMENT)
    assert (found.store.url.split(":")[0], found.index.kind.value) == ("postgresql", "server")


def test_services_wait_for_services_that_exist_and_keep_their_state_in_volumes_that_exist() -> None:
    described = compose()
    for name, service in described["services"].items():
        assert set(service.get("depends_on", {})) <= described["services"].keys()
        assert volumes_of(service).keys() - {"models"} == {name}
        assert volumes_of(service).keys() <= described["volumes"].keys()
        assert "build" in service or re.search(r":v?\d", service["image"])


def test_the_image_gets_every_package_and_nothing_that_is_ignored() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
    copied = set()
    for line in (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            copied |= set(line.split()[1:-1])
    allowed = {
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line.startswith("!") and "/" not in line
    }
    assert packages < copied
    assert copied == allowed


@pytest.mark.parametrize("name", ["run", "production", "test", "build"])
def test_every_version_is_exact_and_no_file_names_an_index(name: str) -> None:
    for line in (ROOT / f"requirements/{name}.txt").read_text(encoding="utf-8").splitlines():
        assert re.fullmatch(r"#.*|-r \w+\.txt|[A-Za-z0-9_.-]+==[A-Za-z0-9.]+", line), line


def test_the_exact_versions_are_within_the_declared_ranges() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pinned = {}
    for name in ("run", "production", "test"):
        for line in (ROOT / f"requirements/{name}.txt").read_text(encoding="utf-8").splitlines():
            package, exact, version = line.partition("==")
            if exact:
                pinned[canonicalize_name(package)] = version
    # What is locked; presidio comes with the versions that pip chooses.
    extras = [each for extra in ("sentence-transformers", "test") for each in project["optional-dependencies"][extra]]
    assert project["optional-dependencies"].keys() == {"sentence-transformers", "test", "presidio"}
    for requirement in map(Requirement, [*project["dependencies"], *extras]):
        assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)]), requirement.name


def test_make_alone_lists_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    [phony] = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert re.findall(r"^([a-z-]+):.*## .+$", makefile, re.MULTILINE) == phony.split()
    assert len(phony.split()) <= 12
