"""The problem as packages for libsolv: a variable is a package name, its values are versions, the best one the newest. A clause is what the
packages that break its first literal require or conflict with. libsolv cannot be told an order of goals; it installs what the jobs
name, one after the other, and takes the newest version that still fits, which need not be the best answer. What the clauses about a
variable alone leave of it is worked out beforehand, as a job names the packages that it can be: libsolv looks at fewer packages then."""
import solv

from problem import values_of


class Peer:
    name = "libsolv"
    largest_domain = 5_000   # it makes a rule for each two versions of a name: beyond this they take gigabytes

    def version(self):
        return f"libsolv {getattr(solv, 'version', '')}".strip()

    def build(self, problem):
        return Packages(problem)

    def prepare(self, packages):
        return packages, packages.pool.Solver()

    def solve(self, prepared):
        packages, solver = prepared
        return not solver.solve(packages.jobs)

    def answer(self, prepared):
        packages, solver = prepared
        return None if solver.solve(packages.jobs) else packages.values(solver.transaction().newpackages())


class Packages:
    def __init__(self, problem):
        self.problem = problem
        self.pool = solv.Pool()
        self.repository = self.pool.add_repo("values")
        self.packages = [[self.package(v, size, value) for value in range(size)] for v, size in enumerate(problem.domains)]
        for number, clause in enumerate(problem.clauses):
            if len(clause.literals) > 1:
                self.add_clause(number, clause.literals)
        self.pool.createwhatprovides()
        self.jobs = [job for v in range(len(problem.domains)) for job in self.install(v)]
        if any(not clause.literals for clause in problem.clauses):
            self.jobs.append(self.install_name("nothing-has-this-name"))

    def install(self, variable):
        """What the clauses about this variable alone allow; where that is nothing, libsolv has to find it out."""
        sets = [clause.literals[0][1] for clause in self.problem.clauses if len(clause.literals) == 1 and clause.literals[0][0] == variable]
        left = self.problem.rest(variable, 0)
        for values in sets:
            left &= values
        return [self.install_one(variable, values) for values in ([left] if left else sets)]

    def install_one(self, variable, values):
        if not values:
            return self.install_name("nothing-has-this-name")
        packages = self.pool.towhatprovides([self.packages[variable][value].id for value in values_of(values)])
        return self.pool.Job(solv.Job.SOLVER_INSTALL | solv.Job.SOLVER_SOLVABLE_ONE_OF, packages)

    def install_name(self, name):
        return self.pool.Job(solv.Job.SOLVER_INSTALL | solv.Job.SOLVER_SOLVABLE_NAME, self.pool.str2id(name))

    def package(self, variable, size, value):
        package = self.repository.add_solvable()
        package.name, package.evr, package.arch = f"v{variable}", str(size - value), "all"
        package.add_deparray(solv.SOLVABLE_PROVIDES, self.pool.rel2id(package.nameid, package.evrid, solv.REL_EQ))
        return package

    def provide(self, capability, literals):
        for variable, values in literals:
            for value in values_of(values):
                self.packages[variable][value].add_deparray(solv.SOLVABLE_PROVIDES, capability)

    def add_clause(self, number, literals):
        (variable, allowed), others = literals[0], literals[1:]
        rest = [(other, self.problem.rest(other, values)) for other, values in others]
        conflicts = len(others) == 1 and rest[0][1].bit_count() < others[0][1].bit_count()
        capability = self.pool.str2id(f"clause{number}")
        self.provide(capability, rest if conflicts else others)
        kind = solv.SOLVABLE_CONFLICTS if conflicts else solv.SOLVABLE_REQUIRES
        for value in values_of(self.problem.rest(variable, allowed)):
            self.packages[variable][value].add_deparray(kind, capability)

    def values(self, installed):
        values = {int(package.name[1:]): self.problem.domains[int(package.name[1:])] - int(package.evr) for package in installed}
        return [values[v] for v in sorted(values)]
