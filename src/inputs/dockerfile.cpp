#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "inputs/docker_text.hpp"
#include "inputs/kinds.hpp"
#include "inputs/pip_lines.hpp"
#include "inputs/requirement.hpp"

namespace vmatrix::inputs {
namespace {

struct Stage {
    std::string name;                    ///< behind AS, in lower case; may be empty
    std::optional<std::string> image;    ///< nothing: a variable of it has no value
    base::Position at;
    std::vector<const Instruction*> instructions;
};

bool is_number(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos; }

/// `NAME=value`
void set_variable(std::map<std::string, std::string>& variables, const std::string& word) {
    const auto equals = word.find('=');
    if (equals != std::string::npos) variables[word.substr(0, equals)] = word.substr(equals + 1);
}

/// "python:3.11-slim" is 3.11. Of images of other names the matrix knows what they hold, or nobody does.
std::string python_of_image(std::string_view reference) {
    const auto name = reference.substr(reference.rfind('/') + 1);
    constexpr std::string_view beginning = "python:";
    if (!name.starts_with(beginning)) return {};
    const auto tag = name.substr(beginning.size());
    const auto number = tag.substr(0, tag.find_first_not_of("0123456789."));
    return number.find('.') == std::string_view::npos || number.ends_with('.') ? std::string() : std::string(number);
}

class Dockerfile {
public:
    Dockerfile(const std::vector<Instruction>& instructions, Collector& found) : instructions_(instructions), found_(found) {}

    base::Result<void> read() {
        for (const Instruction& instruction : instructions_)
            if (auto taken = take(instruction); !taken) return taken;
        if (stages_.empty()) return wrong(found_.at(1, 1), "expected a line with FROM", "a Dockerfile begins a stage with FROM image");
        const auto chain = final_chain();
        if (auto named = name_image(*chain.front()); !named) return named;
        for (const Stage* stage : chain) read_stage(*stage);
        return {};
    }

private:
    base::Result<void> take(const Instruction& instruction) {
        if (instruction.keyword == "from") return begin_stage(instruction);
        if (!stages_.empty()) stages_.back().instructions.push_back(&instruction);
        else if (instruction.keyword == "arg") take_arg(instruction, global_);
        return {};
    }

    void read_stage(const Stage& stage) {
        variables_.arguments.clear();
        for (const Instruction* instruction : stage.instructions) {
            if (instruction->keyword == "arg") take_arg(*instruction, variables_);
            if (instruction->keyword == "env") take_env(*instruction);
            if (instruction->keyword == "run") read_run(*instruction);
        }
    }

    base::Result<void> begin_stage(const Instruction& instruction) {
        std::vector<Word> words = split_words(instruction);
        std::erase_if(words, [](const Word& word) { return word.text.starts_with("--"); });
        const auto at = instruction.at;
        const bool named = words.size() == 3 && base::lower(words[1].text) == "as";
        if (words.size() != 1 && !named) return wrong(at, "expected FROM image, or FROM image AS name", "one image, and the name of the stage behind AS");
        Stage stage;
        stage.at = at;
        stage.image = expand(words[0].text, global_);
        if (!stage.image) found_.note(at, "`" + base::printable(words[0].text) + "` is left out: a variable in it has no value here");
        if (named) stage.name = base::lower(words[2].text);
        stages_.push_back(std::move(stage));
        return {};
    }

    /// Before the first FROM an argument is for the names of images; in a stage one without a value takes that.
    void take_arg(const Instruction& instruction, Variables& variables) const {
        for (const Word& word : split_words(instruction)) {
            if (word.text.find('=') != std::string::npos) {
                if (const auto value = expand(word.text, variables)) set_variable(variables.arguments, *value);
            } else if (const std::string* value = global_.find(word.text)) {
                variables.arguments[word.text] = *value;
            }
        }
    }

    void take_env(const Instruction& instruction) {
        const auto words = split_words(instruction);
        const bool old_form = words.size() >= 2 && words[0].text.find('=') == std::string::npos;   // ENV NAME the rest is its value
        if (old_form) {
            const auto value = expand(words[1].text, variables_);
            if (value && words.size() == 2) variables_.environment[words[0].text] = *value;
            return;
        }
        for (const Word& word : words)
            if (const auto value = expand(word.text, variables_)) set_variable(variables_.environment, *value);
    }

    [[nodiscard]] const Stage* stage_named(const std::string& name, std::size_t before) const {
        for (std::size_t i = before; i-- > 0;)
            if (stages_[i].name == base::lower(name) || (is_number(name) && std::to_string(i) == name)) return &stages_[i];
        return nullptr;
    }

    /// The last stage and those that it stands on, the lowest first.
    [[nodiscard]] std::vector<const Stage*> final_chain() const {
        std::vector<const Stage*> chain{&stages_.back()};
        while (chain.back()->image) {
            const Stage* below = stage_named(*chain.back()->image, static_cast<std::size_t>(chain.back() - stages_.data()));
            if (!below) break;
            chain.push_back(below);
        }
        std::ranges::reverse(chain);
        return chain;
    }

    base::Result<void> name_image(const Stage& stage) {
        if (!stage.image) return {};
        if (base::lower(*stage.image) == "scratch") {
            found_.note(stage.at, "scratch is no image: nothing follows from it");
            return {};
        }
        found_.image(*stage.image, stage.at);
        const std::string python = python_of_image(*stage.image);
        return python.empty() ? base::Result<void>{} : found_.python("==" + python + ".*", stage.at);
    }

    void read_run(const Instruction& run) {
        for (const Command& command : split_commands(run))
            if (const auto first = packages_of_pip(command); first > 0) read_pip({command.begin() + static_cast<std::ptrdiff_t>(first), command.end()});
    }

    /// Where the arguments of `pip install` begin; 0 for another command.
    static std::size_t packages_of_pip(const Command& command) {
        const auto word = [&](std::size_t i) { return i < command.size() ? std::string_view(command[i].text) : std::string_view(); };
        const auto program = [&](std::size_t i) { return word(i).substr(word(i).rfind('/') + 1); };
        std::size_t i = 0;
        while (word(i) == "sudo" || (word(i).find('=') != std::string_view::npos && !word(i).starts_with('-')) || (i == 0 && word(i).starts_with("--")) || (i > 0 && word(i).starts_with("--mount"))) ++i;
        if (program(i).starts_with("python") && word(i + 1) == "-m") i += 2;
        else if (program(i) == "uv") i += 1;
        return program(i).starts_with("pip") && word(i + 1) == "install" ? i + 2 : 0;
    }

    void read_pip(const Command& arguments) {
        PipLines lines(found_);
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const Word& word = arguments[i];
            const auto text = expand(word.text, variables_);
            if (!text) {
                found_.note(word.at, "`" + base::printable(word.text) + "` is left out: a variable in it has no value here");
                continue;
            }
            std::string line = *text;
            if (takes_value(line) && i + 1 < arguments.size()) line += " " + expand(arguments[++i].text, variables_).value_or("");
            else if (word.cut) found_.note(word.at, "`" + base::printable(line) + "` stands without its versions: without quotes the shell takes `>` and `<` for redirections");
            if (line.starts_with('-') && !tells_something(line)) continue;
            if (const auto added = lines.add(line, word.at); !added) found_.note(word.at, "`" + base::printable(line) + "` is left out: " + added.error().message.substr(to_string(word.at).size() + 2));
        }
        lines.finish();
    }

    /// Options of pip whose value is the next word.
    static bool takes_value(std::string_view option) {
        static constexpr auto all = std::to_array<std::string_view>({"-i", "--index-url", "--extra-index-url", "--index", "--default-index", "-r", "--requirement", "-c", "--constraint", "-e", "--editable",
                                                   "-f", "--find-links", "-t", "--target", "--prefix", "--root", "--python", "--platform", "--abi", "--implementation", "--progress-bar", "--proxy",
                                                   "--timeout", "--retries", "--cache-dir", "--trusted-host", "--no-binary", "--only-binary", "--upgrade-strategy", "--index-strategy", "--python-version"});
        return std::ranges::find(all, option) != all.end();
    }

    /// Of all options of a command only those say something that name an index or a file.
    static bool tells_something(std::string_view option) {
        const auto name = option.substr(0, option.find_first_of("= "));
        return names_index(name) || name == "-r" || name == "--requirement" || name == "-c" || name == "--constraint";
    }

    const std::vector<Instruction>& instructions_;
    Collector& found_;
    Variables global_;      ///< ARG before the first FROM
    Variables variables_;   ///< of the stage that is read
    std::vector<Stage> stages_;
};

}  // namespace

base::Result<void> read_dockerfile(std::string_view text, Collector& found) {
    const auto instructions = split_instructions(text, found);
    return Dockerfile(instructions, found).read();
}

}  // namespace vmatrix::inputs
