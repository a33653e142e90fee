#include "model/matrix.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/catch.hpp"

namespace {

using namespace vmatrix::model;

Fact fact(std::string_view kind, std::string id, std::string parent = {}) {
    Fact result;
    result.kind = find_kind(kind);
    REQUIRE(result.kind != nullptr);
    result.id = std::move(id);
    result.parent = std::move(parent);
    result.at = {"test.yaml", 7, 3};
    return result;
}

TEST_CASE("facts share one space of ids, vocabulary has one per kind", "[model]") {
    Matrix matrix;
    REQUIRE(matrix.add(fact("component", "nvidia")) == nullptr);
    REQUIRE(matrix.add(fact("vendor", "nvidia")) == nullptr);
    REQUIRE(matrix.add(fact("source", "nvidia")) == nullptr);
    REQUIRE(matrix.add(fact("rule", "nvidia")) == nullptr);
    const Fact* taken = matrix.add(fact("gpu", "nvidia"));
    REQUIRE(taken != nullptr);
    CHECK(taken->kind->name == "rule");
    CHECK(matrix.add(fact("vendor", "nvidia")) != nullptr);
    CHECK(matrix.facts().size() == 4);
    CHECK(matrix.find("nvidia")->kind->name == "rule");
    CHECK(matrix.find("vendor", "nvidia")->kind->name == "vendor");
    CHECK(matrix.find("rule", "nvidia")->kind->name == "rule");
    CHECK(matrix.find("gpu", "nvidia") == nullptr);
    CHECK(matrix.find("vendor", "amd") == nullptr);
    CHECK(matrix.find("no-such-kind", "nvidia") == nullptr);
}

TEST_CASE("facts stay where they are while others are added", "[model]") {
    Matrix matrix;
    matrix.add(fact("release", "torch-0"));
    const Fact* first = matrix.find("torch-0");
    for (int i = 1; i < 10'000; ++i) matrix.add(fact("release", "torch-" + std::to_string(i)));
    CHECK(matrix.find("torch-0") == first);
    CHECK(matrix.find("torch-9999")->id == "torch-9999");
    CHECK(matrix.of("release").size() == 10'000);
    CHECK(matrix.of("gpu").empty());
}

TEST_CASE("nested facts are found by their parent, in file order", "[model]") {
    Matrix matrix;
    matrix.add(fact("release", "torch-2.9.1"));
    matrix.add(fact("build", "torch-2.9.1+cu128", "torch-2.9.1"));
    matrix.add(fact("build", "torch-2.9.1+cpu", "torch-2.9.1"));
    const auto builds = matrix.nested(*matrix.find("torch-2.9.1"));
    REQUIRE(builds.size() == 2);
    CHECK(builds[0]->id == "torch-2.9.1+cu128");
    CHECK(builds[1]->id == "torch-2.9.1+cpu");
    CHECK(matrix.nested(*builds[0]).empty());
    CHECK(matrix.ids("build") == std::vector<std::string_view>{"torch-2.9.1+cu128", "torch-2.9.1+cpu"});
}

TEST_CASE("the scheme of a component, or the nearest component", "[model]") {
    Matrix matrix;
    Fact torch = fact("component", "torch");
    torch.fields.push_back({"scheme", Value{Value::Form::text, "pep440", {}, {}, 1, 1}});
    matrix.add(std::move(torch));
    CHECK(matrix.scheme("torch").value() == vmatrix::version::Scheme::pep440);
    const auto unknown = matrix.scheme("torhc");
    REQUIRE(!unknown);
    CHECK(unknown.error().message.find("torhc") != std::string::npos);
    CHECK(unknown.error().hint == "did you mean `torch`?");
}

TEST_CASE("citations are cut at the first #", "[model]") {
    CHECK(parse_citation("pytorch/builder").source == "pytorch/builder");
    CHECK(parse_citation("pytorch/builder").place.empty());
    CHECK(parse_citation("pytorch/builder#a/b.sh@0b54").source == "pytorch/builder");
    CHECK(parse_citation("pytorch/builder#a/b.sh@0b54").place == "a/b.sh@0b54");
    CHECK(parse_citation("a#b#c").place == "b#c");
    CHECK(parse_citation("").source.empty());
    CHECK(parse_citation("#x").source.empty());
}

TEST_CASE("fields of a fact", "[model]") {
    Fact gpu = fact("gpu", "x");
    gpu.fields.push_back({"name", Value{Value::Form::text, "X", {}, {}, 8, 11}});
    gpu.fields.push_back(
        {"aliases",
         Value{Value::Form::list, {}, {Value{Value::Form::text, "a", {}, {}, 9, 15}, Value{Value::Form::text, "b", {}, {}, 9, 18}}, {}, 9, 14}});
    CHECK(gpu.text("name") == "X");
    CHECK(gpu.text("codename").empty());
    CHECK(gpu.texts("aliases") == std::vector<std::string_view>{"a", "b"});
    CHECK(gpu.texts("pci").empty());
    CHECK(gpu.texts("name").empty());
    CHECK(gpu.find("pci") == nullptr);
    CHECK(to_string(gpu.position(*gpu.find("name"))) == "test.yaml:8:11");
}

// The table of fields itself: what the other layers take for granted.

TEST_CASE("every kind can be found by both its names", "[model]") {
    std::set<std::string_view> names, sections;
    for (const Kind& kind : kinds()) {
        INFO(kind.name);
        CHECK(find_kind(kind.name) == &kind);
        CHECK(names.insert(kind.name).second);
        CHECK(!kind.about.empty());
        if (kind.section.empty()) continue;
        CHECK(find_kind(kind.section) == &kind);
        CHECK(sections.insert(kind.section).second);
        CHECK(kind.section != "defaults");
    }
    CHECK(find_kind("") == nullptr);
    CHECK(find_kind("gpuss") == nullptr);
}

TEST_CASE("every field is complete and every target exists", "[model]") {
    for (const Kind& kind : kinds()) {
        std::set<std::string_view> names{"id"};
        for (const Field& field : kind.fields) {
            INFO(kind.name << "." << field.name);
            CHECK(names.insert(field.name).second);
            CHECK(!field.about.empty());
            CHECK(kind.field(field.name) == &field);
            const Type held = field.type == Type::list_map ? field.item : field.type;
            const bool wants_target = held == Type::reference || held == Type::facts;
            CHECK(wants_target == !field.target.empty());
            if (wants_target) CHECK(find_kind(field.target) != nullptr);
            CHECK((field.type == Type::word) == !field.words.empty());
            if (field.type == Type::version) CHECK(kind.field("component") != nullptr);
        }
        for (const Field& field : common_fields())
            if (kind.name != "claim") CHECK(names.insert(field.name).second);
    }
}

TEST_CASE("ids are made of required fields", "[model]") {
    for (const Kind& kind : kinds()) {
        INFO(kind.name);
        std::string_view rest = kind.id;
        for (auto open = rest.find('{'); open != std::string_view::npos; open = rest.find('{')) {
            const auto close = rest.find('}', open);
            REQUIRE(close != std::string_view::npos);
            const auto name = rest.substr(open + 1, close - open - 1);
            INFO(name);
            if (name != "parent") {
                REQUIRE(kind.field(name) != nullptr);
                CHECK(kind.field(name)->required);
                CHECK(!kind.field(name)->list);
            }
            rest.remove_prefix(close + 1);
        }
        for (const std::string_view name : kind.inherits) CHECK(kind.field(name) != nullptr);
    }
}

}  // namespace
