// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/sm_clock_query.hpp>
#include <perfspec/language/queries.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

namespace perfspec {
namespace detail {

/// Samples of a subject that tell the clock.
struct clock_of_work {
    cuda_work x;

    double operator()() const {
        x.work().stream.prepare();
        return x.work().timer.clock_of_sample(x.work().launched);
    }
};

}  // namespace detail

inline namespace language {

query<dimension::own> sm_clock(const cuda_work& x) {
    subject clock(x.name(), detail::clock_of_work{x});
    clock.state().id = x.state().id;  // it is the same body wherever it is asked
    detail::declare_like(clock, x);
    return metric("sm_clock in MHz", better::more, clock);
}

}  // namespace language
}  // namespace perfspec
