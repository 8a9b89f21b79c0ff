// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/kernels/cupti.hpp>
#include <perfspec/cuda/machine/device_events.hpp>
#include <perfspec/cuda/runtime/cuda_runtime.hpp>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace perfspec::detail {

/// Records the kernels, copies and fills of all streams and threads of the process, by CUPTI. Each is a call of its own
/// name that takes the processor no time, because nobody sees what called it.
///
/// A trace is complete or refused: work of before `begin` is not in it, `end` waits for the device, and where CUPTI
/// lost a record, or tells one without its times, `end` throws std::runtime_error. Kernels that a kernel launches are
/// not recorded: CUPTI does not see them.
///
/// Records of one process at a time: CUPTI's callbacks do not say for whom they are.
class kernel_recorder final : public device_recorder {
public:
    /// load  called once, by the first `begin`
    kernel_recorder(const cuda_runtime& runtime, cupti_library (*load)()) : runtime_(runtime), load_(load) {}
    kernel_recorder(const kernel_recorder&) = delete;
    kernel_recorder& operator=(const kernel_recorder&) = delete;
    ~kernel_recorder() override;

    [[nodiscard]] std::string begin(input_shapes shapes) override;
    [[nodiscard]] std::vector<device_event> end() override;

private:
    static void give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) noexcept;
    static void take_buffer(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
                            std::size_t used) noexcept;

    [[nodiscard]] std::string start();
    [[nodiscard]] std::string why_incomplete();
    void stop() noexcept;
    void read(std::uint8_t* buffer, std::size_t used);
    void add(const cupti_record& record);
    [[nodiscard]] std::string said(int error) const;

    const cuda_runtime& runtime_;
    cupti_library (*load_)();
    std::optional<cupti_library> cupti_;
    bool records_{};
    std::mutex guard_;  ///< CUPTI gives buffers back in a thread of its own
    std::vector<device_event> work_;
    std::string fault_;  ///< of a buffer
};

/// The recorder of this process, with the CUPTI that belongs to its runtime.
[[nodiscard]] kernel_recorder& recorder_of_kernels();

}  // namespace perfspec::detail
