// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/expression_node.hpp>
#include <perfspec/python/counts.hpp>
#include <perfspec/python/worker_body-inl.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <new>
#include <string>
#include <utility>

namespace perfspec {
namespace detail {

/// A number that a worker knows, as the body of a subject. It begins as that of the subject itself, for functions that
/// take either.
struct counted_body {
    worker_body of;
    std::string name;
};

inline double ask_count(void* self) {
    const auto& body = *static_cast<counted_body*>(self);
    return body.of.worker->count(body.of.name, body.name);
}

/// After how many calls the number was asked for, and where that was which was counted, as far as the worker tells.
inline std::string tell_calls(void* self) {
    const auto& body = *static_cast<counted_body*>(self);
    const std::uint64_t calls = body.of.worker->counted_after(body.of.name);
    std::string text =
        calls == 0 ? std::string() : fmt::format("counted after {} call{}", calls, calls == 1 ? "" : "s");
    for (const std::string& place : body.of.worker->counted_places(body.of.name, body.name))
        text += (text.empty() ? "" : "; ") + place;
    return text;
}

inline constexpr body_functions counting_functions{
    .run = [](void*, std::uint64_t) {}, .destroy = destroy_body<counted_body>, .take_settings = take_worker_settings};

inline subject counted_subject(const subject& x, std::string_view name) {
    if (x.state().functions != &worker_functions)
        throw input_error(std::string(name) + "(x): \"" + std::string(x.name()) +
                          "\" is not a worker's subject, and nobody else counts this: write " + std::string(name) +
                          "(py(\"inductor\"))");
    subject made(x.name(), counting_functions, sizeof(counted_body));
    made.construct<counted_body>(*static_cast<worker_body*>(x.storage()), std::string(name));
    declare_like(made, x);
    made.state().id = x.state().id;  // two claims on one number are about one subject
    made.state().remote = x.state().remote;
    made.state().process = x.state().process;
    made.state().runs = x.state().runs;
    made.state().ask_declared = ask_count;
    made.state().caveat = tell_calls;
    made.state().tell_remote_facts = tell_worker_facts;
    return made;
}

}  // namespace detail

inline namespace language {

query<dimension::count, statistic::exact> worker_count(const subject& x, std::string_view name) {
    if (name.empty())
        throw input_error("worker_count(x, \"\"): name the number, such as \"inductor.fxgraph_cache_miss\"");
    query_description description{.metric = metric_kind::worker_count,
                                  .statistic = statistic::exact,
                                  .unit = dimension::count,
                                  .payload = own_metric{std::string(name)},
                                  .subjects = {detail::counted_subject(x, name)}};
    return query<dimension::count, statistic::exact>(new detail::expression_node{.says = std::move(description)});
}

query<dimension::count, statistic::exact> graph_breaks(const subject& x) { return worker_count(x, "graph_breaks"); }
query<dimension::count, statistic::exact> graphs(const subject& x) { return worker_count(x, "graphs"); }
query<dimension::count, statistic::exact> compilations(const subject& x) { return worker_count(x, "compilations"); }
query<dimension::count, statistic::exact> recompilations(const subject& x) { return worker_count(x, "recompilations"); }

}  // namespace language
}  // namespace perfspec
