/// All facts of one matrix, by id and by kind.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "model/fact.hpp"
#include "model/packed.hpp"
#include "version/version.hpp"

namespace vmatrix::model {

class Matrix {
public:
    /// Adds a fact; returns the one that already has its id instead, or null if there was none. Vocabulary (kinds that
    /// need no source) has ids of its own per kind, all other facts share one space of ids.
    const Fact* add(Fact fact);

    /// Keeps what packed facts were taken from.
    void keep(std::shared_ptr<const Packed> packed) { packed_.push_back(std::move(packed)); }
    /// Unpacks all facts, after which several threads may share the matrix.
    void unpack() const;

    /// In file order.
    [[nodiscard]] const std::deque<Fact>& facts() const { return facts_; }
    /// Facts of one kind, in file order; empty for a kind without facts.
    [[nodiscard]] const std::vector<const Fact*>& of(std::string_view kind) const;
    /// A fact by its id, vocabulary left out; null when there is none.
    [[nodiscard]] const Fact* find(std::string_view id) const;
    /// A fact of this kind; null when there is none.
    [[nodiscard]] const Fact* find(std::string_view kind, std::string_view id) const;
    /// Facts nested in this one.
    [[nodiscard]] const std::vector<const Fact*>& nested(const Fact& parent) const;
    /// Ids of all facts of a kind.
    [[nodiscard]] std::vector<std::string_view> ids(std::string_view kind) const;

    /// How the versions of a component compare.
    [[nodiscard]] base::Result<version::Scheme> scheme(std::string_view component) const;

private:
    std::vector<std::shared_ptr<const Packed>> packed_;   // before the facts: they rest on it
    std::deque<Fact> facts_;
    std::unordered_map<std::string_view, const Fact*> by_id_;
    std::unordered_map<std::string_view, std::unordered_map<std::string_view, const Fact*>> vocabulary_;   ///< kind, id
    std::unordered_map<std::string_view, std::vector<const Fact*>> by_kind_;
    std::unordered_map<std::string_view, std::vector<const Fact*>> by_parent_;
};

}  // namespace vmatrix::model
