#include "app/matrix_schema.hpp"

#include "base/text.hpp"
#include "model/schema.hpp"

namespace vmatrix::app {
namespace {

using model::Field;
using model::Kind;
using model::Type;
using report::Tree;

Tree typed(std::string type) { return std::move(Tree::record().set("type", std::move(type))); }
Tree pattern(std::string expression) { return std::move(typed("string").set("pattern", std::move(expression))); }
Tree definition(std::string_view kind) { return std::move(Tree::record().set("$ref", "#/$defs/" + std::string(kind))); }

constexpr const char* id_pattern = "^[a-z0-9][a-z0-9._+/:-]*$";

Tree property(const Field& field);

Tree single(const Field& field) {
    switch (field.type) {
        case Type::integer: return std::move(typed("integer").set("exclusiveMinimum", Tree::number("0")));
        case Type::number: return std::move(typed("number").set("exclusiveMinimum", Tree::number("0")));
        case Type::boolean: return typed("boolean");
        case Type::id:
        case Type::reference:
        case Type::field_name: return pattern(id_pattern);
        case Type::word: {
            Tree words = Tree::list();
            for (const auto word : field.words) words.items.push_back(Tree::of(std::string(word)));
            return std::move(Tree::record().set("enum", std::move(words)));
        }
        case Type::platform: {
            const std::vector<std::string> names(model::platforms().begin(), model::platforms().end());
            return pattern("^(" + base::join(names, "|") + ")$");
        }
        case Type::date: return pattern("^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$");
        case Type::url: return pattern("^https://[^ /?#]");
        case Type::repository: return pattern("^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$");
        case Type::python: return pattern("^(0|[1-9][0-9]*)[.](0|[1-9][0-9]*)t?$");
        case Type::pci: return pattern("^[0-9a-f]{4}:[0-9a-f]{4}(:[0-9a-f]{2}|/[0-9a-f]{4}:[0-9a-f]{4})?$");
        case Type::pci_vendor: return pattern("^[0-9a-f]{4}$");
        case Type::digest: return pattern("^sha256:[0-9a-f]{64}$");
        case Type::version_map:
        case Type::set_map:
        case Type::environment: return std::move(typed("object").set("additionalProperties", typed("string")));
        case Type::list_map: return std::move(typed("object").set("additionalProperties", property(field.list_of_item())));
        case Type::facts: return definition(field.target);
        default: return typed("string");
    }
}

Tree property(const Field& field) {
    Tree value = field.list ? std::move(typed("array").set("items", single(field))) : single(field);
    const bool object = value.members.front().second.text == "object";
    if (field.required && (field.list || object)) value.set(field.list ? "minItems" : "minProperties", Tree::number("1"));
    if (value.members.front().first != "$ref" && !field.about.empty()) value.set("description", std::string(field.about));
    return value;
}

/// A fact may leave out what `defaults` gives, so nothing but `id` is demanded here; lint knows the rest.
Tree fact_schema(const Kind& kind, bool with_id, bool defaults = false) {
    Tree properties = Tree::record();
    if (with_id) properties.set("id", pattern(id_pattern));
    for (const Field& field : kind.fields)
        if (!defaults || field.type != Type::facts) properties.set(std::string(field.name), property(field));
    if (kind.name != "claim")
        for (const Field& field : model::common_fields()) properties.set(std::string(field.name), property(field));
    Tree schema = typed("object");
    schema.set("description", std::string(kind.about)).set("properties", std::move(properties)).set("additionalProperties", Tree::boolean(false));
    if (with_id) schema.set("required", Tree::list({Tree::of("id")}));
    return schema;
}

std::string type_name(const Field& field) {
    switch (field.type) {
        case Type::id: return "id";
        case Type::text: return "text";
        case Type::word: {
            std::string words;
            for (const auto word : field.words) words += (words.empty() ? "`" : ", `") + std::string(word) + "`";
            return words;
        }
        case Type::integer: return "integer";
        case Type::number: return "number";
        case Type::boolean: return "boolean";
        case Type::date: return "date";
        case Type::url: return "address";
        case Type::repository: return "owner/name";
        case Type::citation: return "citation";
        case Type::field_name: return "field name";
        case Type::reference: return "id of " + base::with_article(field.target);
        case Type::version: return "version";
        case Type::version_map: return "map of component to version";
        case Type::set_map: return "map of component to version set";
        case Type::version_set: return "version set";
        case Type::dotted: return "dotted number";
        case Type::kernel: return "kernel";
        case Type::os: return "operating system";
        case Type::python: return "Python";
        case Type::platform: return "platform";
        case Type::pci_vendor: return "PCI vendor id";
        case Type::pci: return "PCI id";
        case Type::digest: return "digest";
        case Type::requirement: return "requirement";
        case Type::index: return "`pypi`, wheel index or address";
        case Type::environment: return "map of variable to value";
        case Type::list_map: return "map of " + type_name(field.key_field()) + " to list of " + type_name(field.list_of_item());
        case Type::facts: return std::string(field.target) + " facts";
    }
    return {};
}

std::string field_table(const Kind& kind) {
    const bool written = kind.id.empty() && !kind.section.empty();
    std::string text = "### " + std::string(kind.name) + "\n\n" + std::string(kind.about) + ". ";
    if (!kind.section.empty()) text += "Section `" + std::string(kind.section) + "`; ";
    text += written ? "the id is written" : kind.id.empty() ? "no id" : "id `" + std::string(kind.id) + "`";
    text += kind.sourced ? ".\n" : "; needs no source.\n";
    if (!kind.inherits.empty()) {
        text += "Inherits from the enclosing fact:";
        for (const auto name : kind.inherits) text += std::string(name == kind.inherits.front() ? " `" : ", `") + std::string(name) + "`";
        text += ".\n";
    }
    text += "\n| field | holds | meaning |\n| --- | --- | --- |\n";
    for (const Field& field : kind.fields)
        text += "| `" + std::string(field.name) + "`" + (field.required ? " *" : "") + " | " + (field.list ? "list of " : "") + type_name(field) + " | " + std::string(field.about) + " |\n";
    return text + "\n";
}

}  // namespace

std::string field_tables() {
    std::string text = "A `*` marks what every fact of the kind must have.\n\n";
    for (const Kind& kind : model::kinds()) text += field_table(kind);
    text.pop_back();
    return text;
}

Tree matrix_schema() {
    Tree sections = Tree::record(), defaults = Tree::record(), definitions = Tree::record();
    for (const Kind& kind : model::kinds()) {
        const std::string name(kind.name), section(kind.section);
        definitions.set(name, fact_schema(kind, kind.id.empty() && !section.empty()));
        if (section.empty()) continue;
        sections.set(section, std::move(typed("array").set("items", definition(name))));
        defaults.set(section, fact_schema(kind, false, true));
    }
    Tree all_defaults = typed("object");
    all_defaults.set("description", "fields given to every fact of a section in this file").set("properties", std::move(defaults));
    all_defaults.set("additionalProperties", Tree::boolean(false));
    sections.set("defaults", std::move(all_defaults));
    Tree schema = Tree::record();
    schema.set("$schema", "https://json-schema.org/draft/2020-12/schema").set("title", "vmatrix matrix file").set("type", "object");
    schema.set("properties", std::move(sections)).set("additionalProperties", Tree::boolean(false)).set("$defs", std::move(definitions));
    return schema;
}

}  // namespace vmatrix::app
