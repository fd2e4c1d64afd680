#!/usr/bin/env python3
"""Dead links: .ci/links.py

Looks through what git tracks and lists, as FILE:LINE, each relative link, image and anchor of a
Markdown file that leads nowhere, and each page (`docs/NAME.md`, `NAME.md`) that any text names and
that is not there. CHANGELOG.md keeps the names that pages had. Pages of docs/site are written as
they lie on the site, where .ci/site looks.
"""

import functools
import pathlib
import re
import subprocess
import sys
import urllib.parse

LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|<img [^>]*src=\"([^\"]+)\"")
# FILE.md stands for a name in help texts.
NAMED = re.compile(r"(?<![\w/.-])((?:\.\./)*(?:docs/)?(?!FILE\.md)[A-Z][A-Z_]+\.md)(?!\w)")
ELSEWHERE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
PROGRAM = re.compile(r"`[^`]*`")
TEXT = {".md", ".rs", ".py", ".toml", ".js", ".mjs", ".html", ".c", ".cpp", ".h", ".hpp", ".ipynb",
        ".sh", ".txt", ".css", ""}


def prose(text):
    """Numbered lines outside of programs."""
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and line.strip() == mark[1]:
            fence = ""
        elif not fence:
            yield number, line


@functools.cache
def anchors(path):
    """The anchors of a page, made of its headings as GitHub makes them."""
    found, text = {}, path.read_text()
    for _, line in prose(text):
        if heading := re.match(r"#{1,6}\s+(.*?)\s*#*\s*$", line):
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
            found[slug] = found.get(slug, -1) + 1
    repeated = {f"{slug}-{n}" for slug, most in found.items() for n in range(1, most + 1)}
    return set(found) | repeated | set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))


def dead(root, path, target):
    """Why a link of a page leads nowhere, or None."""
    if ELSEWHERE.match(target):
        return None
    name, _, anchor = urllib.parse.unquote(target).partition("#")
    to = path if not name else root / name[1:] if name[0] == "/" else path.parent / name
    if not to.exists():
        return "is not there"
    if anchor and to.suffix == ".md" and anchor not in anchors(to.resolve()):
        return "has no such heading"
    return None


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    command = ["git", "-C", str(root), "ls-files", "-z"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    wrong, links, names = [], 0, 0
    for file in filter(None, listed.split("\0")):
        path = root / file
        if path.suffix not in TEXT or path.is_symlink() or not path.is_file():
            continue
        text = path.read_text(errors="replace")
        if path.suffix == ".md" and not file.startswith("docs/site/"):
            for number, line in prose(text):
                for match in LINK.finditer(PROGRAM.sub("``", line)):
                    links += 1
                    if why := dead(root, path, match[1] or match[2]):
                        wrong.append(f"{file}:{number}: {match[1] or match[2]} {why}")
        if file in ("CHANGELOG.md", ".ci/links.py", ".ci/site"):
            continue
        for number, line in enumerate(text.split("\n"), 1):
            for name in NAMED.findall(line):
                names += 1
                places = (path.parent, root, root / "docs", *path.parents)
                if not any((place / name).exists() for place in places if place != root.parent):
                    wrong.append(f"{file}:{number}: {name} is not there")
    print("\n".join(dict.fromkeys(wrong)) or f"{links} links and {names} names of pages, none dead")
    return bool(wrong)


sys.exit(main())
