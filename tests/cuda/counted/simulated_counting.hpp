// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../simulated_gpu.hpp"

#include <perfspec/cuda/counted/counting_library.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace perfspec::testing {

/// CUPTI's Range Profiler on a simulated GPU. What a kernel adds to each number is said by the kernel's name, and
/// counts in the pass that the number is of. A call out of order fails. The one in force is the last one made.
class simulated_counting {
public:
    explicit simulated_counting(simulated_gpu& gpu) {
        now = this;
        gpu.profiler = [this](const seen_work& work) { see(work); };
    }
    simulated_counting(const simulated_counting&) = delete;
    simulated_counting& operator=(const simulated_counting&) = delete;
    ~simulated_counting() { now = nullptr; }

    std::string missing{};                                      ///< why there is no library
    std::string chip = "GA100";                                 ///< of the device
    std::vector<std::string> names = names_of_a100();           ///< that the chip counts
    std::map<std::string, std::map<std::string, double>> of{};  ///< by kernel: what it adds, by base name
    std::size_t passes = 1;                                     ///< that a count takes
    std::size_t announced_passes = 0;                           ///< another number of them; 0: the same
    std::map<std::string, int> refusing{};                      ///< by function, as "enable": what it answers
    std::size_t dropped = 0;                                    ///< ranges
    std::size_t ranges = 1;                                     ///< that a count has
    bool is_enabled{};
    int counts{};  ///< that were begun
    int hosts{};   ///< objects that live

    static std::vector<std::string> names_of_a100();
    /// The recorder loads this.
    [[nodiscard]] static detail::counting_library library();

private:
    enum class state : std::uint8_t { off, enabled, configured, started, pushed };

    void see(const seen_work& work);
    [[nodiscard]] int answer(const char* function) const;
    int move(const char* function, state from, state to);
    static void add_functions_of_host(detail::counting_library& simulated);
    static void add_functions_of_ranges(detail::counting_library& simulated);

    state state_{};
    std::size_t pass_{};
    std::vector<std::string> asked_{};
    std::vector<double> values_{};
    std::vector<const char*> known_{};

    static inline simulated_counting* now = nullptr;
};

}  // namespace perfspec::testing
