// The second pass: what a value refers to must exist, and versions must follow the scheme of their component.
#include <unordered_set>

#include "base/text.hpp"
#include "matrix/grammar.hpp"
#include "matrix/read.hpp"
#include "version/version_set.hpp"

namespace vmatrix::matrix {
namespace {

using model::Fact;
using model::Field;
using model::Type;
using model::Value;

std::string quoted(std::string_view text) { return "`" + base::printable(text, 60) + "`"; }

class Checker {
public:
    Checker(const model::Matrix& matrix, base::Findings& findings, bool all_read) : matrix_(matrix), findings_(findings), all_read_(all_read) {}

    void check(const Fact& fact) {
        for (const auto& [name, value] : fact.fields)
            if (const Field* field = fact.kind->field(name)) check(fact, *field, value);
    }

private:
    void error(const Fact& fact, const Value& value, const char* code, std::string message, std::string hint = {}) {
        const base::Position at = fact.position(value);
        if (!seen_.insert(to_string(at) + code).second) return;   // a default or inherited value is checked with each heir
        findings_.error(code, at, std::move(message), std::move(hint));
    }

    void check(const Fact& fact, const Field& field, const Value& value) {
        if (field.list) {
            for (const Value& item : value.items) check_single(fact, field, item);
        } else {
            check_single(fact, field, value);
        }
    }

    void check_single(const Fact& fact, const Field& field, const Value& value) {
        switch (field.type) {
            case Type::reference: return check_reference(fact, field, value);
            case Type::citation: return check_citation(fact, value);
            case Type::field_name: return check_field_name(fact, *fact.kind, value);
            case Type::index:
                if (value.text.find("://") == std::string::npos && value.text != "pypi") check_reference_to(fact, "wheel-index", value);
                return;
            case Type::dotted: return check_version(fact, version::Scheme::dotted, value);
            case Type::kernel: return check_version(fact, version::Scheme::dotted, value);
            case Type::version_set: return check_set(fact, version::Scheme::dotted, value);
            case Type::version: return check_release_version(fact, value);
            case Type::requirement: return check_requirement(fact, value);
            case Type::version_map:
            case Type::set_map: return check_components(fact, field, value);
            case Type::list_map:
                for (const auto& [platform, list] : value.members) check(fact, field.list_of_item(), list);
                return;
            case Type::facts: return check_claim(fact, value);
            default: return;
        }
    }

    void check_reference(const Fact& fact, const Field& field, const Value& value) { check_reference_to(fact, field.target, value); }

    void check_reference_to(const Fact& fact, std::string_view kind, const Value& value) {
        if (!all_read_ || matrix_.find(kind, value.text)) return;
        error(fact, value, "unknown-reference", "there is no " + std::string(kind) + " " + quoted(value.text), near(value.text, kind));
    }

    /// "did you mean …?", or nothing. It costs a look at every name there is, so a file of nothing but unknown names gets some only.
    std::string near(std::string_view name, std::string_view kind) {
        constexpr std::size_t most = 500;
        if (++looked_up_ > most) return {};
        const auto known = matrix_.ids(kind);
        return base::did_you_mean(base::nearest(name, known));
    }

    void check_citation(const Fact& fact, const Value& value) {
        const auto source = model::parse_citation(value.text).source;
        if (!all_read_ || matrix_.find("source", source)) return;
        const std::string hint = near(source, "source");
        error(fact, value, "unknown-source", "there is no source " + quoted(source), hint.empty() ? "add it under matrix/sources/" : hint);
    }

    void check_field_name(const Fact& fact, const model::Kind& kind, const Value& value) {
        if (kind.field(value.text)) return;
        std::vector<std::string_view> names;
        for (const Field& field : kind.fields) names.push_back(field.name);
        error(fact, value, "unknown-field", "`" + std::string(kind.name) + "` has no field " + quoted(value.text), base::did_you_mean(base::nearest(value.text, names)));
    }

    void check_claim(const Fact& fact, const Value& claim) {
        if (const Value* field = claim.find("field")) check_field_name(fact, *fact.kind, *field);
        if (const Value* source = claim.find("source"))
            for (const Value& citation : source->items) check_citation(fact, citation);
    }

    void check_version(const Fact& fact, version::Scheme scheme, const Value& value) {
        const auto text = base::split(value.text, ' ').front();
        if (const auto version = version::Version::parse(scheme, text); !version) error(fact, value, "wrong-version", version.error().message, version.error().hint);
    }

    void check_set(const Fact& fact, version::Scheme scheme, const Value& value) {
        const auto set = version::VersionSet::parse(scheme, value.text);
        if (!set) return error(fact, value, "wrong-version-set", set.error().message, set.error().hint);
        if (set->empty()) error(fact, value, "empty-version-set", "no version can satisfy " + quoted(value.text), "look at the bounds");
    }

    void check_release_version(const Fact& fact, const Value& value) {
        if (!matrix_.find("component", fact.text("component"))) return;   // reported as a reference
        if (const auto scheme = matrix_.scheme(fact.text("component"))) check_version(fact, *scheme, value);
    }

    void check_requirement(const Fact& fact, const Value& value) {
        const auto end = value.text.find_first_of("=<>!~[ ");
        const auto bracket = value.text.find(']');
        const auto specifiers = std::string_view(value.text).substr(bracket == std::string::npos ? end : bracket + 1);
        if (base::trim(specifiers).empty()) return;
        check_set(fact, version::Scheme::pep440, {Value::Form::text, std::string(specifiers), {}, {}, value.line, value.column});
    }

    void check_components(const Fact& fact, const Field& field, const Value& map) {
        for (const auto& [component, value] : map.members) {
            if (!matrix_.find("component", component)) {
                Value key = value;
                key.line = value.key_line;
                key.column = value.key_column;
                if (all_read_) error(fact, key, "unknown-component", "`" + base::printable(component) + "` is not a component", near(component, "component"));
                continue;
            }
            const auto scheme = matrix_.scheme(component);
            if (!scheme) continue;   // its own value was wrong
            if (field.type == Type::set_map) check_set(fact, *scheme, value);
            else check_version(fact, *scheme, value);
        }
    }

    const model::Matrix& matrix_;
    base::Findings& findings_;
    bool all_read_;
    std::size_t looked_up_ = 0;
    std::unordered_set<std::string> seen_;
};

}  // namespace

void check(const model::Matrix& matrix, base::Findings& findings, bool all_read, std::span<const Fact> more) {
    Checker checker(matrix, findings, all_read);
    for (const Fact& fact : matrix.facts()) checker.check(fact);
    for (const Fact& fact : more) checker.check(fact);
}

}  // namespace vmatrix::matrix
