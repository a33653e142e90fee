#include "version/key.hpp"

#include <algorithm>

namespace vmatrix::version::key {
namespace {

// A length mark is 1 + the number of digits, or `long_mark` and the number of digits in two bytes.
constexpr std::size_t longest_short = 200;
constexpr unsigned char long_mark = 0xF0;

unsigned char byte(char c) { return static_cast<unsigned char>(c); }

}  // namespace

Number number(std::string_view digits) {
    const auto first = digits.find_first_not_of('0');
    return first == std::string_view::npos ? "0" : Number(digits.substr(first));
}

Number increment(Number number) {
    const auto last = number.find_last_not_of('9');
    std::fill(number.begin() + static_cast<std::ptrdiff_t>(last + 1), number.end(), '0');   // npos + 1 is 0
    if (last == Number::npos) return "1" + number;
    ++number[last];
    return number;
}

Number decrement(Number number) {
    const auto last = number.find_last_not_of('0');
    std::fill(number.begin() + static_cast<std::ptrdiff_t>(last + 1), number.end(), '9');
    --number[last];
    return key::number(number);
}

std::span<const Number> without_trailing_zeros(std::span<const Number> numbers) {
    while (!numbers.empty() && numbers.back() == "0") numbers = numbers.first(numbers.size() - 1);
    return numbers;
}

std::string join(std::span<const Number> numbers) {
    std::string text;
    for (const Number& number : numbers) text += (text.empty() ? "" : ".") + number;
    return text;
}

void append_number(std::string& key, std::string_view number) {
    const std::size_t length = number == "0" ? 0 : number.size();
    if (length <= longest_short) {
        key += static_cast<char>(1 + length);
    } else {
        key += {static_cast<char>(long_mark), static_cast<char>(length >> 8), static_cast<char>(length & 0xFF)};
    }
    key += number.substr(0, length);
}

void append_prefix(std::string& key, std::span<const Number> numbers) {
    for (const Number& number : numbers) append_number(key, number);
}

void append_release(std::string& key, std::span<const Number> numbers) {
    append_prefix(key, without_trailing_zeros(numbers));
    key += end_of_release;
}

Number take_number(std::string_view& key) {
    std::size_t mark = 1;
    std::size_t length = byte(key[0]) - 1U;
    if (byte(key[0]) == long_mark) {
        mark = 3;
        length = static_cast<std::size_t>(byte(key[1]) << 8 | byte(key[2]));
    }
    const Number number(key.substr(mark, length));
    key.remove_prefix(mark + length);
    return number.empty() ? "0" : number;
}

std::vector<Number> take_numbers(std::string_view& key) {
    std::vector<Number> numbers;
    while (key[0] != end_of_release && key[0] != after_all) numbers.push_back(take_number(key));
    return numbers;
}

}  // namespace vmatrix::version::key
