#include "version/pep440.hpp"

#include <array>
#include <utility>

#include "base/text.hpp"

namespace vmatrix::version::pep440 {
namespace {

// Marks in keys; their values are the order.
constexpr char pre_of_dev_release = '\x01';
constexpr char no_pre = 'z';
constexpr char no_post = '\x01';
constexpr char has_post = '\x02';
constexpr char has_dev = '\x01';
constexpr char no_dev = '\x02';
constexpr char end_of_local = '\x01';
constexpr char text_segment = '\x02';
constexpr char number_segment = '\x03';
constexpr char end_of_text = '\x00';

constexpr std::string_view separators = "-_.";

// A longer word comes before its own beginning.
constexpr std::array phases{
    std::pair{std::string_view("alpha"), Phase::alpha},       std::pair{std::string_view("a"), Phase::alpha},
    std::pair{std::string_view("beta"), Phase::beta},         std::pair{std::string_view("b"), Phase::beta},
    std::pair{std::string_view("preview"), Phase::candidate}, std::pair{std::string_view("pre"), Phase::candidate},
    std::pair{std::string_view("rc"), Phase::candidate},      std::pair{std::string_view("c"), Phase::candidate},
};
constexpr std::array<std::string_view, 3> post_words{"post", "rev", "r"};

/// Takes `word` with a separator before it or without one.
bool eat_separated(Cursor& in, std::string_view word) {
    const Cursor start = in;
    in.eat_any(separators);
    if (in.eat(word)) return true;
    in = start;
    return false;
}

/// The number behind a word; none means 0. The separator may stand alone, as in "1.0a.dev1".
Number implicit_number(Cursor& in) {
    in.eat_any(separators);
    return key::number(in.digits());
}

void read_pre(Cursor& in, Parts& version) {
    for (const auto& [word, phase] : phases) {
        if (!eat_separated(in, word)) continue;
        version.pre = Pre{phase, implicit_number(in)};
        return;
    }
}

void read_post(Cursor& in, Parts& version) {
    if (in.peek() == '-' && is_digit(in.peek(1))) {
        in.skip();
        version.post = key::number(in.digits());
        return;
    }
    for (const std::string_view word : post_words) {
        if (!eat_separated(in, word)) continue;
        version.post = implicit_number(in);
        return;
    }
}

void read_dev(Cursor& in, Parts& version) {
    if (eat_separated(in, "dev")) version.dev = implicit_number(in);
}

Segment segment(std::string_view text) {
    const bool numeric = text.find_first_not_of("0123456789") == std::string_view::npos;
    return {numeric ? key::number(text) : base::lower(text), numeric};
}

/// Behind the plus. False if a segment is missing; the cursor stands where it should be.
bool read_local(Cursor& in, Parts& version) {
    do {
        const std::string_view text = in.alphanumerics();
        if (text.empty()) return false;
        version.local.push_back(segment(text));
    } while (in.eat_any(separators));
    return true;
}

/// False if a digit is missing; the cursor stands where it should be.
bool read_release(Cursor& in, Parts& version) {
    std::string_view digits = in.digits();
    if (!digits.empty() && in.eat("!")) {
        version.epoch = key::number(digits);
        digits = in.digits();
    }
    if (digits.empty()) return false;
    version.release.push_back(key::number(digits));
    while (in.peek() == '.' && is_digit(in.peek(1))) {
        in.skip();
        version.release.push_back(key::number(in.digits()));
    }
    return true;
}

std::string_view name(Phase phase) {
    switch (phase) {
        case Phase::alpha: return "a";
        case Phase::beta: return "b";
        case Phase::candidate: return "rc";
    }
    return {};
}

void append_pre(std::string& key, const Parts& version) {
    if (version.pre) {
        key += static_cast<char>(version.pre->phase);
        key::append_number(key, version.pre->number);
    } else {
        key += version.dev && !version.post ? pre_of_dev_release : no_pre;
    }
}

void append_post(std::string& key, const Parts& version) {
    key += version.post ? has_post : no_post;
    if (version.post) key::append_number(key, *version.post);
}

void append_dev(std::string& key, const Parts& version) {
    key += version.dev ? has_dev : no_dev;
    if (version.dev) key::append_number(key, *version.dev);
}

void append_local(std::string& key, const Parts& version) {
    for (const Segment& segment : version.local) {
        if (segment.numeric) {
            key += number_segment;
            key::append_number(key, segment.text);
        } else {
            key += text_segment;
            key += segment.text;
            key += end_of_text;
        }
    }
    key += end_of_local;
}

char take(std::string_view& key) {
    const char first = key.front();
    key.remove_prefix(1);
    return first;
}

}  // namespace

Parsed<Parts> parse(std::string_view text) {
    Cursor in(text);
    Parts version;
    in.skip_blanks();
    in.eat("v");
    if (!read_release(in, version)) return in.expected("a digit");
    read_pre(in, version);
    read_post(in, version);
    read_dev(in, version);
    if (in.eat("+") && !read_local(in, version)) return in.expected("a letter or a digit of the local label");
    in.skip_blanks();
    if (in.done()) return version;
    if (!version.local.empty()) return in.expected("a letter, a digit, a separator or the end");
    return in.expected("a number, a pre-release (a1, b1, rc1), .post1, .dev1, +local or the end");
}

std::string format(const Parts& version) {
    std::string text;
    if (version.epoch != "0") text += version.epoch + "!";
    text += key::join(version.release);
    if (version.pre) text += std::string(name(version.pre->phase)) + version.pre->number;
    if (version.post) text += ".post" + *version.post;
    if (version.dev) text += ".dev" + *version.dev;
    if (!version.local.empty()) text += "+" + format_local(version.local);
    return text;
}

std::string format_local(const std::vector<Segment>& local) {
    std::string text;
    for (const Segment& segment : local) text += (text.empty() ? "" : ".") + segment.text;
    return text;
}

std::string key_up_to_release(const Parts& version) {
    std::string key;
    key::append_number(key, version.epoch);
    return key;
}

std::string key_up_to_post(const Parts& version) {
    std::string key = key_up_to_release(version);
    key::append_release(key, version.release);
    append_pre(key, version);
    return key;
}

std::string key_up_to_local(const Parts& version) {
    std::string key = key_up_to_post(version);
    append_post(key, version);
    append_dev(key, version);
    return key;
}

std::string to_key(const Parts& version) {
    std::string key = key_up_to_local(version);
    append_local(key, version);
    return key;
}

void take_pre(std::string_view& key, Parts& version) {
    const char mark = take(key);
    if (mark == pre_of_dev_release || mark == no_pre) return;
    version.pre = Pre{static_cast<Phase>(mark), key::take_number(key)};
}

void take_post(std::string_view& key, Parts& version) {
    if (take(key) == has_post) version.post = key::take_number(key);
}

void take_dev(std::string_view& key, Parts& version) {
    if (take(key) == has_dev) version.dev = key::take_number(key);
}

void take_local(std::string_view& key, Parts& version) {
    for (char mark = take(key); mark != end_of_local; mark = take(key)) {
        if (mark == number_segment) {
            version.local.push_back({key::take_number(key), true});
        } else {
            const auto end = key.find(end_of_text);
            version.local.push_back({std::string(key.substr(0, end)), false});
            key.remove_prefix(end + 1);
        }
    }
}

Parts from_key(std::string_view key) {
    Parts version;
    version.epoch = key::take_number(key);
    version.release = key::take_numbers(key);
    if (version.release.empty()) version.release.emplace_back("0");
    take(key);   // end of release
    take_pre(key, version);
    take_post(key, version);
    take_dev(key, version);
    take_local(key, version);
    return version;
}

}  // namespace vmatrix::version::pep440
