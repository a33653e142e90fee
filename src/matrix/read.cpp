#include "matrix/read.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_set>

#include "base/text.hpp"
#include "matrix/grammar.hpp"
#include "yaml/yaml.hpp"

namespace vmatrix::matrix {
namespace {

using model::Fact;
using model::Field;
using model::Kind;
using model::Type;
using model::Value;
using yaml::Member;
using yaml::Node;
using yaml::Place;

constexpr std::string_view id_field = "id";

std::string quoted(std::string_view text) { return "`" + base::printable(text, 60) + "`"; }

using base::with_article;

std::string form_name(const Node& node) {
    switch (node.form) {
        case Node::Form::null: return "nothing";
        case Node::Form::scalar: return quoted(node.text);
        case Node::Form::sequence: return "a list";
        case Node::Form::map: return "a map";
    }
    return {};
}

std::vector<std::string_view> field_names(const Kind& kind) {
    std::vector<std::string_view> names;
    if (kind.id.empty() && !kind.section.empty()) names.push_back(id_field);
    for (const Field& field : kind.fields) names.push_back(field.name);
    if (kind.name != "claim")
        for (const Field& field : model::common_fields()) names.push_back(field.name);
    return names;
}

bool has_own_id(const Kind& kind) { return !kind.section.empty() || !kind.id.empty(); }

/// Reads one file.
class FileReader {
public:
    explicit FileReader(FileFacts& file) : path_(file.path), facts_(file.facts), findings_(file.findings) {}

    /// False: whole sections could not be taken, so that what others refer to may have been there.
    bool read(const Node& root) {
        if (root.form == Node::Form::null) return true;
        if (root.form != Node::Form::map) {
            error("not-sections", root.at, "a matrix file is a map of sections, found " + form_name(root), "begin with a section such as `gpus:`");
            return false;
        }
        if (const Node* defaults = root.find("defaults")) read_defaults(*defaults);
        bool all = true;
        for (const Member& member : root.members)
            if (member.key != "defaults") all = read_section(member) && all;
        return all;
    }

    /// The defaults as if they were facts, so that they are checked although no fact may have them.
    [[nodiscard]] std::vector<Fact> defaults() const {
        std::vector<Fact> facts;
        for (const auto& [kind, fields] : defaults_) facts.push_back({kind, {}, {}, {path_, 0, 0}, fields});
        return facts;
    }

private:
    using Fields = std::vector<model::Entry>;

    void error(std::string code, Place at, std::string message, std::string hint = {}) {
        findings_.error(std::move(code), {path_, at.line, at.column}, std::move(message), std::move(hint));
    }

    const Kind* section_kind(const Member& member, std::string_view what) {
        const Kind* kind = model::find_kind(member.key);
        if (kind && kind->section == member.key) return kind;
        std::vector<std::string_view> sections;
        for (const Kind& known : model::kinds())
            if (!known.section.empty()) sections.push_back(known.section);
        const auto meant = kind && !kind->section.empty() ? std::vector{std::string(kind->section)} : base::nearest(member.key, sections);
        error("unknown-section", member.at, "there is no section " + quoted(member.key) + std::string(what), base::did_you_mean(meant));
        return nullptr;
    }

    void read_defaults(const Node& defaults) {
        if (defaults.form != Node::Form::map) return error("not-a-map", defaults.at, "`defaults` is a map of sections, found " + form_name(defaults));
        for (const Member& member : defaults.members) {
            const Kind* kind = section_kind(member, " to give defaults to");
            if (!kind) continue;
            if (member.value.form != Node::Form::map) {
                error("not-a-map", member.value.at, "the defaults of " + quoted(member.key) + " are a map of fields, found " + form_name(member.value));
                continue;
            }
            defaults_.emplace_back(kind, read_fields(*kind, member.value, true));
        }
    }

    bool read_section(const Member& member) {
        const Kind* kind = section_kind(member, "");
        if (!kind) return false;
        if (member.value.form != Node::Form::sequence) {
            error("not-a-list", member.value.at, "section " + quoted(member.key) + " is a list of " + std::string(kind->name) + " facts, found " + form_name(member.value),
                  "begin each fact with `- `");
            return false;
        }
        for (const Node& item : member.value.items) read_fact(*kind, item, nullptr);
        return true;
    }

    /// `kept` is false below a fact that is not kept itself: then only the mistakes count.
    void read_fact(const Kind& kind, const Node& node, const Fact* parent, bool kept = true) {
        if (node.form != Node::Form::map)
            return error("not-a-fact", node.at, with_article(kind.name) + " is a map of fields, found " + form_name(node));
        Fact fact{&kind, {}, parent ? parent->id : std::string(), {path_, node.at.line, node.at.column}, read_fields(kind, node)};
        inherit(fact, parent);
        const bool complete = check_required(fact, node);
        const bool named = make_id(fact, node, complete);
        kept = named && kept;
        if (kept) facts_.push_back(fact);
        for (const Field& field : kind.fields) {
            if (field.type != Type::facts || !has_own_id(*model::find_kind(field.target))) continue;
            const Node* children = node.find(field.name);
            if (!children || children->form != Node::Form::sequence) continue;
            for (const Node& child : children->items) read_fact(*model::find_kind(field.target), child, &fact, kept);
        }
    }


    /// Values of the fields that a map states; nested facts with ids of their own are left to read_fact().
    Fields read_fields(const Kind& kind, const Node& node, bool defaults = false) {
        Fields fields;
        for (const Member& member : node.members) {
            if (member.key == id_field && kind.id.empty() && !kind.section.empty()) {
                if (defaults) {
                    error("not-a-default", member.at, "`id` is no default: every fact has its own", "write it with each fact");
                    continue;
                }
                static const Field id{id_field, Type::id, false, true, {}, {}, {}};
                if (auto value = read_value(id, member.value)) fields.push_back({member.key, std::move(*value)});
                continue;
            }
            const Field* field = kind.name == "claim" && member.key != "source" ? own_field(kind, member.key) : kind.field(member.key);
            if (!field) {
                unknown_field(kind, member);
                continue;
            }
            if (field->type == Type::facts && has_own_id(*model::find_kind(field->target))) {
                if (defaults)
                    error("not-a-default", member.at, "`" + std::string(field->name) + "` is no default: its facts would stand below every " + std::string(kind.name),
                          "write them where they belong");
                else if (member.value.form != Node::Form::sequence) wrong_form(*field, member.value, field->list);
                continue;
            }
            if (auto value = read_value(*field, member.value)) fields.push_back({member.key, std::move(*value)});
        }
        return fields;
    }

    static const Field* own_field(const Kind& kind, std::string_view name) {
        const auto found = std::ranges::find(kind.fields, name, &Field::name);
        return found == kind.fields.end() ? nullptr : &*found;
    }

    void unknown_field(const Kind& kind, const Member& member) {
        if (member.key == id_field)
            return error("id-not-written", member.at, "the id of " + with_article(kind.name) + " is not written: it is made of " + std::string(kind.id), "remove this line");
        if (member.key == "<<") return error("merge-key", member.at, "merge keys are not used here", "write the fields out, or use `defaults`");
        const auto names = field_names(kind);
        error("unknown-field", member.at, with_article(kind.name) + " has no field " + quoted(member.key), base::did_you_mean(base::nearest(member.key, names)));
    }

    void wrong_form(const Field& field, const Node& node, bool list_wanted) {
        const std::string name = "`" + std::string(field.name) + "`";
        const std::string wanted = list_wanted  ? name + " wants a list"
                                   : field.list ? "every item of " + name + " is " + expectation(field)
                                                : name + " wants " + expectation(field);
        error(list_wanted ? "not-a-list" : "wrong-form", node.at, wanted + ", found " + form_name(node),
              list_wanted && node.form == Node::Form::scalar ? "write [" + base::printable(node.text, 40) + "]" : "");
    }

    std::optional<Value> read_value(const Field& field, const Node& node) {
        if (!field.list) return read_single(field, node);
        if (node.form != Node::Form::sequence) {
            wrong_form(field, node, true);
            return std::nullopt;
        }
        if (field.required && node.items.empty()) empty(field, node);
        Value list{Value::Form::list, {}, {}, {}, node.at.line, node.at.column};
        for (const Node& item : node.items)
            if (auto value = read_single(field, item)) list.items.push_back(std::move(*value));
        check_repeats(field, list);
        return list;
    }

    void check_repeats(const Field& field, const Value& list) {
        std::vector<std::pair<std::string_view, const Value*>> seen;
        for (const Value& item : list.items)
            if (item.form == Value::Form::text) seen.emplace_back(item.text, &item);
        std::ranges::stable_sort(seen, {}, &std::pair<std::string_view, const Value*>::first);
        for (std::size_t i = 1; i < seen.size(); ++i)
            if (seen[i].first == seen[i - 1].first)
                error("repeated-item", {seen[i].second->line, seen[i].second->column}, quoted(seen[i].first) + " stands twice in `" + std::string(field.name) + "`", "remove one");
    }

    std::optional<Value> read_single(const Field& field, const Node& node) {
        switch (field.type) {
            case Type::version_map:
            case Type::set_map:
            case Type::environment:
            case Type::list_map: return read_map(field, node);
            case Type::facts: return read_nested(*model::find_kind(field.target), node);
            default: return read_text(field, node);
        }
    }

    std::optional<Value> read_text(const Field& field, const Node& node) {
        if (node.form != Node::Form::scalar) {
            wrong_form(field, node, false);
            return std::nullopt;
        }
        const bool plain = node.style == Node::Style::plain;
        if (is_plain_type(field.type)) {
            if (!plain || !fits(field, node.text)) return wrong_text(field, node);
        } else if (plain && mistyped_when_plain(node.text)) {
            error("needs-quotes", node.at, "YAML may read " + quoted(node.text) + " as something other than a text", "write \"" + base::printable(node.text, 60) + "\"");
            return std::nullopt;
        } else if (!fits(field, node.text)) {
            return wrong_text(field, node);
        }
        return Value{Value::Form::text, node.text, {}, {}, node.at.line, node.at.column};
    }

    std::optional<Value> wrong_text(const Field& field, const Node& node) {
        error("wrong-value", node.at, "`" + std::string(field.name) + "` wants " + expectation(field) + ", found " + quoted(node.text), hint(field, node.text));
        return std::nullopt;
    }

    std::optional<Value> read_map(const Field& field, const Node& node) {
        if (node.form != Node::Form::map) {
            error("not-a-map", node.at, "`" + std::string(field.name) + "` wants a map, found " + form_name(node), map_hint(field));
            return std::nullopt;
        }
        if (field.required && node.members.empty()) empty(field, node);
        Value map{Value::Form::map, {}, {}, {}, node.at.line, node.at.column};
        for (const Member& member : node.members) {
            std::optional<Value> value;
            if (field.type == Type::list_map) {
                const Field key = field.key_field();
                if (!fits(key, member.key)) {
                    error("wrong-value", member.at, "a key of `" + std::string(field.name) + "` is " + expectation(key) + ", found " + quoted(member.key));
                    continue;
                }
                value = read_value(field.list_of_item(), member.value);
            } else {
                if (field.type == Type::environment && !is_variable(member.key)) {
                    error("wrong-value", member.at, quoted(member.key) + " is not the name of an environment variable", "use letters, digits and _");
                    continue;
                }
                value = read_text(field, member.value);
            }
            if (value) {
                value->key_line = member.at.line;
                value->key_column = member.at.column;
                map.members.push_back({member.key, std::move(*value)});
            }
        }
        return map;
    }

    static bool is_variable(std::string_view name) {
        return !name.empty() && (name[0] < '0' || name[0] > '9') &&
               std::ranges::all_of(name, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
    }

    static std::string map_hint(const Field& field) {
        switch (field.type) {
            case Type::version_map: return R"(such as {cuda: "12.8.1"})";
            case Type::set_map: return R"(such as {cuda: ">=12,<13"})";
            case Type::environment: return R"(such as {NAME: "value"})";
            default: return "of lists, such as {linux-aarch64: [sm_90]}";
        }
    }

    /// A nested fact without an id, such as a claim.
    std::optional<Value> read_nested(const Kind& kind, const Node& node) {
        if (node.form != Node::Form::map) {
            error("not-a-fact", node.at, with_article(kind.name) + " is a map of fields, found " + form_name(node));
            return std::nullopt;
        }
        Value map{Value::Form::map, {}, {}, read_fields(kind, node), node.at.line, node.at.column};
        for (const Field& field : kind.fields)
            if (field.required && !node.find(field.name)) missing(kind, field, node.at);
        return map;
    }

    void empty(const Field& field, const Node& node) {
        error("empty-value", node.at, "`" + std::string(field.name) + "` holds nothing: " + std::string(field.about), "add what belongs there, or remove the fact");
    }

    void missing(const Kind& kind, const Field& field, Place at) {
        error("missing-field", at, with_article(kind.name) + " needs `" + std::string(field.name) + "`: " + std::string(field.about));
    }

    static bool declared_unknown(const Fact& fact, std::string_view field) {
        const auto unknown = fact.texts("unknown");
        return std::ranges::find(unknown, field) != unknown.end();
    }

    /// What the fact states itself counts, but its sources are added to those of the enclosing fact: both speak about it.
    static void inherit_field(Fact& fact, std::string_view name, const Value& value) {
        const auto own = std::ranges::find(fact.fields, name, &model::Entry::name);
        if (own == fact.fields.end()) {
            fact.fields.push_back({std::string(name), value});
        } else if (name == "source") {
            auto& cited = own->value.items;
            for (const Value& citation : value.items)
                if (std::ranges::find(cited, citation.text, &Value::text) == cited.end()) cited.push_back(citation);
        }
    }

    void inherit(Fact& fact, const Fact* parent) const {
        if (parent)
            for (const std::string_view name : fact.kind->inherits)
                if (const Value* value = parent->find(name); value && !declared_unknown(fact, name)) inherit_field(fact, name, *value);
        for (const auto& [kind, fields] : defaults_) {
            if (kind != fact.kind) continue;
            for (const auto& [name, value] : fields)
                if (!fact.find(name) && (name != "derived-by" || fact.find("derived"))) fact.fields.push_back({std::string(name), value});
        }
    }

    /// A field that is stated with a wrong value was reported already and is not also called missing.
    bool check_required(const Fact& fact, const Node& node) {
        bool complete = true;
        for (const Field& field : fact.kind->fields) {
            if (!field.required || fact.find(field.name)) continue;
            complete = false;
            if (!node.find(field.name)) missing(*fact.kind, field, node.at);
        }
        const Node* source = node.find("source");
        const bool stated = source && (source->form != Node::Form::sequence || !source->items.empty());
        if (fact.kind->sourced && fact.texts("source").empty() && !stated)
            error("no-source", node.at, with_article(fact.kind->name) + " needs `source`: every fact says where it was read", "add source: [...], or put it into `defaults`");
        return complete;
    }

    bool make_id(Fact& fact, const Node& node, bool complete) {
        const Kind& kind = *fact.kind;
        if (kind.id.empty()) {
            if (const auto written = std::ranges::find(fact.fields, id_field, &model::Entry::name); written != fact.fields.end()) {
                fact.id = written->value.text;
                fact.fields.erase(written);
                return true;
            }
            if (!node.find(id_field)) error("missing-field", node.at, with_article(kind.name) + " needs `id`: a stable name that nothing else has");
            return false;
        }
        if (!complete) return false;
        fact.id = expand(kind.id, fact);
        return true;
    }

    /// Fills "{component}-{version}" with the texts of the fact; a digest is cut to twelve digits.
    static std::string expand(std::string_view pattern, const Fact& fact) {
        std::string id;
        while (!pattern.empty()) {
            const auto open = pattern.find('{');
            id += pattern.substr(0, open);
            if (open == std::string_view::npos) break;
            const auto close = pattern.find('}', open);
            const auto name = pattern.substr(open + 1, close - open - 1);
            if (name == "parent") id += fact.parent;
            else if (name == "digest") id += fact.text(name).substr(0, 7 + 12);
            else id += fact.text(name);
            pattern.remove_prefix(close + 1);
        }
        return id;
    }

    const std::string& path_;
    std::vector<Fact>& facts_;
    base::Findings& findings_;
    std::vector<std::pair<const Kind*, Fields>> defaults_;
};

}  // namespace

std::vector<std::string_view> sections_of(std::string_view text) {
    std::vector<std::string_view> sections;
    for (const std::string_view line : base::split(text, '\n')) {
        const auto colon = line.find(':');
        if (colon != std::string_view::npos && colon > 0 && line.front() >= 'a' && line.front() <= 'z') sections.push_back(line.substr(0, colon));
    }
    return sections;
}

FileFacts read_file(const SourceText& file) {
    FileFacts read{file.path, {}, {}, {}, true};
    const auto root = yaml::parse(file.text, file.path, read.findings);
    FileReader reader(read);
    read.all_read = root && reader.read(*root);
    read.defaults = reader.defaults();
    return read;
}

namespace {

/// Puts facts of several files together.
class Combiner {
public:
    explicit Combiner(base::Findings& findings) : findings_(findings) {}

    void add(std::vector<Fact> facts) {
        std::unordered_set<std::string> refused;   // what is nested in them goes too
        full_ = false;
        for (Fact& fact : facts) {
            std::string id = fact.id;
            if (refused.contains(fact.parent) || !add(std::move(fact))) refused.insert(std::move(id));
        }
    }

    model::Matrix take() { return std::move(matrix_); }

private:
    bool add(Fact fact) {
        const Kind& kind = *fact.kind;
        const base::Position at = fact.at;
        if (matrix_.facts().size() >= max_facts) {
            if (!full_) findings_.error("too-many", at, "a matrix has at most " + std::to_string(max_facts) + " facts", "split it into layers");
            full_ = true;
            return false;
        }
        const Fact* other = matrix_.add(std::move(fact));
        if (other)
            findings_.error("duplicate-id", at, "the id " + quoted(other->id) + " is taken by " + to_string(other->at),
                            kind.id.empty() ? "give this fact another id" : "merge the two; the id is made of " + std::string(kind.id));
        return !other;
    }

    model::Matrix matrix_;
    base::Findings& findings_;
    bool full_ = false;   ///< said of this file that there are too many facts
};

}  // namespace

model::Matrix combine(std::vector<FileFacts> files, base::Findings& findings) {
    Combiner combiner(findings);
    std::vector<Fact> defaults;
    bool all_read = true;
    for (FileFacts& file : files) {
        findings.add(file.findings);
        combiner.add(std::move(file.facts));
        std::ranges::move(file.defaults, std::back_inserter(defaults));
        all_read = all_read && file.all_read;
    }
    model::Matrix matrix = combiner.take();
    check(matrix, findings, all_read, defaults);
    return matrix;
}

model::Matrix read(std::span<const SourceText> files, base::Findings& findings) {
    std::vector<FileFacts> all;
    std::size_t total = 0;
    for (const SourceText& file : files) {
        total += file.text.size();
        if (total <= max_total_bytes) {
            all.push_back(read_file(file));
            continue;
        }
        findings.error("too-large", {file.path, 0, 0}, "the files of a matrix have at most " + std::to_string(max_total_bytes >> 20) + " MiB together", "split it into layers");
        all.push_back({file.path, {}, {}, {}, false});
        break;
    }
    return combine(std::move(all), findings);
}

}  // namespace vmatrix::matrix
