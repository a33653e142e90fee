"""The solver's problems as vmatrix_bench writes them. A set of values is a number whose bit i stands for value i."""
import json
import time
from dataclasses import dataclass


@dataclass
class Clause:
    origin: int
    literals: list      # (variable, set of values)


@dataclass
class Problem:
    domains: list
    clauses: list
    answer: list        # ours; None: there is none
    conflict: list      # ours; None: there is an answer

    def holds(self, values):
        """Whether all clauses hold."""
        in_range = len(values) == len(self.domains) and all(0 <= v < n for v, n in zip(values, self.domains))
        return in_range and all(any(allowed >> values[variable] & 1 for variable, allowed in clause.literals) for clause in self.clauses)

    def only(self, origins):
        """The same problem with the clauses of these origins."""
        return Problem(self.domains, [clause for clause in self.clauses if clause.origin in origins], None, None)

    def rest(self, variable, allowed):
        return (1 << self.domains[variable]) - 1 & ~allowed


def values_of(values):
    """The members of a set, least first."""
    while values:
        least = values & -values
        yield least.bit_length() - 1
        values ^= least


def read_problem(record):
    clauses = [Clause(origin, [(variable, int(values, 16)) for variable, values in literals]) for origin, literals in record["clauses"]]
    return Problem(record["domains"], clauses, record["answer"], record["conflict"])


def read_requests(path):
    """What vmatrix_bench wrote; each floor of a request gets its problem."""
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    for request in result["requests"]:
        for floor in request["floors"]:
            floor["problem"] = read_problem(floor)
    return result


def measure(prepare, work, seconds, least):
    """Median and quartiles in microseconds of `work(prepare())`, of which only `work` is timed."""
    times, total = [], 0.0
    began = time.monotonic()
    while len(times) < least or (len(times) < 1000 and total < seconds * 1e6 and time.monotonic() < began + 10 * seconds):
        prepared = prepare()
        begin = time.perf_counter_ns()
        work(prepared)
        times.append((time.perf_counter_ns() - begin) / 1000)
        total += times[-1]
    times.sort()
    return {"median": times[len(times) // 2], "low": times[len(times) // 4], "high": times[len(times) * 3 // 4], "runs": len(times)}
