// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "simulated_cupti.hpp"

namespace perfspec::testing {

using detail::cupti_kernel_record;
using detail::cupti_record;

void simulated_cupti::see(const seen_work& work) {
    using enum seen_work::kind;
    switch (work.what) {
    case kernel: return put(detail::cupti_kernel, 0, work);
    case fill: return put(detail::cupti_fill, 0, work);
    case copy_to_device: return put(detail::cupti_copy, 1, work);
    case copy_to_host: return put(detail::cupti_copy, 2, work);
    case copy_on_device: return put(detail::cupti_copy, 8, work);
    }
}

void simulated_cupti::put(std::uint32_t kind, std::uint8_t copy, const seen_work& work) {
    if (!enabled.contains(kind)) return;
    if (records_.size() >= room) {
        ++lost_;
        return;
    }
    const auto time = [&](std::int64_t at) { return has_times ? static_cast<std::uint64_t>(at) : 0U; };
    cupti_kernel_record record{.name = work.name};
    record.begin.kind = kind;
    record.begin.copy = copy;
    record.begin.start_ns = time(work.start_ns);
    record.begin.end_ns = time(work.end_ns);
    records_.push_back(record);
}

/// Records come in the order in which CUPTI likes to write them.
int simulated_cupti::hand_out() {
    if (flush_error != 0) return flush_error;
    std::ranges::reverse(records_);
    while (!records_.empty()) {
        std::uint8_t* buffer = nullptr;
        std::size_t size = 0;
        std::size_t most = 0;
        give_(&buffer, &size, &most);
        const std::size_t count = std::min<std::size_t>(records_.size(), 3);  // so that several are needed
        std::memcpy(buffer, records_.data(), count * sizeof(cupti_kernel_record));
        records_.erase(records_.begin(), records_.begin() + static_cast<std::ptrdiff_t>(count));
        take_(nullptr, 0, buffer, size, count * sizeof(cupti_kernel_record));
    }
    return 0;
}

int simulated_cupti::next(std::uint8_t* buffer, std::size_t used, cupti_record** record) const {
    constexpr int invalid_kind = 21;
    auto* const at =
        *record == nullptr ? buffer : reinterpret_cast<std::uint8_t*>(*record) + sizeof(cupti_kernel_record);
    const std::size_t left = used - static_cast<std::size_t>(at - buffer);
    if (left == 0) return detail::cupti_end_of_buffer;
    if (is_last_incomplete && left == sizeof(cupti_kernel_record)) return invalid_kind;
    *record = reinterpret_cast<cupti_record*>(at);
    return 0;
}

detail::cupti_library simulated_cupti::library() {
    detail::cupti_library simulated;
    simulated.fault = now->missing;
    simulated.use_buffers = [](auto give, auto take) {
        now->give_ = give;
        now->take_ = take;
        return now->buffers_error;
    };
    simulated.enable = [](std::uint32_t kind) {
        const auto refused = now->enable_errors.find(static_cast<int>(kind));
        if (refused != now->enable_errors.end()) return refused->second;
        now->enabled.insert(kind);
        return 0;
    };
    simulated.disable = [](std::uint32_t kind) { return (now->enabled.erase(kind), 0); };
    simulated.flush = [](std::uint32_t) { return now->hand_out(); };
    simulated.next = [](std::uint8_t* buffer, std::size_t used, cupti_record** record) {
        return now->next(buffer, used, record);
    };
    simulated.lost = [](void*, std::uint32_t, std::size_t* records) {
        *records = std::exchange(now->lost_, 0);
        return now->lost_error;
    };
    simulated.error_name = [](int error, const char** name) {
        *name = error == 21   ? "CUPTI_ERROR_INVALID_KIND"
                : error == 39 ? "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"
                              : nullptr;
        return 0;
    };
    return simulated;
}

}  // namespace perfspec::testing
