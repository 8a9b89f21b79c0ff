// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../simulated_gpu.hpp"

#include <perfspec/cuda/kernels/kernel_recorder.hpp>

#include <cstring>

namespace perfspec::testing {

/// CUPTI on a simulated GPU: it records each kind of work that is enabled, and hands records out in buffers. The last
/// one made is in force.
class simulated_cupti {
public:
    explicit simulated_cupti(simulated_gpu& gpu) {
        now = this;
        gpu.profiler = [this](const seen_work& work) { see(work); };
    }
    simulated_cupti(const simulated_cupti&) = delete;
    simulated_cupti& operator=(const simulated_cupti&) = delete;
    ~simulated_cupti() { now = nullptr; }

    int buffers_error = 0;               ///< the error of the call
    std::map<int, int> enable_errors{};  ///< the same by kind, unless success 0
    int flush_error = 0;                 ///< the same
    int lost_error = 0;                  ///< the same
    std::size_t room = 1'000;            ///< the most records; it loses later ones
    bool is_last_incomplete{};           ///< the last record of a buffer
    bool has_times = true;               ///< that records have times
    std::set<std::uint32_t> enabled{};
    std::string missing{};  ///< why there is no library

    /// The recorder loads this.
    [[nodiscard]] static detail::cupti_library library();

private:
    void see(const seen_work& work);
    void put(std::uint32_t kind, std::uint8_t copy, const seen_work& work);
    int hand_out();
    int next(std::uint8_t* buffer, std::size_t used, detail::cupti_record** record) const;

    detail::cupti_library::give_buffer give_{};
    detail::cupti_library::take_buffer take_{};
    std::vector<detail::cupti_kernel_record> records_{};
    std::size_t lost_{};

    static inline simulated_cupti* now = nullptr;
};

}  // namespace perfspec::testing
