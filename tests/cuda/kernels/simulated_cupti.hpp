// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../simulated_gpu.hpp"

#include <perfspec/cuda/kernels/kernel_recorder.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <set>
#include <utility>
#include <vector>

namespace perfspec::testing {

/// CUPTI on a simulated GPU: it keeps a record of each kind of work that is enabled, and hands them out in buffers. The
/// one in force is the last one made.
class simulated_cupti {
public:
    explicit simulated_cupti(simulated_gpu& gpu) {
        now = this;
        gpu.profiler = [this](const seen_work& work) { see(work); };
    }
    simulated_cupti(const simulated_cupti&) = delete;
    simulated_cupti& operator=(const simulated_cupti&) = delete;
    ~simulated_cupti() { now = nullptr; }

    int using_buffers = 0;          ///< what it answers
    std::map<int, int> enabling{};  ///< the same by kind, where it is not 0
    int flushing = 0;               ///< the same
    int telling_lost = 0;           ///< the same
    std::size_t room = 1'000;       ///< records that it keeps; it loses what comes then
    bool is_last_incomplete{};      ///< of the records in a buffer
    bool has_times = true;          ///< that it tells
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
