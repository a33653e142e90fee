// Measures what a request costs, part by part, and writes the solver's problems for others to solve. docs/performance.md tells how.
#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/matrix_folder.hpp"
#include "cli/request_options.hpp"
#include "compat/repairs.hpp"
#include "compat/resolve.hpp"
#include "compat/stack_problem.hpp"
#include "measure.hpp"
#include "scale.hpp"

namespace {

using namespace vmatrix;
using bench::Effort;
using bench::measure;
using nlohmann::json;

struct Options {
    std::string matrix, requests, out;
    std::size_t scale = 1;
    Effort effort;
};

/// A line of the file of requests.
struct Asked {
    std::string name, options;
    std::size_t largest_scale = 1;
};

[[noreturn]] void stop(const std::string& message) {
    std::cerr << "error: " << message << "\n";
    std::exit(1);
}

template <class Value>
Value value_or_stop(base::Result<Value> result, const std::string& what) {
    if (!result) stop(what + ": " + result.error().message);
    return std::move(*result);
}

std::vector<Asked> read_requests(const std::string& path) {
    std::ifstream file(path);
    if (!file) stop("cannot read " + path);
    std::vector<Asked> all;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        Asked asked;
        if (!(words >> asked.largest_scale >> asked.name)) continue;   // a comment or nothing
        asked.name.pop_back();
        std::getline(words >> std::ws, asked.options);
        all.push_back(std::move(asked));
    }
    return all;
}

compat::Request read_request(const Asked& asked) {
    CLI::App app;
    cli::RequestOptions options;
    cli::add_request_options(app, options);
    cli::add_choice_options(app, options);
    app.add_option("--with", options.with)->allow_extra_args(false);
    app.parse(asked.options, false);
    return value_or_stop(options.request(), asked.name);
}

json to_json(const bench::Times& times) { return {{"median", times.median}, {"low", times.low}, {"high", times.high}, {"runs", times.runs}}; }

/// A number in hexadecimal whose bit i says whether value i is in the set.
std::string to_hex(const solver::Bits& bits) {
    std::string text;
    for (std::size_t end = (bits.size() + 3) / 4 * 4; end > 0; end -= 4) {
        std::size_t digit = 0;
        for (std::size_t i = end; i-- > end - 4;) digit = digit * 2 + (i < bits.size() && bits.test(i) ? 1 : 0);
        text += "0123456789abcdef"[digit];
    }
    return text;
}

/// [origin, [[variable, values], ...]]
json to_json(const solver::Clause& clause) {
    json literals = json::array();
    for (const auto& [variable, values] : clause.literals) literals.push_back({variable, to_hex(values)});
    return json::array({clause.origin, std::move(literals)});
}

json to_json(const solver::Problem& problem) {
    json clauses = json::array();
    for (const solver::Clause& clause : problem.clauses) clauses.push_back(to_json(clause));
    return {{"domains", problem.domains}, {"clauses", std::move(clauses)}};
}

/// One problem: its clauses, our answer, and how long that takes.
json solve_floor(compat::StackProblem& stacks, compat::Level floor, const Effort& effort, bool& solved) {
    const solver::Problem problem = stacks.problem(floor);
    const auto answer = solver::solve(problem);
    const auto* solution = std::get_if<solver::Solution>(&answer);
    solved = solution != nullptr;
    json record = to_json(problem);
    record["floor"] = compat::to_string(floor);
    record["answer"] = solution ? json(*solution) : json();
    record["conflict"] = solution ? json() : json(std::get<solver::Conflict>(answer).origins);
    record["solve"] = to_json(measure(effort, [&] { return solver::solve(problem); }));
    record["clauses_time"] = to_json(measure(effort, [&] { return stacks.problem(floor); }));
    return record;
}

json run_request(const model::Matrix& matrix, const Asked& asked, const Options& options) {
    const compat::Request request = read_request(asked);
    const compat::Host host = value_or_stop(compat::read_hosts(matrix, request), asked.name).front();
    const compat::Spec subject = compat::subject_of(matrix, request);
    std::optional<compat::Judged> judged;
    std::optional<compat::StackProblem> stacks;
    const auto build = [&] {
        judged.emplace();
        return stacks.emplace(matrix, host, request, subject, *judged).build();
    };
    if (const auto built = build(); !built) stop(asked.name + ": " + built.error().message);
    json record{{"name", asked.name}, {"options", asked.options}, {"floors", json::array()}};
    bool solved = false;
    for (const compat::Level floor : compat::floors_of(request))
        if (!solved) record["floors"].push_back(solve_floor(*stacks, floor, options.effort, solved));
    record["solved"] = solved;
    if (options.scale > 1) return record;   // the rest judges again, which takes minutes on a large matrix
    record["judge"] = to_json(measure(options.effort, build));
    record["resolve"] = to_json(measure(options.effort, [&] { return compat::resolve(matrix, host, request, 0); }));
    return record;
}

Options read_options(int argc, char** argv) {
    Options options;
    CLI::App app("Measures what requests cost and writes the solver's problems as JSON");
    app.add_option("--matrix", options.matrix, "Folder of YAML files")->required();
    app.add_option("--requests", options.requests, "File of requests")->required();
    app.add_option("--out", options.out, "JSON file to write")->required();
    app.add_option("--scale", options.scale, "How many times as large a matrix");
    app.add_option("--seconds", options.effort.seconds, "How long to repeat each measurement");
    app.add_option("--least", options.effort.least, "How often to repeat it at least");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::exit(app.exit(error));
    }
    return options;
}

}  // namespace

int main(int argc, char** argv) {
    const Options options = read_options(argc, argv);
    const auto loaded = value_or_stop(app::load_matrix(options.matrix), options.matrix);
    json result{{"scale", options.scale}, {"requests", json::array()}};
    if (options.scale == 1) result["load"] = to_json(measure(options.effort, [&] { return app::load_matrix(options.matrix); }));
    const model::Matrix matrix = bench::scaled(loaded.matrix, options.scale);
    result["facts"] = matrix.facts().size();
    for (const Asked& asked : read_requests(options.requests)) {
        if (asked.largest_scale < options.scale) continue;
        std::cerr << "x" << options.scale << " " << asked.name << "\n";
        result["requests"].push_back(run_request(matrix, asked, options));
    }
    std::ofstream file(options.out);
    file << result << "\n";
    if (!file.flush()) stop("cannot write " + options.out);
    return 0;
}
