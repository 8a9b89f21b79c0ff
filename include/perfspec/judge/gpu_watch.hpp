// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/measure/gpu/gpu_state.hpp>

#include <string>
#include <vector>

namespace perfspec::detail {

/// Watches the GPUs that the subjects of a claim work on, from when it is made.
class gpu_watch {
public:
    explicit gpu_watch(const question& asked);

    /// Adds what the GPUs did since then to the disturbances of the finding, and a note where something slowed them
    /// down.
    void tell(finding& found) const;

private:
    struct watched_gpu {
        std::string device;
        gpu_state before;
    };

    const question& asked_;
    std::vector<watched_gpu> all_;
};

/// Notes what a subject's adapter and the watch of its GPU saw of samples that were slow. Where both saw the GPU slowed
/// down, that is one event: the watch's note says what became of the samples, or the reason of an invalid claim says
/// what slowed the GPU down.
void note_slow_samples(const question& asked, finding& found);

/// Notes, once in a process, that nobody can see what the GPUs of a claim do: NVML is not there.
void note_unwatched_gpus(const question& asked, finding& found);

}  // namespace perfspec::detail
