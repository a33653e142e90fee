#!/usr/bin/env python3
"""Solves the problems that vmatrix_bench wrote with other solvers, holds the answers against ours, and measures how long that takes.

  peers.py PROBLEMS.json [--out RESULT.json] [--seconds S] [--least N]   all requests, all peers that are installed
  peers.py PROBLEMS.json --with PEER --request NAME                      one request in a process of its own

Exits with 1 when a peer says something else than we do, with 77 when none is installed."""
import argparse
import importlib
import json
import sys

from problem import measure, read_requests

sys.set_int_max_str_digits(0)


def load_peers(wanted=None):
    peers = []
    for module, methods in (("with_clasp", ("MINIMIZE", "HEURISTIC")), ("with_libsolv", ()), ("with_resolvelib", ())):
        if wanted and module != "with_" + wanted:
            continue
        try:
            found = importlib.import_module(module)
            peers += [found.Peer(getattr(found, method)) for method in methods] or [found.Peer()]
        except (ImportError, OSError) as problem:
            print(f"without {module[5:]}: {problem}", file=sys.stderr)
    return peers


class Comparison:
    """One peer on one request: its answers and what is wrong with them."""

    def __init__(self, peer, request, effort):
        self.peer, self.effort, self.wrong = peer, effort, []
        self.record = {"same": 0, "other": 0, "gave_up": 0, "too_large": 0, "solve": []}
        for floor in request["floors"]:
            self.compare(floor["problem"], f"{request['name']}, {floor['floor']}")

    def compare(self, problem, title):
        if max(problem.domains) > self.peer.largest_domain:
            self.record["too_large"] += 1
            return
        built = self.peer.build(problem)
        try:
            answer = self.peer.answer(self.peer.prepare(built))
        except Exception as failure:   # pylint: disable=broad-except   # each library has its own way to give up
            if type(failure).__name__ != "ResolutionTooDeep":
                raise
            self.record["gave_up"] += 1
            return
        self.judge(problem, answer, title)
        self.record["solve"].append(measure(lambda: self.peer.prepare(built), self.peer.solve, *self.effort))

    def judge(self, problem, answer, title):
        if (answer is None) != (problem.answer is None):
            self.wrong.append(f"{title}: {self.peer.name} says {answer}, we say {problem.answer}")
        elif answer is not None and not problem.holds(answer):
            self.wrong.append(f"{title}: the answer of {self.peer.name} breaks a clause")
        elif answer is not None and answer < problem.answer:
            self.wrong.append(f"{title}: the answer of {self.peer.name} is better than ours")
        elif answer == problem.answer:
            self.record["same"] += 1
        else:
            self.record["other"] += 1
            if self.peer.name.startswith("clasp"):
                self.wrong.append(f"{title}: {self.peer.name} says {answer}, we say {problem.answer}")


def check_ours(problem, title):
    """That our answers satisfy the clauses."""
    return [] if problem.answer is None or problem.holds(problem.answer) else [f"{title}: our answer breaks a clause"]


def check_conflict(peer, problem, title):
    """That the parts of our conflict cannot hold together, and that all but one can."""
    def solvable(origins):
        return peer.answer(peer.prepare(peer.build(problem.only(set(origins))))) is not None

    if problem.conflict is None:
        return []
    wrong = [f"{title}: our conflict can hold"] if solvable(problem.conflict) else []
    for origin in problem.conflict:
        if not solvable(set(problem.conflict) - {origin}):
            wrong.append(f"{title}: our conflict does not need {origin}")
    return wrong


def compare_all(result, peers, effort):
    wrong = []
    for request in result["requests"]:
        for floor in request["floors"]:
            title = f"{request['name']}, {floor['floor']}"
            wrong += check_ours(floor["problem"], title)
            if peers[0].name.startswith("clasp"):
                wrong += check_conflict(peers[0], floor["problem"], title)
        request["peers"] = {}
        for peer in peers:
            comparison = Comparison(peer, request, effort)
            request["peers"][peer.name] = comparison.record
            wrong += comparison.wrong
    return wrong


def without_problems(result):
    for request in result["requests"]:
        for floor in request["floors"]:
            floor["clauses"] = len(floor["clauses"])
            del floor["problem"]
    return result


def solve_one(result, peer, name):
    """The answer at the first floor that has one."""
    request = next(request for request in result["requests"] if request["name"] == name)
    for floor in request["floors"]:
        answer = peer.answer(peer.prepare(peer.build(floor["problem"])))
        if answer is not None:
            break
    print(answer)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems")
    parser.add_argument("--out")
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--least", type=int, default=3)
    parser.add_argument("--with", dest="peer", choices=("clasp", "libsolv", "resolvelib"))
    parser.add_argument("--request")
    options = parser.parse_args()
    peers = load_peers(options.peer)
    if not peers:
        return 77
    result = read_requests(options.problems)
    if options.request:
        solve_one(result, peers[0], options.request)
        return 0
    wrong = compare_all(result, peers, (options.seconds, options.least))
    result["versions"] = sorted({peer.version() for peer in peers})
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            json.dump(without_problems(result), file, indent=1)
    print("\n".join(wrong) or f"{len(result['requests'])} requests, {len(peers)} solvers, all agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
