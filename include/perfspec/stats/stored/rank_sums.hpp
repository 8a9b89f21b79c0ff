// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfspec::detail {

/// The exact distribution of the rank sum U of fresh values against stored ones, if all of them are exchangeable: how
/// many of all possible orders have U = 0, 1, ... U is the number of pairs of a stored and a fresh value in which the
/// stored one is larger.
///
/// The counts are the coefficients of the Gaussian binomial coefficient of stored + fresh over fresh in q (Mann and
/// Whitney, Annals of Mathematical Statistics 18, 1947). They are built up one fresh value after another. They are
/// whole numbers, up to 4e15 for 40 and 20.
///
///     rank_sum_counts rows(10, 5);
///     rows.orders(5);            // 3003
///     rows.most_below(5, 0.001)  // 0: U = 0 has the probability 1 / 3003, U <= 1 twice that
class rank_sum_counts {
public:
    static constexpr std::size_t max_stored = 40;
    static constexpr std::size_t max_fresh = 20;

    /// stored, fresh  at least 1, at most max_stored and max_fresh
    rank_sum_counts(std::size_t stored, std::size_t fresh);

    /// The number of orders of the stored values and `fresh` fresh ones.
    [[nodiscard]] std::uint64_t orders(std::size_t fresh) const { return total_.at(fresh); }

    /// The largest u with P(U <= u) at most the rate, for `fresh` fresh values; -1 where even U = 0 is more probable.
    [[nodiscard]] std::int64_t most_below(std::size_t fresh, double rate) const;

    /// P(U <= u); 0 for a negative u.
    [[nodiscard]] double probability_up_to(std::size_t fresh, std::int64_t u) const;

private:
    std::vector<std::vector<std::uint64_t>> counts_;  ///< by fresh values, then by U
    std::vector<std::uint64_t> total_;
};

}  // namespace perfspec::detail
