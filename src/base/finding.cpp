#include "base/finding.hpp"

#include <algorithm>

namespace vmatrix::base {

std::string to_string(const Position& position) {
    if (position.line == 0) return position.file;
    return position.file + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

void Findings::error(std::string code, Position at, std::string message, std::string hint) {
    all_.push_back({Severity::error, std::move(code), std::move(message), std::move(at), std::move(hint)});
}

void Findings::warning(std::string code, Position at, std::string message, std::string hint) {
    all_.push_back({Severity::warning, std::move(code), std::move(message), std::move(at), std::move(hint)});
}

std::vector<Finding> Findings::sorted() const {
    auto result = all_;
    std::ranges::stable_sort(result, {}, &Finding::at);
    return result;
}

std::size_t Findings::errors() const {
    return static_cast<std::size_t>(std::ranges::count(all_, Severity::error, &Finding::severity));
}

}  // namespace vmatrix::base
