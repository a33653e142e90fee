/// A broken invariant of the program itself; caught only in main, which asks for a report.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

namespace vmatrix::base {

class Bug : public std::logic_error {
public:
    explicit Bug(const std::string& what, std::source_location where = std::source_location::current())
        : std::logic_error(std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": " + what) {}
};

}  // namespace vmatrix::base
