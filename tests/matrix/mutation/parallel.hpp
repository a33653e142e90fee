/// Work that falls into many independent parts.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace mutation {

/// Calls work(0), work(1), .. up to count, in two threads where the machine has them.
template <class Work>
void in_parallel(std::size_t count, const Work& work) {
    std::atomic<std::size_t> next = 0;
    const auto some = [&] {
        for (std::size_t i = next++; i < count; i = next++) work(i);
    };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::clamp(std::thread::hardware_concurrency(), 1U, 2U); ++i) threads.emplace_back(some);
    for (std::thread& thread : threads) thread.join();
}

}  // namespace mutation
