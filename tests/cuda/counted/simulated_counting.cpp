// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "simulated_counting.hpp"

#include <utility>

namespace perfspec::testing {

namespace {

constexpr int out_of_order = 7;

}  // namespace

std::vector<std::string> simulated_counting::names_of_a100() {
    std::vector<std::string> all{"dram__bytes", "sm__inst_executed", "sm__sass_inst_executed",
                                 "sm__inst_executed_pipe_tensor"};
    for (const char* const op : {"dadd", "dmul", "dfma", "fadd", "fmul", "ffma", "hadd", "hmul", "hfma"})
        all.push_back("sm__sass_thread_inst_executed_op_" + std::string(op) + "_pred_on");
    for (const char* const type : {"fp64", "tf32_dst_fp32", "tf32_dst_fp32_sparsity_on", "bf16_dst_fp32",
                                   "fp16_dst_fp16", "fp16_dst_fp32", "int8", "int1"})
        all.push_back("sm__ops_path_tensor_src_" + std::string(type));
    return all;
}

int simulated_counting::answer(const char* function) const {
    const auto refused = refusing.find(function);
    return refused == refusing.end() ? 0 : refused->second;
}

int simulated_counting::move(const char* function, state from, state to) {
    if (const int refused = answer(function); refused != 0) return refused;
    if (state_ != from) return out_of_order;
    state_ = to;
    return 0;
}

void simulated_counting::see(const seen_work& work) {
    if (state_ != state::pushed || work.what != seen_work::kind::kernel) return;
    const auto known = of.find(work.name);
    if (known == of.end()) return;
    for (std::size_t i = 0; i < asked_.size(); ++i) {
        const auto adds = known->second.find(asked_[i].substr(0, asked_[i].rfind(".sum")));
        if (i % passes == pass_ && adds != known->second.end()) values_[i] += adds->second;
    }
}

void simulated_counting::add_functions_of_host(detail::counting_library& simulated) {
    simulated.host_begin = [](detail::cupti_host_begin* asked) {
        if (const int refused = now->answer("host_begin"); refused != 0) return refused;
        asked->host = now;
        return (++now->hosts, asked->chip == now->chip ? 0 : 46);
    };
    simulated.host_end = [](detail::cupti_host_end*) { return (--now->hosts, 0); };
    simulated.host_names = [](detail::cupti_host_names* asked) {
        now->known_.clear();
        for (const std::string& name : now->names) now->known_.push_back(name.c_str());
        asked->names = now->known_.data();
        asked->count = now->known_.size();
        return 0;
    };
    simulated.host_add = [](detail::cupti_host_add* asked) {
        now->asked_.assign(asked->names, asked->names + asked->count);
        return now->answer("host_add");
    };
    simulated.host_size = [](detail::cupti_host_size* asked) { return (asked->size = 8, 0); };
    simulated.host_config = [](detail::cupti_host_config*) { return 0; };
    simulated.host_passes = [](detail::cupti_host_passes* asked) {
        return (asked->passes = now->announced_passes == 0 ? now->passes : now->announced_passes, 0);
    };
    simulated.host_values = [](detail::cupti_host_values* asked) {
        for (std::size_t i = 0; i < asked->count; ++i) asked->values[i] = now->values_[i];
        return now->answer("host_values");
    };
}

void simulated_counting::add_functions_of_ranges(detail::counting_library& simulated) {
    simulated.enable = [](detail::cupti_range_enable* asked) {
        asked->profiler = now;
        const int failed = now->move("enable", state::off, state::enabled);
        return (now->is_enabled = failed == 0, failed);
    };
    simulated.disable = [](detail::cupti_range_call*) {
        now->state_ = state::off;
        return (now->is_enabled = false, 0);
    };
    simulated.data_size = [](detail::cupti_range_size* asked) { return (asked->size = 8, now->answer("data_size")); };
    simulated.data_begin = [](detail::cupti_range_data*) { return 0; };
    simulated.configure = [](detail::cupti_range_config*) {
        now->pass_ = 0;
        now->values_.assign(now->asked_.size(), 0.0);
        ++now->counts;
        return now->move("configure", state::enabled, state::configured);
    };
    simulated.start = [](detail::cupti_range_call*) { return now->move("start", state::configured, state::started); };
    simulated.push = [](detail::cupti_range_push*) { return now->move("push", state::started, state::pushed); };
    simulated.pop = [](detail::cupti_range_call*) { return now->move("pop", state::pushed, state::started); };
    simulated.stop = [](detail::cupti_range_stop* asked) {
        asked->is_last = ++now->pass_ >= now->passes ? 1 : 0;
        return now->move("stop", state::started, state::configured);
    };
    simulated.decode = [](detail::cupti_range_decode* asked) {
        return (asked->dropped = now->dropped, now->answer("decode"));
    };
    simulated.ranges = [](detail::cupti_range_count* asked) { return (asked->ranges = now->ranges, 0); };
}

detail::counting_library simulated_counting::library() {
    detail::counting_library simulated;
    simulated.fault = now->missing;
    simulated.initialize = [](detail::cupti_initialize*) { return now->answer("initialize"); };
    simulated.chip_name = [](detail::cupti_chip_name* asked) {
        return (asked->name = now->chip.c_str(), now->answer("chip_name"));
    };
    add_functions_of_host(simulated);
    add_functions_of_ranges(simulated);
    simulated.context = [](void** current) { return (*current = now, 0); };
    simulated.error_name = [](int error, const char** name) {
        *name = error == 26   ? "CUPTI_ERROR_HARDWARE_BUSY"
                : error == 27 ? "CUPTI_ERROR_NOT_SUPPORTED"
                : error == 35 ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"
                : error == 46 ? "CUPTI_ERROR_INVALID_CHIP_NAME"
                              : nullptr;
        return 0;
    };
    return simulated;
}

}  // namespace perfspec::testing
