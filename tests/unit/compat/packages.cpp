// Packages that need each other, and known issues: what they do to an answer.
#include <algorithm>

#include "compat/check.hpp"
#include "compat/resolve.hpp"
#include "fixture.hpp"

using namespace compat_test;

namespace {

constexpr const char* more_facts = R"(
components:
  - {id: server, title: Server, scheme: pep440}
  - {id: kernels, title: Kernels, scheme: pep440}
  - {id: app, title: App, scheme: pep440, installed-by: itself}
  - {id: numpy, title: NumPy, scheme: pep440}
defaults:
  issues: {source: [s], layer: framework}
  releases: {source: [s]}
  rules: {source: [s]}
releases:
  # a server that pins its torch, and has a list of its own that gets shorter
  - component: server
    version: "1.0"
    requires: {torch: "==2.8.0", cuda: ">=12,<13"}
    python: ["3.10", "3.12"]
    platforms: [linux-x86_64]
    builds:
      - {build: cu124, accelerator: cuda, index: [pypi], bundles: {cuda: "12.4.1"}, architectures: [sm_61, sm_86], ptx: []}
  - component: server
    version: "2.0"
    requires: {torch: ">=2.9"}
    python: ["3.10", "3.12"]
    platforms: [linux-x86_64]
    builds:
      - {build: cu130, accelerator: cuda, index: [pypi], bundles: {cuda: "13.0.0"}, architectures: [sm_86], ptx: []}
  # compiled by pip where no wheel fits
  - component: kernels
    version: "1.0"
    requires: {torch: "==2.8.0"}
    python: ["3.10", "3.12"]
    platforms: [linux-x86_64]
    builds:
      - {build: cu12, accelerator: cuda, index: [pypi], architectures: [sm_86], ptx: []}
      - {build: source, accelerator: cuda, index: [pypi], compiled: true, requires: {torch: ">=2"}, unknown: [python, platforms]}
  - component: app
    version: "5.0"
    builds:
      - {build: any, accelerator: any}
rules:
  - {id: numpy-one, when: {torch: "<2.9"}, requires: {numpy: "<2"}, evidence: supported}
issues:
  - {id: blocks-one, severity: blocks, text: It fails., when: {torch: "==2.9.0", cuda: "==13.0.*"}, architectures: [sm_120]}
  - {id: warns-one, severity: warns, text: It hangs., advice: Wait., when: {torch: "==2.9.0"}, classes: [datacenter]}
  - {id: tells-one, severity: info, text: It is loud., when: {torch: "*"}}
  - {id: may-be, severity: blocks, text: It fails in the dark., when: {torch: "*"}, state: [the light is off]}
  - {id: by-variable, severity: blocks, text: Fails so., when: {torch: "*"}, environment: [SLOW=1], not-environment: [FAST]}
  - {id: by-driver, severity: blocks, text: This driver fails., when: {nvidia: ">=575,<576", torch: "==2.8.0"}}
  - {id: two-cards, severity: warns, text: Cards do not talk., cards: ">=2", vendors: [nvidia]}
)";

const Matrix& wide() {
    static const Matrix read = matrix_with(more_facts);
    return read;
}

Host wide_host(const Request& request) {
    const auto hosts = read_hosts(wide(), request);
    REQUIRE(hosts.has_value());
    return hosts->front();
}

ResolveAnswer resolved(const Request& asked) {
    auto answer = resolve(wide(), wide_host(asked), asked, 0);
    REQUIRE(answer.has_value());
    return *answer;
}

CheckAnswer checked(const Request& asked) {
    auto answer = check(wide(), wide_host(asked), asked);
    REQUIRE(answer.has_value());
    return *answer;
}

std::string version(const ResolveAnswer& answer, const char* component) {
    if (answer.stacks.empty()) return "none";
    const auto found = answer.stacks.front().components.find(component);
    return found == answer.stacks.front().components.end() ? "absent" : found->second;
}

bool tells(const std::vector<const Fact*>& issues, std::string_view id) {
    return std::ranges::any_of(issues, [&](const Fact* issue) { return issue->id == id; });
}

}  // namespace

TEST_CASE("a package brings what it needs", "[compat]") {
    const auto answer = resolved(request({"Game 86"}, {"server"}));
    CHECK(version(answer, "server") == "2.0+cu130");
    CHECK(version(answer, "torch") == "2.9.0+cu130");
    CHECK(version(resolved(request({"Game 86"}, {"app"})), "torch") == "absent");   // nobody needs it
    CHECK(version(resolved(request({"Game 86"}, {"app"})), "python") == "absent");  // pip has no part in it
}

TEST_CASE("newer is not a superset: a release counts by its own list", "[compat]") {
    const auto answer = resolved(request({"Old 10"}, {"server"}));
    CHECK(version(answer, "server") == "1.0+cu124");
    CHECK(version(answer, "torch").starts_with("2.8.0"));
}

TEST_CASE("packages that want different torches are told, each by its need", "[compat]") {
    const auto answer = resolved(request({"Game 86"}, {"server>=2", "torch==2.8.0"}));
    REQUIRE(answer.stacks.empty());
    const auto need = std::ranges::find_if(answer.story, [](const StoryLine& line) { return line.reason.text == "server 2.0+cu130 needs torch >=2.9" || line.reason.text == "server 2.0 needs torch >=2.9"; });
    CHECK(need != answer.story.end());
    CHECK(checked(request({"Game 86"}, {"server==2.0+cu130", "torch==2.8.0"})).level == Level::broken);
}

TEST_CASE("what pip compiles is a workaround, and comes after a wheel", "[compat]") {
    Request with_wheel = request({"Game 86"}, {"kernels", "torch==2.8.0"});
    with_wheel.python = "3.10";
    CHECK(version(resolved(with_wheel), "kernels") == "1.0+cu12");
    Request without = request({"Game 86"}, {"kernels", "torch==2.9.0"});
    without.python = "3.10";
    const auto answer = resolved(without);
    CHECK(version(answer, "kernels") == "1.0+source");
    CHECK(answer.stacks.front().level <= Level::workaround);
}

TEST_CASE("a rule about packages judges what was asked for beside them", "[compat]") {
    CHECK(checked(request({"Game 86"}, {"torch==2.8.0", "numpy==2.1"})).level == Level::broken);
    CHECK(checked(request({"Game 86"}, {"torch==2.8.0", "numpy==1.26"})).level > Level::broken);
    CHECK(checked(request({"Game 86"}, {"torch==2.9.0+cu124", "numpy==2.1"})).level > Level::broken);
}

TEST_CASE("an issue that blocks excludes, one that warns ranks lower, others are told", "[compat]") {
    const auto blackwell = checked(request({"New 120"}, {"torch==2.9.0+cu130"}));
    CHECK(blackwell.level == Level::broken);
    CHECK(tells(blackwell.issues, "blocks-one"));
    CHECK(checked(request({"Game 86"}, {"torch==2.9.0+cu130"})).level > Level::broken);
    const auto big = checked(request({"Big 80"}, {"torch==2.9.0+cu130"}));
    CHECK(big.level == Level::expected);
    CHECK(tells(big.issues, "warns-one"));
    CHECK(tells(big.issues, "tells-one"));
    CHECK_FALSE(tells(checked(request({"Game 86"}, {"torch==2.9.0+cu130"})).issues, "warns-one"));
}

TEST_CASE("an issue that turns on what nobody told decides nothing", "[compat]") {
    const auto answer = checked(request({"Game 86"}, {"torch==2.9.0+cu130"}));
    CHECK(answer.level > Level::broken);
    CHECK(tells(answer.issues, "may-be"));
}

TEST_CASE("issues by variable, by driver and by the number of cards", "[compat]") {
    Request asked = request({"Game 86"}, {"torch==2.9.0+cu130"});
    asked.environment["SLOW"] = "1";
    CHECK(checked(asked).level == Level::broken);
    asked.environment["FAST"] = "1";
    CHECK(checked(asked).level > Level::broken);
    asked.environment = {{"SLOW", "2"}};
    CHECK(checked(asked).level > Level::broken);
    Request driven = request({"Game 86"}, {"torch==2.8.0"});
    driven.driver = "575.64.03";
    CHECK(tells(checked(driven).issues, "by-driver"));
    driven.driver = "580.95.05";
    CHECK_FALSE(tells(checked(driven).issues, "by-driver"));
    CHECK(tells(checked(request({"Game 86", "Game 86"}, {"torch==2.9.0+cu130"})).issues, "two-cards"));
    CHECK_FALSE(tells(checked(request({"Game 86"}, {"torch==2.9.0+cu130"})).issues, "two-cards"));
}

TEST_CASE("policies and preferences order, exclusions forbid", "[compat]") {
    Request asked = request({"Game 86"}, {"torch"});
    asked.policy = Policy::oldest_supported;
    CHECK(version(resolved(asked), "torch").starts_with("2.8.0"));
    asked.policy = Policy::newest;
    CHECK(version(resolved(asked), "torch").starts_with("2.9.0"));
    asked.prefer = {*parse_spec("torch==2.8.*")};
    CHECK(version(resolved(asked), "torch").starts_with("2.8.0"));
    asked.prefer.clear();
    asked.exclude = {*parse_spec("torch==2.9.*")};
    CHECK(version(resolved(asked), "torch").starts_with("2.8.0"));
    asked.exclude.push_back(*parse_spec("torch==2.8.0"));
    const auto none = resolved(asked);
    CHECK(none.stacks.empty());
    CHECK(std::ranges::find(none.wishes, "without torch==2.8.0") != none.wishes.end());
    Request server = request({"Game 86"}, {"server"});   // a preference for what is only needed counts too
    server.prefer = {*parse_spec("torch==2.8.*")};
    CHECK(version(resolved(server), "server") == "1.0+cu124");
}

TEST_CASE("repairs come cheapest first", "[compat]") {
    Request asked = request({"Game 86"}, {"torch==2.9.0+cu130"});
    asked.driver = "550.163.01";
    const auto answer = checked(asked);
    REQUIRE(answer.level == Level::broken);
    REQUIRE(answer.repairs.size() > 1);
    CHECK(answer.repairs.front().changes.contains("torch"));
    const auto driver = std::ranges::find_if(answer.repairs, [](const Repair& repair) { return repair.changes.contains("driver"); });
    CHECK(driver != answer.repairs.end());
}
