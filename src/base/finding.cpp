#include "base/finding.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace vmatrix::base {

std::string to_string(const Position& position) {
    std::string file = printable(position.file, 300);
    if (position.line == 0) return file;
    return file + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

void Findings::keep(Finding finding) {
    ++(finding.severity == Severity::error ? errors_ : warnings_);
    if (all_.size() < max_kept) all_.push_back(std::move(finding));
}

void Findings::error(std::string code, Position at, std::string message, std::string hint) {
    keep({Severity::error, std::move(code), std::move(message), std::move(at), std::move(hint)});
}

void Findings::warning(std::string code, Position at, std::string message, std::string hint) {
    keep({Severity::warning, std::move(code), std::move(message), std::move(at), std::move(hint)});
}

void Findings::add(const Findings& others) {
    for (const Finding& finding : others.all_) keep(finding);
    const std::size_t kept = others.all_.size(), all = others.errors_ + others.warnings_;
    if (all > kept) errors_ += all - kept;   // those that were only counted
}

std::vector<Finding> Findings::sorted() const {
    auto result = all_;
    std::ranges::stable_sort(result, {}, &Finding::at);
    return result;
}

}  // namespace vmatrix::base
