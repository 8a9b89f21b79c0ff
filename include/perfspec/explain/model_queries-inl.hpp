// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/device_metrics-inl.hpp>
#include <perfspec/explain/metrics.hpp>
#include <perfspec/explain/model_metrics-inl.hpp>
#include <perfspec/explain/model_queries.hpp>
#include <perfspec/explain/queries.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/quantity/input_error.hpp>

#include <memory>
#include <string>
#include <utility>

namespace perfspec::inline v0_2 {
namespace detail {

/// A query that this metric measures, with the unit and statistic of its row.
///
/// name  of the kernels or operators that count; empty: all
template <const metric_traits& Row, dimension D = Row.unit>
query<D, Row.statistic> model_query(const subject& x, std::shared_ptr<const module_metric> metric,
                                    const std::string& name = {}, const query_payload& payload = {}) {
    explain();
    return make_query<D, Row.statistic>({.metric = Row,
                                         .direction = Row.direction,
                                         .payload = payload,
                                         .module = {.metrics = {std::move(metric)}, .details = {name}},
                                         .subjects = {x}});
}

/// The same of a metric without settings.
template <const metric_traits& Row, class Metric, dimension D = Row.unit>
query<D, Row.statistic> model_query(const subject& x, const query_payload& payload = {}) {
    return model_query<Row, D>(x, std::make_shared<Metric>(), {}, payload);
}

inline query<dimension::time> kernel_time_of(const subject& x, const std::string& name) {
    return model_query<metrics::kernel_time>(x, std::make_shared<kernel_time_metric>(name), name);
}

template <dimension D> query<D> device_rate_of(const subject& x, work counted) {
    return model_query<metrics::device_throughput, device_time_metric, D>(x, counted);
}

}  // namespace detail

inline namespace language {

query<dimension::time> device_time(const subject& x) {
    return detail::model_query<detail::metrics::device_time, detail::device_time_metric>(x);
}

query<dimension::time> kernel_time(const subject& x) { return detail::kernel_time_of(x, {}); }

query<dimension::time> kernel_time(const subject& x, std::string_view name) {
    if (name.empty())
        throw input_error(
            "kernel_time(x, \"\"): the name is empty. Write the name of a kernel or a pattern, kernel_time(x, "
            "\"*softmax*\"), or kernel_time(x) for all kernels");
    return detail::kernel_time_of(x, std::string(name));
}

query<dimension::item_rate> device_throughput(const subject& x) {
    return detail::device_rate_of<dimension::item_rate>(x, work::items);
}
query<dimension::byte_rate> device_throughput(const subject& x, bytes_tag) {
    return detail::device_rate_of<dimension::byte_rate>(x, work::bytes);
}
query<dimension::flop_rate> device_throughput(const subject& x, flops_tag) {
    return detail::device_rate_of<dimension::flop_rate>(x, work::flops);
}

query<dimension::count, statistic::exact> operators(const subject& x) {
    return detail::model_query<detail::metrics::operators, detail::operators_count_metric>(x);
}

query<dimension::count, statistic::exact> operators(const subject& x, std::string_view name) {
    if (name.empty())
        throw input_error(
            "operators(x, \"\"): the name is empty. Write the full name of an operator, operators(x, \"aten::copy_\"), "
            "or operators(x) for all operators");
    return detail::model_query<detail::metrics::operators>(x, std::make_shared<detail::operators_count_metric>(),
                                                           std::string(name));
}

query<dimension::count, statistic::exact> kernels(const subject& x) {
    return detail::model_query<detail::metrics::kernels, detail::kernels_metric>(x);
}

query<dimension::count, statistic::exact> tensor_allocations(const subject& x) {
    return detail::model_query<detail::metrics::tensor_allocations, detail::tensor_metric>(x);
}

query<dimension::bytes, statistic::exact> tensor_memory(const subject& x) {
    return detail::model_query<detail::metrics::tensor_memory, detail::tensor_metric>(x);
}

query<dimension::bytes, statistic::exact> device_memory(const subject& x) {
    return detail::model_query<detail::metrics::device_memory, detail::device_memory_metric>(x);
}

query<dimension::time, statistic::once> compile_time(const subject& x) {
    return detail::model_query<detail::metrics::compile_time, detail::compile_time_metric>(x);
}

query<dimension::count, statistic::exact> flop_count(const subject& x) {
    return detail::model_query<detail::metrics::flop_count, detail::flop_count_metric>(x);
}

}  // namespace language

namespace detail {

// The counters of this process.

inline operator_counter operators_of_process{installed_recorder<operator_recorder>};
inline operator_counter kernels_of_process{installed_recorder<operator_recorder>, &operator_recorder::outermost};
inline operation_counter operations_of_process{installed_recorder<operation_recorder>};
inline tensor_counter tensor_allocations_of_process{installed_recorder<tensor_recorder>};
inline tensor_memory_counter tensor_memory_of_process{installed_recorder<tensor_recorder>};
inline device_kernels_counter device_kernels_of_process{installed_recorder<device_recorder>};

/// Runs before main.
[[maybe_unused]] inline const bool models_are_counted =
    use_counter(metrics::operators, operators_of_process) && use_counter(metrics::kernels, kernels_of_process) &&
    use_counter(metrics::flop_count, operations_of_process) &&
    use_counter(metrics::tensor_allocations, tensor_allocations_of_process) &&
    use_counter(metrics::tensor_memory, tensor_memory_of_process) &&
    use_counter(metrics::device_kernels, device_kernels_of_process);

}  // namespace detail
}  // namespace perfspec::inline v0_2
