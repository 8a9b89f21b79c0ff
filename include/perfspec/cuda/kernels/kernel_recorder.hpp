// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/machine/kernel_times.hpp>
#include <perfspec/cuda/runtime/cuda_runtime.hpp>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace perfspec::detail {

/// How the records of all work on a device begin.
///
/// Source: CUPTI API reference, CUpti_ActivityKernel4 to CUpti_ActivityKernel10, CUpti_ActivityMemcpy6,
/// CUpti_ActivityMemset4. Each version adds fields at the end, so a library that is newer or older than the toolkit
/// reads the same; cupti_test holds the places against the toolkit's header.
struct cupti_record {
    std::uint32_t kind{};
    std::uint8_t copy{};  ///< of a copy: from where to where
    std::uint8_t of_kind[11]{};
    std::uint64_t start_ns{};  ///< 0: unknown
    std::uint64_t end_ns{};    ///< 0: unknown
};

/// The record of a kernel, up to its name.
struct cupti_kernel_record {
    cupti_record begin{};
    std::uint8_t of_kernel[72]{};
    const char* name{};  ///< mangled; null where it has none
};

/// Numbers of CUpti_ActivityKind, CUpti_ActivityMemcpyKind, CUpti_ActivityFlag and CUptiResult.
enum cupti_kind : std::uint32_t { cupti_copy = 1, cupti_fill = 2, cupti_kernel = 10, cupti_copy_to_another = 22 };
inline constexpr std::uint32_t cupti_flush_all_buffers = 1;
inline constexpr int cupti_end_of_buffer = 12;

/// The functions of CUPTI, NVIDIA's library for profilers, that record what runs on a device. Tests script them. A
/// function that the library lacks is null.
///
/// Source: CUPTI API reference, "CUPTI Activity API"; the names are those of its binary interface. So its header is not
/// needed, and no program links it.
struct cupti_library {
    using give_buffer = void (*)(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records);
    using take_buffer = void (*)(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
                                 std::size_t used);

    int (*use_buffers)(give_buffer give, take_buffer take){};
    int (*enable)(std::uint32_t kind){};
    int (*disable)(std::uint32_t kind){};
    int (*flush)(std::uint32_t how){};
    int (*next)(std::uint8_t* buffer, std::size_t used, cupti_record** record){};
    int (*lost)(void* context, std::uint32_t stream, std::size_t* records){};  ///< since the last call
    int (*error_name)(int error, const char** name){};
    std::string fault{};  ///< why the library cannot be used; empty where it can
};

/// Where the CUPTI of a version of CUDA may be, 13000: by the dynamic linker's paths first, then in the toolkit's
/// folders.
[[nodiscard]] std::vector<std::string> places_of_cupti(int cuda_version);

/// The first of these libraries that is there. Never throws for a missing one.
[[nodiscard]] cupti_library load_cupti(const std::vector<std::string>& places);

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
