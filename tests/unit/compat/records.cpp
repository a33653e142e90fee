// Records of smoke tests: what they decide, and what they only tell.
#include <algorithm>

#include "compat/check.hpp"
#include "compat/resolve.hpp"
#include "fixture.hpp"

using namespace compat_test;

namespace {

Matrix with_records(const std::string& records) { return matrix_with("records:\n" + records); }

std::string record(const std::string& id, const std::string& rest) {
    return "  - {id: " + id + ", architecture: sm_86, builds: [torch-2.8.0+cu124], os: \"ubuntu:22.04\", python: \"3.10\", tests: [matmul], " + rest + "}\n";
}
const std::string passed = "date: \"2026-11-01\", result: passed, host: one, driver: {nvidia: \"550.54.15\"}";

Request game(const std::vector<std::string>& specs) {
    Request asked = request({"Game 86"}, specs);
    asked.os = "ubuntu:22.04";
    asked.python = "3.10";
    asked.driver = "550.54.15";
    return asked;
}

CheckAnswer checked(const Matrix& matrix, const Request& asked) {
    const auto hosts = read_hosts(matrix, asked);
    REQUIRE(hosts.has_value());
    auto answer = check(matrix, hosts->front(), asked);
    REQUIRE(answer.has_value());
    return *answer;
}

ResolveAnswer resolved(const Matrix& matrix, const Request& asked) {
    const auto hosts = read_hosts(matrix, asked);
    REQUIRE(hosts.has_value());
    auto answer = resolve(matrix, hosts->front(), asked, 2);
    REQUIRE(answer.has_value());
    return *answer;
}

bool says(const std::vector<Reason>& reasons, std::string_view text) {
    return std::ranges::any_of(reasons, [&](const Reason& reason) { return reason.text.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("a record of exactly this outranks the rules", "[compat]") {
    const auto by_rules = checked(with_records(record("other", "date: \"2026-11-01\", result: passed, host: one, driver: {nvidia: \"580.95.05\"}")), game({"torch==2.8.0+cu124"}));
    REQUIRE(by_rules.level < Level::verified);
    CHECK(says(by_rules.reasons, "a stack like this passed matmul on 2026-11-01, with driver 580.95.05 instead of 550.54.15"));
    const auto matrix = with_records(record("it", passed));
    const auto answer = checked(matrix, game({"torch==2.8.0+cu124"}));
    CHECK(answer.level == Level::verified);
    CHECK(says(answer.reasons, "this stack passed matmul on 2026-11-01, on the host one"));
    REQUIRE(!answer.reasons.front().sources.empty());
    CHECK(answer.reasons.front().sources.front().starts_with("more.yaml:2"));   // it is its own source
    for (const auto change : {&Request::driver, &Request::os, &Request::python, &Request::image}) {
        Request other = game({"torch==2.8.0+cu124"});
        other.*change = change == &Request::driver ? "550.163.01" : change == &Request::os ? "ubuntu:24.04" : change == &Request::python ? "3.12" : "nvidia/cuda:12.4.1-base-ubuntu22.04";
        CHECK(checked(matrix, other).level < Level::verified);
    }
    Request other = game({"torch==2.8.0+cu124"});
    other.environment["CUDA_VISIBLE_DEVICES"] = "0";
    CHECK(checked(matrix, other).level < Level::verified);
    CHECK(checked(matrix, game({"torch==2.9.0+cu124"})).level < Level::verified);
}

TEST_CASE("the newest record counts", "[compat]") {
    const std::string failed = "date: \"2026-11-02\", result: failed, failure: framework, driver: {nvidia: \"550.54.15\"}, host: ";
    const auto asked = game({"torch==2.8.0+cu124"});
    // One host that passes nothing else may be at fault itself; two are not, and neither is one on which another stack passes.
    const auto alone = checked(with_records(record("fail", failed + "two")), asked);
    CHECK(alone.level > Level::broken);
    CHECK(says(alone.reasons, "this stack failed matmul on 2026-11-02 on one host"));
    const auto twice = checked(with_records(record("fail", failed + "two") + record("again", failed + "three")), asked);
    CHECK(twice.level == Level::broken);
    CHECK(says(twice.reasons, "the record speaks of exactly this combination and of no other"));
    CHECK(checked(with_records(record("pass", passed) + record("fail", failed + "one")), asked).level == Level::broken);
    CHECK(checked(with_records(record("pass", passed) + record("fail", failed + "two")), asked).level == Level::verified);
    CHECK(checked(with_records(record("fail", failed + "two") + record("again", failed + "three") + record("pass", "date: \"2026-11-03\", result: passed, host: four, driver: {nvidia: \"550.54.15\"}")), asked).level == Level::verified);
    // What is the host's own concerns nobody else.
    const std::string hosts_own = "date: \"2026-11-02\", result: failed, failure: host, driver: {nvidia: \"550.54.15\"}, host: ";
    CHECK(checked(with_records(record("fail", hosts_own + "two") + record("again", hosts_own + "three")), asked).level > Level::broken);
}

TEST_CASE("what was tried comes first where evidence does", "[compat]") {
    const auto matrix = with_records(record("it", passed));
    Request asked = game({"torch"});
    asked.driver.reset();   // the record's is not the newest of its branch
    const auto answer = resolved(matrix, asked);
    REQUIRE(!answer.stacks.empty());
    CHECK(answer.stacks.front().level == Level::verified);
    CHECK(answer.stacks.front().components.at("torch") == "2.8.0+cu124");
    CHECK(answer.stacks.front().components.at("driver") == "550.54.15");
    REQUIRE(answer.stacks.size() > 1);
    CHECK(answer.stacks[1].level < Level::verified);
    asked.policy = Policy::newest;
    CHECK(resolved(matrix, asked).stacks.front().components.at("torch") != "2.8.0+cu124");
    // Wishes hold beside a record.
    asked.policy = Policy::best_evidence;
    asked.specs.front() = *parse_spec("torch>2.8");
    CHECK(resolved(matrix, asked).stacks.front().components.at("torch").starts_with("2.9.0"));
    asked.least = Level::verified;
    const auto none = resolved(matrix, asked);
    CHECK(none.stacks.empty());
    CHECK(says(none.conflict, "no record of smoke tests that such a stack passed on such a host; those of torch are of sm_86 with nvidia 550.54.15 on ubuntu:22.04 (more.yaml:2"));
    const auto never = resolved(with_records(record("it", "date: \"2026-11-01\", result: failed, failure: host, host: one, driver: {nvidia: \"550.54.15\"}")), asked);
    CHECK(says(never.conflict, "and none of torch at all"));
}
