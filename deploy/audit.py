"""Asks pip-audit for advisories on every locked package. Exit status 1 where there is one.

Where whoever is asked does not answer, or knows of no package, that is said in one line and nothing fails.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

LOCK = Path(__file__).with_name("dev.lock")
UNREACHABLE = ("ConnectionError", "ServiceError", "Timeout", "HTTPError", "Could not connect", "Max retries")
_OPTIONS = ("--require-hashes", "--disable-pip", "--progress-spinner=off", "--timeout=10", "--format=json")


def judge(output: str, errors: str) -> tuple[bool, list[str]]:
    """Whether the packages may be used, and what is to be said, from what pip-audit wrote."""
    try:
        listed: list[dict[str, Any]] = json.loads(output)["dependencies"]
    except (ValueError, LookupError, TypeError):
        last = (errors.strip().splitlines() or ["it wrote nothing"])[-1]
        if any(word in errors for word in UNREACHABLE):
            return True, [f"pip-audit: SKIPPED, nobody answers: {last[:200]}"]
        return False, [f"pip-audit failed: {last}"]
    looked_up = [one for one in listed if "skip_reason" not in one]
    if not looked_up:
        return True, [
            f"pip-audit: SKIPPED, this index has no advisories: none of {len(listed)} packages is known"
        ]
    found = [
        f"{one['name']} {one['version']}: {advisory['id']}, fixed in {', '.join(advisory['fix_versions']) or 'none'}"
        for one in looked_up
        for advisory in one["vulns"]
    ]
    left_out = [one["name"] for one in listed if "skip_reason" in one]
    said = [f"pip-audit: {len(looked_up)} packages looked up, {len(found)} advisories", *found]
    if left_out:
        said.append(f"pip-audit: SKIPPED {len(left_out)} that are not known there: {', '.join(left_out)}")
    return not found, said


if __name__ == "__main__":
    asked = [sys.executable, "-m", "pip_audit", "--requirement", str(LOCK), *_OPTIONS]
    told = subprocess.run(asked, capture_output=True, text=True, check=False)
    fine, lines = judge(told.stdout, told.stderr)
    print("\n".join(lines))
    sys.exit(not fine)
