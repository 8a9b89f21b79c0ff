// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/kernels/kernel_recorder.hpp>
#include <perfspec/cuda/machine/cuda_driver.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <memory>
#include <stdexcept>
#include <utility>

namespace perfspec::detail {

std::vector<std::string> places_of_cupti(int cuda_version) {
    // One of another major version could write other records.
    const std::string name = "libcupti.so." + std::to_string(cuda_version / 1000);
    return {name, "/usr/local/cuda/extras/CUPTI/lib64/" + name, "/usr/local/cuda/lib64/" + name};
}

/// The functions of a library that is loaded; `fault` says what it lacks.
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

cupti_library load_cupti(const std::vector<std::string>& places) {
    cupti_library missing;
    for (const std::string& name : places) {
        const shared_library loaded(name);
        if (loaded.fault().empty()) return functions_of_cupti(loaded, name);
        if (missing.fault.empty()) missing.fault = loaded.fault();
    }
    return missing;
}

inline constexpr std::array recorded_kinds{cupti_kernel, cupti_copy, cupti_fill, cupti_copy_to_another};

/// For whom CUPTI's buffers are; null: for nobody.
inline std::atomic<kernel_recorder*>& recorder_in_use() noexcept {
    static std::atomic<kernel_recorder*> known{};
    return known;
}

/// "saxpy(int, float)" of "_Z5saxpyif"; the name itself where it is none of C++.
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

kernel_recorder::~kernel_recorder() {
    stop();
    kernel_recorder* self = this;
    recorder_in_use().compare_exchange_strong(self, nullptr);
}

void kernel_recorder::give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) noexcept {
    constexpr std::size_t bytes = std::size_t{1} << 20U;  // some 5,000 kernels
    *buffer = static_cast<std::uint8_t*>(std::malloc(bytes));
    *size = *buffer == nullptr ? 0 : bytes;
    *most_records = 0;  // as many as there is room for
}

void kernel_recorder::take_buffer(void*, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t used) noexcept {
    if (kernel_recorder* const recorder = recorder_in_use().load(); recorder != nullptr) recorder->read(buffer, used);
    std::free(buffer);
}

void kernel_recorder::read(std::uint8_t* buffer, std::size_t used) {
    const std::lock_guard lock(guard_);
    if (used == 0) return;
    cupti_record* record = nullptr;
    int found = 0;
    try {
        while ((found = cupti_->next(buffer, used, &record)) == 0) add(*record);
        if (found != cupti_end_of_buffer) fault_ = "one of CUPTI's records cannot be read: " + said(found);
    } catch (const std::exception& error) { fault_ = error.what(); }
}

void kernel_recorder::add(const cupti_record& record) {
    if (std::ranges::find(recorded_kinds, record.kind) == recorded_kinds.end()) return;
    const std::string name = name_of_work(record);
    if (record.start_ns == 0 || record.end_ns == 0) fault_ = "CUPTI tells no times of \"" + name + "\"";
    const auto what = record.kind == cupti_kernel ? traced_work::kernel : traced_work::transfer;
    work_.push_back(
        {name, what, static_cast<std::int64_t>(record.start_ns), static_cast<std::int64_t>(record.end_ns), 0, 0});
}

std::string kernel_recorder::said(int error) const {
    const char* name = nullptr;
    if (cupti_->error_name(error, &name) != 0 || name == nullptr) return "error " + std::to_string(error) + " of CUPTI";
    return name;
}

/// Why CUPTI does not record; empty where it does.
std::string kernel_recorder::start() {
    if (const int failed = cupti_->use_buffers(give_buffer, take_buffer); failed != 0) return said(failed);
    for (const cupti_kind kind : recorded_kinds)
        if (const int failed = cupti_->enable(kind); failed != 0) return said(failed);
    return {};
}

std::string kernel_recorder::begin(input_shapes) {
    if (!cupti_) cupti_ = load_();
    if (!cupti_->fault.empty())
        return "kernels are seen by CUPTI, which comes with the CUDA Toolkit: " + cupti_->fault +
               "; add its folder, extras/CUPTI/lib64 of the toolkit, to LD_LIBRARY_PATH";
    if (const cudaError_t failed = runtime_.wait_for_device(); failed != cudaSuccess) {
        static_cast<void>(runtime_.take_last_error());  // reported here, so no later call is blamed for it
        return "no kernel can be seen: " + describe_cuda(runtime_, failed);
    }
    recorder_in_use() = this;
    records_ = true;
    if (std::string refused = start(); !refused.empty()) {
        stop();
        return "CUPTI does not record kernels: " + refused + "; another profiler, such as Nsight Systems, may have it";
    }
    std::size_t of_earlier = 0;
    static_cast<void>(cupti_->lost(nullptr, 0, &of_earlier));
    const std::lock_guard lock(guard_);
    work_.clear();
    fault_.clear();
    return {};
}

void kernel_recorder::stop() noexcept {
    if (!std::exchange(records_, false)) return;
    for (const cupti_kind kind : recorded_kinds) static_cast<void>(cupti_->disable(kind));
}

/// Why the trace lacks something; empty where it is complete.
std::string kernel_recorder::why_incomplete() {
    if (const cudaError_t failed = runtime_.wait_for_device(); failed != cudaSuccess) {
        static_cast<void>(runtime_.take_last_error());
        return describe_cuda(runtime_, failed);
    }
    if (const int failed = cupti_->flush(cupti_flush_all_buffers); failed != 0)
        return "CUPTI keeps its records: " + said(failed);
    std::size_t lost = 0;
    if (const int failed = cupti_->lost(nullptr, 0, &lost); failed != 0)
        return "CUPTI does not say what it lost: " + said(failed);
    if (lost != 0) return "CUPTI lost " + std::to_string(lost) + (lost == 1 ? " record" : " records");
    const std::lock_guard lock(guard_);
    return fault_;
}

std::vector<device_event> kernel_recorder::end() {
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

kernel_recorder& recorder_of_kernels() {
    static kernel_recorder all(real_cuda_runtime(), [] { return load_cupti(places_of_cupti(CUDART_VERSION)); });
    return all;
}

/// Runs before main. Kineto of LibTorch has CUPTI already, and sees these kernels, too.
[[maybe_unused]] inline const bool kernels_are_recorded =
    known_device_recorder() == nullptr && use_device_recorder(recorder_of_kernels());

}  // namespace perfspec::detail
