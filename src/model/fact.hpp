/// A statement of the matrix as it was read: kind, id, field values with positions, sources. Values stay text; the
/// schema says what a text means, and the reader has checked it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"
#include "model/fields.hpp"
#include "model/schema.hpp"

namespace vmatrix::model {

struct Fact {
    const Kind* kind = nullptr;
    std::string id;
    std::string parent;                                ///< id of the enclosing fact; empty at top level
    base::Position at;
    Fields fields;                                     ///< defaults and inheritance applied

    [[nodiscard]] const Value* find(std::string_view field) const;
    /// An entry of a map field; null when either is absent.
    [[nodiscard]] const Value* find(std::string_view field, std::string_view key) const;
    /// Text of a field, empty when absent.
    [[nodiscard]] std::string_view text(std::string_view field) const;
    /// Texts of a list field, empty when absent.
    [[nodiscard]] std::vector<std::string_view> texts(std::string_view field) const;
    [[nodiscard]] base::Position position(const Value& value) const { return {at.file, value.line, value.column}; }
};

/// A citation cut into its parts: "pytorch/builder#manywheel/build_cuda.sh" -> {"pytorch/builder", "manywheel/build_cuda.sh"}.
struct Citation {
    std::string_view source;
    std::string_view place;    ///< may be empty
};
[[nodiscard]] Citation parse_citation(std::string_view text);

}  // namespace vmatrix::model
