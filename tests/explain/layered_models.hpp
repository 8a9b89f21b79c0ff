// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Models in layers on a scripted clock, in this process and in a worker, and their tables.

#include "run/scripted_run.hpp"

#include <perfspec/explain/queries.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

#include <support/scripted_operators.hpp>

#include <new>

namespace perfspec::testing {

struct scripted_layer {
    const char* name;
    std::chrono::nanoseconds alone;
};

/// A model that takes 1 ms more than its layers. Each layer runs an operator for nine tenths of its time.
inline layered_subject scripted_model(scripted_run& program, scripted_operators& recorder, const char* name,
                                      const std::vector<scripted_layer>& layers) {
    std::vector<subject> prefixes, steps;
    std::chrono::nanoseconds sum{};
    for (const scripted_layer& layer : layers) {
        sum += layer.alone;
        prefixes.push_back(program.takes("prefix", sum));
        steps.emplace_back(layer.name, [&program, &recorder, layer] {
            recorder.run("op", layer.alone.count() * 9 / 10);
            program.work(layer.alone);
        });
    }
    return {program.takes(name, sum + std::chrono::milliseconds(1)), std::move(prefixes), std::move(steps)};
}

inline const part_value& cell(const record& r, const std::string& part, const std::string& method) {
    const auto found =
        std::ranges::find_if(r.parts, [&](const part_value& p) { return p.part == part && p.method == method; });
    if (found == r.parts.end()) FAIL("no cell " << part << ", " << method);
    return *found;
}

inline std::string chosen(const record& r, const std::string& method) {
    std::string text;
    for (const part_value& p : r.parts)
        if (p.method == method && p.mark == "chosen") text += p.part + " ";
    return text;
}

/// A subject of a worker that reports this time of an iteration.
inline subject in_a_worker(const char* name, std::chrono::nanoseconds took) {
    static constexpr body_functions functions{.run = [](void*, std::uint64_t) {},
                                              .run_remotely =
                                                  [](void* self, std::uint64_t iterations, detail::remote_reading) {
                                                      return static_cast<std::chrono::nanoseconds*>(self)->count() *
                                                             static_cast<std::int64_t>(iterations);
                                                  }};
    subject made(name, functions, sizeof(took));
    ::new (made.storage()) std::chrono::nanoseconds(took);
    made.constructed();
    made.state().remote = "the worker of models.py";
    return made;
}

inline layered_subject model_in_a_worker(const char* name, std::chrono::nanoseconds first,
                                         std::chrono::nanoseconds second) {
    return {in_a_worker(name, first + second),
            {in_a_worker("up to conv", first), in_a_worker("up to relu", first + second)},
            {in_a_worker("conv", first), in_a_worker("relu", second)}};
}

}  // namespace perfspec::testing
