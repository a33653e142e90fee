/// The subset of YAML that the files of a matrix and other people's inputs may use, as a tree with positions and styles. Anchors,
/// aliases, tags, complex keys and second documents are refused; size and depth are bounded (docs/matrix-format.md).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"

namespace vmatrix::yaml {

inline constexpr std::size_t max_file_bytes = 4u << 20;
inline constexpr std::size_t max_text_bytes = 64u << 10;
inline constexpr std::size_t max_depth = 12;
inline constexpr std::size_t max_nodes = 1'000'000;

/// Line and column from 1; columns count characters.
struct Place {
    std::size_t line = 0;
    std::size_t column = 0;
};

struct Member;

struct Node {
    enum class Form { null, scalar, sequence, map };
    enum class Style { plain, quoted, folded, block, flow };   ///< the first three for scalars, the last two for collections

    Form form = Form::null;
    Style style = Style::plain;
    Place at;
    std::string text;             ///< of a scalar
    std::vector<Node> items;      ///< of a sequence
    std::vector<Member> members;  ///< of a map, in file order; a repeated key is reported and dropped

    [[nodiscard]] const Node* find(std::string_view key) const;
};

struct Member {
    std::string key;
    Place at;      ///< of the key
    Node value;
};

/// Windows editors begin files with one; it means nothing and is no part of the first line.
[[nodiscard]] std::string_view without_byte_order_mark(std::string_view text);

/// Null if the text cannot be read at all; what is wrong goes to `findings` under the name `file`.
[[nodiscard]] std::optional<Node> parse(std::string_view text, const std::string& file, base::Findings& findings);

}  // namespace vmatrix::yaml
