"""Every shipped file, and the small matrix of the tests, is valid by the JSON Schema that `vmatrix matrix schema` prints.

    schema.py PROGRAM SOURCE_DIR
"""

import json
import pathlib
import subprocess
import sys

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

# What an editor must mark as wrong, one mistake each.
WRONG = [
    "gpuss: []",
    "gpus: {}",
    "gpus: [{id: a, nmae: A}]",
    "gpus: [{name: A}]",
    "gpus: [{id: A}]",
    "gpus: [{id: a, memory-gib: ['24']}]",
    "gpus: [{id: a, memory-gib: 24}]",
    "gpus: [{id: a, class: gaming}]",
    "gpus: [{id: a, pci: ['10DE:2684']}]",
    "releases: [{version: 3.10}]",
    "releases: [{version: '1', date: 2025-11-11}]",
    "releases: [{version: '1', date: '11.11.2025'}]",
    "releases: [{version: '1', bundles: ['cuda']}]",
    "releases: [{version: '1', bundles: {cuda: 12.8}}]",
    "releases: [{version: '1', id: torch-1}]",
    "releases: [{version: '1', builds: [{biuld: cpu}]}]",
    "releases: [{version: '1', claims: [{feild: date}]}]",
    "digests: [{digest: 'sha256:abc'}]",
    "sources: [{id: a, address: ftp://x}]",
    "sources: [{id: a, address: 'http://example.org'}]",
    "sources: [{id: a, address: 'https://'}]",
    "vendors: [{id: a, pci: 10DE}]",
    "gpus: [{id: a, memory-gib: [0]}]",
    "gpu-names: [{name: a, gpus: []}]",
    "rules: [{id: a, when: {}}]",
    "releases: [{version: '1', platforms: [linux-amd64]}]",
    "releases: [{version: '1', python: ['3.013']}]",
    "defaults: {gpuss: {}}",
    "defaults: {gpus: {id: a}}",
    "defaults: {gpus: {nmae: a}}",
    "defaults: {releases: {builds: [{build: cpu}]}}",
    "[]",
]


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2])
    printed = subprocess.run([program, "matrix", "schema"], capture_output=True, check=True, timeout=60).stdout
    schema = json.loads(printed)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    passed = failed = 0
    for file in sorted([*(source / "matrix").rglob("*.yaml"), *(source / "tests/fixtures/matrix-small").rglob("*.yaml")]):
        content = yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader)
        errors = [] if content is None else sorted(validator.iter_errors(content), key=lambda error: list(map(str, error.absolute_path)))
        passed, failed = passed + (not errors), failed + bool(errors)
        for error in errors[:5]:
            print(f"FAILED {file}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
    for text in WRONG:
        wrong = validator.is_valid(yaml.safe_load(text))
        passed, failed = passed + (not wrong), failed + wrong
        if wrong:
            print(f"FAILED the schema accepts: {text}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
