// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/readings.hpp>
#include <perfspec/measure/calibration.hpp>

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace perfspec::detail {

/// How a turn is timed: as a batch of one subject; or as steps in order, each by a clock around it, by the operators
/// that run in it, or by what these start on a device.
enum class turn_reading : std::uint8_t { batch, timers, operators, device };

/// A turn, which each round takes once, and its times in all rounds so far.
struct turn {
    std::vector<subject> steps{};
    turn_reading reading{turn_reading::batch};
    std::vector<std::vector<double>> times{};  ///< [steps][rounds], nanoseconds of one iteration

    /// [rounds]: the time of all steps together.
    [[nodiscard]] std::vector<double> sums() const;
};

/// The turns of the rounds of one claim.
class layer_rounds {
public:
    layer_rounds(const claim_context& context, claim_result& result, std::vector<turn> turns);

    /// Calibrates with the subject of the first turn, which is the longest, and takes rounds until the budget is spent.
    /// Adds to the evidence in the result, because a claim may take rounds several times. Throws measurement_failure
    /// if too few rounds fit. measurement  the number of this call within one claim; each draws its own order
    void take(unsigned measurement = 0);

    [[nodiscard]] const turn& at(std::size_t i) const { return turns_.at(i); }
    [[nodiscard]] std::uint64_t iterations() const noexcept { return calibration_.x.iterations; }

private:
    [[nodiscard]] std::vector<double> take_turn(const turn& t) const;
    [[nodiscard]] double read_step(const turn& t, const subject& step) const;
    [[nodiscard]] std::vector<std::vector<double>> take_round(std::mt19937_64& order) const;

    const claim_context& context_;
    claim_result& result_;
    std::vector<turn> turns_;
    sample_calibration calibration_;
};

/// The centre, with the interval of values that the rounds do not exclude.
[[nodiscard]] estimate estimate_of(std::span<const double> values);

/// Adds a cell to the result's table.
void add_part(claim_result& result, std::string part, std::string method, const estimate& value, double share = 0.0,
              std::string mark = {});

}  // namespace perfspec::detail
