"""The field tables of docs/matrix-format.md say what `vmatrix matrix schema` says.

    field_tables.py PROGRAM SOURCE_DIR
"""

import json
import pathlib
import re
import subprocess
import sys


def tables(text):
    """{kind: (line below the heading, {field: (holds, meaning)})} of the part below "## Kinds"."""
    found = {}
    for part in re.split(r"^### ", text.partition("\n## Kinds\n")[2], flags=re.M)[1:]:
        name, _, body = part.partition("\n")
        rows = re.findall(r"^\| `([^`]+)`( \*)? \| (.*?) \| (.*?) \|$", body, flags=re.M)
        found[name.strip()] = (body.strip().split("\n")[0], {field: (holds, meaning) for field, _, holds, meaning in rows})
    return found


def words(holds):
    """The words of "`a`, `b`" and of "list of `a`, `b`"; none where other text stands between."""
    parts = holds.removeprefix("list of ").split(", ")
    return [part.strip("`") for part in parts] if all(re.fullmatch("`[^`]+`", part) for part in parts) else []


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2])
    text = (source / "docs/matrix-format.md").read_text(encoding="utf-8")
    schema = json.loads(subprocess.run([program, "matrix", "schema"], capture_output=True, check=True, timeout=60).stdout)
    documented, kinds = tables(text), schema["$defs"]
    sections = {value["items"]["$ref"].rpartition("/")[2]: name for name, value in schema["properties"].items() if name != "defaults"}
    common = set(kinds["gpu"]["properties"]) & set(kinds["image"]["properties"]) & set(kinds["rule"]["properties"]) - {"id"}
    problems = []

    def expect(condition, problem):
        if not condition:
            problems.append(problem)

    expect(list(documented) == list(kinds), f"kinds: the page has {list(documented)}, the schema {list(kinds)}")
    facts = text.partition("\n## Facts\n")[2].partition("\n## ")[0]
    for name in sorted(common):
        expect(f"| `{name}` |" in facts, f"the table of common fields lacks {name}")
    for kind, (line, rows) in documented.items():
        if kind not in kinds:
            continue
        properties = kinds[kind]["properties"]
        own = [name for name in properties if name != "id" and (name not in common or name in rows)]
        expect(list(rows) == own, f"{kind}: the page has {list(rows)}, the schema {own}")
        expect(kinds[kind]["description"] in line, f"{kind}: {line!r} does not say {kinds[kind]['description']!r}")
        expect(("id" in properties) == ("id is written" in line), f"{kind}: whether the id is written")
        expect(f"Section `{sections[kind]}`" in line if kind in sections else "Section" not in line, f"{kind}: the name of its section")
        for field, (holds, meaning) in rows.items():
            value = properties.get(field, {})
            single = value.get("items", value)
            where = f"{kind}.{field}"
            expect(meaning == value.get("description", meaning), f"{where}: {meaning!r}, in the schema {value.get('description')!r}")
            expect((value.get("type") == "array") == holds.startswith("list of"), f"{where}: {holds!r}, in the schema {value.get('type')!r}")
            expect((value.get("type") == "object") == holds.startswith("map of"), f"{where}: {holds!r}, in the schema {value.get('type')!r}")
            expect(words(holds) == single.get("enum", []), f"{where}: {holds!r}, in the schema {single.get('enum')!r}")
            expect(single.get("type") not in ("integer", "number", "boolean") or single["type"] in holds, f"{where}: {holds!r}, in the schema {single.get('type')!r}")
    for problem in problems:
        print("FAILED", problem)
    fields = sum(len(rows) for _, rows in documented.values())
    print(f"{fields - len(problems) if fields > len(problems) else 0} passed, {len(problems)} failed")
    return 1 if problems or not fields else 0


if __name__ == "__main__":
    sys.exit(main())
