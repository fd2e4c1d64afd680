#!/usr/bin/env python3
"""One language, and narrow lines: .ci/words.py [--list]

Counts, in what git tracks:
  banned    words for people where things are meant, in sources, scripts, docs and pages
  doubled   names of types that one crate of the workspace declares more than once
  wide      lines of sources and scripts over 100 columns

Each count has a ceiling below, which a change may lower and never raise.
--list prints every place. Generated files, quotations of others and the past in CHANGELOG.md are
left out.
"""

import collections
import pathlib
import re
import subprocess
import sys

CEILINGS = {"banned": 0, "doubled": 1, "wide": 0}

BANNED = re.compile(
    r"(?<![a-z])(nobody|somebody|everybody|anybody|whoever|whom|told[\s_]+of|gone[\s_]+on|knobs?|"
    r"what\s+is\s+made\s+of|what\s+has\s+come\s+of)(?![a-z])",
    re.IGNORECASE,
)
# (file, word): quotations, with the reason.
QUOTED = {
    ("crates/wingbeat-steer/src/params/species.rs", "whom"): "a field's name in checkpoint files",
}
SOURCES = {".rs", ".py", ".mjs", ".js", ".c", ".cpp", ".h", ".hpp", ".css", ".html", ".sh"}
PROSE = {".md", ".toml", ".txt"}
LEFT_OUT = re.compile(
    r"^docs/gallery/|^CHANGELOG\.md$|^LICENSE|(^|/)Cargo\.lock$|package-lock\.json$|"
    r"^\.ci/words\.py$|^crates/wingbeat-page/(src/)?assets/engine"
)
TYPE = re.compile(r"\b(?:struct|enum|union|trait|type)\s+([A-Z]\w*)")
IMPLEMENTATION = re.compile(r"^\s*type\s|^\s*//")


def tracked():
    listed = subprocess.run(["git", "ls-files"], check=True, capture_output=True, text=True).stdout
    for name in listed.splitlines():
        path = pathlib.Path(name)
        script = name.startswith(".ci/") and not path.suffix
        if not LEFT_OUT.search(name) and path.is_file():
            if script or path.suffix in SOURCES | PROSE:
                yield path, script or path.suffix in SOURCES


def main():
    show = "--list" in sys.argv[1:]
    found = collections.defaultdict(list)
    types = collections.defaultdict(list)
    for path, source in tracked():
        text = path.read_text()
        # A word may be split over two lines of a comment.
        joined = re.sub(r"\n[ \t]*(///?|//!|#|\*)?[ \t]*", lambda gap: " " * len(gap[0]), text)
        for match in BANNED.finditer(joined):
            if (str(path), match[0].lower()) in QUOTED:
                continue
            line = text.count("\n", 0, match.start()) + 1
            found["banned"].append(f"{path}:{line}: {' '.join(match[0].split())}")
        for number, line in enumerate(text.split("\n"), 1):
            if source and len(line) > 100:
                found["wide"].append(f"{path}:{number}: {len(line)} columns")
            if path.suffix == ".rs" and "/src/" in str(path) and not IMPLEMENTATION.match(line):
                for name in TYPE.findall(line.split("//")[0]):
                    crate = path.parts[1] if path.parts[0] == "crates" else path.parts[0]
                    types[crate, name].append(f"{path}:{number}")
    for (crate, name), places in sorted(types.items()):
        if len(places) > 1:
            found["doubled"].append(f"{crate}: {name} is declared in {', '.join(places)}")
    failed = False
    for kind, most in CEILINGS.items():
        count = len(found[kind])
        print(f"{kind}: {count}, and at most {most} are allowed")
        if count > most or show:
            print("\n".join(f"  {place}" for place in found[kind]))
        failed |= count > most
    return int(failed)


sys.exit(main())
