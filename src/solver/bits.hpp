/// A set of the values of one variable.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vmatrix::solver {

class Bits {
public:
    Bits() = default;
    explicit Bits(std::size_t size, bool full = false) : size_(size), words_((size + 63) / 64, full ? ~std::uint64_t{0} : 0) { trim(); }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool test(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
    void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
    void reset(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }

    [[nodiscard]] std::size_t count() const {
        std::size_t total = 0;
        for (const auto word : words_) total += static_cast<std::size_t>(std::popcount(word));
        return total;
    }
    [[nodiscard]] bool empty() const {
        return std::ranges::all_of(words_, [](std::uint64_t word) { return word == 0; });
    }
    /// The least member; size() for the empty set.
    [[nodiscard]] std::size_t first() const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            if (words_[i] != 0) return i * 64 + static_cast<std::size_t>(std::countr_zero(words_[i]));
        return size_;
    }
    [[nodiscard]] bool intersects(const Bits& other) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            if ((words_[i] & other.words_[i]) != 0) return true;
        return false;
    }
    [[nodiscard]] bool subset_of(const Bits& other) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            if ((words_[i] & ~other.words_[i]) != 0) return false;
        return true;
    }
    Bits& operator&=(const Bits& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
        return *this;
    }
    Bits& operator|=(const Bits& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
        return *this;
    }
    [[nodiscard]] Bits complement() const {
        Bits result = *this;
        for (auto& word : result.words_) word = ~word;
        result.trim();
        return result;
    }
    bool operator==(const Bits&) const = default;
    auto operator<=>(const Bits&) const = default;

private:
    void trim() {
        if (size_ % 64 != 0) words_.back() &= (std::uint64_t{1} << (size_ % 64)) - 1;
    }

    std::size_t size_ = 0;
    std::vector<std::uint64_t> words_;
};

}  // namespace vmatrix::solver
