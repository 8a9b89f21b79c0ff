// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/subjects/host_synchronised.hpp>
#include <perfspec/libtorch/subjects/on_device-inl.hpp>
#include <perfspec/libtorch/subjects/torch_subject-inl.hpp>
#include <perfspec/quantity/text.hpp>

#include <string>

namespace perfspec {
namespace detail {

inline subject synchronised_model(const subject& x) {
    if (torch_body_of(x)->graph)
        throw input_error("host_synchronised(\"" + std::string(x.name()) +
                          "\"): it is a graph: give the subject that it was made from, as_graph(host_synchronised(x))");
    subject made = same_model(x);
    torch_body& body = *torch_body_of(made);
    body.clock.is_host_synchronised = true;
    settle_clock(made.state(), body);
    return made;
}

inline subject synchronised_work(const subject& x) {
    const waiting_body& original = waiting_at(x.storage());
    subject made = waiting_subject(original.inner, original.device, /*is_host_synchronised=*/true);
    declare_like(made, x);
    load_like(made, x);
    return made;
}

}  // namespace detail

inline namespace language {

subject host_synchronised(const subject& x) {
    if (detail::torch_body_of(x) != nullptr) return detail::synchronised_model(x);
    if (x.state().functions == &detail::waiting_functions) return detail::synchronised_work(x);
    throw input_error(
        "host_synchronised(\"" + std::string(x.name()) +
        "\"): give a LibTorch subject, such as perfspec::eager(…), or on_device(f, at::kCUDA); on streams, "
        "streams(host_synchronised(x), 2); and write .host_synchronised() of a cuda_kernel");
}

}  // namespace language
}  // namespace perfspec
