// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "creep.hpp"

#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace perfspec::tool {
namespace {

constexpr std::array exponents{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
/// How many values the medians at both ends take, and the fewest that are judged.
constexpr std::size_t values_at_an_end = 5;

/// The mean payment over all ranks: what makes the game fair.
class mean_payments {
public:
    /// The next value's, which has one more rank than the one before.
    [[nodiscard]] std::array<double, exponents.size()> next() {
        ++ranks_;
        std::array<double, exponents.size()> means{};
        const auto n = static_cast<double>(ranks_);
        for (std::size_t e = 0; e < exponents.size(); ++e) {
            sums_[e] += std::pow(n, exponents[e] - 1);
            means[e] = sums_[e] * std::pow(n, -exponents[e]);
        }
        return means;
    }

private:
    std::size_t ranks_ = 0;
    std::array<double, exponents.size()> sums_{};  // of k^(e - 1) for the ranks k
};

std::vector<double> trusted_values(const key_history& key) {
    std::vector<double> values;
    for (const history_point& point : key.points)
        if (std::isfinite(point.value) && point.worst != concern::invalid) values.push_back(point.value);
    return values;
}

creep change_of(const key_history& key, const std::vector<double>& values) {
    creep found;
    found.before = std::isfinite(key.first_baseline) ? key.first_baseline : median(std::span(values).first(values_at_an_end));
    found.now = median(std::span(values).last(values_at_an_end));
    found.change = found.before > 0 ? found.now / found.before - 1 : 0.0;
    return found;
}

bool is_worth_a_word(const creep& c, better direction) {
    return direction == better::less ? c.change >= least_creep : c.change <= -least_creep;
}

}  // namespace

double evidence_of_rise(std::span<const double> values) {
    if (values.size() < values_at_an_end) return 1.0;
    std::vector<double> sorted;
    std::array<double, exponents.size()> logarithms{};
    mean_payments means;
    for (const double value : values) {
        sorted.insert(std::ranges::upper_bound(sorted, value), value);
        const auto below = std::ranges::lower_bound(sorted, value) - sorted.begin();
        const double p = 1.0 - static_cast<double>(below) / static_cast<double>(sorted.size());
        const auto mean = means.next();
        for (std::size_t e = 0; e < exponents.size(); ++e) logarithms[e] += (exponents[e] - 1) * std::log(p) - std::log(mean[e]);
    }
    double sum = 0;
    for (const double logarithm : logarithms) sum += std::exp(logarithm);
    return sum / static_cast<double>(exponents.size());
}

std::vector<bool> discoveries(std::span<const double> evidence, double false_share) {
    std::vector<double> falling(evidence.begin(), evidence.end());
    std::ranges::sort(falling, std::ranges::greater{});
    const auto n = static_cast<double>(falling.size());
    double least = INFINITY;
    for (std::size_t k = falling.size(); k > 0; --k) {
        if (falling[k - 1] * static_cast<double>(k) * false_share < n) continue;
        least = falling[k - 1];
        break;
    }
    std::vector<bool> believed;
    for (const double e : evidence) believed.push_back(e >= least);
    return believed;
}

std::vector<std::optional<creep>> find_creep(std::span<const key_history> keys) {
    std::vector<std::optional<creep>> found(keys.size());
    std::vector<std::size_t> judged;
    std::vector<double> evidence;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        std::vector<double> values = trusted_values(keys[i]);
        if (values.size() < values_at_an_end) continue;
        found[i] = change_of(keys[i], values);
        if (keys[i].direction == better::more)
            for (double& value : values) value = -value;
        found[i]->evidence = evidence_of_rise(values);
        judged.push_back(i);
        evidence.push_back(found[i]->evidence);
    }
    const std::vector<bool> believed = discoveries(evidence, false_share_of_creep);
    for (std::size_t j = 0; j < judged.size(); ++j)
        if (auto& one = found[judged[j]]; !believed[j] || !is_worth_a_word(*one, keys[judged[j]].direction)) one.reset();
    return found;
}

}  // namespace perfspec::tool
