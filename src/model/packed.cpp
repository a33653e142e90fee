#include "model/packed.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "base/bug.hpp"

// Words of four bytes in the order of the machine: an index is not carried to another one.
//
//   header   format, number of texts, number of facts, bytes of values, a checksum of all that follows (two words)
//   facts    of each: kind, id, parent, file (numbers of texts), line, column, place of its fields, how many
//   places   of each text, and of the end
//   values   of each field the number of its name, the length of its value, the value
//   texts
//
// Numbers inside values have seven bits a byte, the last byte without the high bit.
namespace vmatrix::model {
namespace {

constexpr std::size_t header_words = 6, fact_words = 8, word_bytes = sizeof(std::uint32_t);

/// Tells a damaged file, not a forged one.
std::uint64_t checksum(std::string_view bytes) {
    std::uint64_t sum = bytes.size();
    for (std::size_t at = 0; at < bytes.size(); at += sizeof sum) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
        sum = std::rotl((sum ^ word) * 0x9E3779B97F4A7C15U, 29);
    }
    return sum;
}

void append(std::string& bytes, std::uint32_t word) { bytes.append(reinterpret_cast<const char*>(&word), sizeof word); }   // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast): its bytes

}  // namespace

std::uint32_t Packer::number(std::string_view text) {
    const auto [known, fresh] = numbers_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
    if (fresh) texts_.push_back(known->first);
    return known->second;
}

void Packer::put(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) values_ += static_cast<char>((value & 0x7F) | 0x80);
    values_ += static_cast<char>(value);
}

void Packer::put(const Value& value) {
    put(static_cast<std::uint64_t>(value.form));
    for (const std::size_t number : {value.line, value.column, value.key_line, value.key_column}) put(std::uint64_t{number});
    put(std::uint64_t{number(value.text)});
    put(std::uint64_t{value.items.size()});
    for (const Value& item : value.items) put(item);
    put(std::uint64_t{value.members.size()});
    for (const auto& [name, member] : value.members) {
        put(std::uint64_t{number(name)});
        put(member);
    }
}

void Packer::add(const Fact& fact) {
    const auto word = [](std::size_t value) { return static_cast<std::uint32_t>(value); };
    const auto& fields = fact.fields.all();
    for (const std::uint32_t value : {number(fact.kind->name), number(fact.id), number(fact.parent), number(fact.at.file), word(fact.at.line), word(fact.at.column), word(values_.size()), word(fields.size())}) facts_.push_back(value);
    for (const auto& [name, value] : fields) {
        put(std::uint64_t{number(name)});
        std::string before = std::exchange(values_, {});   // the length comes first, so that a field can be passed over
        put(value);
        std::swap(before, values_);
        put(std::uint64_t{before.size()});
        values_ += before;
    }
}

std::string Packer::bytes() const {
    std::string body;
    for (const std::uint32_t value : facts_) append(body, value);
    std::uint32_t place = 0;
    for (const std::string_view text : texts_) {
        append(body, place);
        place += static_cast<std::uint32_t>(text.size());
    }
    append(body, place);
    body += values_;
    for (const std::string_view text : texts_) body += text;
    std::string all;
    const std::uint64_t sum = checksum(body);
    for (const std::uint32_t word : {packed_format, static_cast<std::uint32_t>(texts_.size()), static_cast<std::uint32_t>(facts_.size() / fact_words), static_cast<std::uint32_t>(values_.size()), static_cast<std::uint32_t>(sum), static_cast<std::uint32_t>(sum >> 32)}) append(all, word);
    return all + body;
}

base::Result<std::shared_ptr<const Packed>> Packed::open(std::string bytes) {
    const auto damaged = base::fail("the bytes of packed facts are damaged", {}, base::ErrorKind::environment);
    std::shared_ptr<Packed> packed(new Packed(std::move(bytes)));   // NOLINT(cppcoreguidelines-owning-memory): the constructor is private
    const std::string_view all = packed->bytes_;
    if (all.size() < header_words * word_bytes || packed->word(0) != packed_format) return damaged;
    packed->text_count_ = packed->word(1), packed->fact_count_ = packed->word(2);
    const std::uint64_t sum = packed->word(4) | std::uint64_t{packed->word(5)} << 32;
    packed->facts_at_ = header_words * word_bytes;
    const std::size_t places_at = packed->facts_at_ + packed->fact_count_ * fact_words * word_bytes;
    packed->values_at_ = places_at + (packed->text_count_ + 1) * word_bytes;
    packed->texts_at_ = packed->values_at_ + packed->word(3);
    if (packed->texts_at_ > all.size() || checksum(all.substr(packed->facts_at_)) != sum) return damaged;
    packed->kinds_.resize(packed->text_count_);
    for (std::size_t fact = 0; fact < packed->fact_count_; ++fact) {
        const std::uint32_t kind = packed->word(header_words + fact * fact_words);
        if (!packed->kinds_[kind]) packed->kinds_[kind] = find_kind(packed->text(kind));
        if (!packed->kinds_[kind]) return damaged;
    }
    return packed;
}

std::uint32_t Packed::word(std::size_t at) const {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes_.data() + at * word_bytes, word_bytes);
    return value;
}

std::string_view Packed::text(std::uint32_t number) const {
    const std::size_t place = header_words + fact_count_ * fact_words + number;
    const std::size_t from = word(place), to = word(place + 1);
    return std::string_view(bytes_).substr(texts_at_ + from, to - from);
}

Fact Packed::fact(std::size_t index) const {
    const std::size_t at = header_words + index * fact_words;
    return {kinds_.at(word(at)), std::string(text(word(at + 1))), std::string(text(word(at + 2))), {std::string(text(word(at + 3))), word(at + 4), word(at + 5)}, Fields(*this, word(at + 6), word(at + 7))};
}

class Packed::Reader {
public:
    Reader(const Packed& packed, std::size_t at) : packed_(packed), at_(packed.values_at_ + at) {}

    std::uint64_t number() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            if (at_ >= packed_.texts_at_ || shift > 63) throw base::Bug("packed facts end inside a value");
            const auto byte = static_cast<unsigned char>(packed_.bytes_[at_++]);
            value |= std::uint64_t{byte & 0x7FU} << shift;
            if (byte < 0x80) return value;
        }
    }

    std::string_view text() { return packed_.text(static_cast<std::uint32_t>(number())); }
    void pass(std::size_t bytes) { at_ += bytes; }

    void value(Value& value) {
        value.form = static_cast<Value::Form>(number());
        value.line = number(), value.column = number(), value.key_line = number(), value.key_column = number();
        value.text = text();
        value.items.resize(number());
        for (Value& item : value.items) this->value(item);
        value.members.resize(number());
        for (auto& [name, member] : value.members) {
            name = text();
            this->value(member);
        }
    }

private:
    const Packed& packed_;
    std::size_t at_;
};

void Fields::name_all() const {
    if (!entries_.empty()) return;
    entries_.resize(count_);
    Packed::Reader reader(*packed_, at_);
    for (Entry& entry : entries_) {
        entry.name = reader.text();
        reader.pass(reader.number());
    }
}

const std::vector<Entry>& Fields::all() const {
    if (!packed_) return entries_;
    name_all();
    Packed::Reader reader(*packed_, at_);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        (void)reader.text();
        const std::size_t length = reader.number();
        if (unpacked_ >> i & 1) reader.pass(length);
        else reader.value(entries_[i].value);
    }
    packed_ = nullptr;
    return entries_;
}

const Value* Fields::find(std::string_view name) const {
    constexpr std::uint32_t bits = 64;
    if (packed_ && count_ > bits) (void)all();
    if (packed_) name_all();
    const auto found = std::ranges::find(entries_, name, &Entry::name);
    if (found == entries_.end()) return nullptr;
    const auto index = static_cast<std::size_t>(found - entries_.begin());
    if (!packed_ || unpacked_ >> index & 1) return &found->value;
    Packed::Reader reader(*packed_, at_);
    for (std::size_t i = 0; i < index; ++i) {
        (void)reader.text();
        reader.pass(reader.number());
    }
    (void)reader.text(), (void)reader.number();
    reader.value(found->value);
    unpacked_ |= std::uint64_t{1} << index;
    return &found->value;
}

const Value* Value::find(std::string_view key) const {
    const auto found = std::ranges::find(members, key, &Entry::name);
    return found == members.end() ? nullptr : &found->value;
}

}  // namespace vmatrix::model
