"""Compares tables of the pages with the authors' figures in data/ladders. A table is compared if a comment
stands before it:

  <!-- figures: MODEL TABLE... -->            each value of these tables of data/ladders/MODEL.json is in it
  <!-- figures: MODEL TABLE...; column N -->  each number in its column N is a value of these tables

  figures_in_pages.py ROOT

A table of data/ladders whose figures are not measured says why.

Prints PAGE:LINE: WHAT for each that does not agree. Exit status: 0 none, 1 some.
"""
import glob
import json
import os
import re
import sys

MARK = re.compile(r"^<!-- figures: (\w+) ([\w. -]+?)(?:; column (\d+))? -->")
NUMBER = re.compile(r"(?<![\w.])\d+(?: \d{3})*(?:\.\d+)?(?![\w.]*\w)")


def numbers_of(text):
    return {float(number.replace(" ", "")) for number in NUMBER.findall(text)}


def values_of(root, model, names):
    with open(os.path.join(root, "data/ladders", model + ".json"), encoding="utf-8") as file:
        tables = {table["id"]: table for table in json.load(file)["tables"]}
    return {float(row["value"]) for name in names for row in tables[name]["rows"]}


def table_after(lines, start):
    """The rows of the table that follows, without its head."""
    first = next((k for k in range(start, len(lines)) if lines[k].startswith("|")), len(lines))
    end = next((k for k in range(first, len(lines)) if not lines[k].startswith("|")), len(lines))
    return lines[first + 2:end]


def compare(root, match, rows):
    model, names, column = match.group(1), match.group(2).split(), match.group(3)
    try:
        values = values_of(root, model, names)
    except (OSError, KeyError) as error:
        return [f"data/ladders/{model}.json: no table {error}"]
    if column:
        shown = set().union(*(numbers_of(row.split("|")[int(column)]) for row in rows))
        return [f"{number:g} is no figure of {' '.join(names)}" for number in sorted(shown - values)]
    shown = set().union(*(numbers_of(row) for row in rows))
    return [f"{value:g} of {model}, {' '.join(names)}, is not in the table"
            for value in sorted(values - shown)]


def tables_without_reason(root):
    for path in sorted(glob.glob(os.path.join(root, "data/ladders/*.json"))):
        with open(path, encoding="utf-8") as file:
            for table in json.load(file)["tables"]:
                if table.get("measures") == "nothing" and "not_measured" not in table:
                    yield f"{os.path.relpath(path, root)}: {table['id']}: measures nothing, without a reason"


def main(root):
    faults = marks = 0
    for fault in tables_without_reason(root):
        print(fault)
        faults += 1
    for page in sorted(glob.glob(os.path.join(root, "docs/**/*.md"), recursive=True)):
        with open(page, encoding="utf-8") as file:
            lines = file.read().split("\n")
        for number, line in enumerate(lines):
            for match in MARK.finditer(line):
                marks += 1
                for fault in compare(root, match, table_after(lines, number + 1)):
                    print(f"{os.path.relpath(page, root)}:{number + 1}: {fault}")
                    faults += 1
    if marks == 0:
        print("no page says which figures its tables show")
    return 1 if faults or marks == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
