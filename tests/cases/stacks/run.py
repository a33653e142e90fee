#!/usr/bin/env python3
"""Runs the case files of this folder against a vmatrix program. README.md beside this file holds the format."""

import argparse
import concurrent.futures
import io
import json
import os
import re
import shlex
import stat
import subprocess
import sys
import tempfile
import time

import yaml

CLASSES = ("core", "knowledge", "niche")
CONFIDENCES = ("high", "medium", "low")
KINDS = ("check", "resolve", "doctor")
VERDICTS = {"check": ("works", "workaround", "broken", "unknown"), "resolve": ("found", "none")}
EXIT_CODES = {"works": 0, "workaround": 0, "unknown": 0, "broken": 1, "found": 0, "none": 1}
LAYERS = ("hardware", "firmware", "kernel", "driver", "container", "runtime", "framework", "application",
          "packaging", "host-config")
CASE_KEYS = ("id", "title", "source", "class", "confidence", "runs")
RUN_KEYS = ("run", "given", "expect")
OPTIONAL_RUN_KEYS = ("lookalike",)
HARMLESS = ("info", "note")
GIVEN_LISTS = ("gpu", "specs")
GIVEN_STRINGS = ("driver", "os", "kernel", "python", "image", "log")
GIVEN_KEYS = GIVEN_LISTS + GIVEN_STRINGS + ("env",)
REGEX_LISTS = ("reasons_all", "advice_any", "advice_none")
REGEX_MAPS = ("components", "components_not")
EXPECT_KEYS = ("verdict", "layer") + REGEX_LISTS + REGEX_MAPS + ("findings",)
ALTERNATIVES = "5"
TIMEOUT_S = 20


# --- reading and checking the form ---------------------------------------------------------------

class CaseLoader(yaml.SafeLoader):
    """SafeLoader that refuses a key given twice."""

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                raise yaml.constructor.ConstructorError(None, None, f"key '{key}' given twice", key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep)


def is_text(value):
    return isinstance(value, str) and value.strip() != ""


def is_text_list(value):
    return isinstance(value, list) and value and all(is_text(v) for v in value)


def regex_error(pattern):
    if not is_text(pattern):
        return "must be a regular expression in quotes"
    try:
        compiled = re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        return f"is no valid regular expression: {error}"
    return "matches the empty text, so it proves nothing" if compiled.search("") and pattern != "^$" else None


class FormChecker:
    """Collects what is wrong with one case file, each as 'key: what'."""

    def __init__(self, name):
        self.name = name
        self.problems = []

    def add(self, key, what):
        self.problems.append(f"{key}: {what}")

    def keys(self, where, mapping, allowed, required=()):
        if not isinstance(mapping, dict):
            self.add(where, "must be a mapping")
            return False
        for key in mapping:
            if key not in allowed:
                self.add(f"{where}.{key}" if where else str(key), f"unknown key (known: {', '.join(allowed)})")
        for key in required:
            if key not in mapping:
                self.add(f"{where}.{key}" if where else key, "missing")
        return True

    def word(self, key, value, words):
        if value not in words:
            self.add(key, f"must be one of {', '.join(words)}; is {value!r}")

    def words(self, key, value, words):
        if not is_text_list(value):
            self.add(key, f"must be a list of words out of {', '.join(words)}")
            return
        for item in value:
            self.word(key, item, words)

    def case(self, case):
        if not self.keys("", case, CASE_KEYS, CASE_KEYS):
            return
        if not re.fullmatch(r"[0-9]{3}", str(case.get("id", ""))) or not isinstance(case.get("id"), str):
            self.add("id", "must be three digits in quotes")
        elif not re.fullmatch(re.escape(case["id"]) + r"-[a-z0-9-]+\.yaml", self.name):
            self.add("id", f"the file must be named {case['id']}-<slug>.yaml")
        for key in ("title", "source"):
            if key in case and not is_text(case[key]):
                self.add(key, "must be a text")
        if "class" in case:
            self.word("class", case["class"], CLASSES)
        if "confidence" in case:
            self.word("confidence", case["confidence"], CONFIDENCES)
        runs = case.get("runs")
        if not isinstance(runs, list) or not runs:
            self.add("runs", "must be a list with at least one run")
            return
        for number, run in enumerate(runs, 1):
            self.run(f"runs[{number}]", run)

    def run(self, where, run):
        if not self.keys(where, run, RUN_KEYS + OPTIONAL_RUN_KEYS, RUN_KEYS):
            return
        kind = run.get("run")
        if not isinstance(run.get("lookalike", True), bool):
            self.add(f"{where}.lookalike", "must be true or false")
        self.word(f"{where}.run", kind, KINDS)
        self.given(f"{where}.given", run.get("given"), kind)
        self.expect(f"{where}.expect", run.get("expect"), kind)

    def given(self, where, given, kind):
        if not self.keys(where, given, GIVEN_KEYS):
            return
        if not given:
            self.add(where, "must hold at least one fact")
        for key in GIVEN_LISTS:
            if key in given and not is_text_list(given[key]):
                self.add(f"{where}.{key}", "must be a list of texts")
        for key in GIVEN_STRINGS:
            if key in given and not is_text(given[key]):
                self.add(f"{where}.{key}", "must be a text (put numbers in quotes)")
        if "os" in given and is_text(given["os"]) and not re.fullmatch(r"[a-z0-9_.-]+(:[A-Za-z0-9_.-]+)?", given["os"]):
            self.add(f"{where}.os", "must be id:version or id")
        env = given.get("env", {"X": "y"})
        if not isinstance(env, dict) or not env or not all(is_text(k) and isinstance(v, str) for k, v in env.items()):
            self.add(f"{where}.env", "must map names to texts (put numbers in quotes)")
        if "log" in given and kind != "doctor":
            self.add(f"{where}.log", "is for doctor only")
        if kind == "doctor" and "log" not in given:
            self.add(f"{where}.log", "missing")

    def expect(self, where, expect, kind):
        if not self.keys(where, expect, EXPECT_KEYS):
            return
        if not expect:
            self.add(where, "must hold at least one expectation")
        if kind in VERDICTS and "verdict" not in expect:
            self.add(f"{where}.verdict", "missing")
        if "verdict" in expect:
            if kind in VERDICTS:
                self.words(f"{where}.verdict", expect["verdict"], VERDICTS[kind])
            else:
                self.add(f"{where}.verdict", "is for check and resolve only")
        if "findings" in expect:
            self.word(f"{where}.findings", expect["findings"], ("none",))
            if kind != "doctor":
                self.add(f"{where}.findings", "is for doctor only")
            for key in set(expect) - {"findings", "advice_none"}:
                self.add(f"{where}.{key}", "cannot stand beside findings")
        if "layer" in expect:
            self.words(f"{where}.layer", expect["layer"], LAYERS)
        for key in REGEX_LISTS:
            if key not in expect:
                continue
            if not isinstance(expect[key], list) or not expect[key]:
                self.add(f"{where}.{key}", "must be a list of regular expressions")
                continue
            for pattern in expect[key]:
                error = regex_error(pattern)
                if error:
                    self.add(f"{where}.{key}", f"{pattern!r} {error}")
        for key in REGEX_MAPS:
            if key not in expect:
                continue
            if kind != "resolve":
                self.add(f"{where}.{key}", "is for resolve only")
            if not isinstance(expect[key], dict) or not expect[key]:
                self.add(f"{where}.{key}", "must map component names to regular expressions")
                continue
            for name, pattern in expect[key].items():
                error = regex_error(pattern)
                if error:
                    self.add(f"{where}.{key}.{name}", f"{pattern!r} {error}")


def case_paths(directories):
    paths = []
    for directory in directories:
        if not os.path.isdir(directory):
            sys.exit(f"run.py: no such directory: {directory}")
        paths += [os.path.join(directory, name) for name in sorted(os.listdir(directory)) if name.endswith(".yaml")]
    return paths


def load_cases(directories):
    """All cases of the directories, and every mistake of form as 'file: key: what'."""
    cases, mistakes, first_of = [], [], {}
    for path in case_paths(directories):
        checker = FormChecker(os.path.basename(path))
        try:
            with open(path, encoding="utf-8") as stream:
                case = yaml.load(stream, CaseLoader)
            checker.case(case)
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            checker.add("file", " ".join(str(error).split()))
            case = None
        if not checker.problems:
            if case["id"] in first_of:
                checker.add("id", f"already used by {first_of[case['id']]}")
            first_of.setdefault(case["id"], path)
        mistakes += [f"{path}: {problem}" for problem in checker.problems]
        if not checker.problems:
            case["path"] = path
            cases.append(case)
    return cases, mistakes


# --- calling the program -------------------------------------------------------------------------

def command_line(program, run, log_path):
    kind, given = run["run"], run["given"]
    command = [program, kind]
    for gpu in given.get("gpu", []):
        command += ["--gpu", gpu]
    for key in ("driver", "os", "kernel", "python"):
        if key in given:
            command += ["--" + key, given[key]]
    for name, value in given.get("env", {}).items():
        command += ["--env", f"{name}={value}"]
    if "image" in given:
        command += ["--image", given["image"]]
    if kind != "check":
        for spec in given.get("specs", []):
            command += ["--with", spec]
    if kind == "resolve":
        command += ["--alternatives", ALTERNATIVES]
    if kind == "doctor":
        command += ["--log", log_path]
    if kind == "check":
        command += given.get("specs", [])
    return command + ["--format", "json"]


def call(program, run):
    """(command, exit code, answer, error): error is a text when there is no usable answer."""
    log_path = ""
    if run["run"] == "doctor":
        handle, log_path = tempfile.mkstemp(prefix="vmatrix-case-", suffix=".log", text=True)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(run["given"]["log"])
    command = command_line(program, run, log_path)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("VMATRIX_")}
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S, env=environment)
    except subprocess.TimeoutExpired:
        return command, None, None, f"no answer within {TIMEOUT_S} s"
    except OSError as error:
        return command, None, None, f"cannot run {program}: {error.strerror}"
    finally:
        if log_path:
            os.unlink(log_path)
    if done.returncode not in (0, 1):
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return command, done.returncode, None, f"exit code {done.returncode}" + (f": {said[0]}" if said else "")
    try:
        answer = json.loads(done.stdout.decode("utf-8"))
    except ValueError as error:
        return command, done.returncode, None, f"standard output is not JSON: {error}"
    if not isinstance(answer, dict) or answer.get("schema_version") != 1:
        return command, done.returncode, None, "the answer has no schema_version 1"
    return command, done.returncode, answer, None


# --- reading an answer ---------------------------------------------------------------------------

def pairs(mapping):
    return [f"{key}={value}" for key, value in (mapping or {}).items()]


def texts(value):
    """Every text and number in a piece of JSON; a mapping also gives its 'key=value' pairs."""
    if isinstance(value, dict):
        scalars = {k: v for k, v in value.items() if not isinstance(v, (dict, list))}
        found = pairs(scalars)
        for item in value.values():
            found += texts(item)
        return found
    if isinstance(value, list):
        return [text for item in value for text in texts(item)]
    return [] if value is None else [str(value)]


def without(entries, key):
    return [{k: v for k, v in entry.items() if k != key} for entry in entries or []]


def issue_advice(issues):
    return [issue["advice"] for issue in issues or [] if issue.get("advice")]


class Answer:
    """What one answer says, cut into the parts that the expectations speak of."""

    def __init__(self, kind, answer):
        self.components = []
        if kind == "check":
            self.verdict = answer.get("verdict")
            main = answer.get("reasons") or []
            self.reasons = texts(main) + texts(without(answer.get("issues"), "advice"))
            self.advice = (texts(answer.get("repairs")) + issue_advice(answer.get("issues"))
                           + pairs(answer.get("environment")))
            self.offers = []
        elif kind == "resolve":
            self.verdict = answer.get("status")
            stacks = answer.get("stacks") or []
            self.components = [stack.get("components") or {} for stack in stacks]
            main = (answer.get("conflict") or {}).get("reasons") or (stacks[0].get("reasons") if stacks else []) or []
            self.reasons = texts((answer.get("conflict") or {}).get("reasons"))
            self.advice = texts(answer.get("repairs"))
            self.offers = []
            for stack in stacks:
                self.reasons += texts(stack.get("reasons")) + texts(without(stack.get("issues"), "advice"))
                self.advice += issue_advice(stack.get("issues")) + pairs(stack.get("environment"))
                self.offers += pairs(stack.get("components"))
        else:
            self.verdict = None
            main = answer.get("findings") or []
            self.reasons = texts(without(main, "remedies"))
            self.advice = texts([finding.get("remedies") for finding in main])
            self.offers = []
        self.layer = main[0].get("layer") if main else None


def search_any(pattern, found):
    return any(re.search(pattern, text, re.IGNORECASE | re.DOTALL) for text in found)


def judge_findings(findings, none_wanted, fail):
    serious = [f"{f.get('id')}: {f.get('text')}" for f in findings if f.get("severity") not in HARMLESS]
    if none_wanted and serious:
        fail("findings", "none but info and note", shorten(serious))
    if not none_wanted and not findings:
        fail("findings", "at least one", "none")


def judge(run, code, answer):
    """What the answer fails to meet, each as 'key: expected …; came …'."""
    kind, expect = run["run"], run["expect"]
    view = Answer(kind, answer)
    failures = []

    def fail(key, wanted, came):
        failures.append(f"{key}: expected {wanted}; came {came}")

    if "verdict" in expect and view.verdict not in expect["verdict"]:
        fail("verdict", " or ".join(expect["verdict"]), view.verdict)
    if "layer" in expect and view.layer not in expect["layer"]:
        fail("layer", " or ".join(expect["layer"]), view.layer or "no reason")
    for pattern in expect.get("reasons_all", []):
        if not search_any(pattern, view.reasons):
            fail("reasons_all", f"/{pattern}/", shorten(view.reasons))
    if "advice_any" in expect and not any(search_any(p, view.advice + view.offers) for p in expect["advice_any"]):
        fail("advice_any", " or ".join(f"/{p}/" for p in expect["advice_any"]), shorten(view.advice + view.offers))
    for pattern in expect.get("advice_none", []):
        hits = [text for text in view.advice if re.search(pattern, text, re.IGNORECASE | re.DOTALL)]
        if hits:
            fail("advice_none", f"nothing like /{pattern}/", shorten(hits))
    for name, pattern in expect.get("components", {}).items():
        version = str(view.components[0].get(name, "")) if view.components else ""
        if not re.search(pattern, version, re.IGNORECASE):
            fail("components", f"{name} /{pattern}/", version or "none")
    for name, pattern in expect.get("components_not", {}).items():
        for number, stack in enumerate(view.components, 1):
            if name in stack and re.search(pattern, str(stack[name]), re.IGNORECASE):
                fail("components_not", f"no {name} /{pattern}/", f"{stack[name]} in stack {number}")
    if kind == "doctor":
        judge_findings(answer.get("findings") or [], "findings" in expect, fail)
        wanted_code = 0 if "findings" in expect else 1
    else:
        wanted_code = EXIT_CODES.get(view.verdict, code)
    if code != wanted_code:
        fail("exit", f"code {wanted_code}", code)
    return failures


def shorten(found, limit=160):
    text = " | ".join(dict.fromkeys(" ".join(t.split()) for t in found)) or "nothing"
    return text if len(text) <= limit else text[:limit - 1] + "…"


# --- running -------------------------------------------------------------------------------------

def run_case(program, case):
    started = time.monotonic()
    results = []
    for run in case["runs"]:
        command, code, answer, error = call(program, run)
        try:
            failures = [f"answer: expected an answer; came {error}"] if error else judge(run, code, answer)
        except (AttributeError, TypeError, KeyError) as shape:
            failures = [f"answer: expected the agreed form; came {shape}"]
        results.append({"run": run["run"], "lookalike": run.get("lookalike", False), "command": shlex.join(command), "exit": code,
                        "failures": failures, "answer": answer})
    return {"id": case["id"], "title": case["title"], "class": case["class"], "confidence": case["confidence"],
            "file": case["path"], "seconds": round(time.monotonic() - started, 3), "runs": results,
            "passed": not any(r["failures"] for r in results)}


def run_all(program, cases, jobs):
    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        return list(pool.map(lambda case: run_case(program, case), cases))


def print_failures(results, out):
    for result in results:
        if result["passed"]:
            continue
        told = [f"{run['run']}[{number}] {failure}" for number, run in enumerate(result["runs"], 1)
                for failure in run["failures"]]
        print(f"FAIL {result['id']} {result['title']}: " + " ;; ".join(told), file=out)


def print_table(results, out):
    """Runs passed/all by class and kind (look-alikes also by themselves), and cases passed/all by class."""
    def share(done):
        return f"{sum(done)}/{len(done)}" if done else "-"

    rows = [("class",) + KINDS + ("look-alike", "cases")]
    for name in CLASSES + ("all",):
        chosen = [r for r in results if name in ("all", r["class"])]
        runs = [run for r in chosen for run in r["runs"]]
        rows.append((name,) + tuple(share([not run["failures"] for run in runs if run["run"] == kind]) for kind in KINDS)
                    + (share([not run["failures"] for run in runs if run["lookalike"]]),
                       share([r["passed"] for r in chosen])))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    print(file=out)
    for row in rows:
        print("  ".join([row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]), file=out)


def read_passing(path, cases):
    """The ids in a list of passing cases. An id without a case is a mistake: the list would promise nothing."""
    with open(path, encoding="utf-8") as stream:
        ids = [line.split("#")[0].strip() for line in stream]
    ids = [i for i in ids if i]
    unknown = set(ids) - {case["id"] for case in cases}
    if unknown or ids != sorted(set(ids)):
        sys.exit(f"run.py: {path}: " + (f"no such case: {', '.join(sorted(unknown))}" if unknown else "the ids must be sorted, each once"))
    return set(ids)


def report_passing(results, passing, path, out=sys.stdout):
    """Only what concerns the list: listed cases that fail, and cases that pass without being listed."""
    broken = [r for r in results if r["id"] in passing and not r["passed"]]
    print_failures(broken, out)
    for result in results:
        if result["passed"] and result["id"] not in passing:
            print(f"{result['id']} {result['title']}: passes; add it to {os.path.basename(path)}", file=out)
    print_table(results, out)
    print(f"{sum(r['id'] in passing for r in results)} listed cases, {len(broken)} of them failed", file=out)
    return 1 if broken else 0


def report(results, out=sys.stdout):
    print_failures(results, out)
    print_table(results, out)
    failed = sum(not r["passed"] for r in results)
    print(f"{len(results) - failed} passed, {failed} failed", file=out)
    return 1 if failed else 0


# --- self-test -----------------------------------------------------------------------------------

FAKE = """#!{python}
import json, sys
with open({answers!r}) as stream:
    answers = json.load(stream)
args = sys.argv[1:]
with open({calls!r}, "a") as stream:
    stream.write(json.dumps(args) + "\\n")
gpu = args[args.index("--gpu") + 1]
entry = answers[gpu]
if "raw" in entry:
    print(entry["raw"])
else:
    print(json.dumps(entry["answer"]))
sys.exit(entry["exit"])
"""


def self_test():
    """Prove that a right answer passes and that a wrong one fails, for each expectation key."""
    checks = []

    def check_answer(**change):
        answer = {"schema_version": 1, "verdict": "broken", "evidence": "broken",
                  "reasons": [{"layer": "framework", "components": ["torch", "gpu"], "text": "no code for sm_61",
                               "facts": ["f1"], "sources": ["s1"]}],
                  "issues": [{"id": "i1", "severity": "warns", "text": "noted", "advice": "read the notes"}],
                  "environment": {"A": "1"},
                  "repairs": [{"text": "use the older build", "changes": {"torch": "2.7.0+cu126"}, "commands": ["pip install x"]}]}
        answer.update(change)
        return answer

    def resolve_answer(**change):
        answer = {"schema_version": 1, "status": "found", "repairs": [], "conflict": {"reasons": []},
                  "stacks": [{"evidence": "supported", "components": {"torch": "2.7.0+cu126"}, "environment": {},
                              "issues": [], "reasons": []},
                             {"evidence": "expected", "components": {"torch": "2.6.0+cu124"}, "environment": {},
                              "issues": [], "reasons": []}]}
        answer.update(change)
        return answer

    def doctor_answer(**change):
        finding = {"id": "d1", "layer": "driver", "severity": "error", "cause": "module and library differ",
                   "text": "mismatch", "remedies": [{"text": "restart the host", "commands": ["reboot"]}]}
        finding.update(change)
        return {"schema_version": 1, "findings": [finding]}

    check_expect = {"verdict": ["broken"], "layer": ["framework", "hardware"], "reasons_all": [r"sm_61", r"torch"],
                    "advice_any": [r"cu118", r"torch=.*cu126"], "advice_none": [r"reinstall"]}
    resolve_expect = {"verdict": ["found"], "components": {"torch": r"\+cu126$"}, "components_not": {"torch": r"\+cu128"}}
    doctor_expect = {"layer": ["driver"], "reasons_all": [r"mismatch"], "advice_any": [r"\breboot"],
                     "advice_none": [r"purge"]}
    none = resolve_answer(status="none", stacks=[], conflict={"reasons": [{"layer": "driver", "text": "too old"}]})

    def add(name, kind, expect, answer, code, wanted):
        checks.append((name, kind, expect, {"answer": answer, "exit": code}, wanted))

    add("right check", "check", check_expect, check_answer(), 1, None)
    add("advice in an issue", "check", {"verdict": ["broken"], "advice_any": ["read the notes"]}, check_answer(), 1, None)
    add("advice as environment", "check", {"verdict": ["broken"], "advice_any": ["^A=1$"]}, check_answer(), 1, None)
    add("wrong verdict", "check", check_expect, check_answer(verdict="works"), 0, "verdict:")
    add("wrong layer", "check", check_expect, check_answer(reasons=[dict(check_answer()["reasons"][0], layer="driver")]), 1, "layer:")
    add("no reason", "check", check_expect, check_answer(reasons=[]), 1, "layer:")
    add("reason lacks a point", "check", check_expect, check_answer(reasons=[{"layer": "framework", "text": "torch no"}]), 1, "reasons_all:")
    add("no fitting advice", "check", check_expect, check_answer(repairs=[]), 1, "advice_any:")
    add("forbidden advice", "check", check_expect,
        check_answer(issues=[{"id": "i", "severity": "warns", "text": "x", "advice": "Reinstall all"}]), 1, "advice_none:")
    add("exit code differs from verdict", "check", check_expect, check_answer(), 0, "exit:")
    add("right resolve", "resolve", resolve_expect, resolve_answer(), 0, None)
    add("the stack counts as advice", "resolve", {"verdict": ["found"], "advice_any": [r"^torch=2\.7\.0"]}, resolve_answer(), 0, None)
    add("right conflict", "resolve", {"verdict": ["none"], "layer": ["driver"]}, none, 1, None)
    add("wrong status", "resolve", resolve_expect, none, 1, "verdict:")
    add("wrong component", "resolve", dict(resolve_expect, components={"torch": r"\+cu130$"}), resolve_answer(), 0, "components:")
    add("missing component", "resolve", dict(resolve_expect, components={"vllm": r"."}), resolve_answer(), 0, "components:")
    add("forbidden component in an alternative", "resolve", dict(resolve_expect, components_not={"torch": r"cu124"}),
        resolve_answer(), 0, "components_not:")
    add("right doctor", "doctor", doctor_expect, doctor_answer(), 1, None)
    add("doctor wrong layer", "doctor", doctor_expect, doctor_answer(layer="kernel"), 1, "layer:")
    add("doctor other cause", "doctor", doctor_expect, doctor_answer(cause="x", text="y"), 1, "reasons_all:")
    add("doctor no remedy", "doctor", doctor_expect, doctor_answer(remedies=[]), 1, "advice_any:")
    add("doctor bad remedy", "doctor", doctor_expect,
        doctor_answer(remedies=[{"text": "reboot"}, {"text": "apt purge"}]), 1, "advice_none:")
    add("doctor finds nothing", "doctor", doctor_expect, {"schema_version": 1, "findings": []}, 0, "layer:")
    harmless = {"schema_version": 1, "findings": [{"id": "n", "layer": "driver", "severity": "note", "text": "fine"}]}
    add("healthy", "doctor", {"findings": "none"}, {"schema_version": 1, "findings": []}, 0, None)
    add("healthy with a note", "doctor", {"findings": "none"}, harmless, 0, None)
    add("healthy called ill", "doctor", {"findings": "none"}, doctor_answer(), 1, "findings:")
    add("problem missed", "doctor", {"advice_none": ["x"]}, {"schema_version": 1, "findings": []}, 0, "findings:")
    add("error of the call", "check", check_expect, check_answer(), 3, "answer:")
    add("no schema version", "check", check_expect, {"verdict": "broken"}, 1, "answer:")
    add("list of texts for reasons", "check", check_expect, check_answer(reasons=["x"]), 1, "answer:")
    checks.append(("not JSON", "check", check_expect, {"raw": "hello", "exit": 1}, "answer:"))

    problems = self_test_form()
    with tempfile.TemporaryDirectory(prefix="vmatrix-cases-") as folder:
        program, answers, calls = (os.path.join(folder, name) for name in ("vmatrix", "answers.json", "calls"))
        with open(program, "w", encoding="utf-8") as stream:
            stream.write(FAKE.format(python=sys.executable, answers=answers, calls=calls))
        os.chmod(program, stat.S_IRWXU)
        cases_folder = os.path.join(folder, "cases")
        os.mkdir(cases_folder)
        with open(answers, "w", encoding="utf-8") as stream:
            json.dump({f"gpu {n}": entry for n, (_, _, _, entry, _) in enumerate(checks)}, stream)
        for number, (name, kind, expect, _, _) in enumerate(checks):
            given = {"gpu": [f"gpu {number}"], "driver": "1.2", "env": {"K": "V"}, "specs": ["torch==2.7.0"], "image": "i:1"}
            if kind == "doctor":
                given["log"] = "text\n"
            case = {"id": f"{number:03}", "title": name, "source": "self-test", "class": "core", "confidence": "high",
                    "runs": [{"run": kind, "given": given, "expect": expect}]}
            with open(os.path.join(cases_folder, f"{number:03}-self-test.yaml"), "w", encoding="utf-8") as stream:
                yaml.safe_dump(case, stream)
        cases, mistakes = load_cases([cases_folder])
        problems += mistakes
        results = run_all(program, cases, 4)
        for result, (name, _, _, _, wanted) in zip(results, checks):
            failures = result["runs"][0]["failures"]
            right = not failures if wanted is None else any(f.startswith(wanted) for f in failures)
            if not right:
                problems.append(f"{name}: expected {wanted or 'a pass'}; came {failures or 'a pass'}")
        with open(calls, encoding="utf-8") as stream:
            seen = {json.loads(line)[0]: json.loads(line) for line in stream}
        for kind, needed in (("check", ["--image", "--env", "torch==2.7.0"]),
                             ("resolve", ["--with", "--alternatives"]), ("doctor", ["--with", "--image", "--log"])):
            problems += [f"the {kind} call lacks {word}" for word in needed + ["--driver", "--format"] if word not in seen[kind]]
    problems += self_test_passing(results)
    for problem in problems:
        print(f"FAIL self-test {problem}")
    count = len(checks) + len(FORM_TESTS) + PASSING_TESTS
    print(f"{count - min(len(problems), count)} passed, {len(problems)} failed")
    return 1 if problems else 0


PASSING_TESTS = 3


def self_test_passing(results):
    """A listed failure breaks the test, an unlisted one does not, an unlisted pass is named."""
    good = next(r for r in results if r["passed"])
    bad = next(r for r in results if not r["passed"])
    problems = []
    for name, listed, wanted_code, wanted_text in (("listed case fails", {bad["id"]}, 1, f"FAIL {bad['id']}"),
                                                   ("unlisted case fails", {good["id"]}, 0, "1 listed cases, 0 of them failed"),
                                                   ("unlisted case passes", set(), 0, f"{good['id']} {good['title']}: passes; add it to list.txt")):
        out = io.StringIO()
        code = report_passing([good, bad], listed, "some/list.txt", out)
        if code != wanted_code or wanted_text not in out.getvalue():
            problems.append(f"{name}: expected code {wanted_code} and {wanted_text!r}; came {code} and {out.getvalue()!r}")
    return problems


GOOD_CASE = """id: "001"
title: t
source: s
class: core
confidence: high
runs:
  - run: check
    given: {driver: "1"}
    expect: {verdict: [works]}
"""
FORM_TESTS = [
    ("", None, None),
    ("class: core", "class: best", "class:"),
    ("confidence: high", "certainty: high", "certainty:"),
    ('id: "001"', "id: 1", "id:"),
    ("title: t", "title: t\ntitle: u", "given twice"),
    ("run: check", "run: look", "runs[1].run:"),
    ('driver: "1"', "driver: 1.5", "runs[1].given.driver:"),
    ('driver: "1"', 'drivers: "1"', "runs[1].given.drivers:"),
    ('driver: "1"', 'log: "x"', "runs[1].given.log:"),
    ("verdict: [works]", "verdict: [maybe]", "runs[1].expect.verdict:"),
    ("verdict: [works]", "layer: [driver]", "runs[1].expect.verdict: missing"),
    ("verdict: [works]", "verdict: [works], layer: [gpu]", "runs[1].expect.layer:"),
    ("verdict: [works]", 'verdict: [works], reasons_all: ["("]', "runs[1].expect.reasons_all:"),
    ("verdict: [works]", 'verdict: [works], advice_any: [".*"]', "proves nothing"),
    ("verdict: [works]", "verdict: [works], findings: none", "runs[1].expect.findings:"),
    ("run: check", "run: check\n    lookalike: 3", "runs[1].lookalike:"),
    ("verdict: [works]", 'verdict: [works], components: {torch: "x"}', "runs[1].expect.components:"),
]


def self_test_form():
    problems = []
    with tempfile.TemporaryDirectory(prefix="vmatrix-form-") as folder:
        for old, new, wanted in FORM_TESTS:
            text = GOOD_CASE if new is None else GOOD_CASE.replace(old, new)
            with open(os.path.join(folder, "001-x.yaml"), "w", encoding="utf-8") as stream:
                stream.write(text)
            _, mistakes = load_cases([folder])
            if (wanted is None and mistakes) or (wanted and not any(wanted in m for m in mistakes)):
                problems.append(f"form {new or 'of a good case'}: expected {wanted or 'no mistake'}; came {mistakes}")
    return problems


# --- command line --------------------------------------------------------------------------------

def words_of(text):
    return [word for word in text.split(",") if word]


def main():
    parser = argparse.ArgumentParser(description="Run vmatrix case files.")
    parser.add_argument("directories", nargs="*", help="folders with case files (default: the folder of this program)")
    parser.add_argument("--vmatrix", default="vmatrix", metavar="PATH", help="the program to test (default: vmatrix)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="cases run side by side")
    parser.add_argument("--json", metavar="OUT", help="write all results to this file")
    parser.add_argument("--only", type=words_of, default=[], metavar="ID,…", help="run only these cases")
    parser.add_argument("--class", dest="classes", type=words_of, default=[], metavar="CLASS,…",
                        help="run only cases of these classes")
    parser.add_argument("--passing", metavar="FILE", help="only the cases listed in this file must pass")
    parser.add_argument("--form", action="store_true", help="check only the form of the case files")
    parser.add_argument("--self-test", action="store_true", help="test this runner against a small fake program")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    if options.jobs < 1:
        parser.error("--jobs must be at least 1")
    for name in options.classes:
        if name not in CLASSES:
            parser.error(f"--class: unknown class {name} (known: {', '.join(CLASSES)})")
    cases, mistakes = load_cases(options.directories or [os.path.dirname(os.path.abspath(__file__))])
    for mistake in mistakes:
        print(mistake, file=sys.stderr)
    if mistakes:
        print(f"run.py: {len(mistakes)} mistakes of form, nothing run", file=sys.stderr)
        return 1
    if options.form:
        print(f"{len(cases)} case files are well formed")
        return 0
    unknown = set(options.only) - {case["id"] for case in cases}
    if unknown:
        parser.error(f"--only: no such case: {', '.join(sorted(unknown))}")
    chosen = [case for case in cases if (not options.only or case["id"] in options.only)
              and (not options.classes or case["class"] in options.classes)]
    if not chosen:
        parser.error("no case to run")
    passing = read_passing(options.passing, cases) if options.passing else set()
    results = run_all(options.vmatrix, chosen, options.jobs)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as stream:
            json.dump({"schema_version": 1, "results": results}, stream, indent=1, ensure_ascii=False)
            stream.write("\n")
    return report_passing(results, passing, options.passing) if options.passing else report(results)


if __name__ == "__main__":
    sys.exit(main())
