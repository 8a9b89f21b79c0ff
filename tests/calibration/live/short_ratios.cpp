// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Twelve ratios of short bodies, each in a line: its name, and the logarithms of sixteen pairs. short_ratios.csv has
// twenty runs of this program (tests/calibration/README.md).
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/perfspec.hpp>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <list>
#include <map>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

template <class Before, class After> void show(const char* name, Before before, After after) {
    const perfspec::subject a("before", before), b("after", after);
    perfspec::monotonic_clock wall;
    const perfspec::clocks time{wall, wall};
    perfspec::pair_source pairs(a, b, perfspec::calibrate_pair(a, b, {}, time), std::random_device{}(), time);
    std::printf("%s", name);
    for (int i = 0; i < 16; ++i) std::printf(",%.5f", pairs.next().log_ratio());
    std::printf("\n");
}

template <class Table> long sum_of_found(const Table& table, const std::vector<int>& keys) {
    long sum = 0;
    for (const int key : keys) sum += table.find(key)->second;
    return sum;
}

long sum_of_large(const std::vector<int>& values) {
    long sum = 0;
    for (const int v : values)
        if (v > 50'000) sum += v;
        else sum ^= v;
    return sum;
}

void compare_containers(const std::vector<int>& mixed, const std::vector<int>& sorted) {
    const auto stable = [&] {
        auto copy = mixed;
        std::stable_sort(copy.begin(), copy.end());
        return copy[3];
    };
    const auto unstable = [&] {
        auto copy = mixed;
        std::sort(copy.begin(), copy.end());
        return copy[3];
    };
    show("sorts", stable, unstable);
    show("equal sorts", unstable, unstable);
    std::map<int, int> tree;
    std::unordered_map<int, int> hashed;
    for (const int v : mixed) tree[v] = hashed[v] = v;
    show(
        "maps", [&] { return sum_of_found(tree, mixed); }, [&] { return sum_of_found(hashed, mixed); });
    const auto places = [&](auto find) {
        long sum = 0;
        for (std::size_t i = 0; i < 20; ++i) sum += find(mixed[i]) - sorted.begin();
        return sum;
    };
    show(
        "searches", [&] { return places([&](int v) { return std::find(sorted.begin(), sorted.end(), v); }); },
        [&] { return places([&](int v) { return std::lower_bound(sorted.begin(), sorted.end(), v); }); });
    show(
        "branches", [&] { return sum_of_large(mixed); }, [&] { return sum_of_large(sorted); });
    show(
        "lists", [&] { return std::vector<int>(mixed.begin(), mixed.end()).back(); },
        [&] { return std::list<int>(mixed.begin(), mixed.end()).back(); });
}

void compare_strings(const std::vector<int>& numbers) {
    std::ostringstream words;
    for (const int n : numbers) words << "word" << n << ' ';
    const std::string text = words.str();
    const auto by_stream = [&] {
        std::istringstream in(text);
        std::size_t length = 0;
        for (std::string word; in >> word;) length += word.size();
        return length;
    };
    const auto by_find = [&] {
        std::size_t length = 0;
        for (std::size_t at = 0, end = 0; (end = text.find(' ', at)) != std::string::npos; at = end + 1)
            length += text.substr(at, end - at).size();
        return length;
    };
    show("splits", by_stream, by_find);
    const auto append = [&](std::size_t reserved) {
        std::string all;
        all.reserve(reserved);
        for (const int n : numbers) all += static_cast<char>('a' + n % 26);
        return all.size();
    };
    show(
        "appends", [&] { return append(0); }, [&] { return append(1000); });
    const auto joined = [&] {
        std::string all;
        for (const int n : numbers) all += std::to_string(n);
        return all.size();
    };
    const auto streamed = [&] {
        std::ostringstream all;
        for (const int n : numbers) all << n;
        return all.str().size();
    };
    show("numbers", joined, streamed);
}

void compare_sums(const std::vector<int>& numbers) {
    const std::vector<double> values(numbers.begin(), numbers.end());
    const auto plain = [&] { return std::accumulate(values.begin(), values.end(), 0.0); };
    const auto compensated = [&] {
        double sum = 0, lost = 0;
        for (const double v : values) {
            const double next = sum + (v - lost);
            lost = (next - sum) - (v - lost);
            sum = next;
        }
        return sum;
    };
    show("sums", compensated, plain);
    show("equal sums", plain, plain);
    const auto bits = [&](auto count) {
        int sum = 0;
        for (const int n : numbers) sum += count(static_cast<unsigned>(n));
        return sum;
    };
    const auto one_by_one = [](unsigned n) {
        int sum = 0;
        for (; n != 0; n &= n - 1) ++sum;
        return sum;
    };
    show(
        "bits", [&] { return bits(one_by_one); }, [&] { return bits([](unsigned n) { return std::popcount(n); }); });
}

}  // namespace

int main() {
    std::mt19937 random(7);
    std::vector<int> numbers(1000);
    for (int& n : numbers) n = static_cast<int>(random() % 100'000);
    std::vector<int> sorted = numbers;
    std::sort(sorted.begin(), sorted.end());
    compare_containers(numbers, sorted);
    compare_strings(numbers);
    compare_sums(numbers);
}
