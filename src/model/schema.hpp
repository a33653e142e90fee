/// The one table of what a matrix file may say. The reader, lint, `matrix schema` and docs/matrix-format.md all
/// come from it. A new kind of fact or a new field is one entry in schema.cpp.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace vmatrix::model {

/// The grammar of one value. docs/matrix-format.md, section "Values", describes each for people.
enum class Type {
    id,            ///< lower-case letters, digits and `. _ + - / :`; starts with a letter or digit
    text,          ///< free text
    word,          ///< one of Field::words
    integer,       ///< above 0; plain, not quoted
    number,        ///< above 0; plain, not quoted
    boolean,       ///< `true` or `false`, plain
    date,          ///< "2025", "2025-11" or "2025-11-11"
    url,           ///< https:// address
    repository,    ///< GitHub "owner/name"
    citation,      ///< source id, optionally "#place"
    field_name,    ///< name of a field of the same fact
    reference,     ///< id of a fact of kind Field::target
    version,       ///< version by the scheme of the fact's `component`
    version_map,   ///< component -> version
    set_map,       ///< component -> version set
    version_set,   ///< version set, dotted scheme
    dotted,        ///< dotted version
    kernel,        ///< dotted version and an optional line word: "6.8 GA"
    os,            ///< "ubuntu:24.04" or "ubuntu"
    python,        ///< "3.13" or "3.13t"
    platform,      ///< one of platforms()
    pci_vendor,    ///< "10de"
    pci,           ///< "10de:2684", "1002:744c:c8", "10de:20b0/10de:1450"
    digest,        ///< "sha256:" and 64 hexadecimal digits
    requirement,   ///< "nvidia-cudnn-cu12==9.1.0.70": package name and PEP 440 specifiers
    index,         ///< id of a wheel index, or a url
    environment,   ///< map of environment variable -> value
    list_map,      ///< key of type Field::key -> list of values of type Field::item
    facts,         ///< list of facts of kind Field::target, nested
};

struct Field {
    std::string_view name;
    Type type = Type::text;
    bool list = false;
    bool required = false;
    std::string_view target;                    ///< kind name for reference and facts, also as item of a list_map
    std::vector<std::string_view> words;        ///< allowed values for word
    std::string_view about;                     ///< one line for people
    Type key = Type::platform;                  ///< of a list_map
    Type item = Type::text;                     ///< what the lists of a list_map hold

    /// The list behind one key of a list_map.
    [[nodiscard]] Field list_of_item() const { return {name, item, true, false, target, {}, {}}; }
    [[nodiscard]] Field key_field() const { return {name, key, false, false, {}, {}, {}}; }
};

struct Kind {
    std::string_view name;                      ///< "gpu"
    std::string_view section;                   ///< "gpus", the key in a file; empty for kinds that only nest
    std::string_view id;                        ///< pattern that makes the id, "{component}-{version}"; empty: `id` is written
    bool sourced = true;                        ///< false for vocabulary, which needs no source
    std::string_view about;
    std::vector<Field> fields;                  ///< without the common fields
    std::vector<std::string_view> inherits;     ///< fields taken from the enclosing fact when absent

    [[nodiscard]] const Field* field(std::string_view wanted) const;
};

/// Systems and processors that drivers, wheels and images are made for.
[[nodiscard]] std::span<const std::string_view> platforms();
/// All kinds, in the order in which the documentation shows them.
[[nodiscard]] std::span<const Kind> kinds();
/// Fields that every fact has beside those of its kind.
[[nodiscard]] std::span<const Field> common_fields();
/// By singular name or by section name; null when there is none.
[[nodiscard]] const Kind* find_kind(std::string_view name);

}  // namespace vmatrix::model
