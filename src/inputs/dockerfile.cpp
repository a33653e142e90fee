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
        for (const Command& command : split_commands(run)) read_command(command);
    }

    void read_command(const Command& command) {
        const auto [program, first] = program_of(command);
        if (first >= command.size()) return;
        const Word& verb = command[first];
        const Command arguments(command.begin() + static_cast<std::ptrdiff_t>(first) + 1, command.end());
        const auto is_verb = [&](std::initializer_list<std::string_view> words) { return std::ranges::find(words, verb.text) != words.end(); };
        const bool pip = program.starts_with("pip") && program != "pipenv", conda = is_in(condas, program);
        if (pip && is_verb({"install"})) read_pip(arguments);
        else if (pip && is_verb({"uninstall"})) drop_packages(arguments);
        else if (conda && is_verb({"install", "create"})) read_conda(arguments);
        else if ((pip && is_verb({"sync"})) || (conda && is_verb({"env"})) || (is_in(managers, program) && is_verb({"add", "install", "sync"})))
            found_.note(verb.at, "`" + base::printable(program + " " + verb.text) + "` is not read: name its file with --from too, or what it installs with --with");
    }

    template <std::size_t N>
    static bool is_in(const std::array<std::string_view, N>& words, std::string_view word) { return std::ranges::find(words, word) != words.end(); }

    /// The program of a command and where its words begin, behind what only says how it is run: `python -m pip install` is pip.
    static std::pair<std::string, std::size_t> program_of(const Command& command) {
        const auto word = [&](std::size_t i) { return i < command.size() ? std::string_view(command[i].text) : std::string_view(); };
        const auto program = [&](std::size_t i) { return word(i).substr(word(i).rfind('/') + 1); };
        std::size_t i = 0;
        while (word(i) == "sudo" || (word(i).find('=') != std::string_view::npos && !word(i).starts_with('-')) || (i == 0 && word(i).starts_with("--")) || (i > 0 && word(i).starts_with("--mount"))) ++i;
        if (is_in(condas, program(i)) && word(i + 1) == "run")
            for (i += 2; word(i).starts_with('-');) i += is_in(values_of_conda, word(i)) ? 2U : 1U;
        if (program(i).starts_with("python") && word(i + 1) == "-m") i += 2;
        else if (program(i) == "uv" && word(i + 1) == "pip") i += 1;
        return {std::string(program(i)), i + 1};
    }

    /// The words of a command with their variables expanded; an option stands with its value.
    template <std::size_t N>
    Command expanded(const Command& command, const std::array<std::string_view, N>& options_with_value) {
        Command all;
        for (std::size_t i = 0; i < command.size(); ++i) {
            Word word = command[i];
            const auto text = expand(word.text, variables_);
            if (!text) {
                found_.note(word.at, "`" + base::printable(word.text) + "` is left out: a variable in it has no value here");
                continue;
            }
            word.text = *text;
            if (is_in(options_with_value, word.text) && i + 1 < command.size()) word.text += " " + expand(command[++i].text, variables_).value_or("");
            else if (word.cut) found_.note(word.at, "`" + base::printable(word.text) + "` stands without its versions: without quotes the shell takes `>` and `<` for redirections");
            all.push_back(std::move(word));
        }
        return all;
    }

    void read_pip(const Command& arguments) {
        PipLines lines(found_);
        for (const Word& word : expanded(arguments, values_of_pip)) {
            if (word.text.starts_with('-') && !tells_something(word.text)) continue;
            if (const auto added = lines.add(word.text, word.at); !added) leave_out(word, added.error());
        }
        lines.finish();
    }

    void read_conda(const Command& arguments) {
        for (const Word& word : expanded(arguments, values_of_conda)) {
            if (word.text.starts_with("--file") || word.text.starts_with("-f ")) found_.note(word.at, base::printable(word.text.substr(word.text.find_first_of("= ") + 1)) + " is not read: name it with --from too");
            if (word.text.starts_with('-')) continue;
            if (const auto added = found_.require_conda(word.text, word.at); !added) leave_out(word, added.error());
        }
    }

    void drop_packages(const Command& arguments) {
        for (const Word& word : expanded(arguments, values_of_pip))
            if (!word.text.starts_with('-') && !found_.drop(word.text)) found_.note(word.at, "`" + base::printable(word.text) + "` is uninstalled: what the image holds is judged as if it were not");
    }

    void leave_out(const Word& word, const base::Error& why) { found_.note(word.at, "`" + base::printable(word.text) + "` is left out: " + why.message.substr(to_string(word.at).size() + 2)); }

    /// Of all options of pip only those say something that name an index or a file.
    static bool tells_something(std::string_view option) {
        const auto name = option.substr(0, option.find_first_of("= "));
        return names_index(name) || name == "-r" || name == "--requirement" || name == "-c" || name == "--constraint";
    }

    static constexpr auto condas = std::to_array<std::string_view>({"conda", "mamba", "micromamba"});
    static constexpr auto managers = std::to_array<std::string_view>({"poetry", "uv", "pdm", "pipenv", "pixi"});
    /// Options whose value is the next word.
    static constexpr auto values_of_pip = std::to_array<std::string_view>({"-i", "--index-url", "--extra-index-url", "--index", "--default-index", "-r", "--requirement", "-c", "--constraint", "-e", "--editable",
                                                   "-f", "--find-links", "-t", "--target", "--prefix", "--root", "--python", "--platform", "--abi", "--implementation", "--progress-bar", "--proxy",
                                                   "--timeout", "--retries", "--cache-dir", "--trusted-host", "--no-binary", "--only-binary", "--upgrade-strategy", "--index-strategy", "--python-version"});
    static constexpr auto values_of_conda = std::to_array<std::string_view>({"-c", "--channel", "-n", "--name", "-p", "--prefix", "-f", "--file", "--solver"});

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
