// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/counters/counter.hpp>

#include <algorithm>
#include <optional>

namespace perfspec {

/// What a `.load(step)` needs, in bytes.
struct memory_of_load {
    double peak{};   ///< while it ran, above the level before it
    double after{};  ///< what stayed of it
};

/// The memory that a program needs to have a model and to run it, in bytes.
struct loaded_memory {
    double held{};                         ///< by the model that was in memory before
    std::optional<memory_of_load> load{};  ///< nothing where the subject has no load step
    double call{};                         ///< the peak of the first call, above the level before it

    [[nodiscard]] double total() const noexcept {
        return load ? held + std::max(load->peak, load->after + call) : held + call;
    }
};

/// Throws measurement_failure (no_value) for a subject that has no load step and holds no model.
void require_model(const subject& x);

/// Loads x and calls it once. The counter is that of peak_memory. Inputs are made after loading, and do not count.
/// Throws measurement_failure as take_sample does, and (no_value) for a subject without a model, or one that was loaded
/// before.
[[nodiscard]] loaded_memory take_loaded_memory(const subject& x, counter& memory);

}  // namespace perfspec
