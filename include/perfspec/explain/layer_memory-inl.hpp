// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// layer_memory(x): what each layer of a model allocates, from one run after a warm one. A second run says what varies.

#include <perfspec/judge/measuring.hpp>
#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/measure/counters/tensor_events.hpp>
#include <perfspec/measure/sample.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

/// The memory of one step: bytes above the level before the first step, and blocks.
struct step_memory {
    std::int64_t peak{};
    std::int64_t held{};  ///< after it
    std::int64_t allocations{};
};

/// Reads the recorder just before a step runs, and just after.
class step_reader final : public clock {
public:
    explicit step_reader(tensor_recorder& recorder) noexcept : recorder_(recorder) {}

    [[nodiscard]] std::int64_t now() override {
        reads_end_ = !reads_end_;
        reads_end_ ? begin() : end();
        return 0;
    }

    [[nodiscard]] const std::vector<step_memory>& steps() const noexcept { return steps_; }

private:
    void begin() {
        recorder_.restart_peak();
        if (!first_level_) first_level_ = recorder_.level();
        step_.peak = recorder_.level() - *first_level_;
        step_.allocations = recorder_.allocations();
    }
    void end() {
        step_.peak += recorder_.peak();
        step_.held = recorder_.level() - *first_level_;
        step_.allocations = recorder_.allocations() - step_.allocations;
        steps_.push_back(step_);
    }

    tensor_recorder& recorder_;
    bool reads_end_{};
    std::optional<std::int64_t> first_level_{};  ///< before the first step
    step_memory step_{};
    std::vector<step_memory> steps_;
};

/// Runs the steps in their order, one iteration each.
inline std::vector<step_memory> memory_of_steps(tensor_recorder& recorder, std::span<const subject> steps) {
    step_reader reader(recorder);
    for (const subject& step : steps) static_cast<void>(take_sample(step, 1, warm_call::no, reader));
    return reader.steps();
}

/// A run, and another that shows what varies.
struct two_runs {
    std::vector<step_memory> first;
    std::vector<step_memory> second;

    [[nodiscard]] bool varies(std::size_t i, std::int64_t step_memory::*what) const {
        return first[i].*what != second[i].*what;
    }
    [[nodiscard]] bool varies() const {
        for (std::size_t i = 0; i < first.size(); ++i)
            for (const auto what : {&step_memory::peak, &step_memory::held, &step_memory::allocations})
                if (varies(i, what)) return true;
        return false;
    }
};

/// Warm, because the first run makes what later ones find, such as packed weights.
inline two_runs run_twice(tensor_recorder& recorder, std::span<const subject> steps) {
    static_cast<void>(memory_of_steps(recorder, steps));
    two_runs taken;
    taken.first = memory_of_steps(recorder, steps);
    taken.second = memory_of_steps(recorder, steps);
    return taken;
}

/// A row for each step: three values, each marked where the second run differs. Shares are of the peak of the whole.
inline std::vector<part_value> rows_of_steps(std::span<const std::string> names, const two_runs& taken, double whole) {
    struct column {
        const char* method;
        std::int64_t step_memory::*what;
        dimension unit;
    };
    constexpr column columns[] = {{"at its peak", &step_memory::peak, dimension::bytes},
                                  {"held after it", &step_memory::held, dimension::bytes},
                                  {"allocations", &step_memory::allocations, dimension::count}};
    std::vector<part_value> cells;
    for (std::size_t i = 0; i < names.size(); ++i) {
        for (const column& c : columns) {
            const auto value = static_cast<double>(taken.first[i].*c.what);
            const double share = c.what == &step_memory::peak && whole > 0.0 ? value / whole : 0.0;
            cells.push_back(
                {names[i], c.method, c.unit, without_interval(value), share, taken.varies(i, c.what) ? "varies" : ""});
        }
    }
    return cells;
}

/// The runs of a whole model, and of its layers.
struct layer_memory_runs {
    two_runs whole;
    two_runs layers;
    double seconds{};
};

inline layer_memory_runs run_layers(const claim_context& context, tensor_recorder& recorder) {
    clock& wall = context.run.system().wall;
    const std::int64_t started = wall.now();
    const std::span subjects(context.query.subjects);
    layer_memory_runs taken;
    taken.whole = run_twice(recorder, subjects.first(1));
    taken.layers = run_twice(recorder, subjects.subspan(1));
    taken.seconds = static_cast<double>(wall.now() - started) * 1e-9;
    return taken;
}

inline claim_result measure_layer_memory(const claim_context& context) {
    claim_result result = empty_result(context);
    counters& all = context.run.system().counts;
    const counting begun(all.of(metric_kind::tensor_memory));
    tensor_recorder* const recorder = all.tensors();
    if (!begun.fault().empty() || recorder == nullptr)
        return judged(std::move(result), {verdict::invalid, begun.fault()});
    auto [taken, seen] = measure(context, result, [&] { return run_layers(context, *recorder); });
    const auto peak = static_cast<double>(taken.whole.first.at(0).peak);
    const std::string end_to_end[] = {"end to end"};
    result.parts = joined(rows_of_steps(std::span(context.names).subspan(1), taken.layers, peak),
                          rows_of_steps(end_to_end, taken.whole, peak));
    result.estimate = without_interval(peak);
    result.subjects = {
        summary_of(context.names[0], {peak, static_cast<double>(taken.whole.second.at(0).peak)}, 1, dimension::bytes)};
    result.evidence.rounds = 2;
    result.evidence.exact = !taken.layers.varies() && !taken.whole.varies();
    result.evidence.method = "tensors of each layer in a run after a warm one";
    result.evidence.seconds = taken.seconds;
    return judged(observed(std::move(result), std::move(seen)), {verdict::holds});
}

const procedure memory_of_layers{
    "one run of all layers after a warm one, and another",
    [](const claim_context& context) { return context.query.metric == metric_kind::layer_memory; },
    measure_layer_memory};

}  // namespace perfspec::detail
