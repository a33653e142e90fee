/// The neutral form of every answer: texts, numbers, lists and records. Formats are chosen last (format.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace vmatrix::report {

struct Tree {
    enum class Form { null, text, number, boolean, list, record };

    Form form = Form::null;
    std::string text;                                     ///< also of a number, as it is to be printed
    bool truth = false;
    std::vector<Tree> items;
    std::vector<std::pair<std::string, Tree>> members;    ///< of a record, in order

    static Tree of(std::string value) { return {Form::text, std::move(value), false, {}, {}}; }
    static Tree number(std::string value) { return {Form::number, std::move(value), false, {}, {}}; }
    static Tree number(std::uint64_t value) { return number(std::to_string(value)); }
    static Tree boolean(bool value) { return {Form::boolean, {}, value, {}, {}}; }
    static Tree list(std::vector<Tree> items = {}) { return {Form::list, {}, false, std::move(items), {}}; }
    static Tree record() { return {Form::record, {}, false, {}, {}}; }

    /// Adds a member to a record; returns the record, for chaining.
    Tree& set(std::string name, Tree value) {
        members.emplace_back(std::move(name), std::move(value));
        return *this;
    }
    Tree& set(std::string name, std::string value) { return set(std::move(name), of(std::move(value))); }
};

}  // namespace vmatrix::report
