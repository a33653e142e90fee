"""The problem as an answer set program for clingo, which is gringo and clasp in one. Choose a value of each variable; clauses are
constraints; what is better is said by #minimize with a priority for each variable, or by the order in which values are tried."""
import ctypes
import re

from problem import values_of

MINIMIZE = "clasp, #minimize"
HEURISTIC = "clasp, ordered choice"


def ranges(values):
    """"0..3;7" of a set."""
    runs = []
    for value in values_of(values):
        if runs and runs[-1][1] == value - 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    return ";".join(f"{first}..{last}" for first, last in runs)


class Program:
    def __init__(self, problem):
        self.problem = problem
        self.sets = {}
        self.lines = [f"1 {{ x({v},0..{size - 1}) }} 1." for v, size in enumerate(problem.domains)]
        for clause in problem.clauses:
            self.lines.append(":- " + ", ".join(self.fails(*literal) for literal in clause.literals) + "." if clause.literals else ":- .")

    def fails(self, variable, allowed):
        """That a literal does not hold, by the smaller of the two sets."""
        rest = self.problem.rest(variable, allowed)
        return self.name(variable, rest) if rest.bit_count() <= allowed.bit_count() else "not " + self.name(variable, allowed)

    def name(self, variable, values):
        key = (variable, values)
        if key not in self.sets:
            self.sets[key] = f"s({len(self.sets)})"
            if values:
                self.lines.append(f"{self.sets[key]} :- x({variable},({ranges(values)})).")
        return self.sets[key]

    def text(self, method):
        lines, sizes = list(self.lines), self.problem.domains
        lines.append("#defined s/1.")
        for v, size in enumerate(sizes):
            if method == MINIMIZE:
                lines.append(f"#minimize {{ I@{len(sizes) - v} : x({v},I) }}.")
            else:
                level = sum(sizes[v:])
                lines.append(f"#heuristic x({v},I) : I = 0..{size - 1}. [{level}-I, true]")
        lines.append("#show x/2.")
        return "\n".join(lines) + "\n"


def options(method):
    return ["--heuristic=Domain"] if method == HEURISTIC else []


class Part(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("params", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class Clingo:
    """As much of the C interface of libclingo as we need: Debian has no module for Python."""

    def __init__(self):
        self.library = ctypes.CDLL("libclingo.so.3")
        self.library.clingo_error_message.restype = ctypes.c_char_p

    def call(self, name, *arguments):
        if not getattr(self.library, name)(*arguments):
            raise RuntimeError(f"{name}: {self.library.clingo_error_message()}")

    def ground(self, text, method):
        control, part = ctypes.c_void_p(), Part(b"base", None, 0)
        given = [option.encode() for option in options(method)]
        self.call("clingo_control_new", (ctypes.c_char_p * len(given))(*given), ctypes.c_size_t(len(given)), None, None, 20, ctypes.byref(control))
        self.call("clingo_control_add", control, b"base", None, ctypes.c_size_t(0), text.encode())
        self.call("clingo_control_ground", control, ctypes.byref(part), ctypes.c_size_t(1), None, None)
        return Grounded(self, control)


class Grounded:
    def __init__(self, clingo, control):
        self.clingo, self.control = clingo, control

    def __del__(self):
        self.clingo.library.clingo_control_free(self.control)

    def begin(self, mode):
        handle = ctypes.c_void_p()
        self.clingo.call("clingo_control_solve", self.control, mode, None, ctypes.c_size_t(0), None, None, ctypes.byref(handle))
        return handle

    def solve(self):
        handle, result = self.begin(0), ctypes.c_uint()
        self.clingo.call("clingo_solve_handle_get", handle, ctypes.byref(result))
        self.clingo.call("clingo_solve_handle_close", handle)
        return result.value & 1 == 1

    def answer(self):
        """The values of the last, which is the best, model; None if there is none."""
        handle, model, best = self.begin(2), ctypes.c_void_p(), None
        while True:
            self.clingo.call("clingo_solve_handle_resume", handle)
            self.clingo.call("clingo_solve_handle_model", handle, ctypes.byref(model))
            if not model:
                break
            best = self.values(model)
        self.clingo.call("clingo_solve_handle_close", handle)
        return best

    def values(self, model):
        shown, size, values = 2, ctypes.c_size_t(), {}
        self.clingo.call("clingo_model_symbols_size", model, shown, ctypes.byref(size))
        symbols = (ctypes.c_uint64 * size.value)()
        self.clingo.call("clingo_model_symbols", model, shown, symbols, size)
        for symbol in symbols:
            length = ctypes.c_size_t()
            self.clingo.call("clingo_symbol_to_string_size", ctypes.c_uint64(symbol), ctypes.byref(length))
            text = ctypes.create_string_buffer(length.value)
            self.clingo.call("clingo_symbol_to_string", ctypes.c_uint64(symbol), text, length)
            variable, value = map(int, re.findall(r"\d+", text.value.decode()))
            values[variable] = value
        return [values[v] for v in sorted(values)]


class Peer:
    largest_domain = 1_000_000

    def __init__(self, method):
        self.name, self.clingo, self.method = method, Clingo(), method

    def version(self):
        parts = [ctypes.c_int() for _ in range(3)]
        self.clingo.library.clingo_version(*map(ctypes.byref, parts))
        return "clingo " + ".".join(str(part.value) for part in parts)

    def build(self, problem):
        return Program(problem).text(self.method)

    def prepare(self, text):
        return self.clingo.ground(text, self.method)

    def solve(self, grounded):
        return grounded.solve()

    def answer(self, grounded):
        return grounded.answer()
