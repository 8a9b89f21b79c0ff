// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/recorders.hpp>
#include <perfspec/language/queries.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/libtorch/settings/applied_settings-inl.hpp>
#include <perfspec/libtorch/subjects/device_time-inl.hpp>
#include <perfspec/libtorch/subjects/largest_batch.hpp>
#include <perfspec/libtorch/subjects/on_device-inl.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>

#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace perfspec::inline v0_2 {
namespace detail {

/// The storage of a subject that searches for the largest batch of another one.
struct searching_body {
    subject inner;
    batch_search within;
    std::uint32_t start;        ///< the first batch: that of the inputs, then the last result
    bool tried_beyond{};        ///< a batch beyond the first result
    clock* wall{};              ///< of the claim; null: no limit of time
    std::int64_t longest_ns{};  ///< limit of one search
};

/// Counts the memory of tensors for the life of this object.
class counted_tensors {
public:
    counted_tensors() {
        if (const std::string fault = recorder().begin(); !fault.empty()) throw std::runtime_error(fault);
    }
    counted_tensors(const counted_tensors&) = delete;
    counted_tensors& operator=(const counted_tensors&) = delete;
    ~counted_tensors() { recorder().end(); }

    static tensor_recorder& recorder() noexcept { return *installed_recorder<tensor_recorder>(); }
};

/// The inputs in a batch, without the subject's own tensors, so that every batch counts its inputs.
inline tensor_list own_inputs(const torch_body& body, std::int64_t rows) {
    tensor_list inputs = with_batch(body.inputs, rows);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i].is_same(body.inputs[i])) inputs[i] = inputs[i].detach().clone();
    return converted(inputs, body.settings);
}

/// Runs the model in a batch. Returns its bytes at the peak, inputs included. Throws the model's exceptions.
inline double peak_in_batch(const torch_body& body, std::int64_t rows) {
    const c10::InferenceMode inference;
    counted_tensors::recorder().restart_peak();
    const tensor_list inputs = own_inputs(body, rows);
    const tensor_list outputs = body.model.run(inputs, 1);
    wait_for(body.device);
    return static_cast<double>(counted_tensors::recorder().peak());
}

/// Whether the model runs in a batch of this size within the memory. Throws if it fails for another reason.
inline bool runs_in_batch(const torch_body& body, const batch_search& within, std::int64_t rows) {
    if (body.model.refuses && !body.model.refuses(converted(with_batch(body.inputs, rows), body.settings)).empty())
        return false;
    try {
        const double peak = peak_in_batch(body, rows);
        return within.memory.value == 0.0 || peak <= within.memory.value;
    } catch (const std::exception& error) {
        if (is_lack_of_memory(error)) return false;
        throw std::runtime_error("in a batch of " + std::to_string(rows) + ": " + first_line(error.what()));
    }
}

/// The batches that one search tries.
class batch_trials {
public:
    explicit batch_trials(const searching_body& of) : of_(of), begun_(of.wall == nullptr ? 0 : of.wall->now()) {}

    /// Throws measurement_failure if the search takes too long.
    [[nodiscard]] bool operator()(std::uint32_t rows) {
        if (tried_) end_in_time(rows);
        tried_ = true;
        const bool fits = runs_in_batch(*torch_body_of(of_.inner), of_.within, rows);
        if (fits) largest_ = std::max(largest_, rows);
        return fits;
    }

private:
    void end_in_time(std::uint32_t next) const {
        if (of_.wall == nullptr) return;
        const std::int64_t elapsed = of_.wall->now() - begun_;
        if (elapsed <= of_.longest_ns) return;
        throw measurement_failure(
            failure_kind::not_countable,
            "largest_batch(\"" + std::string(of_.inner.name()) + "\"): stopped after " +
                format_seconds(static_cast<double>(elapsed)) + ", before a batch of " + std::to_string(next) +
                ". The largest that ran is " + std::to_string(largest_) +
                ". Give the claim more time by --perf-cap 10min or, if it has a budget, by a larger one. Or give the "
                "search a lower limit, such as {.limit = 64}");
    }

    const searching_body& of_;
    std::int64_t begun_;
    std::uint32_t largest_{};
    bool tried_{};
};

/// Tests the assumption that a batch is too large if a smaller one is: tries twice the smallest that was too large.
inline void try_beyond(batch_trials& fits, std::uint32_t largest, std::uint32_t limit) {
    const std::uint32_t failed = largest + 1;
    const std::uint32_t beyond = std::min(2 * failed, limit);
    if (largest >= limit || beyond == failed || !fits(beyond)) return;
    throw std::runtime_error(
        "it runs in a batch of " + std::to_string(beyond) + ", but not in a smaller one of " + std::to_string(failed) +
        ", so a search cannot find the largest: search only up to that, {.limit = " + std::to_string(failed) + "}");
}

inline double search_batch(void* self) {
    searching_body& searching = *static_cast<searching_body*>(self);
    torch_body& body = *torch_body_of(searching.inner);
    load_once(searching.inner);
    if (const std::string& reason = body.model.error_reason; !reason.empty()) throw std::runtime_error(reason);
    const run_scope scope(body);
    const counted_tensors counting;
    batch_trials fits(searching);
    // Two runs confirm the last result.
    std::uint32_t largest = searching.start;
    const bool is_same = fits(largest) && (largest == searching.within.limit || !fits(largest + 1));
    if (!is_same) largest = largest_that(fits, largest, searching.within.limit);
    if (!is_same || !searching.tried_beyond) try_beyond(fits, largest, searching.within.limit);
    searching.tried_beyond = true;
    searching.start = std::max(largest, 1U);
    return largest;
}

inline void run_search(void* self, std::uint64_t iterations) {
    for (; iterations != 0; --iterations) static_cast<void>(search_batch(self));
}

inline std::string take_settings_but_batch(const subject& x, const requested_settings& requested) {
    if (requested.batch) return "it searches for the largest batch, so it takes none: leave batch out of --perf-with";
    const subject& inner = static_cast<const searching_body*>(x.storage())->inner;
    return inner.state().functions->take_settings(inner, requested);
}

inline void limit_search(void* self, clock& wall, std::int64_t longest_ns) {
    searching_body& searching = *static_cast<searching_body*>(self);
    searching.wall = &wall;
    searching.longest_ns = longest_ns;
}

inline constexpr body_functions searching_functions{.run = run_search,
                                                    .destroy = destroy_body<searching_body>,
                                                    .value = search_batch,
                                                    .take_settings = take_settings_but_batch,
                                                    .limit_search = limit_search};

/// "largest_batch(eager, 2.000 GiB)": the key has all parameters of a search.
inline std::string name_of_search(const subject& x, const batch_search& within) {
    std::string name = "largest_batch(" + std::string(x.name());
    if (within.memory.value > 0.0) name += ", " + format_value(within.memory.value, dimension::bytes);
    if (within.limit != batch_search{}.limit) name += ", at most " + std::to_string(within.limit);
    return name + ")";
}

/// The common number of equal searches of one body, each of which is a subject of its own claim.
inline std::uint64_t id_of_search(const subject& x, const batch_search& within, std::uint64_t fresh) {
    static std::mutex mutex;
    static auto* const known = new std::map<std::tuple<std::uint64_t, std::uint32_t, double>, std::uint64_t>;
    const std::lock_guard hold(mutex);
    return known->try_emplace({x.state().id, within.limit, within.memory.value}, fresh).first->second;
}

inline void check_search(const subject& x, const batch_search& within) {
    const std::string call = "largest_batch(\"" + std::string(x.name()) + "\"): ";
    const torch_body* const body = torch_body_of(x);
    if (body == nullptr)
        throw input_error(call +
                          "only LibTorch's subjects have a batch that can be changed, such as perfspec::eager(…)");
    if (body->model.trains)
        throw input_error(call +
                          "it is trained, and the targets of its loss fit only one batch: give the model, eager(…)");
    if (body->graph)
        throw input_error(call +
                          "a graph has the batch that it was captured with: give the subject that it was made from");
    if (const std::string reason = why_no_batch(body->inputs); !reason.empty()) throw input_error(call + reason);
    constexpr std::uint32_t highest = 1U << 20U;
    if (within.limit < 1 || within.limit > highest)
        throw input_error(call + "limit is " + std::to_string(within.limit) +
                          ": give 1 to 1048576, such as {.limit = 4096}");
    if (!(within.memory.value >= 0.0) || (within.memory.value == 0.0 && body->device.is_cpu()))
        throw input_error(
            call +
            "on the processor the system kills a process that runs out of memory: say how much tensors may take, such "
            "as {.memory = 2_GiB}");
}

}  // namespace detail

inline namespace language {

query<dimension::own> largest_batch(const subject& x, const batch_search& within) {
    detail::check_search(x, within);
    const std::int64_t rows = detail::torch_body_of(x)->inputs.front().size(0);
    subject made{detail::name_of_search(x, within), detail::searching_functions, sizeof(detail::searching_body)};
    made.construct<detail::searching_body>(x, within,
                                           static_cast<std::uint32_t>(std::min<std::int64_t>(rows, within.limit)));
    detail::declare_like(made, x);
    made.state().id = detail::id_of_search(x, within, made.state().id);
    return metric("rows", better::more, made);
}

}  // namespace language
}  // namespace perfspec::inline v0_2
