/// The named values of a fact, which may lie packed in an index until somebody asks for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vmatrix::model {

class Packed;
struct Entry;

/// A text, a list, or a map that keeps its order.
struct Value {
    enum class Form { text, list, map };

    Form form = Form::text;
    std::string text;
    std::vector<Value> items;
    std::vector<Entry> members;
    std::size_t line = 0;      ///< from 1
    std::size_t column = 0;    ///< from 1, in characters
    std::size_t key_line = 0;  ///< of the name in front of it, for an entry of a map
    std::size_t key_column = 0;

    /// Of a map; null when absent.
    [[nodiscard]] const Value* find(std::string_view key) const;
};

/// A named value: an entry of a map, a field of a fact.
struct Entry {
    std::string name;
    Value value;
};

/// A vector of entries. Those of a packed fact are unpacked when they are asked for; two threads that share such facts must not ask at
/// the same time (Matrix::unpack).
class Fields {
public:
    using const_iterator = std::vector<Entry>::const_iterator;
    using iterator = std::vector<Entry>::iterator;

    Fields() = default;
    Fields(std::vector<Entry> entries) : entries_(std::move(entries)) {}   // NOLINT(google-explicit-constructor): the same thing
    /// `count` fields of `packed`, which must outlive this, from `at` of its bytes on.
    Fields(const Packed& packed, std::uint32_t at, std::uint32_t count) : packed_(&packed), at_(at), count_(count) {}
    Fields(const Fields& other) : entries_(other.all()) {}
    Fields(Fields&& other) noexcept = default;
    Fields& operator=(const Fields& other) {
        *this = Fields(other);
        return *this;
    }
    Fields& operator=(Fields&& other) noexcept = default;
    ~Fields() = default;

    /// Null when absent.
    [[nodiscard]] const Value* find(std::string_view name) const;
    [[nodiscard]] const std::vector<Entry>& all() const;
    [[nodiscard]] std::vector<Entry>& all() {
        (void)std::as_const(*this).all();
        return entries_;
    }

    [[nodiscard]] const_iterator begin() const { return all().begin(); }
    [[nodiscard]] const_iterator end() const { return all().end(); }
    [[nodiscard]] iterator begin() { return all().begin(); }
    [[nodiscard]] iterator end() { return all().end(); }
    void push_back(Entry entry) { all().push_back(std::move(entry)); }
    void erase(iterator at) { entries_.erase(at); }   // an iterator is only had of what is unpacked

private:
    /// Makes room for packed entries; the names are there, the values are not.
    void name_all() const;

    mutable std::vector<Entry> entries_;
    mutable const Packed* packed_ = nullptr;   ///< null once all is unpacked
    mutable std::uint64_t unpacked_ = 0;       ///< bit i: entry i has its value
    std::uint32_t at_ = 0, count_ = 0;
};

}  // namespace vmatrix::model
