// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <memory>

namespace perfspec {

/// A fresh seed from the operating system. It is below 2^32, so `seed(n)` can repeat it.
[[nodiscard]] std::uint64_t fresh_seed();

/// A fair coin with a seed: mt19937_64, one draw per toss. It sees no time and no data. This makes the error levels of
/// pairs exact whatever the noise does (stats/README.md, "Pairs"; calibrated in tests/calibration).
class coin {
public:
    explicit coin(std::uint64_t seed);
    coin(coin&&) noexcept;
    coin& operator=(coin&&) noexcept;
    ~coin();

    [[nodiscard]] bool toss();

private:
    struct generator;
    std::unique_ptr<generator> generator_;
};

}  // namespace perfspec
