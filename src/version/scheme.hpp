/// How versions of a component are written and compared.
#pragma once

#include <string_view>

#include "base/result.hpp"

namespace vmatrix::version {

enum class Scheme {
    pep440,  ///< PEP 440, the scheme of Python packages: "2.9.1", "2.7.0+cu128", "1.0rc1"
    dotted,  ///< numbers and a flavour that does not count: "570.124.06", "2.27.5-1", "6.8.0-45-generic"
    opaque,  ///< any visible ASCII text; equal or not equal, without an order
};

/// "pep440", "dotted" or "opaque".
[[nodiscard]] base::Result<Scheme> parse_scheme(std::string_view text);
[[nodiscard]] std::string_view to_string(Scheme scheme);

}  // namespace vmatrix::version
