/// The golden files: requests with the short answers that are right.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "shipped.hpp"

namespace mutation {

struct Golden {
    std::string about;    ///< id of the fact that it is a witness for
    std::string ask;      ///< with values in braces: one request for each
    std::string right;    ///< the answer, as `merged` writes it
    std::string file;
    std::size_t line = 0;
};
/// All golden files of a folder. Throws std::runtime_error for what cannot be read.
[[nodiscard]] std::vector<Golden> read_golden(const std::string& folder);
/// Writes them back with the answers of now, those without a request left out.
void write_golden(const std::string& folder, const Shipped& shipped, const std::vector<Golden>& all);

/// Answers requests, from several threads; requests that need the same part of the matrix share it.
class Answers {
public:
    explicit Answers(const Shipped& shipped) : shipped_(shipped) {}
    [[nodiscard]] Answer of(const std::string& request, const std::string& about);
    [[nodiscard]] std::string of_all(const Golden& golden);

private:
    [[nodiscard]] const Matrix& part_for(const Ask& ask);

    const Shipped& shipped_;
    std::mutex mutex_;
    std::map<Part, Matrix> parts_;
};

}  // namespace mutation
