/// Facts as one block of bytes, for an index: made once, read on every run. Only this program reads it, and only the version of it that
/// wrote it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "model/fact.hpp"

namespace vmatrix::model {

/// Changes whenever the layout does.
inline constexpr std::uint32_t packed_format = 1;

class Packer {
public:
    void add(const Fact& fact);
    [[nodiscard]] std::string bytes() const;

private:
    std::uint32_t number(std::string_view text);
    void put(const Value& value);
    void put(std::uint64_t value);

    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<std::string_view> texts_;   ///< the keys of `numbers_`
    std::vector<std::uint32_t> facts_;
    std::string values_;
};

/// Bytes of a Packer. Errors: bytes that are none, or are not whole.
class Packed {
public:
    [[nodiscard]] static base::Result<std::shared_ptr<const Packed>> open(std::string bytes);

    [[nodiscard]] std::size_t size() const { return fact_count_; }
    /// A fact whose fields are unpacked on demand and that this must outlive; null for a kind that this program does not know.
    [[nodiscard]] Fact fact(std::size_t index) const;

private:
    friend class Fields;

    /// Reads values from their bytes on; throws base::Bug beyond the end.
    class Reader;

    explicit Packed(std::string bytes) : bytes_(std::move(bytes)) {}
    [[nodiscard]] std::uint32_t word(std::size_t at) const;
    [[nodiscard]] std::string_view text(std::uint32_t number) const;

    std::string bytes_;
    std::size_t text_count_ = 0, fact_count_ = 0;
    std::size_t facts_at_ = 0, values_at_ = 0, texts_at_ = 0;
    std::vector<const Kind*> kinds_;   ///< by number of their name; null for all other texts
};

}  // namespace vmatrix::model
