#include "model/fact.hpp"

namespace vmatrix::model {

const Value* Fact::find(std::string_view field) const { return fields.find(field); }

const Value* Fact::find(std::string_view field, std::string_view key) const {
    const Value* map = find(field);
    return map ? map->find(key) : nullptr;
}

std::string_view Fact::text(std::string_view field) const {
    const Value* value = find(field);
    return value ? std::string_view(value->text) : std::string_view();
}

std::vector<std::string_view> Fact::texts(std::string_view field) const {
    std::vector<std::string_view> result;
    if (const Value* value = find(field))
        for (const Value& item : value->items) result.push_back(item.text);
    return result;
}

Citation parse_citation(std::string_view text) {
    const auto hash = text.find('#');
    if (hash == std::string_view::npos) return {text, {}};
    return {text.substr(0, hash), text.substr(hash + 1)};
}

}  // namespace vmatrix::model
