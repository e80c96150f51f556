"""Names and texts keep to the house's words, and say nothing of where or how the project is made."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.tidy.sources import GENERATED, PACKAGE, ROOT, functions, modules

TEXTS = {
    *(
        ".c",
        ".conf",
        ".css",
        ".go",
        ".h",
        ".html",
        ".in",
        ".js",
        ".json",
        ".md",
        ".mjs",
        ".proto",
        ".py",
        ".sh",
    ),
    *(".toml", ".yaml", ".yml", ""),
}
FORBIDDEN = re.compile(
    "|".join(
        (
            r"\bses" r"sions?\b",
            r"\bissue #",
            r"(?<![\w.])/(?:work|root|home)/",
            r"\b(?:pypi|pythonhosted|npmjs|crates)\.(?:org|io|com)\b",
            r"\bproxy\.golang\.org\b",
        )
    ),
    re.IGNORECASE,
)


def texts() -> Iterator[Path]:
    """What people read: the files at the top, and those of the folders beside generated and recorded ones."""
    yield from (path for path in sorted(ROOT.iterdir()) if path.is_file() and path.suffix in TEXTS)
    for folder in ("proto", "service", "native", "tests", "deploy"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix in TEXTS and path != Path(__file__) and not _made(path):
                yield path


def _made(path: Path) -> bool:
    parts = path.relative_to(ROOT).parts
    return GENERATED in path.parents or any(
        part in ("__pycache__", "node_modules", "vectors") or part.endswith(".egg-info") for part in parts
    )


def test_no_text_names_what_is_not_its_business() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in texts()
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), start=1)
        if FORBIDDEN.search(line)
    ]
    assert not found


OF_EVENT_LOOPS = ("is_running", "is_closed")
"""What asyncio calls them, which whoever stands in for its loop must too."""


def test_no_function_is_named_is() -> None:
    found = [
        f"{path}:{function.lineno} {function.name}"
        for folder in (PACKAGE, ROOT / "tests")
        for path, tree in modules(folder).items()
        for function in functions(tree)
        if function.name.lstrip("_").startswith("is_") and function.name not in OF_EVENT_LOOPS
    ]
    assert not found
