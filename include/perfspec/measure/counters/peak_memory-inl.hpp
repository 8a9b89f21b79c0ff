// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/peak_memory.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/machine/disturbance-inl.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__GLIBC__)
#    include <malloc.h>
#    include <pthread.h>
#    include <sys/mman.h>

// Only one allocator defines each: jemalloc, gperftools' tcmalloc, Google's tcmalloc, mimalloc. Otherwise it is null.
extern "C" [[gnu::weak]] void perfspec_of_jemalloc() __asm__("mallctl");
extern "C" [[gnu::weak]] void perfspec_of_gperftools() __asm__("MallocExtension_ReleaseFreeMemory");
extern "C" [[gnu::weak]] void perfspec_of_tcmalloc() __asm__("MallocExtension_Internal_ReleaseMemoryToSystem");
extern "C" [[gnu::weak]] void perfspec_of_mimalloc() __asm__("mi_collect");
#endif

namespace perfspec::inline v0_2 {
namespace detail {

#if defined(__GLIBC__)

/// Whether malloc is the C library's own.
inline bool malloc_is_of_glibc() {
    return &perfspec_of_jemalloc == nullptr && &perfspec_of_gperftools == nullptr && &perfspec_of_tcmalloc == nullptr &&
           &perfspec_of_mimalloc == nullptr;
}

/// Drops the stack pages below this frame: deeper calls of earlier runs left data there. Does nothing on another stack
/// than the thread's own, as of a coroutine: above that, other memory may lie between.
[[gnu::noinline]] inline void give_back_stack() {
    constexpr std::uintptr_t in_use = std::uintptr_t{64} * 1024;  // by this call and those that it makes
    pthread_attr_t attributes;
    if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return;
    void* lowest = nullptr;
    std::size_t size = 0;
    const bool known = ::pthread_attr_getstack(&attributes, &lowest, &size) == 0;
    ::pthread_attr_destroy(&attributes);
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(lowest);
    const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    const std::uintptr_t end = (frame - in_use) / page * page;
    // the main thread's stack is not mapped down to its limit; the mapped part is dropped all the same
    if (known && begin < end && frame - begin < size) static_cast<void>(::madvise(lowest, end - begin, MADV_DONTNEED));
}

#endif

/// Reads the files without the heap, because it measures the heap.
class process_files final : public memory_system {
public:
    [[nodiscard]] std::optional<std::int64_t> resident() override { return kibibytes("VmRSS:"); }

    [[nodiscard]] bool reset_peak() override {
        const int file = ::open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
        if (file < 0) return false;
        const bool done = ::write(file, "5", 1) == 1;
        ::close(file);
        return done;
    }

    [[nodiscard]] std::optional<std::int64_t> peak() override {
        if (const auto highest = kibibytes("VmHWM:")) return highest;
        rusage used{};
        if (::getrusage(RUSAGE_SELF, &used) != 0) return {};
        return used.ru_maxrss * std::int64_t{1024};
    }

    [[nodiscard]] bool give_back_free() override {
#if defined(__GLIBC__)
        give_back_stack();
        if (!malloc_is_of_glibc()) return false;
        static_cast<void>(::malloc_trim(0));
        return true;
#else
        return false;
#endif
    }

private:
    /// "VmHWM:	    5120 kB" of /proc/self/status.
    static std::optional<std::int64_t> kibibytes(std::string_view name) {
        const std::int64_t number = process_file("/proc/self/status").number(name);
        return number > 0 ? std::optional(number * std::int64_t{1024}) : std::nullopt;
    }
};

}  // namespace detail

memory_system& process_memory() {
    static detail::process_files& memory = *new detail::process_files;
    return memory;
}

std::string peak_memory_counter::begin() {
    in_sample_ = false;
    if (memory_->resident() && memory_->peak()) return {};
    return "this system does not report the memory of a process: perfspec needs VmRSS and VmHWM in /proc/self/status";
}

std::string peak_memory_counter::caveat() const {
    if (!free_is_hidden_) return {};
    return "this program's malloc is not glibc's, so perfspec cannot make it return freed memory to the system. If "
           "earlier code freed memory, the body may use it again, and the peak is then too small. Give the claim its "
           "own test case";
}

std::int64_t peak_memory_counter::take_level() {
    free_is_hidden_ = !memory_->give_back_free();
    peak_before_ = memory_->peak().value_or(0);
    was_reset_ = memory_->reset_peak();
    level_ = memory_->resident().value_or(0);
    return level_;
}

std::int64_t peak_memory_counter::take_peak() {
    const std::int64_t peak = memory_->peak().value_or(0);
    if (was_reset_ || peak > peak_before_) return std::max(level_, peak);
    throw measurement_failure(
        failure_kind::not_countable,
        "the peak memory is unknown: the process used more memory earlier, and perfspec cannot reset its peak, because "
        "/proc/self/clear_refs is not writable. Give the claim its own test case");
}

std::int64_t peak_memory_counter::now() {
    in_sample_ = !in_sample_;
    return in_sample_ ? take_level() : take_peak();
}

}  // namespace perfspec::inline v0_2
