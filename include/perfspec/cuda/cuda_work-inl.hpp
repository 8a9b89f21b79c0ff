// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/cuda_work.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/format.hpp>

#include <cmath>
#include <string>
#include <utility>

namespace perfspec {
namespace detail {

double work_on_stream::time_on_device() { return timer.time_iteration(launched); }

std::string work_on_stream::caveat() {
    std::string all;
    for (const std::string& each : {note, timer.caveat()}) all += (all.empty() || each.empty() ? "" : "; ") + each;
    return all;
}

void work_on_stream::settle_for_trace() {
    const launched_body nothing{launched.name, nullptr, [](void*) {}};
    timer.settle_cache(has_inputs ? nothing : launched);
}

bool work_on_stream::end_trace() {
    timer.clock.end();
    stream.wait();
    return timer.accepts_sample(launched.name);
}

/// The clock of the device is read within the trace: it would run slower while the device waits for the profiler.
inline traced_iteration traced_on_stream(work_on_stream& held) {
    return {.self = &held,
            .settle = [](void* self) { static_cast<work_on_stream*>(self)->settle_for_trace(); },
            .begin = [](void* self) { static_cast<work_on_stream*>(self)->timer.clock.begin(); },
            .end = [](void* self) { return static_cast<work_on_stream*>(self)->end_trace(); }};
}

cuda_work finished_work(const subject& made, work_on_stream& held, void (*launch)(void* storage)) {
    held.launched = {made.name(), made.storage(), launch};
    const std::string& reason = held.stream.invalid_reason();
    made.state().device = reason.empty() ? current_cuda_device(held.stream.runtime()) : "cuda";
    made.state().kernels = kernel_view::device;
    made.state().traced = traced_on_stream(held);
    cuda_work work{made, held};
    if (!reason.empty()) work.refuse(reason);
    return work;
}

}  // namespace detail

cuda_work& cuda_work::hot() & { return cache(detail::cache_mode::hot); }

cuda_work& cuda_work::cold() & { return cache(detail::cache_mode::cold); }

cuda_work& cuda_work::slowest_clock(percentage share) & {
    if (!(share.fraction >= 0.0 && share.fraction <= 1.0))
        refuse("slowest_clock(" + format_percentage(share.fraction) +
               "): give a share of the default clock from 0 % to 100 %: .slowest_clock(75_pct)");
    work_->timer.clock.slowest_share = share.fraction;
    return *this;
}

cuda_work& cuda_work::host_synchronised() & {
    work_->timer.timing.is_host_synchronised = true;
    note_timing();
    return *this;
}

cuda_work& cuda_work::cache(detail::cache_mode mode) {
    work_->timer.timing.cache = mode;
    note_timing();
    return *this;
}

void cuda_work::note_timing() { state().device_timing = work_->timer.timing.text(); }

}  // namespace perfspec
