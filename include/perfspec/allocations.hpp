// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Makes allocations(x) and allocated_bytes(x) count. This header replaces every form of operator new and operator
// delete by one that counts and forwards to malloc or free, and with glibc also malloc, calloc, realloc and the
// functions for aligned memory, in all libraries of the program. Include it in exactly one source file of the test
// program: a second one is a linker error.
//
//     #include <perfspec/allocations.hpp>      // in one file
//     PERF_CHECK(allocations([&] { parse(text); }) == 0);
//
// It works with any malloc that is linked or preloaded (jemalloc, tcmalloc): each function counts, and calls the next
// one of its name. Under a sanitizer, without glibc, in a static program, and in a program with its own malloc, only
// operator new would count, so claims are skipped. AddressSanitizer still sees every block through malloc, and finds
// leaks, overflows and uses after free. But it can no longer distinguish new from malloc, or new[] from new
// (alloc-dealloc-mismatch). Outside of a count, an allocation costs one more load and one more call.

#include <perfspec/measure/counters/heap_counters.hpp>

#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#    define PERFSPEC_DETAIL_COUNTS_MALLOC
#endif
#if defined(__has_feature)
#    if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#        undef PERFSPEC_DETAIL_COUNTS_MALLOC
#    endif
#endif
#if defined(PERFSPEC_DETAIL_COUNTS_MALLOC)
#    include <algorithm>
#    include <cerrno>

#    include <dlfcn.h>
#    include <malloc.h>

// Weak: calls go to a program's own malloc, or to that of a static library. Visible: the libraries of the program call
// these too.
#    define PERFSPEC_DETAIL_HEAP [[gnu::weak, gnu::visibility("default")]]
extern "C" {
PERFSPEC_DETAIL_HEAP void* malloc(std::size_t size) noexcept;
PERFSPEC_DETAIL_HEAP void* calloc(std::size_t n, std::size_t size) noexcept;
PERFSPEC_DETAIL_HEAP void* realloc(void* block, std::size_t size) noexcept;
PERFSPEC_DETAIL_HEAP void* memalign(std::size_t alignment, std::size_t size) noexcept;
PERFSPEC_DETAIL_HEAP void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept;
PERFSPEC_DETAIL_HEAP int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept;
// glibc's own names for these, for static programs. NOLINTBEGIN(bugprone-reserved-identifier)
[[gnu::weak]] void* __libc_malloc(std::size_t size) noexcept;
[[gnu::weak]] void* __libc_calloc(std::size_t n, std::size_t size) noexcept;
[[gnu::weak]] void* __libc_realloc(void* block, std::size_t size) noexcept;
[[gnu::weak]] int __posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept;
// NOLINTEND(bugprone-reserved-identifier)
}
#    undef PERFSPEC_DETAIL_HEAP
#endif

extern "C" {
// If two files include this header, the linker's error names this constant as well as the operators.
extern const int perfspec_allocations_hpp_is_included_twice_so_include_it_in_one_source_file;
const int perfspec_allocations_hpp_is_included_twice_so_include_it_in_one_source_file = 1;
}

namespace perfspec::inline v0_2::detail {
namespace {

constinit heap_counters counted_heap;

void count_block(std::size_t size) noexcept {
    if (!counted_heap.counting.load(std::memory_order_relaxed)) return;
    counted_heap.calls.fetch_add(1, std::memory_order_relaxed);
    counted_heap.bytes.fetch_add(static_cast<std::int64_t>(size), std::memory_order_relaxed);
    if (::pthread_equal(counted_heap.thread.load(std::memory_order_relaxed), ::pthread_self()) == 0)
        counted_heap.calls_of_others.fetch_add(1, std::memory_order_relaxed);
}

#if defined(PERFSPEC_DETAIL_COUNTS_MALLOC)
/// The functions that this program would call without this header. The first allocation sets them, before there are
/// threads.
struct next_heap {
    decltype(&::malloc) malloc;
    decltype(&::calloc) calloc;
    decltype(&::realloc) realloc;
    decltype(&::posix_memalign) posix_memalign;
};
constinit next_heap next_functions{};

template <class Function> void find_next(Function*& function, const char* name, Function* static_function) noexcept {
    function = reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
    if (function == nullptr) function = static_function;
}

const next_heap& heap_below() noexcept {
    if (next_functions.malloc == nullptr) {
        find_next(next_functions.calloc, "calloc", __libc_calloc);
        find_next(next_functions.realloc, "realloc", __libc_realloc);
        find_next(next_functions.posix_memalign, "posix_memalign", __posix_memalign);
        find_next(next_functions.malloc, "malloc", __libc_malloc);
    }
    return next_functions;
}

/// For memalign and aligned_alloc, which report by errno.
void* counted_aligned(std::size_t alignment, std::size_t size) noexcept {
    count_block(size);
    void* block = nullptr;
    const int error = heap_below().posix_memalign(&block, std::max(alignment, sizeof(void*)), size);
    if (error == 0) return block;
    errno = error;
    return nullptr;
}

/// Whether calls of malloc reach the one below, and not the program's own or that of a static C library.
bool counts_malloc() noexcept {
    void* (*volatile call)(std::size_t) = ::malloc;
    counted_heap.counting.store(true);
    std::free(call(1));
    counted_heap.counting.store(false);
    return counted_heap.calls.load() > 0;
}
#else
bool counts_malloc() noexcept { return false; }
#endif

[[maybe_unused]] const bool heap_is_counted = use_heap_counters(counted_heap, counts_malloc());

/// A block for operator new, without counting.
void* block_of(std::size_t size, std::size_t alignment) noexcept {
    if (size == 0) size = 1;
    const bool is_ordinary = alignment <= alignof(std::max_align_t);
#if defined(PERFSPEC_DETAIL_COUNTS_MALLOC)
    if (is_ordinary && counted_heap.counts_malloc) return heap_below().malloc(size);
    const auto aligned = heap_below().posix_memalign;
#else
    const auto aligned = ::posix_memalign;
#endif
    if (is_ordinary) return std::malloc(size);
    void* block = nullptr;
    return aligned(&block, alignment, size) == 0 ? block : nullptr;
}

/// Calls the new handler until there is memory or no handler, as [new.delete.single] requires: the handler may free
/// memory.
void* allocate_or_null(std::size_t size, std::size_t alignment) {
    count_block(size);
    for (;;) {
        if (void* block = block_of(size, alignment)) return block;
        const std::new_handler handler = std::get_new_handler();
        if (handler == nullptr) return nullptr;
        handler();
    }
}

void* allocate(std::size_t size, std::size_t alignment = alignof(std::max_align_t)) {
    void* block = allocate_or_null(size, alignment);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}

void* allocate_nothrow(std::size_t size, std::size_t alignment = alignof(std::max_align_t)) noexcept {
    try {
        return allocate_or_null(size, alignment);
    } catch (const std::bad_alloc&) { return nullptr; }
}

}  // namespace
}  // namespace perfspec::inline v0_2::detail

// noinline: compilers that see malloc behind new, or free behind delete, warn about a pair that does not match.
#define PERFSPEC_DETAIL_HEAP [[gnu::noinline]]

// All forms, for objects and for arrays: a library of the program may define each for itself.
#define PERFSPEC_DETAIL_OPERATORS(NEW, DELETE)                                                                   \
    PERFSPEC_DETAIL_HEAP void* operator NEW(std::size_t n) { return perfspec::detail::allocate(n); }             \
    PERFSPEC_DETAIL_HEAP void* operator NEW(std::size_t n, std::align_val_t a) {                                 \
        return perfspec::detail::allocate(n, static_cast<std::size_t>(a));                                       \
    }                                                                                                            \
    PERFSPEC_DETAIL_HEAP void* operator NEW(std::size_t n, const std::nothrow_t&) noexcept {                     \
        return perfspec::detail::allocate_nothrow(n);                                                            \
    }                                                                                                            \
    PERFSPEC_DETAIL_HEAP void* operator NEW(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept { \
        return perfspec::detail::allocate_nothrow(n, static_cast<std::size_t>(a));                               \
    }                                                                                                            \
    PERFSPEC_DETAIL_HEAP void operator DELETE(void* p) noexcept { std::free(p); }                                \
    PERFSPEC_DETAIL_HEAP void operator DELETE(void* p, std::size_t) noexcept { std::free(p); }                   \
    PERFSPEC_DETAIL_HEAP void operator DELETE(void* p, std::align_val_t) noexcept { std::free(p); }              \
    PERFSPEC_DETAIL_HEAP void operator DELETE(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); } \
    PERFSPEC_DETAIL_HEAP void operator DELETE(void* p, const std::nothrow_t&) noexcept { std::free(p); }         \
    PERFSPEC_DETAIL_HEAP void operator DELETE(void* p, std::align_val_t, const std::nothrow_t&) noexcept {       \
        std::free(p);                                                                                            \
    }

PERFSPEC_DETAIL_OPERATORS(new, delete)
PERFSPEC_DETAIL_OPERATORS(new[], delete[])
#undef PERFSPEC_DETAIL_OPERATORS
#undef PERFSPEC_DETAIL_HEAP

#if defined(PERFSPEC_DETAIL_COUNTS_MALLOC)
void* malloc(std::size_t size) noexcept {
    perfspec::detail::count_block(size);
    return perfspec::detail::heap_below().malloc(size);
}
void* calloc(std::size_t n, std::size_t size) noexcept {
    perfspec::detail::count_block(n * size);
    return perfspec::detail::heap_below().calloc(n, size);
}
void* realloc(void* block, std::size_t size) noexcept {
    if (block == nullptr || size != 0) perfspec::detail::count_block(size);  // otherwise it frees
    return perfspec::detail::heap_below().realloc(block, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
    return perfspec::detail::counted_aligned(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
    return perfspec::detail::counted_aligned(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
    perfspec::detail::count_block(size);
    return perfspec::detail::heap_below().posix_memalign(block, alignment, size);
}
#    undef PERFSPEC_DETAIL_COUNTS_MALLOC
#endif
