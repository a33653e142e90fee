// Facts as bytes, and back.
#include "model/packed.hpp"

#include "model/matrix.hpp"
#include "support/catch.hpp"

using namespace vmatrix::model;

namespace {

Value text(const std::string& value, std::size_t line) { return {Value::Form::text, value, {}, {}, line, 7, line, 3}; }

/// One of each form, nested.
Fact build() {
    Fact fact{find_kind("build"), "torch-2.8.0+cu128", "torch-2.8.0", {"frameworks/torch.yaml", 12, 5}, {}};
    fact.fields.push_back({"build", text("cu128", 12)});
    fact.fields.push_back({"architectures", {Value::Form::list, {}, {text("sm_90", 13), text("sm_120", 13)}, {}, 13, 1, 13, 1}});
    fact.fields.push_back({"bundles", {Value::Form::map, {}, {}, {{"cuda", text("12.8", 1'000'000)}, {"nccl", {Value::Form::list, {}, {text("", 1)}, {}, 2, 2, 2, 2}}}, 14, 1, 14, 1}});
    return fact;
}

std::string shown(const Value& value) {
    std::string all = std::to_string(static_cast<int>(value.form)) + value.text + ":" + std::to_string(value.line) + ":" + std::to_string(value.column) + ":" + std::to_string(value.key_line) + ":" + std::to_string(value.key_column);
    for (const Value& item : value.items) all += "[" + shown(item) + "]";
    for (const auto& [name, member] : value.members) all += "{" + name + "=" + shown(member) + "}";
    return all;
}

std::string shown(const Fact& fact) {
    std::string all = std::string(fact.kind->name) + " " + fact.id + " " + fact.parent + " " + to_string(fact.at);
    for (const auto& [name, value] : fact.fields) all += "\n" + name + "=" + shown(value);
    return all;
}

std::string packed(const std::vector<Fact>& facts) {
    Packer packer;
    for (const Fact& fact : facts) packer.add(fact);
    return packer.bytes();
}

}  // namespace

TEST_CASE("facts come back from their bytes as they were", "[model]") {
    const Fact empty{find_kind("vendor"), "nvidia", {}, {"", 0, 0}, {}};
    const auto opened = Packed::open(packed({build(), empty}));
    REQUIRE(opened.has_value());
    REQUIRE((*opened)->size() == 2);
    CHECK(shown((*opened)->fact(0)) == shown(build()));
    CHECK(shown((*opened)->fact(1)) == shown(empty));
}

TEST_CASE("a packed fact unpacks what is asked for, in any order, also as a copy", "[model]") {
    const auto opened = Packed::open(packed({build(), build()}));
    REQUIRE(opened.has_value());
    const Fact fact = (*opened)->fact(1);
    REQUIRE(fact.find("bundles", "cuda"));
    CHECK(fact.find("bundles", "cuda")->text == "12.8");
    const Value* bundles = fact.find("bundles");
    CHECK_FALSE(fact.find("platforms"));
    CHECK(fact.text("build") == "cu128");
    const Fact copy = fact;
    CHECK(fact.find("bundles") == bundles);   // what was handed out stays where it is
    CHECK(shown(copy) == shown(build()));
    CHECK(fact.texts("architectures").size() == 2);
}

TEST_CASE("damaged bytes are told from whole ones", "[model]") {
    const std::string whole = packed({build(), build()});
    CHECK_FALSE(Packed::open("").has_value());
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        INFO("byte " << at);
        CHECK_FALSE(Packed::open(damaged).has_value());
        CHECK_FALSE(Packed::open(whole.substr(0, at)).has_value());
    }
}

TEST_CASE("a matrix keeps what its facts were taken from", "[model]") {
    Matrix matrix;
    {
        const auto opened = Packed::open(packed({build()}));
        REQUIRE(opened.has_value());
        matrix.keep(*opened);
        matrix.add((*opened)->fact(0));
    }
    REQUIRE(matrix.find("torch-2.8.0+cu128"));
    CHECK(shown(*matrix.find("torch-2.8.0+cu128")) == shown(build()));
    matrix.unpack();
}
