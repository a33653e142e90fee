#include <utility>

#include "version/set_text.hpp"

namespace vmatrix::version {
namespace {

class Writer {
public:
    Writer(Scheme scheme, const Cuts& set, Spelling spelling) : notation_(notation(scheme)), set_(set), spelling_(spelling) {}

    [[nodiscard]] std::string write() const {
        if (set_.empty()) return "!*";
        std::string text;
        for (std::size_t first = 0; first < set_.size();) {
            const std::size_t last = last_of_group(first);
            text += (text.empty() ? "" : " || ") + alternative(first, last);
            first = last + 2;
        }
        return text;
    }

private:
    // A range is named by the index of its lower cut; the next cut, if there is one, is its upper end.

    [[nodiscard]] bool has_lower(std::size_t range) const { return set_[range].at != before_all_versions; }
    [[nodiscard]] bool has_upper(std::size_t range) const { return range + 1 < set_.size(); }

    /// The operand of `==` for what lies between a cut and the next; empty if there is none.
    [[nodiscard]] std::string equal(std::size_t cut) const {
        return has_lower(cut) && has_upper(cut) ? notation_.equal(set_[cut], set_[cut + 1], spelling_) : std::string();
    }

    [[nodiscard]] std::size_t last_of_group(std::size_t range) const {
        while (range + 2 < set_.size() && equal(range).empty() && !equal(range + 1).empty() && equal(range + 2).empty()) range += 2;
        return range;
    }

    [[nodiscard]] std::string alternative(std::size_t first, std::size_t last) const {
        if (first == last) {
            if (const std::string operand = equal(first); !operand.empty()) return "==" + operand;
            if (const std::string operand = identical(first); !operand.empty()) return "===" + operand;
        }
        std::string text;
        const auto add = [&](const std::string& clause) { text += (text.empty() ? "" : ",") + clause; };
        if (has_lower(first)) add(notation_.lower(set_[first], spelling_));
        for (std::size_t hole = first + 1; hole < last; hole += 2) add("!=" + equal(hole));
        if (has_upper(last)) add(notation_.upper(set_[last + 1], spelling_));
        return text.empty() ? "*" : text;
    }

    [[nodiscard]] std::string identical(std::size_t range) const {
        return has_lower(range) && has_upper(range) ? notation_.identical(set_[range], set_[range + 1]) : std::string();
    }

    const Notation& notation_;
    const Cuts& set_;
    Spelling spelling_;
};

}  // namespace

std::string write_set(Scheme scheme, const Cuts& set, Spelling spelling) {
    return Writer(scheme, set, spelling).write();
}

}  // namespace vmatrix::version
