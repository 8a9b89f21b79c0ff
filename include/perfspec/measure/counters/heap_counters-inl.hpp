// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/heap_counters.hpp>

namespace perfspec {
namespace detail {

inline heap_counters*& installed_heap_counters() noexcept {
    static heap_counters* installed = nullptr;
    return installed;
}

bool use_heap_counters(heap_counters& counted, bool counts_malloc) noexcept {
    counted.counts_malloc = counts_malloc;
    installed_heap_counters() = &counted;
    return true;
}

heap_counters* known_heap_counters() noexcept { return installed_heap_counters(); }

}  // namespace detail

std::string heap_counter::begin() {
    if (counted_ == nullptr)
        return "this program does not count its allocations: write #include <perfspec/allocations.hpp> in one of its source files, which "
               "replaces operator new and delete";
    counted_->counting.store(true);
    return {};
}

void heap_counter::end() noexcept {
    if (counted_ != nullptr) counted_->counting.store(false);
}

std::int64_t heap_counter::now() { return (what_ == what::calls ? counted_->calls : counted_->bytes).load(); }

std::string heap_counter::caveat() const {
    if (counted_ == nullptr || counted_->counts_malloc) return {};
    return "counts operator new alone: in this program, perfspec cannot see calls of malloc itself "
           "(include/perfspec/measure/README.md, Counts)";
}

}  // namespace perfspec
