/// What does not work on a card, and why, in a few words.
#pragma once

#include <string>
#include <vector>

#include "app/citations.hpp"
#include "compat/answer.hpp"
#include "compat/host.hpp"

namespace vmatrix::app {

/// A build with what the rules say of it on the card; `why` is empty where nothing is wrong with it.
struct JudgedBuild {
    compat::Build build;
    compat::Level level = compat::Level::unknown;
    std::string why;
};

/// The builds of a package for cards of this maker on the host's platform, newest first.
[[nodiscard]] std::vector<JudgedBuild> judge_builds(const model::Matrix& matrix, const compat::Host& host, const std::string& package);

/// One line for each reason: "torch +cu92 to +cu126, torch>=2.11.0+cu128: no code". Adds the builds at the ends of each range.
[[nodiscard]] std::vector<std::string> bad_builds(const std::vector<JudgedBuild>& builds, Citations& citations);
/// Overrides that do harm on the card.
[[nodiscard]] std::vector<std::string> bad_overrides(const model::Matrix& matrix, const compat::Card& card, Citations& citations);
/// Known issues that name the card or its architecture and that a user would meet.
[[nodiscard]] std::vector<std::string> known_issues(const model::Matrix& matrix, const std::string& package, const compat::Card& card, Citations& citations);

}  // namespace vmatrix::app
