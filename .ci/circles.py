#!/usr/bin/env python3
"""Finds modules that import each other in circles.

    .ci/circles.py [--crate NAME] [--files] [--layers] [--edges]

Reads every .rs below crates/*/src and follows its paths (`crate::…`, `super::…`, `self::…`, names
of submodules, and `"crate::…"` in attributes of serde) through `use` and `pub use` to the module
that defines them. Comments, other strings and items below `#[cfg(test)]` do not count.

Modules are those at the top of a crate: a file or a folder below src; --files takes each file for
itself. lib.rs and main.rs may use all, and a re-export belongs to the module it comes from.
--layers also demands that lib.rs (or main.rs) lists the modules from below: each uses only those
listed before it. Exit code 1 if there are circles or edges upward.
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/|b?r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?\'(?:\\[^\']+|[^\'\\])\'', re.S
)
SERDE = re.compile(r'"(crate(?:::\w+)+)[^"]*"')
DECLARED = re.compile(r"^(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;", re.M)
TEST = re.compile(r"#\[cfg\((?:test|doctest)\)\]")
TEST_FILE = re.compile(r"#\[cfg\(test\)\]\s*mod\s+(\w+)\s*;")
USE = re.compile(r"\b(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);")
PATH = re.compile(r"(?<![\w:$])\$?((?:crate|self|super|[a-z_][a-z0-9_]*)(?:::\w+)+)")


def kept_paths(literal):
    """What is left of a comment or string: the path of a serde attribute, as code."""
    path = SERDE.fullmatch(literal[0])
    return f" {path[1]} " if path else " "


def without_tests(text):
    """The text without the items that follow `#[cfg(test)]`."""
    kept, at = [], 0
    for found in TEST.finditer(text):
        if found.start() < at:
            continue
        kept.append(text[at : found.start()])
        at, depth = found.end(), 0
        while at < len(text):
            char, at = text[at], at + 1
            depth += (char in "{([") - (char in "})]")
            if depth == 0 and char in ";}":
                break
    return "".join(kept) + text[at:]


def leaves(tree):
    """(path, local name) of every name of a `use`: `a::{b, c as d}` gives (a::b, b) and
    (a::c, d)."""
    tree = tree.strip()
    brace = tree.find("{")
    if brace < 0:
        path, _, name = tree.partition(" as ")
        path = path.strip()
        parts = path.split("::")
        yield (
            path.removesuffix("::self"),
            name.strip() or (parts[-2] if parts[-1] == "self" else parts[-1]),
        )
        return
    prefix, depth, first = tree[:brace], 0, brace + 1
    for at in range(brace, len(tree)):
        depth += (tree[at] == "{") - (tree[at] == "}")
        if (tree[at] == "," and depth == 1) or depth == 0:
            part = tree[first:at].strip()
            if part:
                yield from leaves(prefix + part)
            first = at + 1
        if depth == 0:
            return


class Crate:
    """The modules of a crate (tuples of names; the root is empty), and what each uses."""

    def __init__(self, source):
        self.source = source
        self.files, tests = {}, set()
        for file in sorted(source.rglob("*.rs")):
            parts = file.relative_to(source).with_suffix("").parts
            if parts in (("lib",), ("main",)):
                parts = ()
            elif parts[-1] == "mod":
                parts = parts[:-1]
            text = LITERAL.sub(kept_paths, file.read_text())
            tests.update(parts + (name,) for name in TEST_FILE.findall(text))
            self.files.setdefault(parts, []).append(without_tests(text))
        for module in [
            module for module in self.files if any(module[: len(test)] == test for test in tests)
        ]:
            del self.files[module]
        self.order = DECLARED.findall("\n".join(self.files.get((), [])))
        self.modules = set(self.files)
        for parts in list(self.modules):
            self.modules.update(parts[:n] for n in range(len(parts)))
        self.names, self.handed_on, self.rest = {}, {}, {}
        for module, texts in self.files.items():
            text = "\n".join(texts)
            names, handed_on = {}, set()
            for public, tree in USE.findall(text):
                for path, name in leaves(tree):
                    names.setdefault(name, []).append(path)
                    if public:
                        handed_on.add(name)
            self.names[module], self.handed_on[module] = names, handed_on
            self.rest[module] = USE.sub(" ", text)

    def absolute(self, module, path):
        """A path as seen from a module, from the crate's root on; None if it leads out of the
        crate."""
        parts = path.split("::")
        if parts[0] == "crate":
            return tuple(parts[1:])
        base = module
        if parts[0] == "self":
            parts = parts[1:]
        elif parts[0] == "super":
            while parts and parts[0] == "super":
                base, parts = base[:-1], parts[1:]
        elif module + (parts[0],) not in self.modules:
            return None
        return base + tuple(parts)

    def home(self, path, seen=frozenset()):
        """The module that defines what an absolute path names."""
        module = ()
        for at, part in enumerate(path):
            if module + (part,) in self.modules:
                module += (part,)
                continue
            for target in self.names.get(module, {}).get(part, []):
                target = self.absolute(module, target)
                if target is not None and (module, part) not in seen:
                    return self.home(target + path[at + 1 :], seen | {(module, part)})
            break
        return module

    def uses(self, module):
        """Modules whose definitions a module uses."""
        found = set()
        for name, paths in self.names[module].items():
            if name in self.handed_on[module] and not re.search(
                rf"\b{re.escape(name)}\b", self.rest[module]
            ):
                continue
            found.update(self.absolute(module, path) for path in paths)
        found.update(self.absolute(module, path) for path in PATH.findall(self.rest[module]))
        return {self.home(path) for path in found if path}

    def graph(self, by_file):
        """Edges between modules, root aside."""
        of = (lambda module: module) if by_file else (lambda module: module[:1])
        edges = {}
        for module in self.files:
            if module:
                used = {of(other) for other in self.uses(module) if other}
                edges.setdefault(of(module), set()).update(used - {of(module)})
        return edges


def circles(edges):
    """Sets of nodes that reach each other (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in edges.get(node, ()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return found


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--crate", help="this crate alone")
    arguments.add_argument(
        "--files", action="store_true", help="between files, not only between modules at the top"
    )
    arguments.add_argument(
        "--layers", action="store_true", help="no module uses one that is listed after it"
    )
    arguments.add_argument("--edges", action="store_true", help="print which modules each uses")
    given = arguments.parse_args()
    sources = sorted((ROOT / "crates").glob("*/src"))
    sources = [source for source in sources if given.crate in (None, source.parent.name)]
    if not sources:
        sys.exit(f"circles.py: no crate {given.crate}")
    failed = False
    for source in sources:
        crate = Crate(source)
        edges = crate.graph(given.files)
        if given.edges:
            for node in sorted(edges):
                used = ", ".join("::".join(other) for other in sorted(edges[node]))
                print("::".join(node), "→", used or "none")
        for circle in circles(edges):
            failed = True
            print(f"{source.parent.name}: a circle of {len(circle)} modules")
            for node in circle:
                used = ", ".join(
                    "::".join(other) for other in sorted(edges[node]) if other in circle
                )
                print("   ", "::".join(node), "→", used)
        if given.layers:
            place = {(name,): at for at, name in enumerate(crate.order)}
            modules = crate.graph(False) if given.files else edges
            for node, used in sorted(modules.items()):
                for other in sorted(used):
                    if place.get(other, -1) > place.get(node, len(place)):
                        failed = True
                        print(
                            f"{source.parent.name}: {node[0]} uses {other[0]},"
                            " which is listed after it"
                        )
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
