#include "app/templates.hpp"

#include <algorithm>
#include <filesystem>
#include <kainjow/mustache.hpp>

#include "base/text.hpp"
#include "sys/files.hpp"

namespace vmatrix::app {
namespace {

namespace mustache = kainjow::mustache;

constexpr std::size_t max_template_bytes = 1u << 20;

mustache::data to_data(const TemplateData& data) {
    mustache::data root{mustache::data::type::object};
    for (const auto& [name, value] : data.values) root.set(name, value);
    for (const auto& [name, items] : data.lists) {
        mustache::data list{mustache::data::type::list};
        bool first = true;
        for (const auto& item : items) {
            mustache::data entry{mustache::data::type::object};
            entry.set("first", mustache::data(first ? mustache::data::type::bool_true : mustache::data::type::bool_false));
            for (const auto& [key, value] : item) entry.set(key, value);
            list.push_back(entry);
            first = false;
        }
        root.set(name, list);
    }
    return root;
}

std::filesystem::path folder() { return sys::executable_path().parent_path().parent_path() / "share/vmatrix/templates"; }

}  // namespace

std::string shell_word(const std::string& text) {
    const auto only = [&](std::string_view more) {
        return !text.empty() && std::ranges::all_of(text, [&](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || more.find(c) != std::string_view::npos; });
    };
    if (only("._+-=:/@,")) return text;
    if (only("._+-=:/@,[]<> ")) return "\"" + text + "\"";
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

base::Result<void> check_templates() {
    std::error_code none;
    if (std::filesystem::is_directory(folder(), none)) return {};
    return base::fail("there are no templates at " + base::printable(folder().string()), "install the program as a whole: the folder share/vmatrix belongs beside bin", base::ErrorKind::environment);
}

std::optional<std::string> render_template(const std::string& name, const TemplateData& data) {
    const auto text = sys::read_file(folder() / (name + ".mustache"), max_template_bytes);
    if (!text) return std::nullopt;
    mustache::mustache page(*text);
    page.set_custom_escape([](const std::string& value) { return value; });   // the default is for HTML
    std::string result = page.render(to_data(data));
    while (result.ends_with('\n')) result.pop_back();
    return result;
}

}  // namespace vmatrix::app
