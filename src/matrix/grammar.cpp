#include "matrix/grammar.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <vector>

#include "base/text.hpp"
#include "model/gpu_names.hpp"

namespace vmatrix::matrix {
namespace {

using model::Type;

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

bool all_of(std::string_view text, auto predicate) { return !text.empty() && std::ranges::all_of(text, predicate); }
bool digits(std::string_view text) { return all_of(text, is_digit); }
bool hex(std::string_view text, std::size_t length) { return text.size() == length && all_of(text, is_hex); }

bool is_id(std::string_view text) {
    return all_of(text, [](char c) { return is_lower(c) || is_digit(c) || std::string_view("._+/:-").find(c) != std::string_view::npos; }) &&
           (is_lower(text.front()) || is_digit(text.front()));
}

bool between(std::string_view text, int low, int high) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() && value >= low && value <= high;
}

bool is_date(std::string_view text) {
    const auto parts = base::split(text, '-');
    static constexpr std::array<int, 12> days{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (parts.size() > 3 || parts[0].size() != 4 || !between(parts[0], 1990, 2099)) return false;
    if (parts.size() > 1 && (parts[1].size() != 2 || !between(parts[1], 1, 12))) return false;
    if (parts.size() < 3) return true;
    int month = 0;
    std::from_chars(parts[1].data(), parts[1].data() + parts[1].size(), month);
    int year = 0;
    std::from_chars(parts[0].data(), parts[0].data() + parts[0].size(), year);
    const int shorter = month == 2 && year % 4 != 0 ? 1 : 0;   // 1990 to 2099
    return parts[2].size() == 2 && between(parts[2], 1, days[static_cast<std::size_t>(month - 1)] - shorter);
}

bool is_url(std::string_view text) {
    constexpr std::string_view scheme = "https://";
    if (!text.starts_with(scheme) || text.size() == scheme.size()) return false;
    const char first = text[scheme.size()];
    const bool host = is_lower(first) || is_upper(first) || is_digit(first) || static_cast<unsigned char>(first) >= 0x80;
    return host && std::ranges::none_of(text, [](char c) { return c == ' ' || c == '"' || c == '<' || c == '>' || c == '`' || c == '\\'; });
}

bool is_index(std::string_view text) { return text.find("://") == std::string_view::npos ? is_id(text) : is_url(text); }

bool is_repository(std::string_view text) {
    const auto parts = base::split(text, '/');
    const auto name = [](std::string_view part) {
        const bool step = part == "." || part == "..";   // of a path
        return !step && all_of(part, [](char c) { return is_lower(c) || is_upper(c) || is_digit(c) || c == '-' || c == '_' || c == '.'; });
    };
    return parts.size() == 2 && name(parts[0]) && name(parts[1]);
}

bool is_dotted(std::string_view text) { return !text.empty() && is_digit(text.front()) && text.find(' ') == std::string_view::npos; }

bool is_kernel(std::string_view text) {
    const auto parts = base::split(text, ' ');
    return parts.size() <= 2 && is_dotted(parts[0]) && (parts.size() == 1 || all_of(parts[1], [](char c) { return is_upper(c) || is_lower(c) || is_digit(c); }));
}

bool is_os(std::string_view text) {
    const auto colon = text.find(':');
    const auto version = colon == std::string_view::npos ? std::string_view("1") : text.substr(colon + 1);
    const auto word = [](char c) { return is_lower(c) || is_digit(c) || c == '-' || c == '.' || c == '_'; };
    return is_id(text.substr(0, colon)) && all_of(version, word);
}

bool is_python(std::string_view text) {
    const auto parts = base::split(text.ends_with('t') ? text.substr(0, text.size() - 1) : text, '.');
    const auto number = [](std::string_view part) { return digits(part) && (part.size() == 1 || part.front() != '0'); };
    return parts.size() == 2 && number(parts[0]) && number(parts[1]);
}

bool is_requirement(std::string_view text) {
    const auto name_end = text.find_first_of("=<>!~[ ");
    return name_end != std::string_view::npos && name_end > 0 &&
           all_of(text.substr(0, name_end), [](char c) { return is_lower(c) || is_upper(c) || is_digit(c) || c == '-' || c == '_' || c == '.'; });
}

bool is_environment_value(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return is_lower(c) || is_upper(c) || is_digit(c) || std::string_view("._,:/=<>+-").find(c) != std::string_view::npos; });
}

bool is_citation(std::string_view text) {
    const auto hash = text.find('#');
    return is_id(text.substr(0, hash)) && (hash == std::string_view::npos || !base::trim(text.substr(hash + 1)).empty());
}

/// As JSON has it: YAML 1.1 reads 010 as 8.
bool is_whole(std::string_view text) { return digits(text) && text.size() < 18 && (text.size() == 1 || text.front() != '0'); }

bool is_number(std::string_view text) {
    const auto dot = text.find('.');
    return is_whole(text.substr(0, dot)) && (dot == std::string_view::npos || digits(text.substr(dot + 1)));
}

bool above_zero(std::string_view number) { return number.find_first_of("123456789") != std::string_view::npos; }

bool contains(std::span<const std::string_view> words, std::string_view text) { return std::ranges::find(words, text) != words.end(); }

std::string one_of(std::span<const std::string_view> words) {
    std::vector<std::string> quoted;
    for (const auto word : words) quoted.push_back("`" + std::string(word) + "`");
    return "one of " + base::join(quoted, ", ");
}

}  // namespace

bool is_plain_type(Type type) { return type == Type::integer || type == Type::number || type == Type::boolean; }

bool fits(const model::Field& field, std::string_view text) {
    switch (field.type) {
        case Type::id:
        case Type::reference:
        case Type::field_name: return is_id(text);
        case Type::text:
        case Type::list_map:
        case Type::facts: return !base::trim(text).empty();
        case Type::word: return contains(field.words, text);
        case Type::integer: return is_whole(text) && above_zero(text);
        case Type::number: return is_number(text) && above_zero(text);
        case Type::boolean: return text == "true" || text == "false";
        case Type::date: return is_date(text);
        case Type::url: return is_url(text);
        case Type::repository: return is_repository(text);
        case Type::citation: return is_citation(text);
        case Type::version:
        case Type::version_map: return !text.empty() && text.find(' ') == std::string_view::npos;
        case Type::version_set:
        case Type::set_map: return !text.empty();
        case Type::dotted: return is_dotted(text);
        case Type::kernel: return is_kernel(text);
        case Type::os: return is_os(text);
        case Type::python: return is_python(text);
        case Type::platform: return contains(model::platforms(), text);
        case Type::pci_vendor: return hex(text, 4);
        case Type::pci: return model::is_pci_id(text);
        case Type::digest: return text.starts_with("sha256:") && hex(text.substr(7), 64);
        case Type::requirement: return is_requirement(text);
        case Type::index: return is_index(text);
        case Type::environment: return is_environment_value(text);
    }
    return false;
}

std::string expectation(const model::Field& field) {
    switch (field.type) {
        case Type::id: return "an id of lower-case letters, digits and . _ + / : -";
        case Type::reference: return "the id of " + base::with_article(field.target);
        case Type::field_name: return "the name of a field of this fact";
        case Type::text: return "a text";
        case Type::list_map: return "a map of lists";
        case Type::facts: return "a list of " + std::string(field.target) + "s";
        case Type::word: return one_of(field.words);
        case Type::integer: return "a whole number above 0, without quotes";
        case Type::number: return "a number above 0, without quotes";
        case Type::boolean: return "true or false, without quotes";
        case Type::date: return R"(a date such as "2025", "2025-11" or "2025-11-11")";
        case Type::url: return "an address such as https://example.org/page";
        case Type::repository: return R"(a GitHub repository, "owner/name")";
        case Type::citation: return R"(a source id, or "source#place")";
        case Type::version:
        case Type::version_map: return R"(a version, such as "12.8.1")";
        case Type::version_set:
        case Type::set_map: return R"(a version set, such as ">=2.6,<2.8")";
        case Type::dotted: return R"(a dotted number, such as "12.8")";
        case Type::kernel: return R"(a kernel version with an optional line, such as "6.8" or "6.14 HWE")";
        case Type::os: return R"(an operating system, such as "ubuntu:24.04")";
        case Type::python: return R"(a Python, such as "3.13" or "3.13t")";
        case Type::platform: return one_of(model::platforms());
        case Type::pci_vendor: return R"(four hexadecimal digits in lower case, such as "10de")";
        case Type::pci: return R"(a PCI id in lower case, such as "10de:2684" or "1002:744c:c8")";
        case Type::digest: return R"("sha256:" and 64 hexadecimal digits in lower case)";
        case Type::requirement: return R"(a requirement, such as "nvidia-cudnn-cu12==9.1.0.70")";
        case Type::index: return "`pypi`, the id of a wheel-index, or an https:// address";
        case Type::environment: return "a value of letters, digits and . _ , : / = < > + -";
    }
    return {};
}

std::string hint(const model::Field& field, std::string_view text) {
    switch (field.type) {
        case Type::word: return base::did_you_mean(base::nearest(text, field.words));
        case Type::platform: return base::did_you_mean(base::nearest(text, model::platforms()));
        case Type::date: {
            const auto parts = base::split(text, '-');
            const bool form = parts.size() == 3 && parts[0].size() == 4 && parts[1].size() == 2 && parts[2].size() == 2 && std::ranges::all_of(parts, digits);
            return form ? "there is no such day, or not between 1990 and 2099" : "";
        }
        default: return {};
    }
}

bool mistyped_when_plain(std::string_view text) {
    static constexpr std::array<std::string_view, 14> words{"y", "n", "yes", "no", "true", "false", "on", "off", "null", "nan", "inf", "~", "=", "<<"};
    if (text.empty()) return true;
    const std::string small = base::lower(text);
    if (std::ranges::find(words, small) != words.end()) return true;
    std::string_view rest = small;
    if (rest.front() == '+' || rest.front() == '-') rest.remove_prefix(1);
    if (rest == ".inf" || rest == ".nan") return true;
    if (rest.starts_with('.')) rest.remove_prefix(1);
    if (rest.empty() || !is_digit(rest.front())) return false;
    if (rest.starts_with("0x")) return all_of(rest.substr(2), [](char c) { return is_hex(c) || c == '_'; });
    if (rest.starts_with("0o") || rest.starts_with("0b")) rest.remove_prefix(2);
    // Numbers with `_`, exponents, sexagesimal numbers (1:20), dates and times: all consist of these characters.
    return all_of(rest, [](char c) { return is_digit(c) || std::string_view("._:+-etz ").find(c) != std::string_view::npos; });
}

}  // namespace vmatrix::matrix
