// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/operator_counts.hpp>
#include <perfspec/language/queries-inl.hpp>
#include <perfspec/quantity/text.hpp>

#include <string>

namespace perfspec {

inline namespace language {

query<dimension::count, statistic::exact> op_count(const subject& x) {
    return detail::query_of<metric_kind::op_count>(x);
}

query<dimension::count, statistic::exact> op_count(const subject& x, std::string_view name) {
    if (name.empty())
        throw input_error(
            "op_count(x, \"\"): give the full name of an operator: op_count(x, \"aten::copy_\"); op_count(x) counts all operators");
    return detail::make_query<dimension::count, statistic::exact>({.metric = metric_kind::op_count,
                                                                   .direction = better::less,
                                                                   .payload = work_names{{std::string(name)}},
                                                                   .subjects = {x}});
}

query<dimension::count, statistic::exact> kernel_count(const subject& x) {
    return detail::query_of<metric_kind::kernel_count>(x);
}

query<dimension::count, statistic::exact> flops_tag::operator()(const subject& x) const {
    return detail::query_of<metric_kind::flops>(x);
}

query<dimension::count, statistic::exact> tensor_allocations(const subject& x) {
    return detail::query_of<metric_kind::tensor_allocations>(x);
}

query<dimension::bytes, statistic::exact> tensor_memory(const subject& x) {
    return detail::query_of<metric_kind::tensor_memory>(x);
}

query<dimension::bytes, statistic::exact> device_memory(const subject& x) {
    return detail::query_of<metric_kind::device_memory>(x);
}

query<dimension::time, statistic::once> compile_time(const subject& x) {
    return detail::query_of<metric_kind::compile_time>(x);
}

}  // namespace language
}  // namespace perfspec
