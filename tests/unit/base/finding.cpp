#include "base/finding.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"

namespace {

using namespace vmatrix::base;

TEST_CASE("a position is written as editors read it", "[base]") {
    CHECK(to_string(Position{"matrix/gpus.yaml", 3, 14}) == "matrix/gpus.yaml:3:14");
    CHECK(to_string(Position{"matrix/gpus.yaml", 0, 0}) == "matrix/gpus.yaml");
}

TEST_CASE("findings come in the order of files, lines and columns", "[base]") {
    Findings findings;
    CHECK(findings.empty());
    findings.error("c", {"b.yaml", 1, 1}, "third");
    findings.warning("c", {"a.yaml", 10, 2}, "second");
    findings.error("c", {"a.yaml", 9, 40}, "first");
    findings.error("c", {"b.yaml", 1, 1}, "fourth, found later in the same place", "hint");
    findings.error("c", {"b.yaml", 0, 0}, "the whole file");
    std::vector<std::string> messages;
    for (const Finding& finding : findings.sorted()) messages.push_back(finding.message);
    CHECK(messages == std::vector<std::string>{"first", "second", "the whole file", "third", "fourth, found later in the same place"});
    CHECK(findings.errors() == 4);
    CHECK(findings.warnings() == 1);
    CHECK(findings.sorted().back().hint == "hint");
    CHECK(!findings.empty());
}

}  // namespace
