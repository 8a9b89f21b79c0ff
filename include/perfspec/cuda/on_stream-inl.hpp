// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/on_stream.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/text.hpp>

#include <memory>
#include <string>

namespace perfspec {
namespace detail {

cuda_work work_on(const subject& x, cudaStream_t stream, const cuda_runtime& runtime) {
    const std::string call = "\"" + std::string(x.name()) + "\".on(stream): ";
    if (!x.state().device.empty() || !x.state().remote.empty())
        throw input_error(
            call + "it runs " + (x.state().remote.empty() ? "on " + x.state().device : "in " + x.state().remote) +
            " already: give a subject of a plain body, perfspec::subject(\"pipeline\", [&] { … }).on(stream)");
    if (x.state().run_load != nullptr) throw input_error(call + "declare .load(step) behind .on(stream)");
    if (x.state().functions->prepare != nullptr)
        throw input_error(call + "it has a setup(make), and device_time needs several iterations in a row without one: "
                                 "make the inputs before");
    const auto run_once = [](void* self, cudaStream_t) {
        const auto& inner = *static_cast<subject*>(self);
        return (inner.state().functions->run(inner.storage(), 1), cudaSuccess);
    };
    cuda_work made = subject_on_stream(x.name(), {std::make_shared<subject>(x), run_once}, runtime, stream);
    const std::string refused = made.state().invalid_reason;
    const std::string device = made.state().device;
    declare_like(made, x);
    made.state().kernels = kernel_view::device;
    made.state().device = device;
    if (!refused.empty()) made.refuse(refused);
    return made.hot();
}

}  // namespace detail

inline namespace language {

cuda_work on_stream(const subject& x, cudaStream_t stream) {
    return detail::work_on(x, stream, detail::real_cuda_runtime());
}

}  // namespace language
}  // namespace perfspec
