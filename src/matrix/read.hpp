/// Matrix files -> facts. Works on texts, so that a folder, a git tree and a test read the same way.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"
#include "model/matrix.hpp"

namespace vmatrix::matrix {

inline constexpr std::size_t max_total_bytes = 64u << 20;
inline constexpr std::size_t max_facts = 200'000;

struct SourceText {
    std::string path;    ///< for messages and ids of positions
    std::string text;
};

/// The sections that a file has, by its unindented lines; cheap, for deciding whether to read it at all.
[[nodiscard]] std::vector<std::string_view> sections_of(std::string_view text);

/// What one file says by itself, before it is seen with the others.
struct FileFacts {
    std::string path;
    std::vector<model::Fact> facts;      ///< in file order, each after the one it is nested in
    std::vector<model::Fact> defaults;   ///< as if they were facts
    base::Findings findings;
    bool all_read = true;                ///< else a file or a section could not be read, so that what others refer to may have been there
};
[[nodiscard]] FileFacts read_file(const SourceText& file);
/// One matrix of all files, with the mistakes of each and those that show only together.
[[nodiscard]] model::Matrix combine(std::vector<FileFacts> files, base::Findings& findings);

/// Reads all files. Every mistake of all files goes to `findings`; what could be read is in the result, so that one
/// broken fact does not hide the mistakes of the others. Includes check() of references and versions.
[[nodiscard]] model::Matrix read(std::span<const SourceText> files, base::Findings& findings);

/// The references, versions and citations of facts that were read, and of `more`; needs the whole vocabulary. Where a file or a section
/// could not be read (`all_read` false), it says nothing about names that are not known: they may stand there.
void check(const model::Matrix& matrix, base::Findings& findings, bool all_read = true, std::span<const model::Fact> more = {});

}  // namespace vmatrix::matrix
