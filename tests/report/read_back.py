"""What vmatrix prints as YAML says the same as what it prints as JSON, to a YAML 1.1 reader.

    read_back.py SAMPLES     (the program made of samples.cpp)
"""

import json
import subprocess
import sys

try:
    import yaml
except ImportError:
    print("python3-yaml is not installed: skipped")
    sys.exit(77)


def main():
    done = subprocess.run([sys.argv[1]], capture_output=True, check=True, timeout=60)
    texts = done.stdout.decode("utf-8").split("\0")[:-1]
    pairs = list(zip(texts[::2], texts[1::2]))
    failed = 0
    for as_json, as_yaml in pairs:
        wanted = json.loads(as_json)
        try:
            got = yaml.safe_load(as_yaml)
        except yaml.YAMLError as problem:
            got = f"not readable: {problem}"
        if got != wanted or type(got) is not type(wanted):
            failed += 1
            print(f"FAILED {as_json.strip()[:100]}\n  YAML: {as_yaml[:100]!r}\n  reads as {str(got)[:200]!r}")
    print(f"{len(pairs) - failed} passed, {failed} failed")
    return 1 if failed or not pairs else 0


if __name__ == "__main__":
    sys.exit(main())
