/// Text for a person, line by line: what all answers share.
#pragma once

#include <string>
#include <vector>

#include "compat/level.hpp"

namespace vmatrix::app {

class Text {
public:
    void line(const std::string& text) { out_ += text + "\n"; }
    void gap() { if (!out_.empty() && !out_.ends_with("\n\n")) out_ += "\n"; }
    void heading(const std::string& text) {
        gap();
        line(text);
    }
    void item(const std::string& text) { line("  " + text); }
    void items(const std::string& title, const std::vector<std::string>& texts) {
        if (texts.empty()) return;
        heading(title);
        for (const std::string& text : texts) item(text);
    }
    std::string take() { return std::move(out_); }

private:
    std::string out_;
};

/// " [source, source, +3]"; empty without sources.
[[nodiscard]] std::string sources_of(const compat::Reason& reason);

}  // namespace vmatrix::app
