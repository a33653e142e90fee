"""The problem for resolvelib: a requirement is a set of values of a variable, a candidate one value; a clause of two literals is a
requirement of each candidate that breaks one of them. Variables are pinned in their order, the best value first."""
import resolvelib

from problem import values_of

most_rounds = 20_000


class Provider(resolvelib.AbstractProvider):
    def __init__(self, problem):
        self.problem = problem
        self.needs = {}         # candidate -> requirements
        for clause in problem.clauses:
            if len(clause.literals) == 2:
                self.add_needs(*clause.literals)
                self.add_needs(*reversed(clause.literals))

    def add_needs(self, one, other):
        for value in values_of(self.problem.rest(*one)):
            self.needs.setdefault((one[0], value), []).append(other)

    def roots(self):
        everything = [(v, (1 << size) - 1) for v, size in enumerate(self.problem.domains)]
        alone = [clause.literals[0] if clause.literals else (0, 0) for clause in self.problem.clauses if len(clause.literals) < 2]
        return everything + alone

    def identify(self, requirement_or_candidate):
        return requirement_or_candidate[0]

    def get_preference(self, identifier, resolutions, candidates, information, backtrack_causes):
        return identifier

    def find_matches(self, identifier, requirements, incompatibilities):
        values = (1 << self.problem.domains[identifier]) - 1
        for _, allowed in requirements[identifier]:
            values &= allowed
        for _, value in incompatibilities[identifier]:
            values &= ~(1 << value)
        return lambda: ((identifier, value) for value in values_of(values))

    def is_satisfied_by(self, requirement, candidate):
        return requirement[1] >> candidate[1] & 1 == 1

    def get_dependencies(self, candidate):
        return self.needs.get(candidate, [])


class Peer:
    name = "resolvelib"
    largest_domain = 1_000_000

    def version(self):
        return f"resolvelib {resolvelib.__version__}"

    def build(self, problem):
        if any(len(clause.literals) > 2 for clause in problem.clauses):
            raise ValueError("resolvelib has no word for a clause of three literals")
        return Provider(problem)

    def prepare(self, provider):
        return provider

    def answer(self, provider):
        resolver = resolvelib.Resolver(provider, resolvelib.BaseReporter())
        try:
            mapping = resolver.resolve(provider.roots(), max_rounds=most_rounds).mapping
        except resolvelib.ResolutionImpossible:
            return None
        return [mapping[v][1] for v in sorted(mapping)]

    def solve(self, provider):
        return self.answer(provider) is not None
