/// What each card gets of a package, and what it does not: the rows of the table of cards, before anybody chose a format.
#pragma once

#include <string>
#include <vector>

#include "app/least_driver.hpp"
#include "base/result.hpp"

namespace vmatrix::app {

/// An architecture with the cards that people own, or a card that was asked for. A text is empty where there is no such thing or
/// nobody knows.
struct CardRow {
    std::vector<std::string> cards;          ///< names, the best known first
    std::string architecture, title;         ///< "sm_90", "sm_90 (Hopper)"
    std::string vendor, platform;            ///< "NVIDIA", "linux-x86_64"
    compat::Level level = compat::Level::broken;
    std::string build;                       ///< "2.9.1+cu128"
    std::string runtime, runtime_version;    ///< "cuda", "12.8.1"
    std::vector<std::string> pythons;
    std::string driver_component;
    std::vector<LeastDriver> least_drivers;
    std::string last_branch;                 ///< of the driver, where newer ones do not serve the card
    std::vector<std::string> other_builds;   ///< labels of the same release that do too
    std::string last_release;                ///< with code for the card, where newer ones have none
    std::string image, image_holds;          ///< "torch 2.8.0, rocm 6.4", where that is not the stack itself
    std::vector<std::string> known_bad;
    Citations citations;
};

/// A row for each architecture that cards of people have (`gpus` empty), those of the newest generation first; or for each
/// architecture that the names mean, in their order. Errors: unknown names; a package without builds.
[[nodiscard]] base::Result<std::vector<CardRow>> card_rows(const model::Matrix& matrix, const std::vector<std::string>& gpus, const std::string& package);

}  // namespace vmatrix::app
