#include "inputs/toml_text.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace vmatrix::inputs {
namespace {

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
/// Of a character of several bytes all but the first.
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Goes through a text from string to string.
class Scanner {
public:
    explicit Scanner(std::string_view text) : text_(text) {}

    /// Offset of the first character that may not be there, or npos.
    std::size_t run() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '#') skip_comment();
            else if (c == '"' || c == '\'') skip_string(c);
            else if (!is_ascii(c)) return at_;
            else take();
        }
        return std::string_view::npos;
    }
    std::string take_text() { return std::move(safe_); }

private:
    /// Of a character beyond ASCII a `?` stays, so that places do.
    void take() {
        const bool ascii = is_ascii(text_[at_]);
        safe_ += ascii ? text_[at_] : '?';
        ++at_;
        while (!ascii && at_ < text_.size() && is_continuation(text_[at_])) ++at_;
    }
    void take_until(std::size_t end) {
        while (at_ < std::min(end, text_.size())) take();
    }
    void skip_comment() { take_until(text_.find('\n', at_)); }

    void skip_string(char quote) {
        const std::string three(3, quote);
        if (text_.substr(at_, 3) == three) skip_long_string(quote, three);
        else skip_short_string(quote);
    }

    void skip_short_string(char quote) {
        take();
        while (at_ < text_.size() && text_[at_] != '\n') {
            const char c = text_[at_];
            take();
            if (c == quote) return;
            if (c == '\\' && quote == '"' && at_ < text_.size() && text_[at_] != '\n') take();
        }
    }

    void skip_long_string(char quote, const std::string& three) {
        take_until(at_ + 3);
        while (at_ < text_.size()) {
            if (text_.substr(at_, 3) == three) {
                take_until(at_ + 3);
                for (int extra = 0; extra < 2 && at_ < text_.size() && text_[at_] == quote; ++extra) take();   // """a""""" ends with two of its own
                return;
            }
            const bool backslash = text_[at_] == '\\' && quote == '"';
            take();
            if (backslash && at_ < text_.size()) take();
        }
    }

    std::string_view text_;
    std::string safe_;
    std::size_t at_ = 0;
};

}  // namespace

base::Result<std::string> make_safe_toml(std::string_view text, const Collector& places) {
    Scanner scanner(text);
    const auto bad = scanner.run();
    if (bad == std::string_view::npos) return scanner.take_text();
    const auto before = text.substr(0, bad);
    std::size_t end = bad + 1;
    while (end < text.size() && is_continuation(text[end])) ++end;
    const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
    return wrong(places.at(line, base::characters(before.substr(before.rfind('\n') + 1)) + 1),
                 "expected ASCII, found `" + base::printable(text.substr(bad, end - bad)) + "`", "names with other characters stand in quotes");
}

}  // namespace vmatrix::inputs
