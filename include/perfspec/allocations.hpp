// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Makes allocations(x) and allocated_bytes(x) count. This header replaces every form of operator new and operator
// delete by one that counts and forwards to malloc or free. Include it in exactly one source file of the test program:
// a second one is a linker error.
//
//     #include <perfspec/allocations.hpp>      // in one file
//     PERF_CHECK(allocations([&] { parse(text); }) == 0);
//
// It works with any malloc that is linked or preloaded (jemalloc, tcmalloc). AddressSanitizer still sees every block
// through malloc, and finds leaks, overflows and uses after free. But it can no longer distinguish new from malloc, or
// new[] from new (alloc-dealloc-mismatch). Calls of malloc itself are not counted. While nobody counts, an allocation
// costs one more load.

#include <perfspec/measure/counters/heap_counters.hpp>

#include <cstddef>
#include <cstdlib>
#include <new>

extern "C" {
// If two files include this header, the linker's error names this constant as well as the operators.
extern const int perfspec_allocations_hpp_is_included_twice_so_include_it_in_one_source_file;
const int perfspec_allocations_hpp_is_included_twice_so_include_it_in_one_source_file = 1;
}

namespace perfspec::detail {
namespace {

constinit heap_counters counted_heap;
[[maybe_unused]] const bool heap_is_counted = use_heap_counters(counted_heap);

void count_block(std::size_t size) noexcept {
    if (!counted_heap.counting.load(std::memory_order_relaxed)) return;
    counted_heap.calls.fetch_add(1, std::memory_order_relaxed);
    counted_heap.bytes.fetch_add(static_cast<std::int64_t>(size), std::memory_order_relaxed);
}

void* block_of(std::size_t size, std::size_t alignment) noexcept {
    if (size == 0) size = 1;
    if (alignment <= alignof(std::max_align_t)) return std::malloc(size);
    void* block = nullptr;
    return ::posix_memalign(&block, alignment, size) == 0 ? block : nullptr;
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
}  // namespace perfspec::detail

// noinline: compilers that see malloc behind new, or free behind delete, warn about a pair that does not match.
#define PERFSPEC_DETAIL_HEAP [[gnu::noinline]]

PERFSPEC_DETAIL_HEAP void* operator new(std::size_t n) { return perfspec::detail::allocate(n); }
PERFSPEC_DETAIL_HEAP void* operator new[](std::size_t n) { return perfspec::detail::allocate(n); }
PERFSPEC_DETAIL_HEAP void* operator new(std::size_t n, std::align_val_t a) {
    return perfspec::detail::allocate(n, static_cast<std::size_t>(a));
}
PERFSPEC_DETAIL_HEAP void* operator new[](std::size_t n, std::align_val_t a) {
    return perfspec::detail::allocate(n, static_cast<std::size_t>(a));
}
PERFSPEC_DETAIL_HEAP void* operator new(std::size_t n, const std::nothrow_t&) noexcept {
    return perfspec::detail::allocate_nothrow(n);
}
PERFSPEC_DETAIL_HEAP void* operator new[](std::size_t n, const std::nothrow_t&) noexcept {
    return perfspec::detail::allocate_nothrow(n);
}
PERFSPEC_DETAIL_HEAP void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
    return perfspec::detail::allocate_nothrow(n, static_cast<std::size_t>(a));
}
PERFSPEC_DETAIL_HEAP void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
    return perfspec::detail::allocate_nothrow(n, static_cast<std::size_t>(a));
}

PERFSPEC_DETAIL_HEAP void operator delete(void* p) noexcept { std::free(p); }
PERFSPEC_DETAIL_HEAP void operator delete[](void* p) noexcept { std::free(p); }
PERFSPEC_DETAIL_HEAP void operator delete(void* p, std::size_t) noexcept { std::free(p); }
PERFSPEC_DETAIL_HEAP void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
PERFSPEC_DETAIL_HEAP void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
PERFSPEC_DETAIL_HEAP void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
PERFSPEC_DETAIL_HEAP void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
PERFSPEC_DETAIL_HEAP void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
PERFSPEC_DETAIL_HEAP void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
PERFSPEC_DETAIL_HEAP void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }
PERFSPEC_DETAIL_HEAP void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { std::free(p); }
PERFSPEC_DETAIL_HEAP void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept { std::free(p); }

#undef PERFSPEC_DETAIL_HEAP
