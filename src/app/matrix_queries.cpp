#include "app/matrix_queries.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "matrix/grammar.hpp"
#include "model/gpu_names.hpp"
#include "version/version_set.hpp"

namespace vmatrix::app {
namespace {

using model::Fact;
using model::Field;
using model::Kind;
using model::Matrix;
using model::Type;
using model::Value;
using report::Tree;

// ---- Values

Tree scalar(const Field& field, const Value& value) {
    switch (field.type) {
        case Type::integer:
        case Type::number: return Tree::number(value.text);
        case Type::boolean: return Tree::boolean(value.text == "true");
        default: return Tree::of(value.text);
    }
}

Tree to_tree(const Field& field, const Value& value) {
    if (value.form == Value::Form::list) {
        Tree list = Tree::list();
        for (const Value& item : value.items) list.items.push_back(to_tree(field, item));
        return list;
    }
    if (value.form == Value::Form::text) return scalar(field, value);
    Tree record = Tree::record();
    for (const auto& [name, member] : value.members) record.set(name, to_tree(field, member));
    return record;
}

Tree to_tree(const Fact& fact) {
    Tree record = Tree::record();
    record.set("id", fact.id).set("kind", std::string(fact.kind->name));
    const auto add = [&](const Field& field) {
        if (const Value* value = fact.find(field.name)) record.set(std::string(field.name), to_tree(field, *value));
    };
    std::ranges::for_each(fact.kind->fields, add);
    std::ranges::for_each(model::common_fields(), add);
    return record;
}

std::string short_text(const Value& value) {
    if (value.form == Value::Form::text) return value.text;
    std::vector<std::string> parts;
    for (const Value& item : value.items) parts.push_back(short_text(item));
    for (const auto& [name, member] : value.members) parts.push_back(name + " " + short_text(member));
    return parts.empty() ? "none" : base::join(parts, ", ");
}

// ---- list

/// Columns of a table: short fields that the id does not already say.
bool is_column(const Kind& kind, const Field& field) {
    if (kind.id.find("{" + std::string(field.name) + "}") != std::string_view::npos) return false;
    switch (field.type) {
        case Type::citation:
        case Type::facts:
        case Type::digest:
        case Type::pci:
        case Type::url:
        case Type::index:
        case Type::list_map:
        case Type::requirement: return false;
        case Type::text: return field.required && !field.list;
        default: return !field.list || field.required || field.type == Type::number;
    }
}

constexpr std::size_t widest_cell = 40;

Tree brief_record(const Fact& fact, const std::vector<const Field*>& columns) {
    Tree record = Tree::record();
    record.set("id", fact.id);
    for (const Field* field : columns) {
        const Value* value = fact.find(field->name);
        record.set(std::string(field->name), value ? base::printable(short_text(*value), widest_cell) : "-");
    }
    return record;
}

std::vector<const Field*> columns_of(const Kind& kind, const std::vector<const Fact*>& facts) {
    constexpr std::size_t most = 5;
    std::vector<const Field*> columns;
    for (const Field& field : kind.fields) {
        const bool used = std::ranges::any_of(facts, [&](const Fact* fact) { return fact->find(field.name) != nullptr; });
        if (used && columns.size() < most && is_column(kind, field)) columns.push_back(&field);
    }
    return columns;
}

constexpr std::string_view id_field = "id";

bool matches(const Fact& fact, const Filter& filter) {
    if (filter.first == id_field) return fact.id == base::lower(filter.second);
    const Value* value = fact.find(filter.first);
    if (!value) return false;
    const auto equal = [&](const Value& item) { return base::lower(item.text) == base::lower(filter.second); };
    return value->form == Value::Form::list ? std::ranges::any_of(value->items, equal)
           : value->form == Value::Form::map ? std::ranges::any_of(value->members, [&](const model::Entry& member) { return member.name == filter.second || equal(member.value); })
                                             : equal(*value);
}

/// The name people list a kind by: its section, or the plural of a kind that only nests.
std::string list_name(const Kind& kind) { return kind.section.empty() ? std::string(kind.name) + "s" : std::string(kind.section); }

bool is_listed(const Kind& kind) { return !kind.section.empty() || !kind.id.empty(); }

base::Result<const Kind*> kind_named(const std::string& name) {
    std::vector<std::string> names;
    for (const Kind& kind : model::kinds()) {
        if (!is_listed(kind)) continue;
        if (kind.name == base::lower(name) || list_name(kind) == base::lower(name)) return &kind;
        names.push_back(list_name(kind));
    }
    const std::vector<std::string_view> views(names.begin(), names.end());
    const auto near = base::nearest(name, views);
    return base::fail("there are no facts of kind `" + base::printable(name) + "`", near.empty() ? "`vmatrix matrix list` shows the kinds" : base::did_you_mean(near),
                      base::ErrorKind::usage);
}

/// The field that a filter means, and a value that can occur there.
base::Result<Filter> exact_filter(const Matrix& matrix, const Kind& kind, Filter filter) {
    if (filter.first == architecture_filter) {
        filter.first = kind.field("architecture") ? "architecture" : "architectures";
        if (!kind.field(filter.first)) return base::fail("--arch does not apply to " + list_name(kind), {}, base::ErrorKind::usage);
        for (const Fact* architecture : matrix.of("architecture"))
            if (architecture->text("compute-capability") == filter.second) filter.second = architecture->id;
    }
    if (filter.first == id_field) return filter;
    const Field* field = kind.field(filter.first);
    if (!field) {
        std::vector<std::string_view> fields{id_field};
        for (const Field& known : kind.fields) fields.push_back(known.name);
        return base::fail(base::with_article(kind.name) + " has no field `" + base::printable(filter.first) + "`", base::did_you_mean(base::nearest(filter.first, fields)), base::ErrorKind::usage);
    }
    if (field->type == Type::reference && !matrix.find(field->target, base::lower(filter.second)))
        return base::fail("there is no " + std::string(field->target) + " `" + base::printable(filter.second) + "`", base::did_you_mean(base::nearest(filter.second, matrix.ids(field->target))), base::ErrorKind::usage);
    const bool has_words = field->type == Type::word || field->type == Type::boolean || field->type == Type::platform;
    if (has_words && !matrix::fits(*field, base::lower(filter.second)))
        return base::fail("`" + filter.first + "` is " + matrix::expectation(*field) + ", not `" + base::printable(filter.second) + "`", matrix::hint(*field, base::lower(filter.second)), base::ErrorKind::usage);
    return filter;
}

// ---- show

bool is_common(std::string_view name) {
    const auto fields = model::common_fields();
    return std::ranges::find(fields, name, &Field::name) != fields.end();
}

/// Facts that speak about ranges of versions and hold for this release.
void add_applicable(const Matrix& matrix, const Fact& release, Tree& record) {
    const std::string component(release.text("component"));
    const auto scheme = matrix.scheme(component);
    const auto version = scheme ? version::Version::parse(*scheme, release.text("version")) : base::fail("");
    if (!version) return;
    Tree rows = Tree::list();
    for (const Fact& fact : matrix.facts()) {
        const Value* range = fact.find("when") ? fact.find("when") : fact.find("of");
        const Value* versions = range ? range->find(component) : nullptr;
        if (!versions) continue;
        const auto set = version::VersionSet::parse(*scheme, versions->text);
        if (!set || !set->contains(*version)) continue;
        std::vector<std::string> says;
        for (const auto& [name, value] : fact.fields)
            if (name != "when" && name != "of" && !is_common(name)) says.push_back(name + " " + short_text(value));
        rows.items.push_back(Tree::record().set("id", fact.id).set("kind", std::string(fact.kind->name)).set("says", base::printable(base::join(says, "; "), 100)));
    }
    if (!rows.items.empty()) record.set("applies", std::move(rows));
}

void add_nested(const Matrix& matrix, const Fact& fact, Tree& record) {
    const auto& children = matrix.nested(fact);
    if (children.empty()) return;
    Tree rows = Tree::list();
    for (const Fact* child : children) {
        Tree row = Tree::record();
        row.set("id", child->id);
        for (const std::string_view name : {"accelerator", "bundles", "architectures", "platforms"})
            if (const Value* value = child->find(name)) row.set(std::string(name), short_text(*value));
        rows.items.push_back(std::move(row));
    }
    record.set("builds", std::move(rows));
}

/// What the architecture of a GPU says beyond its name.
void add_architecture(const Matrix& matrix, const Fact& gpu, Tree& record) {
    const Fact* architecture = matrix.find("architecture", gpu.text("architecture"));
    if (!architecture) return;
    if (const Value* value = architecture->find("compute-capability")) record.set("compute-capability", value->text);
    const Fact* generation = matrix.find("generation", architecture->text("generation"));
    if (!generation) return;
    record.set("generation", std::string(generation->text("title")));
    if (const Value* value = generation->find("drivers")) record.set("drivers", short_text(*value));
    if (const Value* value = generation->find("open-kernel-module")) record.set("open-kernel-module", value->text);
}

void add_sources(const Matrix& matrix, const Fact& fact, Tree& record) {
    Tree rows = Tree::list();
    for (const std::string_view text : fact.texts("source")) {
        const auto citation = model::parse_citation(text);
        const Fact* source = matrix.find("source", citation.source);
        if (!source) continue;
        Tree row = Tree::record();
        row.set("source", std::string(citation.source)).set("trust", std::string(source->text("trust")));
        row.set("place", citation.place.empty() ? "-" : std::string(citation.place));
        row.set("title", std::string(source->text("title")));
        const auto repository = source->text("repository");
        row.set("address", repository.empty() ? std::string(source->text("address")) : "https://github.com/" + std::string(repository));
        if (const auto read = source->text("read"); !read.empty()) row.set("read", std::string(read));
        rows.items.push_back(std::move(row));
    }
    record.set("sources", std::move(rows));
}

Tree detailed(const Matrix& matrix, const Fact& fact, bool sources) {
    Tree record = to_tree(fact);
    if (fact.kind->name == "gpu") add_architecture(matrix, fact, record);
    if (fact.kind->name == "release") add_applicable(matrix, fact, record);
    add_nested(matrix, fact, record);
    if (sources) add_sources(matrix, fact, record);
    record.set("written-in", to_string(fact.at));
    return record;
}

std::string_view by(model::GpuMatch::By how) {
    switch (how) {
        case model::GpuMatch::By::pci: return "PCI id";
        case model::GpuMatch::By::architecture: return "architecture";
        case model::GpuMatch::By::name: return "name";
        case model::GpuMatch::By::family: return "family name";
        case model::GpuMatch::By::nothing: break;
    }
    return "nothing";
}

std::string summary(const model::GpuMatch& match, const std::string& name) {
    std::vector<std::string> architectures(match.architectures.begin(), match.architectures.end());
    const std::string count = match.gpus.size() == 1 ? "one GPU" : std::to_string(match.gpus.size()) + " GPUs";
    const std::string what = "`" + base::printable(name) + "` is the " + std::string(by(match.by)) + " of " + count;
    if (match.ambiguous()) return what + " of different architectures: " + base::join(architectures, ", ") + "; name the one you mean";
    return what + ", " + (match.gpus.size() == 1 ? "" : "all ") + architectures.front();
}

Tree show_gpus(const Matrix& matrix, const model::GpuMatch& match, const std::string& name, bool sources, bool brief) {
    Tree answer = Tree::record();
    answer.set("meaning", summary(match, name));
    Tree architectures = Tree::list();
    for (const auto architecture : match.architectures) architectures.items.push_back(Tree::of(std::string(architecture)));
    answer.set("architectures", std::move(architectures)).set("ambiguous", Tree::boolean(match.ambiguous()));
    if (match.by == model::GpuMatch::By::architecture && !match.ambiguous())
        if (const Fact* architecture = matrix.find("architecture", match.architectures.front())) answer.set("architecture", detailed(matrix, *architecture, sources));
    if (match.family)
        if (const auto differ = match.family->text("differ"); !differ.empty()) answer.set("differ", std::string(differ));
    if (brief && match.gpus.size() == 1) {
        answer.set("gpu", detailed(matrix, *match.gpus.front(), sources));
        return answer;
    }
    Tree rows = Tree::list();
    const auto columns = columns_of(*model::find_kind("gpu"), match.gpus);
    for (const Fact* gpu : match.gpus) rows.items.push_back(brief ? brief_record(*gpu, columns) : detailed(matrix, *gpu, sources));
    answer.set("gpus", std::move(rows));
    return answer;
}

/// "torch==2.9.1+cu128" and "torch 2.9.1+cu128" -> "torch-2.9.1+cu128".
std::string as_id(std::string_view name) {
    std::string id(base::trim(name));
    if (const auto equals = id.find("=="); equals != std::string::npos) id.replace(equals, 2, "-");
    std::ranges::replace(id, ' ', '-');
    return id;
}

/// The release that "torch==2.9.1.0", "torch 2.9.1" or " torch == 2.9.1 " means, or its build behind a `+`: versions are compared
/// as such, not as texts.
const Fact* find_release(const Matrix& matrix, std::string_view name) {
    name = base::trim(name);
    const auto plus = name.find('+');
    for (const Fact* release : matrix.of("release")) {
        const auto component = release->text("component");
        std::string_view rest = name.substr(0, plus);
        if (base::lower(rest.substr(0, component.size())) != component) continue;
        rest.remove_prefix(component.size());
        const auto digits = rest.find_first_not_of(" =-");
        if (digits == 0 || digits == std::string_view::npos) continue;
        const auto scheme = matrix.scheme(component);
        const auto wanted = version::Version::parse(*scheme, rest.substr(digits)), version = version::Version::parse(*scheme, release->text("version"));
        if (!wanted || !version || *wanted != *version) continue;
        return plus == std::string_view::npos ? release : matrix.find(release->id + base::lower(name.substr(plus)));
    }
    return nullptr;
}

/// Ids that begin with what was typed; else those that look like it, and names of GPUs that do.
std::vector<std::string> near_names(const Matrix& matrix, const std::string& id, const std::vector<std::string>& gpus) {
    constexpr std::size_t most = 3, shortest = 3;
    std::vector<std::string_view> ids;
    std::vector<std::string> longer;
    for (const Fact& known : matrix.facts()) {
        ids.push_back(known.id);
        if (id.size() >= shortest && longer.size() < most && known.id.starts_with(base::lower(id))) longer.push_back(known.id);
    }
    if (!longer.empty()) return longer;
    auto near = base::nearest(id, ids, most);
    for (const std::string& gpu : gpus)
        if (std::ranges::find(near, gpu) == near.end()) near.push_back(gpu);
    return near;
}

// ---- stats

struct Counts {
    std::size_t facts = 0, unconfirmed = 0, derived = 0, claims = 0, weak = 0;
};

bool only_weak(const Matrix& matrix, const Fact& fact) {
    const auto citations = fact.texts("source");
    return !citations.empty() && std::ranges::all_of(citations, [&](std::string_view text) {
        const Fact* source = matrix.find("source", model::parse_citation(text).source);
        return source && source->text("trust") == "weak";
    });
}

void count(const Matrix& matrix, const Fact& fact, Counts& counts) {
    ++counts.facts;
    counts.unconfirmed += fact.find("unconfirmed") != nullptr;
    counts.derived += fact.find("derived") != nullptr;
    counts.claims += fact.find("claims") != nullptr;
    counts.weak += only_weak(matrix, fact);
}

std::string percent(std::size_t part, std::size_t whole) {
    if (whole == 0) return "0.0";
    const std::size_t tenths = (part * 1000 + whole / 2) / whole;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

Tree count_record(const Counts& counts) {
    Tree record = Tree::record();
    record.set("facts", Tree::number(counts.facts)).set("unconfirmed", Tree::number(counts.unconfirmed)).set("derived", Tree::number(counts.derived));
    record.set("disputed", Tree::number(counts.claims)).set("weak-source-only", Tree::number(counts.weak));
    return record;
}

Tree gaps(const Matrix& matrix) {
    const auto lacking = [&](std::string_view kind, std::string_view field, auto relevant) {
        return Tree::number(static_cast<std::size_t>(std::ranges::count_if(matrix.of(kind), [&](const Fact* fact) { return relevant(*fact) && !fact->find(field); })));
    };
    const auto all = [](const Fact&) { return true; };
    const auto gpu_build = [](const Fact& build) { return build.text("accelerator") == "cuda" || build.text("accelerator") == "rocm"; };
    Tree record = Tree::record();
    record.set("gpu builds without an architecture list", lacking("build", "architectures", gpu_build));
    record.set("builds without platforms", lacking("build", "platforms", all));
    record.set("GPUs without PCI ids", lacking("gpu", "pci", all));
    record.set("GPUs without a memory size", lacking("gpu", "memory-gib", all));
    record.set("releases without a date", lacking("release", "date", all));
    return record;
}

}  // namespace

Tree list_kinds(const Matrix& matrix) {
    Tree rows = Tree::list();
    for (const Kind& kind : model::kinds()) {
        if (!is_listed(kind)) continue;
        Tree row = Tree::record();
        row.set("kind", list_name(kind)).set("facts", Tree::number(matrix.of(kind.name).size()));
        rows.items.push_back(std::move(row.set("about", std::string(kind.about))));
    }
    return rows;
}

base::Result<Tree> list_facts(const Matrix& matrix, const std::string& kind_name, const std::vector<Filter>& filters, bool brief) {
    const auto kind = kind_named(kind_name);
    if (!kind) return tl::make_unexpected(kind.error());
    std::vector<Filter> exact;
    for (const Filter& filter : filters) {
        auto made = exact_filter(matrix, **kind, filter);
        if (!made) return tl::make_unexpected(made.error());
        exact.push_back(std::move(*made));
    }
    std::vector<const Fact*> facts;
    for (const Fact* fact : matrix.of((*kind)->name))
        if (std::ranges::all_of(exact, [&](const Filter& filter) { return matches(*fact, filter); })) facts.push_back(fact);
    const auto columns = columns_of(**kind, facts);
    Tree rows = Tree::list();
    for (const Fact* fact : facts) rows.items.push_back(brief ? brief_record(*fact, columns) : to_tree(*fact));
    return rows;
}

base::Result<Tree> show(const Matrix& matrix, const std::string& name, bool sources, bool brief) {
    const std::string id = as_id(name);
    const Fact* fact = matrix.find(id);
    if (!fact) fact = matrix.find(base::lower(id));
    if (!fact) fact = find_release(matrix, name);
    if (fact && fact->kind->name != "gpu-name" && fact->kind->name != "architecture") return detailed(matrix, *fact, sources);
    const auto match = model::find_gpus(matrix, name);
    if (!match.gpus.empty()) return show_gpus(matrix, match, name, sources, brief);
    if (fact) return detailed(matrix, *fact, sources);
    for (const std::string_view kind : {"source", "component", "vendor"})
        if (const Fact* word = matrix.find(kind, id)) return detailed(matrix, *word, sources);
    if (model::is_broken_pci_id(matrix, name)) return base::fail("`" + base::printable(name) + "` is not a PCI id", std::string(model::pci_id_forms), base::ErrorKind::usage);
    const auto near = near_names(matrix, id, match.suggestions);
    return base::fail("the matrix has nothing named `" + base::printable(name) + "`", near.empty() ? "`vmatrix matrix list` shows what there is" : base::did_you_mean(near),
                      base::ErrorKind::usage);
}

Tree stats(const Matrix& matrix) {
    std::map<std::string, Counts> kinds;
    std::map<std::string, std::size_t> trust, years;
    Counts all;
    for (const Fact& fact : matrix.facts()) {
        if (fact.kind->name == "source") {
            ++trust[std::string(fact.text("trust"))];
            const auto read = fact.text("read");
            ++years[read.empty() ? "unknown" : std::string(read.substr(0, 7))];
        }
        if (!fact.kind->sourced) continue;
        count(matrix, fact, kinds[std::string(fact.kind->name)]);
        count(matrix, fact, all);
    }
    Tree answer = count_record(all);
    answer.set("vocabulary", Tree::number(matrix.facts().size() - all.facts));   // sources, vendors, components
    answer.set("facts-and-vocabulary", Tree::number(matrix.facts().size()));    // what lint counts
    answer.set("unconfirmed-percent", Tree::number(percent(all.unconfirmed, all.facts)));
    Tree rows = Tree::list();
    for (const auto& [kind, counts] : kinds) {
        Tree row = Tree::record();
        row.set("kind", kind);
        for (auto& [name, value] : count_record(counts).members) row.set(name, value);
        rows.items.push_back(std::move(row));
    }
    answer.set("kinds", std::move(rows));
    Tree by_trust = Tree::record(), by_month = Tree::record();
    for (const auto& [name, number] : trust) by_trust.set(name, Tree::number(number));
    for (const auto& [name, number] : years) by_month.set(name, Tree::number(number));
    answer.set("sources", std::move(by_trust)).set("sources-read-in", std::move(by_month)).set("gaps", gaps(matrix));
    return answer;
}

}  // namespace vmatrix::app
