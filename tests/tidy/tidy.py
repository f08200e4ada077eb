"""The rules of layout and style that a program can check. Prints FILE:LINE: RULE: WHAT for each violation.

  tidy.py ROOT [RULE...]     all rules, or some: folders includes circles layers guards functions columns
                         names links

Exit status: 0 clean, 1 violations, 64 unknown rule. Reads the files that git tracks under ROOT; where ROOT is
not a repository, all of its files.
"""
import os
import re
import subprocess
import sys

COLUMNS_MAX = 110
FUNCTION_LINES_MAX = 70
PREFIX_FILES_MAX = 20  # files of a folder with one prefix: they want to be a folder
C_SUFFIXES = (".c", ".h", ".cu", ".cuh", ".inc")
TEXT_SUFFIXES = C_SUFFIXES + (".cmake", ".py")
PRODUCT = ("cli", "batch", "report", "bench", "validate", "models", "gpu", "io", "parallel", "core")

# What a folder may include, besides itself and the standard headers. A new arrow is a decision:
# docs/decisions.md.
ARROWS = {
    "core": (),
    "parallel": ("core",),
    "io": ("core",),
    "models": ("io", "parallel", "core"),
    "gpu": ("models", "parallel", "core"),
    "bench": ("gpu", "models", "io", "parallel", "core"),
    "validate": ("models", "io", "core"),
    "report": ("validate", "models", "io", "core"),
    "batch": ("report", "gpu", "io", "parallel", "core"),
    "cli": ("batch", "report", "bench", "validate", "gpu", "models", "io", "parallel",
            "core"),
    "tests": PRODUCT,
}
TOP_FOLDERS = set(ARROWS) | {".ci", "cmake", "data", "docs"}

# Models do not include each other. particles/ is shared by nbody and gas.
MODELS = ("tsunami", "bioheat", "nbody", "gas", "ising")


def tracked_files(root):
    listing = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True)
    if listing.returncode == 0 and listing.stdout:
        names = listing.stdout.split("\n")[:-1]
    else:
        names = [os.path.relpath(os.path.join(folder, name), root)
                 for folder, _, files in os.walk(root) for name in files if "/build/" not in folder + "/"]
    return sorted(name for name in names
                  if os.path.isfile(os.path.join(root, name)) and not name.startswith("tests/fuzz/corpus/")
                  and not name.startswith("tests/tidy/bad/"))


def read_lines(root, name):
    with open(os.path.join(root, name), encoding="utf-8") as file:
        return file.read().split("\n")


def is_script(root, name):
    if "." in os.path.basename(name):
        return False
    with open(os.path.join(root, name), "rb") as file:
        return file.read(2) == b"#!"


def check_folders(root, names):
    counts = {}
    for name in names:
        parts = name.split("/")
        if len(parts) > 1 and parts[0] not in TOP_FOLDERS:
            yield name, 1, f"{parts[0]}/ is not a folder of the layout (CONTRIBUTING.md)"
        if parts[0] in PRODUCT and name.endswith(C_SUFFIXES):
            prefix = parts[-1].split("_")[0].split(".")[0]
            counts.setdefault(("/".join(parts[:-1]), prefix), []).append(name)
        has_models = parts[0] in ("gpu", "report", "models", "validate")
        if len(parts) == 2 and has_models and name.endswith(C_SUFFIXES):
            model = parts[1].split("_")[0].split(".")[0]
            if model in MODELS:
                yield name, 1, f"belongs to {parts[0]}/{model}/"
    for (folder, prefix), files in sorted(counts.items()):
        if len(files) >= PREFIX_FILES_MAX:
            yield files[0], 1, f"{len(files)} files of {folder}/ begin with {prefix}: make it a folder"


INCLUDE = re.compile(r'#include "([^"]+)"')


def model_of(name):
    parts = name.split("/")
    return parts[1] if parts[0] in ("models", "gpu", "report", "bench", "validate") and len(parts) > 2 and \
        parts[1] in MODELS else None


def check_includes(root, names):
    for name in names:
        top = name.split("/")[0]
        if not name.endswith(C_SUFFIXES) or top not in ARROWS:
            continue
        for number, line in enumerate(read_lines(root, name), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            target = match.group(1)
            if "/" not in target:
                if target != "version.h":
                    yield name, number, f'"{target}": headers are named from the top folder'
                continue
            other = target.split("/")[0]
            if other != top and other not in ARROWS[top]:
                yield name, number, f"{top} may not include {target}"
            mine, its = model_of(name), model_of(target)
            if top in PRODUCT and mine and its and mine != its:
                yield name, number, f"{mine} may not include {target}"


def module_of(name):
    """A .c/.h pair by its path without suffix; an .inc is a module of its own."""
    stem, suffix = os.path.splitext(name)
    return name if suffix == ".inc" else stem


def module_arrows(root, names):
    """For each module with code (a .c/.h pair, by its path without suffix) the modules that it includes,
    directly or through headers that have no .c of their own."""
    arrows = {}
    coded = {os.path.splitext(name)[0] for name in names if name.endswith((".c", ".cu"))}

    def beyond_headers(here):
        found, seen, rest = set(), set(), [here]
        while rest:
            for there in arrows.get(rest.pop(), ()):
                if there in coded:
                    found.add(there)
                elif there not in seen:
                    seen.add(there)
                    rest.append(there)
        return found - {here}

    for name in names:
        if not name.endswith(C_SUFFIXES) or name.split("/")[0] not in PRODUCT:
            continue
        targets = arrows.setdefault(module_of(name), set())
        for line in read_lines(root, name):
            match = INCLUDE.match(line)
            if match and "/" in match.group(1):
                targets.add(module_of(match.group(1)))
    return {here: beyond_headers(here) for here in arrows if here in coded}


def strongly_connected(arrows):
    """Tarjan's algorithm (SIAM J. Comput. 1, 146, 1972), without recursion: modules that reach each other."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []
    for root in sorted(arrows):
        work = [(root, iter(sorted(arrows[root])))] if root not in index else []
        while work:
            here, rest = work[-1]
            if here not in index:
                index[here] = low[here] = len(index)
                stack.append(here)
                on_stack.add(here)
            for there in rest:
                if there not in arrows:
                    continue
                if there not in index:
                    work.append((there, iter(sorted(arrows[there]))))
                    break
                if there in on_stack:
                    low[here] = min(low[here], index[there])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[here])
                if low[here] == index[here]:
                    part = stack[stack.index(here):]
                    del stack[stack.index(here):]
                    on_stack.difference_update(part)
                    if len(part) > 1:
                        found.append(sorted(part))
    return found


def check_circles(root, names):
    for part in strongly_connected(module_arrows(root, names)):
        yield part[0], 1, "a circle of includes: " + " ".join(part)


# A registry names what stands below its folder: the models, their reports, their suites. It is the one file
# that may include downward where others include upward.
REGISTRY = "registry.c"


def folder_arrows(root, names):
    """For each folder of the product the folders that its files include, with one include for each: (file,
    line, target)."""
    arrows = {}
    for name in names:
        here = os.path.dirname(name)
        if not name.endswith(C_SUFFIXES) or name.split("/")[0] not in PRODUCT or \
                os.path.basename(name) == REGISTRY:
            continue
        targets = arrows.setdefault(here, {})
        for number, line in enumerate(read_lines(root, name), 1):
            match = INCLUDE.match(line)
            there = os.path.dirname(match.group(1)) if match else ""
            if there and there != here:
                targets.setdefault(there, (name, number, match.group(1)))
    return arrows


def shortest_circle(arrows, part):
    """The folders of a shortest way from the first of `part` back to it."""
    ways, seen = [[part[0]]], set()
    while ways:
        way = ways.pop(0)
        for there in sorted(set(arrows[way[-1]]) & set(part)):
            if there == part[0]:
                return way + [there]
            if there not in seen:
                seen.add(there)
                ways.append(way + [there])
    return []


def check_layers(root, names):
    """Folders, as modules, include each other one way. Each include of a shortest circle is named."""
    arrows = folder_arrows(root, names)
    for part in strongly_connected(arrows):
        way = shortest_circle(arrows, part)
        for here, there in zip(way, way[1:]):
            name, number, target = arrows[here][there]
            yield name, number, f"{target}: folders include each other: " + " ".join(part)


def check_guards(root, names):
    for name in names:
        if not name.endswith((".h", ".cuh")):
            continue
        guard = "FATHOM_" + re.sub(r"[^A-Z0-9]", "_", name.upper())
        text = "\n".join(read_lines(root, name))
        if f"#ifndef {guard}\n#define {guard}\n" not in text:
            yield name, 1, f"no guard {guard}; code that is included several times is named .inc"


def functions_of(lines):
    """(first line, last line) of each function: clang-format puts its last brace into the first column."""
    start = None
    for number, line in enumerate(lines, 1):
        if start is None:
            if line == "{":
                start = number
                while start > 1 and lines[start - 2].strip():
                    if lines[start - 2].startswith(("#", "//", "}")):
                        break
                    start -= 1
        elif line == "}":
            yield start, number
            start = None


def check_functions(root, names):
    for name in names:
        if not name.endswith(C_SUFFIXES):
            continue
        lines = read_lines(root, name)
        for start, end in functions_of(lines):
            if end - start + 1 > FUNCTION_LINES_MAX:
                yield name, start, f"a function of {end - start + 1} lines (at most {FUNCTION_LINES_MAX})"


def check_columns(root, names):
    for name in names:
        if not (name.endswith(TEXT_SUFFIXES) or name.endswith("CMakeLists.txt") or is_script(root, name)):
            continue
        for number, line in enumerate(read_lines(root, name), 1):
            if len(line) > COLUMNS_MAX:
                yield name, number, f"{len(line)} columns (at most {COLUMNS_MAX})"


# A function that a header declares: at the beginning of a line, a type, a name and an opening parenthesis.
DECLARED = re.compile(r"^(?!typedef|return|static|#|//|\s|else|extern \"C\")"
                      r"(?:[a-z_]\w*[\s*]+)+\**([a-z]\w*)\(")


# Prefixes besides the names of the file and its folders: a shorter word for a folder, or a header of several
# concepts.
PREFIXES = {
    "bioheat/": ("heat",),
    "validate/": ("validation",),
    "gpu/": ("device",),
    "gpu/nbody/": ("body",),
    "core/statistics.h": ("block_sum", "running_sum", "difference"),
    "gpu/samples.h": ("stage_sample",),
    "io/json_file.h": ("text_file",),
    "models/tsunami/earthquake/okada.h": ("fault",),
    "validate/closed/spheres.h": ("plummer", "dust"),
}


def module_words(name):
    """Words with which the names of a file may begin: its name, its folders' names, those of PREFIXES."""
    parts = re.sub(r"\.\w+$", "", name).split("/")
    words = set()
    for part in parts:
        words.add(part)
        words.update(part.split("_"))
        words.add(part.rstrip("s"))
    for place, more in PREFIXES.items():
        if name.startswith(place) or "/" + place in name:
            words.update(more)
    return words


def check_names(root, names):
    for name in names:
        if not name.endswith(".h") or name.split("/")[0] not in PRODUCT:
            continue
        words = module_words(name)
        for number, line in enumerate(read_lines(root, name), 1):
            match = DECLARED.match(line)
            if match and not any(match.group(1).startswith(word) for word in words):
                yield name, number, f"{match.group(1)} does not begin with its module"


LINK = re.compile(r'\]\(([^)\s]+)\)|src="([^"]+)"')
DATA_PATH = re.compile(r"(?<![\w./-])data/[\w./-]*\w")


def is_page(name):
    return name in ("README.md", "CONTRIBUTING.md") or (name.startswith("docs/") and name.endswith(".md"))


def anchors_of(root, name):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = (re.match(r"#+ +(.*)", line) for line in read_lines(root, name))
    return {re.sub(r"[^\w\- ]", "", match.group(1).lower()).replace(" ", "-") for match in headings if match}


def check_links(root, names):
    """Pages name files, folders and headings that exist: in relative links, and as data/... in the text."""
    for name in filter(is_page, names):
        for number, line in enumerate(read_lines(root, name), 1):
            targets = [match.group(1) or match.group(2) for match in LINK.finditer(line)]
            for target in targets:
                path, _, anchor = target.partition("#")
                path = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
                if re.match(r"\w+:", target):
                    continue
                if not os.path.exists(os.path.join(root, path)):
                    yield name, number, f"{target} does not exist"
                elif anchor and anchor not in anchors_of(root, path):
                    yield name, number, f"{target}: {path} has no such heading"
            for path in DATA_PATH.findall(LINK.sub("", line)):
                if not os.path.exists(os.path.join(root, path)):
                    yield name, number, f"{path} does not exist"


RULES = {"folders": check_folders, "includes": check_includes, "circles": check_circles,
         "layers": check_layers, "guards": check_guards, "functions": check_functions,
         "columns": check_columns, "names": check_names, "links": check_links}


def main(arguments):
    if not arguments or any(rule not in RULES for rule in arguments[1:]):
        print(__doc__, file=sys.stderr)
        return 64
    root, rules = arguments[0], arguments[1:] or list(RULES)
    names = tracked_files(root)
    count = 0
    for rule in rules:
        for name, number, what in RULES[rule](root, names):
            print(f"{name}:{number}: {rule}: {what}")
            count += 1
    if count:
        print(f"{count} violation{'s' if count > 1 else ''}")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
