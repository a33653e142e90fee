#include "inputs/marker.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "version/version_set.hpp"

namespace vmatrix::inputs {
namespace {

using version::Scheme;
using version::Version;
using version::VersionSet;

constexpr std::size_t max_depth = 32;

Truth negated(Truth truth) { return truth == Truth::maybe ? Truth::maybe : truth == Truth::yes ? Truth::no : Truth::yes; }
Truth to_truth(bool yes) { return yes ? Truth::yes : Truth::no; }

/// A side of a comparison: a text in quotes, or what the environment says under a name.
struct Operand {
    std::optional<std::string> value;   ///< nothing: not known
    bool machine = false;
};

class Evaluator {
public:
    Evaluator(std::string_view text, const std::optional<std::string>& python) : text_(text), python_(python) {}

    base::Result<Truth> whole() {
        auto truth = any(0);
        if (truth && !rest().empty()) return expected("`and`, `or` or the end");
        return truth;
    }

private:
    base::Result<Truth> any(std::size_t depth) {
        auto truth = all(depth);
        while (truth && eat_word("or")) {
            const auto other = all(depth);
            if (!other) return other;
            truth = std::max(*truth, *other);
        }
        return truth;
    }

    base::Result<Truth> all(std::size_t depth) {
        auto truth = one(depth);
        while (truth && eat_word("and")) {
            const auto other = one(depth);
            if (!other) return other;
            truth = std::min(*truth, *other);
        }
        return truth;
    }

    base::Result<Truth> one(std::size_t depth) {
        if (depth > max_depth) return base::fail("parentheses are nested more than " + std::to_string(max_depth) + " deep");
        if (!eat("(")) return comparison();
        auto truth = any(depth + 1);
        if (truth && !eat(")")) return expected("`)`");
        return truth;
    }

    base::Result<Truth> comparison() {
        const auto left = operand();
        if (!left) return tl::make_unexpected(left.error());
        const std::string op = comparator();
        if (op.empty()) return expected("a comparison such as `==` or `in`");
        const auto right = operand();
        if (!right) return tl::make_unexpected(right.error());
        return compare(*left, op, *right);
    }

    base::Result<Operand> operand() {
        const auto left = rest();
        if (left.starts_with('"') || left.starts_with('\'')) {
            const auto end = left.find(left.front(), 1);
            if (end == std::string_view::npos) return expected("the closing quote");
            text_ = left.substr(end + 1);
            return Operand{std::string(left.substr(1, end - 1))};
        }
        const auto end = std::min(left.find_first_not_of("abcdefghijklmnopqrstuvwxyz_."), left.size());
        const std::string name(left.substr(0, end));
        auto found = variable(name);
        if (!found) return expected("a text in quotes, or a name such as sys_platform or python_version");
        text_ = left.substr(end);
        return *std::move(found);
    }

    [[nodiscard]] std::optional<Operand> variable(const std::string& name) const {
        if (name == "python_version") return Operand{python_ ? std::optional(minor()) : std::nullopt};
        if (name == "python_full_version" || name == "implementation_version")
            return Operand{python_ && *python_ != minor() ? python_ : std::nullopt};
        if (name == "platform_machine") return Operand{{}, true};
        static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> fixed{{
            {"sys_platform", "linux"}, {"platform_system", "Linux"}, {"os_name", "posix"}, {"os.name", "posix"},
            {"implementation_name", "cpython"}, {"platform_python_implementation", "CPython"}, {"extra", ""}}};
        for (const auto& [known, value] : fixed)
            if (name == known) return Operand{std::string(value)};
        if (name == "platform_release" || name == "platform_version") return Operand{};
        return std::nullopt;
    }

    /// "3.12.4" -> "3.12"
    [[nodiscard]] std::string minor() const {
        const auto dot = python_->find('.');
        return python_->substr(0, dot == std::string::npos ? dot : python_->find('.', dot + 1));
    }

    std::string comparator() {
        for (const std::string op : {"===", "==", "!=", "~=", "<=", ">=", "<", ">"})
            if (eat(op)) return op;
        if (eat_word("in")) return "in";
        if (eat_word("not")) return eat_word("in") ? "not in" : "";
        return {};
    }

    static Truth compare(const Operand& left, const std::string& op, const Operand& right) {
        if (op == "not in") return negated(compare(left, "in", right));
        if (op == "!=") return negated(compare(left, "==", right));
        if (left.machine || right.machine) return compare_machine(left.machine ? right : left, op);
        if (!left.value || !right.value) return Truth::maybe;
        if (op == "in") return to_truth(right.value->find(*left.value) != std::string::npos);
        const auto version = Version::parse(Scheme::pep440, *left.value);
        const auto set = VersionSet::parse(Scheme::pep440, op + *right.value);
        if (version && set) return to_truth(set->contains(*version));
        return op.starts_with("==") ? to_truth(*left.value == *right.value) : Truth::maybe;
    }

    /// Linux says x86_64 and aarch64 where others say AMD64 and arm64.
    static Truth compare_machine(const Operand& other, const std::string& op) {
        if (!other.value || (op != "==" && op != "in")) return Truth::maybe;
        for (const std::string_view machine : {"x86_64", "aarch64"})
            if (other.value->find(machine) != std::string::npos) return Truth::maybe;
        return Truth::no;
    }

    [[nodiscard]] std::string_view rest() {
        text_ = text_.substr(std::min(text_.find_first_not_of(" \t"), text_.size()));
        return text_;
    }
    bool eat(std::string_view word) {
        if (!rest().starts_with(word)) return false;
        text_.remove_prefix(word.size());
        return true;
    }
    bool eat_word(std::string_view word) {
        const auto left = rest();
        if (!left.starts_with(word)) return false;
        const bool ends = left.size() == word.size() || std::string_view(" \t(\"'").find(left[word.size()]) != std::string_view::npos;
        if (ends) text_.remove_prefix(word.size());
        return ends;
    }
    [[nodiscard]] tl::unexpected<base::Error> expected(const std::string& what) {
        return base::fail("expected " + what + ", found " + (rest().empty() ? "the end" : "`" + base::printable(rest(), 40) + "`"));
    }

    std::string_view text_;
    const std::optional<std::string>& python_;
};

}  // namespace

base::Result<Truth> evaluate_marker(std::string_view marker, const std::optional<std::string>& python) { return Evaluator(marker, python).whole(); }

}  // namespace vmatrix::inputs
