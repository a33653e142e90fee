#include "model/gpu_names.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/catch.hpp"

namespace {

using namespace vmatrix::model;
using Names = std::vector<std::string>;

Value text(std::string_view value) { return {Value::Form::text, std::string(value), {}, {}, 1, 1}; }

Value list(std::initializer_list<std::string_view> values) {
    Value result{Value::Form::list, {}, {}, {}, 1, 1};
    for (const std::string_view value : values) result.items.push_back(text(value));
    return result;
}

void add(Matrix& matrix, std::string_view kind, std::string_view id, std::initializer_list<std::pair<const char*, Value>> fields) {
    Fact fact;
    fact.kind = find_kind(kind);
    REQUIRE(fact.kind != nullptr);
    fact.id = id;
    fact.at = {"test.yaml", 1, 1};
    for (const auto& [name, value] : fields) fact.fields.push_back({name, value});
    REQUIRE(matrix.add(std::move(fact)) == nullptr);
}

void add_gpu(Matrix& matrix, std::string_view id, std::string_view vendor, std::string_view name, std::initializer_list<std::string_view> aliases,
             std::initializer_list<std::string_view> pci, std::string_view architecture) {
    add(matrix, "gpu", id,
        {{"vendor", text(vendor)}, {"name", text(name)}, {"aliases", list(aliases)}, {"pci", list(pci)}, {"architecture", text(architecture)}});
}

/// A few cards with all that makes names hard: families, laptops, shared PCI ids, a model named like its family.
Matrix cards() {
    Matrix matrix;
    add(matrix, "vendor", "nvidia",
        {{"title", text("NVIDIA")}, {"pci", text("10de")}, {"words", list({"nvidia", "geforce", "tesla", "quadro", "gpu"})}});
    add(matrix, "vendor", "amd",
        {{"title", text("AMD")}, {"pci", text("1002")}, {"words", list({"amd", "ati", "radeon", "instinct", "gpu", "graphics"})}});
    for (const auto& [id, capability] :
         {std::pair{"sm_75", "7.5"}, {"sm_80", "8.0"}, {"sm_86", "8.6"}, {"sm_89", "8.9"}, {"sm_90", "9.0"}, {"sm_120", "12.0"}})
        add(matrix, "architecture", id, {{"vendor", text("nvidia")}, {"compute-capability", text(capability)}});
    for (const char* id : {"gfx1030", "gfx1100", "gfx1101", "gfx1102", "gfx942"}) add(matrix, "architecture", id, {{"vendor", text("amd")}});
    add(matrix, "architecture", "navi31", {{"vendor", text("amd")}, {"same-as", text("gfx1100")}});

    add_gpu(matrix, "xtx", "amd", "Radeon RX 7900 XTX", {"7900xtx", "7900 xtx"}, {"1002:744c:c8"}, "gfx1100");
    add_gpu(matrix, "xt", "amd", "Radeon RX 7900 XT", {"7900xt"}, {"1002:744c:cc"}, "gfx1100");
    add_gpu(matrix, "gre", "amd", "Radeon RX 7900 GRE", {"7900gre"}, {"1002:744c:ce"}, "gfx1100");
    add_gpu(matrix, "rx7700xt", "amd", "Radeon RX 7700 XT", {}, {"1002:747e:ff"}, "gfx1101");
    add_gpu(matrix, "rx7700s", "amd", "Radeon RX 7700S", {}, {"1002:7480:c1"}, "gfx1102");
    add_gpu(matrix, "rx7600", "amd", "Radeon RX 7600", {}, {"1002:7480:cf", "1002:7480"}, "gfx1102");
    add_gpu(matrix, "rx7600xt", "amd", "Radeon RX 7600 XT", {}, {"1002:7480:c0"}, "gfx1102");
    add_gpu(matrix, "rtx4090", "nvidia", "GeForce RTX 4090", {"4090"}, {"10de:2684"}, "sm_89");
    add_gpu(matrix, "rtx4080", "nvidia", "GeForce RTX 4080", {"4080"}, {"10de:2704"}, "sm_89");
    add_gpu(matrix, "rtx6000", "nvidia", "Quadro RTX 6000", {}, {"10de:1e30"}, "sm_75");
    add_gpu(matrix, "rtx6000ada", "nvidia", "RTX 6000 Ada Generation", {}, {"10de:26b1"}, "sm_89");
    add_gpu(matrix, "a100", "nvidia", "A100-SXM4-40GB", {}, {"10de:20b0"}, "sm_80");
    add_gpu(matrix, "a100-80", "nvidia", "A100-SXM4-80GB", {}, {"10de:20b2", "10de:20b0/10de:1450"}, "sm_80");
    add_gpu(matrix, "h100", "nvidia", "H100 PCIe", {}, {"10de:2331"}, "sm_90");
    add_gpu(matrix, "mi300x", "amd", "Instinct MI300X", {}, {"1002:74a1"}, "gfx942");

    add(matrix, "gpu-name", "rx7900", {{"name", text("rx7900")}, {"gpus", list({"xtx", "xt", "gre"})}});
    add(matrix, "gpu-name", "rx7700", {{"name", text("rx7700")}, {"gpus", list({"rx7700xt", "rx7700s"})}});
    add(matrix, "gpu-name", "a100-family", {{"name", text("a100")}, {"gpus", list({"a100", "a100-80"})}});
    return matrix;
}

struct Found {
    GpuMatch::By by = GpuMatch::By::nothing;
    Names gpus;

    bool operator==(const Found&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Found& found) {
    out << static_cast<int>(found.by) << ":";
    for (const std::string& gpu : found.gpus) out << " " << gpu;
    return out;
}

Found found(const GpuMatch& match) {
    Names names;
    for (const Fact* gpu : match.gpus) names.push_back(gpu->id);
    return {match.by, names};
}

struct Row {
    const char* text;
    Found found;
};

void check(const Matrix& matrix, const std::vector<Row>& rows) {
    for (const auto& [text, expected] : rows) {
        INFO(text);
        const auto match = find_gpus(matrix, text);
        CHECK(found(match) == expected);
        CHECK((match.suggestions.empty() || match.gpus.empty()));
    }
}

TEST_CASE("a full name is one model, however it is written", "[model]") {
    const Matrix matrix = cards();
    const Found xtx{GpuMatch::By::name, {"xtx"}}, rtx4090{GpuMatch::By::name, {"rtx4090"}};
    check(matrix, {
                      {"Radeon RX 7900 XTX", xtx},
                      {"radeon rx 7900 xtx", xtx},
                      {"AMD Radeon RX 7900 XTX", xtx},
                      {"RX 7900 XTX", xtx},
                      {"rx7900xtx", xtx},
                      {"RX-7900-XTX", xtx},
                      {"7900 XTX", xtx},
                      {"  RX 7900 XTX  ", xtx},
                      {"GeForce RTX 4090", rtx4090},
                      {"NVIDIA GeForce RTX 4090", rtx4090},
                      {"RTX 4090", rtx4090},
                      {"rtx4090", rtx4090},
                      {"4090", rtx4090},
                      {"RTX_4090", rtx4090},
                      {"mi300x", {GpuMatch::By::name, {"mi300x"}}},
                      {"AMD Instinct MI300X", {GpuMatch::By::name, {"mi300x"}}},
                      {"a100-sxm4-80gb", {GpuMatch::By::name, {"a100-80"}}},
                  });
}

TEST_CASE("a shorter name is not part of a longer one", "[model]") {
    const Matrix matrix = cards();
    check(matrix, {
                      {"RX 7900 XT", {GpuMatch::By::name, {"xt"}}},
                      {"7900xt", {GpuMatch::By::name, {"xt"}}},
                      {"Radeon RX 7600", {GpuMatch::By::name, {"rx7600"}}},
                      {"RX 7600 XT", {GpuMatch::By::name, {"rx7600xt"}}},
                  });
}

TEST_CASE("two cards of different ages with one number", "[model]") {
    const Matrix matrix = cards();
    check(matrix, {{"Quadro RTX 6000", {GpuMatch::By::name, {"rtx6000"}}}, {"RTX 6000 Ada Generation", {GpuMatch::By::name, {"rtx6000ada"}}}});
    CHECK(find_gpus(matrix, "RTX 6000").gpus.size() >= 1);
}

TEST_CASE("a family is all its models", "[model]") {
    const Matrix matrix = cards();
    check(matrix, {
                      {"rx7900", {GpuMatch::By::family, {"xtx", "xt", "gre"}}},
                      {"RX 7900", {GpuMatch::By::family, {"xtx", "xt", "gre"}}},
                      {"Radeon RX 7900", {GpuMatch::By::family, {"xtx", "xt", "gre"}}},
                      {"AMD RX-7900", {GpuMatch::By::family, {"xtx", "xt", "gre"}}},
                      {"a100", {GpuMatch::By::family, {"a100", "a100-80"}}},
                      {"Tesla A100", {GpuMatch::By::family, {"a100", "a100-80"}}},
                      {"NVIDIA A100", {GpuMatch::By::family, {"a100", "a100-80"}}},
                  });
    const auto match = find_gpus(matrix, "rx7900");
    REQUIRE(match.family != nullptr);
    CHECK(match.family->id == "rx7900");
    CHECK(match.architectures == std::vector<std::string_view>{"gfx1100"});
    CHECK(!match.ambiguous());
}

TEST_CASE("a name that spans architectures says so", "[model]") {
    const Matrix matrix = cards();
    const auto match = find_gpus(matrix, "RX 7700");
    CHECK(found(match) == Found{GpuMatch::By::family, {"rx7700xt", "rx7700s"}});
    CHECK(match.architectures == std::vector<std::string_view>{"gfx1101", "gfx1102"});
    CHECK(match.ambiguous());
}

TEST_CASE("names as tools print them", "[model]") {
    const Matrix matrix = cards();
    for (const char* text : {"NVIDIA(R) GeForce(R) RTX(TM) 4090", "RTX™ 4090", "GeForce® RTX\u00A04090"}) {
        INFO(text);
        CHECK(found(find_gpus(matrix, text)) == Found{GpuMatch::By::name, {"rtx4090"}});
    }
}

TEST_CASE("the most exact PCI id wins", "[model]") {
    const Matrix matrix = cards();
    check(matrix, {
                      {"10de:2684", {GpuMatch::By::pci, {"rtx4090"}}},
                      {"10DE:2684", {GpuMatch::By::pci, {"rtx4090"}}},
                      {"1002:744c:c8", {GpuMatch::By::pci, {"xtx"}}},
                      {"1002:744C:CC", {GpuMatch::By::pci, {"xt"}}},
                      {"1002:744c", {GpuMatch::By::pci, {"xtx", "xt", "gre"}}},     // the revision decides, and is not known
                      {"1002:744c:00", {GpuMatch::By::pci, {"xtx", "xt", "gre"}}},  // an unknown revision of a known device
                      {"1002:7480:c0", {GpuMatch::By::pci, {"rx7600xt"}}},
                      {"1002:7480:99", {GpuMatch::By::pci, {"rx7600"}}},        // unknown revision: the bare id speaks for it
                      {"10de:20b0", {GpuMatch::By::pci, {"a100", "a100-80"}}},  // without a subsystem it may be either
                      {"10de:20b0/10de:1450", {GpuMatch::By::pci, {"a100-80"}}},
                      {"10de:20b0/10de:ffff", {GpuMatch::By::pci, {"a100"}}},
                      {"10de:20b2", {GpuMatch::By::pci, {"a100-80"}}},
                      {"10de:ffff", {GpuMatch::By::nothing, {}}},
                      {"8086:2684", {GpuMatch::By::nothing, {}}},
                      {"10de", {GpuMatch::By::nothing, {}}},
                      {"10de:", {GpuMatch::By::nothing, {}}},
                      {"10de:26845", {GpuMatch::By::nothing, {}}},
                      {"10de:268", {GpuMatch::By::nothing, {}}},
                  });
    for (const char* text : {"10de:2684:", "10de:2684/", "10de:2684:a", "10de:20b0/xyz", "10de:20b0/10de:", "10de:20b0:a1/10de:1450", "1002:744c:zz", "1002:744c:c8:zz"}) {
        INFO(text);
        CHECK(find_gpus(matrix, text).gpus.empty());
        CHECK(!is_pci_id(text));
        CHECK(begins_as_pci_id(matrix, text));
    }
    CHECK(!begins_as_pci_id(matrix, "8086:2684"));
    CHECK(!begins_as_pci_id(matrix, "10de"));
}

TEST_CASE("an architecture and a compute capability are all their models", "[model]") {
    const Matrix matrix = cards();
    const Found ada{GpuMatch::By::architecture, {"rtx4090", "rtx4080", "rtx6000ada"}};
    check(matrix, {
                      {"sm_89", ada},
                      {"SM_89", ada},
                      {"sm89", ada},
                      {"8.9", ada},
                      {"9.0", {GpuMatch::By::architecture, {"h100"}}},
                      {"gfx1100", {GpuMatch::By::architecture, {"xtx", "xt", "gre"}}},
                      {"GFX1100", {GpuMatch::By::architecture, {"xtx", "xt", "gre"}}},
                      {"navi31", {GpuMatch::By::architecture, {"xtx", "xt", "gre"}}},
                      {"compute_89", ada},
                      {"gfx942:sramecc+:xnack-", {GpuMatch::By::architecture, {"mi300x"}}},
                      {"gfx942:sramecc", {GpuMatch::By::nothing, {}}},
                      {"gfx942:", {GpuMatch::By::nothing, {}}},
                      {"compute_1100", {GpuMatch::By::nothing, {}}},
                      {"sm_120", {GpuMatch::By::nothing, {}}},  // known, but no model has it
                      {"89", {GpuMatch::By::nothing, {}}},
                      {"0.9", {GpuMatch::By::nothing, {}}},
                  });
}

TEST_CASE("a mistyped name gets the nearest ones", "[model]") {
    const Matrix matrix = cards();
    const auto suggests = [&](const char* text) { return find_gpus(matrix, text).suggestions; };
    const auto has = [](const Names& names, const char* name) { return std::find(names.begin(), names.end(), name) != names.end(); };
    CHECK(has(suggests("RTX 4091"), "GeForce RTX 4090"));
    CHECK(has(suggests("GeForce RTX 4070"), "GeForce RTX 4080"));
    CHECK(has(suggests("rtx 4900"), "GeForce RTX 4090"));
    CHECK(has(suggests("rx7800"), "rx7900"));
    CHECK(has(suggests("gfx1110"), "gfx1100"));
    CHECK(has(suggests("mi300"), "Instinct MI300X"));
    CHECK(suggests("rtx 4090 24GB") == Names{"GeForce RTX 4090"});
    CHECK(suggests("6000 ada") == Names{"RTX 6000 Ada Generation", "Quadro RTX 6000"});
    CHECK(suggests("gtx 7600 xt") == Names{"Radeon RX 7600 XT"});
    CHECK(suggests("rx 7900 16gb") == Names{"Radeon RX 7900 XTX", "Radeon RX 7900 XT", "Radeon RX 7900 GRE"});
    CHECK(has(suggests("rtx9999"), "GeForce RTX 4090"));   // the series, where no number is near
    CHECK(suggests("x9999").empty());
    CHECK(suggests("Voodoo 3 3000 AGP").empty());
    CHECK(suggests("RTX 4091").size() <= 3);
    CHECK(suggests(std::string(10'000, '7').c_str()).empty());
}

TEST_CASE("nothing at all is found for nothing", "[model]") {
    const Matrix matrix = cards();
    for (const char* text : {"", " ", "-", "()", "geforce", "radeon graphics", "nvidia", "\t\n"}) {
        INFO(text);
        CHECK(find_gpus(matrix, text).gpus.empty());
    }
    CHECK(find_gpus(Matrix{}, "RTX 4090").gpus.empty());
    CHECK(find_gpus(Matrix{}, "RTX 4090").suggestions.empty());
}

}  // namespace
