// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_runtime.hpp>
#include <perfspec/explain/kernel_times.hpp>
#include <perfspec/gpu/cuda_driver.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The common start of records of work on a device.
///
/// Source: CUPTI API reference, CUpti_ActivityKernel4 to CUpti_ActivityKernel10, CUpti_ActivityMemcpy6,
/// CUpti_ActivityMemset4. Each version adds fields at the end, so a library that is newer or older than the toolkit
/// reads the same; cupti_test holds the places against the toolkit's header.
struct cupti_record {
    std::uint32_t kind{};
    std::uint8_t copy{};  ///< direction of a copy
    std::uint8_t of_kind[11]{};
    std::uint64_t start_ns{};  ///< 0: unknown
    std::uint64_t end_ns{};    ///< 0: unknown
};

/// The record of a kernel, up to its name.
struct cupti_kernel_record {
    cupti_record begin{};
    std::uint8_t of_kernel[72]{};
    const char* name{};  ///< mangled, or null
};

/// Numbers of CUpti_ActivityKind, CUpti_ActivityMemcpyKind, CUpti_ActivityFlag and CUptiResult.
enum cupti_kind : std::uint32_t { cupti_copy = 1, cupti_fill = 2, cupti_kernel = 10, cupti_copy_to_another = 22 };
inline constexpr std::uint32_t cupti_flush_all_buffers = 1;
inline constexpr int cupti_end_of_buffer = 12;

/// The functions of CUPTI, NVIDIA's library for profilers, that record what runs on a device. Tests script them. A
/// function that the library lacks is null.
///
/// Source: CUPTI API reference, "CUPTI Activity API"; the names are those of its binary interface. So its header is not
/// needed, and programs do not link it.
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
    std::string fault{};  ///< why the library cannot be used, or empty
};

/// Possible places of the CUPTI of a CUDA version, 13000: the dynamic linker's paths, then the toolkit's folders.
inline std::vector<std::string> places_of_cupti(int cuda_version) {
    // Another major version could write other records.
    const std::string name = "libcupti.so." + std::to_string(cuda_version / 1000);
    return {name, "/usr/local/cuda/extras/CUPTI/lib64/" + name, "/usr/local/cuda/lib64/" + name};
}

/// The functions of a loaded library; `fault` names missing ones.
inline cupti_library functions_of_cupti(const shared_library& loaded, const std::string& name) {
    cupti_library cupti;
    loaded.find("cuptiActivityRegisterCallbacks", cupti.use_buffers);
    loaded.find("cuptiActivityEnable", cupti.enable);
    loaded.find("cuptiActivityDisable", cupti.disable);
    loaded.find("cuptiActivityFlushAll", cupti.flush);
    loaded.find("cuptiActivityGetNextRecord", cupti.next);
    loaded.find("cuptiActivityGetNumDroppedRecords", cupti.lost);
    loaded.find("cuptiGetResultString", cupti.error_name);
    const bool is_complete = cupti.use_buffers != nullptr && cupti.enable != nullptr && cupti.disable != nullptr &&
                             cupti.flush != nullptr && cupti.next != nullptr && cupti.lost != nullptr &&
                             cupti.error_name != nullptr;
    if (!is_complete) cupti.fault = name + " lacks functions of CUPTI's activity records";
    return cupti;
}

/// The first of these libraries that exists. Never throws for missing ones.
inline cupti_library load_cupti(const std::vector<std::string>& places) {
    cupti_library missing;
    for (const std::string& name : places) {
        const shared_library loaded(name);
        if (loaded.fault().empty()) return functions_of_cupti(loaded, name);
        if (missing.fault.empty()) missing.fault = loaded.fault();
    }
    return missing;
}

inline constexpr std::array recorded_kinds{cupti_kernel, cupti_copy, cupti_fill, cupti_copy_to_another};

/// "saxpy(int, float)" of "_Z5saxpyif"; a name that is not of C++ is kept.
inline std::string readable_name(const char* mangled) {
    if (mangled == nullptr) return "(unnamed kernel)";
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(mangled, nullptr, nullptr, &status),
                                                       std::free);
    return plain == nullptr ? mangled : plain.get();
}

inline std::string name_of_copy(std::uint8_t kind) {
    constexpr std::uint8_t to_device = 1, to_host = 2, on_device = 8;
    return kind == to_device   ? "copy to the device"
           : kind == to_host   ? "copy to the host"
           : kind == on_device ? "copy on the device"
                               : "copy";
}

inline std::string name_of_work(const cupti_record& record) {
    if (record.kind == cupti_kernel) return readable_name(reinterpret_cast<const cupti_kernel_record&>(record).name);
    return record.kind == cupti_copy   ? name_of_copy(record.copy)
           : record.kind == cupti_fill ? "fill"
                                       : "copy to another device";
}

/// Records the kernels, copies and fills of all streams and threads of the process, by CUPTI. Each has a call of its
/// own name without time on the processor, because its real caller is unknown.
///
/// A trace is complete or refused: it has no work from before `begin`, and `end` waits for the device. `end` throws
/// std::runtime_error if CUPTI lost a record, or reports one without times. CUPTI does not see kernels that other
/// kernels launch.
///
/// Only one object records at a time, because CUPTI's callbacks do not name a receiver.
class kernel_recorder final : public device_recorder {
public:
    /// load  called once, by the first `begin`
    kernel_recorder(const cuda_runtime& runtime, cupti_library (*load)()) : runtime_(runtime), load_(load) {}
    kernel_recorder(const kernel_recorder&) = delete;
    kernel_recorder& operator=(const kernel_recorder&) = delete;
    ~kernel_recorder() override {
        stop();
        kernel_recorder* self = this;
        in_use_.compare_exchange_strong(self, nullptr);
    }

    [[nodiscard]] std::string begin(input_shapes) override {
        if (!cupti_) cupti_ = load_();
        if (!cupti_->fault.empty())
            return "perfspec records kernels with CUPTI, which it cannot use: " + cupti_->fault +
                   ". Install the CUDA Toolkit, and add its folder extras/CUPTI/lib64 to LD_LIBRARY_PATH";
        if (const cudaError_t failed = runtime_.wait_for_device(); failed != cudaSuccess) {
            static_cast<void>(runtime_.take_last_error());  // reported here, so no later call is blamed for it
            return "kernels cannot be recorded: " + describe_cuda(failed);
        }
        in_use_ = this;
        records_ = true;
        if (std::string refused = start(); !refused.empty()) {
            stop();
            return "CUPTI does not record kernels: " + refused +
                   ". Another profiler, such as Nsight Systems, may be using it";
        }
        std::size_t of_earlier = 0;
        static_cast<void>(cupti_->lost(nullptr, 0, &of_earlier));
        const std::lock_guard lock(guard_);
        work_.clear();
        fault_.clear();
        return {};
    }

    [[nodiscard]] std::vector<device_event> end() override {
        if (!records_) return {};
        const std::string fault = why_incomplete();
        stop();
        const std::lock_guard lock(guard_);
        std::vector<device_event> work = std::exchange(work_, {});
        if (!fault.empty()) throw std::runtime_error(fault);
        std::ranges::stable_sort(work, {}, &device_event::start_ns);
        std::vector<device_event> trace;
        for (device_event& each : work) {
            each.call = trace.size() / 2 + 1;
            trace.push_back({each.name, traced_work::call, each.start_ns, each.start_ns, 0, each.call});
            trace.push_back(std::move(each));
        }
        return trace;
    }

private:
    static void give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) noexcept {
        constexpr std::size_t bytes = std::size_t{1} << 20U;  // some 5,000 kernels
        *buffer = static_cast<std::uint8_t*>(std::malloc(bytes));
        *size = *buffer == nullptr ? 0 : bytes;
        *most_records = 0;  // no limit
    }

    static void take_buffer(void*, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t used) noexcept {
        if (kernel_recorder* const recorder = in_use_.load(); recorder != nullptr) recorder->read(buffer, used);
        std::free(buffer);
    }

    /// Starts CUPTI. Returns why it does not record, or empty.
    [[nodiscard]] std::string start() {
        if (const int failed = cupti_->use_buffers(give_buffer, take_buffer); failed != 0) return error_text(failed);
        for (const cupti_kind kind : recorded_kinds)
            if (const int failed = cupti_->enable(kind); failed != 0) return error_text(failed);
        return {};
    }

    /// Why the trace is incomplete, or empty.
    [[nodiscard]] std::string why_incomplete() {
        if (const cudaError_t failed = runtime_.wait_for_device(); failed != cudaSuccess) {
            static_cast<void>(runtime_.take_last_error());
            return describe_cuda(failed);
        }
        if (const int failed = cupti_->flush(cupti_flush_all_buffers); failed != 0)
            return "CUPTI did not deliver its records: " + error_text(failed);
        std::size_t lost = 0;
        if (const int failed = cupti_->lost(nullptr, 0, &lost); failed != 0)
            return "CUPTI does not report how many records it lost: " + error_text(failed);
        if (lost != 0) return "CUPTI lost " + std::to_string(lost) + (lost == 1 ? " record" : " records");
        const std::lock_guard lock(guard_);
        return fault_;
    }

    void stop() noexcept {
        if (!std::exchange(records_, false)) return;
        for (const cupti_kind kind : recorded_kinds) static_cast<void>(cupti_->disable(kind));
    }

    void read(std::uint8_t* buffer, std::size_t used) {
        const std::lock_guard lock(guard_);
        if (used == 0) return;
        cupti_record* record = nullptr;
        int result = 0;
        try {
            while ((result = cupti_->next(buffer, used, &record)) == 0) add(*record);
            if (result != cupti_end_of_buffer) fault_ = "one of CUPTI's records cannot be read: " + error_text(result);
        } catch (const std::exception& error) { fault_ = error.what(); }
    }

    void add(const cupti_record& record) {
        if (std::ranges::find(recorded_kinds, record.kind) == recorded_kinds.end()) return;
        const std::string name = name_of_work(record);
        if (record.start_ns == 0 || record.end_ns == 0) fault_ = "CUPTI reports no times for \"" + name + "\"";
        const auto what = record.kind == cupti_kernel ? traced_work::kernel : traced_work::transfer;
        work_.push_back(
            {name, what, static_cast<std::int64_t>(record.start_ns), static_cast<std::int64_t>(record.end_ns), 0, 0});
    }

    [[nodiscard]] std::string error_text(int error) const {
        const char* name = nullptr;
        if (cupti_->error_name(error, &name) != 0 || name == nullptr)
            return "error " + std::to_string(error) + " of CUPTI";
        return name;
    }

    static inline std::atomic<kernel_recorder*> in_use_{};  ///< receiver of CUPTI's buffers, or null
    const cuda_runtime& runtime_;
    cupti_library (*load_)();
    std::optional<cupti_library> cupti_;
    bool records_{};
    std::mutex guard_;  ///< CUPTI returns buffers in its own thread
    std::vector<device_event> work_;
    std::string fault_;  ///< of a buffer
};

}  // namespace perfspec::inline v0_2::detail
