/// Repeats something and tells how long it takes.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace bench {

/// When to stop: after `most` runs or `seconds`, but not before `least` runs.
struct Effort {
    std::size_t least = 3, most = 1000;
    double seconds = 0.3;
};

/// In microseconds; `low` and `high` are the quartiles.
struct Times {
    double median = 0, low = 0, high = 0;
    std::size_t runs = 0;
};

/// What the compiler must not leave out.
template <class Value>
void keep(const Value& value) {
    asm volatile("" : : "g"(&value) : "memory");
}

template <class Work>
Times measure(const Effort& effort, Work work) {
    using Clock = std::chrono::steady_clock;
    using Microseconds = std::chrono::duration<double, std::micro>;
    std::vector<double> times;
    double total = 0;
    while (times.size() < effort.least || (times.size() < effort.most && total < effort.seconds * 1e6)) {
        const auto begin = Clock::now();
        const auto result = work();
        times.push_back(Microseconds(Clock::now() - begin).count());
        keep(result);
        total += times.back();
    }
    std::ranges::sort(times);
    return {times[times.size() / 2], times[times.size() / 4], times[times.size() * 3 / 4], times.size()};
}

}  // namespace bench
