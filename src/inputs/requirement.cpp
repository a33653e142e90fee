#include "inputs/requirement.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.hpp"
#include "version/version_set.hpp"

namespace vmatrix::inputs {
namespace {

using version::Scheme;
using version::VersionSet;

constexpr const char* as_for_pip = "write it as for pip: torch, torch==2.6.0, \"torch>=2.6,<2.8\"";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool in_name(char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '.'; }

tl::unexpected<base::Error> expected(const std::string& what, std::string_view found) {
    return base::fail("expected " + what + ", found " + (found.empty() ? "nothing" : "`" + base::printable(found, 60) + "`"), as_for_pip);
}

/// Where the marker begins: at a `;`, for an address at one behind a blank.
std::size_t marker_start(std::string_view text, bool address) {
    if (!address) return text.find(';');
    const auto blank = std::min(text.find(" ;"), text.find("\t;"));
    return blank == std::string_view::npos ? blank : blank + 1;
}

base::Result<void> check_versions(const std::string& versions) {
    if (versions.empty()) return {};
    if (std::string_view("=<>!~").find(versions.front()) == std::string_view::npos) return expected("one of == >= <= ~= != < > behind the name", versions);
    if (versions.size() > 1 && versions.front() == '=' && versions[1] != '=') return expected("`==`", versions);
    const auto set = VersionSet::parse(Scheme::pep440, versions);
    if (!set) return base::fail(set.error().message, set.error().hint.empty() ? as_for_pip : set.error().hint);
    if (set->empty()) return base::fail("no version can be `" + base::printable(versions) + "`", "one of the bounds is wrong");
    return {};
}

std::string without_percent(std::string_view text) {
    const auto value = [](char c) { return is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10; };
    const auto is_hex = [](char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); };
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size() && is_hex(text[i + 1]) && is_hex(text[i + 2])) {
            plain += static_cast<char>(value(text[i + 1]) * 16 + value(text[i + 2]));
            i += 2;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

}  // namespace

std::string normal_name(std::string_view name) {
    std::string normal = base::lower(name);
    std::ranges::replace_if(normal, [](char c) { return c == '_' || c == '.'; }, '-');
    return normal;
}

base::Result<Requirement> parse_requirement(std::string_view text) {
    text = base::trim(text);
    const auto name_end = static_cast<std::size_t>(std::ranges::find_if_not(text, in_name) - text.begin());
    Requirement requirement;
    requirement.name = std::string(text.substr(0, name_end));
    const auto usable = [](char c) { return is_letter(c) || is_digit(c); };
    if (requirement.name.empty() || !usable(requirement.name.front()) || !usable(requirement.name.back())) return expected("the name of a package", text);
    auto rest = base::trim(text.substr(name_end));
    if (rest.starts_with('[')) {
        const auto end = rest.find(']');
        if (end == std::string_view::npos) return expected("`]` behind the extras", rest);
        rest = base::trim(rest.substr(end + 1));   // extras choose no version
    }
    const bool address = rest.starts_with('@');
    const auto marker = marker_start(rest, address);
    if (marker != std::string_view::npos) {
        requirement.marker = std::string(base::trim(rest.substr(marker + 1)));
        if (requirement.marker.empty()) return expected("a marker behind `;`", {});
        rest = base::trim(rest.substr(0, marker));
    }
    if (address) {
        requirement.address = std::string(base::trim(rest.substr(1)));
        if (requirement.address.empty()) return expected("an address behind `@`", {});
        return requirement;
    }
    if (rest.starts_with('(') && rest.ends_with(')')) rest = base::trim(rest.substr(1, rest.size() - 2));
    requirement.versions = std::string(rest);
    if (auto checked = check_versions(requirement.versions); !checked) return tl::make_unexpected(checked.error());
    return requirement;
}

std::optional<Requirement> read_wheel_name(std::string_view address) {
    address = address.substr(0, address.find_first_of("#?"));
    if (!address.ends_with(".whl")) return std::nullopt;
    const std::string file = without_percent(address.substr(address.rfind('/') + 1));
    const auto parts = base::split(file, '-');
    constexpr std::size_t fewest = 5, most = 6;   // name, version, perhaps a build number, and three tags
    if (parts.size() < fewest || parts.size() > most) return std::nullopt;
    auto requirement = parse_requirement(std::string(parts[0]) + "==" + std::string(parts[1]));
    return requirement ? std::optional(std::move(*requirement)) : std::nullopt;
}

std::string label_of_index(std::string_view address) {
    while (address.ends_with('/')) address.remove_suffix(1);
    std::string last = base::lower(address.substr(address.rfind('/') + 1));
    static constexpr std::array<std::string_view, 2> whole{"cpu", "xpu"};
    if (std::ranges::find(whole, last) != whole.end()) return last;
    for (const std::string_view beginning : {"cu", "rocm"}) {
        const auto rest = std::string_view(last).substr(std::min(beginning.size(), last.size()));
        const bool numbers = std::ranges::all_of(rest, [](char c) { return is_digit(c) || c == '.'; });
        if (last.starts_with(beginning) && !rest.empty() && is_digit(rest.front()) && numbers) return last;
    }
    return {};
}

}  // namespace vmatrix::inputs
