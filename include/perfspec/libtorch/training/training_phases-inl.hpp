// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/subjects/torch_body.hpp>
#include <perfspec/libtorch/training/training_step-inl.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace perfspec::detail {

/// A step in phases, and the loss that one phase leaves to the next.
struct phase_chain {
    std::shared_ptr<training_step> step;
    at::Tensor loss{};
    std::uint64_t updates{};  ///< in this sample
};

struct training_phase {
    const char* name;
    void (*run)(phase_chain& chain, const tensor_list& inputs);
};

inline std::vector<training_phase> phases_in(const training_step& step) {
    std::vector<training_phase> all{
        {"forward",
         [](phase_chain& c, const tensor_list& inputs) {
             if (c.step->drops_gradients) drop_gradients(c.step->parameters);
             c.step->forward(inputs);
         }},
        {"loss", [](phase_chain& c, const tensor_list&) { c.loss = c.step->loss(); }},
        {"backward", [](phase_chain& c, const tensor_list&) { run_backward(*c.step, std::move(c.loss)); }},
    };
    if (step.update)
        all.push_back(
            {"optimizer", [](phase_chain& c, const tensor_list&) { c.updates += run_update(*c.step) ? 1 : 0; }});
    return all;
}

/// A subject of phases `from` to `to`. Only the first phase begins a sample, and only the last one ends it: the phases
/// between them need what the one before left.
inline subject subject_of_phases(std::string_view name, const std::shared_ptr<phase_chain>& chain, std::size_t from,
                                 std::size_t to) {
    const std::vector<training_phase> all = phases_in(*chain->step);
    torch_model model = training_model(chain->step);
    if (from != 0) model.ready = {};
    if (from != 0 || to == 1) model.restore = {};
    if (to == all.size()) model.restore = [chain] { end_sample(*chain->step); };
    model.run = [chain, all, from, to](const tensor_list& inputs, std::uint64_t iterations) -> tensor_list {
        chain->updates = 0;
        for (std::uint64_t n = 0; n < iterations; ++n)
            for (std::size_t i = from; i < to; ++i) all[i].run(*chain, inputs);
        if (to == all.size()) require_updates(*chain->step, iterations, chain->updates);
        return {};
    };
    return torch_subject(name, std::move(model), chain->step->inputs);
}

layered_subject phases_of(const subject& whole, const std::shared_ptr<training_step>& step) {
    if (step->passes != 1)
        throw input_error(
            "subject \"" + std::string(whole.name()) +
            "\": a step of several passes has no phases one after the other: ask for those of a step without accumulate(…)");
    const auto chain = std::make_shared<phase_chain>(phase_chain{step});
    const std::vector<training_phase> all = phases_in(*step);
    std::vector<subject> prefixes, steps;
    for (std::size_t i = 0; i < all.size(); ++i) {
        prefixes.push_back(subject_of_phases(std::string("up to ") + all[i].name, chain, 0, i + 1));
        steps.push_back(subject_of_phases(all[i].name, chain, i, i + 1));
    }
    return {whole, std::move(prefixes), std::move(steps)};
}

}  // namespace perfspec::detail
