// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Every kind of claim that compiles has one procedure, which judges it if the dry run says so.
#include <perfspec/explain.hpp>
#include <perfspec/explain/metrics.hpp>
#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/procedures/procedure.hpp>

#include "../stored_program.hpp"

#include <perfspec/explain/model_queries.hpp>
#include <perfspec/explain/queries.hpp>
#include <perfspec/language/complexity.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/report/json_lines.hpp>

#include <support/scripted_operators.hpp>

#include <variant>

namespace perfspec {
namespace {

using namespace testing;

/// The subjects of a program. Each call takes 1 ms, counts something, and gives the same result.
struct claimed_program : stored_program {
    explicit claimed_program(std::function<child_end(const child_command&)> children = {})
        : stored_program(std::move(children)) {
        counts.install<operator_recorder>(&recorder);
    }

    scripted_operators recorder;
    subject body(const char* name) {
        subject x(name, [this] {
            work(1ms);
            recorder.run("add", 100'000);
            for (const metric_kind m : counted) counts.of(m).add(5);
            return 3.0;
        });
        return x.items(1).bytes(1).flops(1).load([this] { work(1ms); });
    }
    subject a = body("a");
    subject b = body("b");
    subject c = body("c");
    static constexpr metric_kind counted[] = {detail::metrics::allocations,        detail::metrics::allocated_bytes,
                                              detail::metrics::instructions,       detail::metrics::cycles,
                                              detail::metrics::branch_misses,      detail::metrics::cache_misses,
                                              detail::metrics::tensor_allocations, detail::metrics::tensor_memory,
                                              detail::metrics::device_memory,      detail::metrics::flop_count};
};

/// A claim, or a query, by name.
struct written_claim {
    std::string name;
    detail::expression tree;
    std::vector<option> options{};
};
using claims = std::vector<written_claim>;

/// A bound of the dimension far from all values here, in its base unit.
template <dimension D> auto far_away() {
    if constexpr (D == dimension::spread) return percentage{0.5};
    else if constexpr (D == dimension::ratio || D == dimension::count || D == dimension::own) return 1e6;
    else return quantity<D>{1e12};
}

template <dimension D, statistic S> void add_bounds(claims& all, const std::string& name, const query<D, S>& q) {
    all.push_back({name + " < value", q < far_away<D>()});
    all.push_back({name + " > value", q > far_away<D>()});
    if constexpr (D != dimension::spread) {
        all.push_back({name + " < baseline", q < 1.05 * baseline()});
        all.push_back({name + " > baseline", q > 1.05 * baseline()});
        if constexpr (requires { baseline() + quantity<D>{1.0}; })
            all.push_back({name + " < baseline + offset", q < baseline() + quantity<D>{1.0}});
    }
    if constexpr (S == statistic::exact) {
        all.push_back({name + " == value", q == far_away<D>()});
        all.push_back({name + " == baseline", q == baseline()});
    }
    if constexpr (D != dimension::spread && D != dimension::power) {
        all.push_back({name + " within value", q == within(far_away<D>(), percentage{0.05})});
        all.push_back({name + " within baseline", q == within(baseline(), percentage{0.05})});
    }
}

template <dimension D, statistic S>
void add_pairs(claims& all, const std::string& name, const query<D, S>& q, const query<D, S>& other) {
    add_bounds(all, name, q);
    all.push_back({name + " < other", q < other});
    all.push_back({name + " > factor * other", q > 0.5 * other});
    all.push_back({name + " within other", q == within(other, percentage{0.05})});
    if constexpr (S == statistic::exact) all.push_back({name + " == other", q == other});
    all.push_back({name, q});
}

void add_times_of_one(claims& all, const claimed_program& p) {
    add_pairs(all, "latency", latency(p.a), latency(p.b));
    add_pairs(all, "cpu_time", cpu_time(p.a), cpu_time(p.b));
    add_pairs(all, "device_time", device_time(p.a), device_time(p.b));
    add_pairs(all, "kernel_time", kernel_time(p.a), kernel_time(p.b));
    add_pairs(all, "kernel_time of a name", kernel_time(p.a, "gemm"), kernel_time(p.b, "gemm"));
    add_pairs(all, "device_throughput", device_throughput(p.a), device_throughput(p.b));
    add_pairs(all, "p50", percentile(latency(p.a), 50), percentile(latency(p.b), 50));
    add_pairs(all, "p99", p99(latency(p.a)), p99(latency(p.b)));
    add_pairs(all, "p90 of cpu_time", percentile(cpu_time(p.a), 90), percentile(cpu_time(p.b), 90));
    add_pairs(all, "throughput", throughput(p.a), throughput(p.b));
    add_pairs(all, "throughput in bytes", throughput(p.a, bytes), throughput(p.b, bytes));
    add_pairs(all, "throughput in flops", throughput(p.a, flops), throughput(p.b, flops));
}

void add_counts(claims& all, const claimed_program& p) {
    add_pairs(all, "allocations", allocations(p.a), allocations(p.b));
    add_pairs(all, "allocated_bytes", allocated_bytes(p.a), allocated_bytes(p.b));
    add_pairs(all, "operators", operators(p.a), operators(p.b));
    add_pairs(all, "operators of a name", operators(p.a, "add"), operators(p.b, "add"));
    add_pairs(all, "kernels", kernels(p.a), kernels(p.b));
    add_pairs(all, "flop_count", flop_count(p.a), flop_count(p.b));
    add_pairs(all, "tensor_allocations", tensor_allocations(p.a), tensor_allocations(p.b));
    add_pairs(all, "tensor_memory", tensor_memory(p.a), tensor_memory(p.b));
    add_pairs(all, "device_memory", device_memory(p.a), device_memory(p.b));
    add_pairs(all, "instructions", instructions(p.a), instructions(p.b));
    add_pairs(all, "cycles", cycles(p.a), cycles(p.b));
    add_pairs(all, "branch_misses", branch_misses(p.a), branch_misses(p.b));
    add_pairs(all, "cache_misses", cache_misses(p.a), cache_misses(p.b));
}

void add_first_runs(claims& all, const claimed_program& p) {
    add_pairs(all, "cold_start", cold_start(p.a), cold_start(p.b));
    add_pairs(all, "first_call", first_call(p.a), first_call(p.b));
    add_pairs(all, "load_time", load_time(p.a), load_time(p.b));
    add_pairs(all, "peak_memory", peak_memory(p.a), peak_memory(p.b));
    add_pairs(all, "peak_memory with load", peak_memory(p.a, including_load), peak_memory(p.b, including_load));
}

void add_own_metrics(claims& all, claimed_program& p) {
    const auto measured = [&p](const char* name) {
        return subject(name, [&p] {
            p.work(1ms);
            return 3.0;
        });
    };
    model_of(p.a).compile_ns = model_of(p.b).compile_ns = 1e9;
    add_pairs(all, "compile_time", compile_time(p.a), compile_time(p.b));
    add_pairs(all, "metric", metric("tokens/s", more_is_better, measured("x")),
              metric("tokens/s", more_is_better, measured("y")));
}

/// Claims on other queries than metrics of one subject.
void add_others(claims& all, claimed_program& p) {
    const auto add = [&](const char* name, const auto& q) {
        add_bounds(all, name, q);
        all.push_back({name, q});
    };
    add("speedup", speedup(p.a, p.b));
    add("speedup of cpu_time", speedup(cpu_time(p.a), cpu_time(p.b)));
    add("speedup of device_time", speedup(device_time(p.a), device_time(p.b)));
    add("speedup of kernel_time", speedup(kernel_time(p.a, "gemm"), kernel_time(p.b, "gemm")));
    add("memory_ratio", memory_ratio(p.a, p.b));
    add("memory_ratio with load", memory_ratio(p.a, p.b, including_load));
    add("spread", spread(p.a));
    add("complexity",
        complexity(setup([](std::size_t n) { return n; }), [&p](std::size_t&) { p.work(1ms); }, {1000, 4000, 16000}));
    all.push_back({"speedup over processes", speedup(p.a, p.b) > 1e6, {processes(9)}});
    all.push_back({"latency < other over processes", latency(p.a) < latency(p.b), {processes(9)}});
    all.push_back({"speedups", speedups(p.a, p.b, p.c)});
    all.push_back({"profile", profile(p.a)});
    all.push_back({"same_output", same_output(p.a, p.b)});
}

claims all_claims(claimed_program& p) {
    claims all;
    add_times_of_one(all, p);
    add_counts(all, p);
    add_first_runs(all, p);
    add_own_metrics(all, p);
    add_others(all, p);
    return all;
}

child_end answer(const child_command& command) {
    if (scripted_run::request_in(command).task == child_task::measure) return process_of(5.0);
    record violated;
    violated.verdict = verdict::violated;
    return answered(to_json_line(violated));
}

enum class stored { no, yes };

/// The dry run of the n-th claim, and the run.
struct both_runs {
    record planned;
    record run;
};
both_runs run_both(std::size_t n, stored has_baseline) {
    claimed_program dry;
    dry.variables["PERFSPEC_MODE"] = "dry-run";
    claimed_program wet(answer);
    const auto evaluate = [n](claimed_program& p) {
        const claims all = all_claims(p);
        return p.evaluate(all[n].tree, all[n].options, {.claim = "claim"});
    };
    if (has_baseline == stored::yes) {
        claimed_program asks;
        asks.variables["PERFSPEC_MODE"] = "dry-run";
        const record about_it = evaluate(asks);
        for (claimed_program* p : {&dry, &wet}) p->store(about_it.key, about(5.0, 10), unit_name(about_it));
    }
    return {evaluate(dry), evaluate(wet)};
}

}  // namespace

TEST_CASE("every claim that compiles is judged, or says why not as a dry run does", "[run][unit]") {
    claimed_program names;
    const claims all = all_claims(names);
    CHECK(all.size() > 200);
    for (const stored has_baseline : {stored::no, stored::yes}) {
        for (std::size_t n = 0; n < all.size(); ++n) {
            const auto [planned, run] = run_both(n, has_baseline);
            INFO(all[n].name << (has_baseline == stored::yes ? ", stored" : "") << ": " << to_string(run.verdict)
                             << ", " << run.reason);
            if (planned.verdict == verdict::error) {
                CHECK(planned.reason == run.reason);
                continue;
            }
            const std::string& method = planned.forecast.value().method;
            if (method.starts_with("skipped: ")) CHECK(method == "skipped: " + run.reason);
            else CHECK((run.baseline || !run.evidence.method.empty()));
        }
    }
}

TEST_CASE("every metric of the table is claimed here", "[run][unit]") {
    claimed_program p;
    std::set<std::string_view> claimed{"layers", "best_mixture"};  // of models in layers: tests/explain
    for (const written_claim& c : all_claims(p)) {
        const bool of_outputs = std::holds_alternative<output_claim>(c.tree.node().says);
        if (!of_outputs) claimed.insert(traits_of(c.tree.node().query().metric).word);
    }
    std::vector<const metric_traits*> rows(std::begin(metric_table), std::end(metric_table));
    rows.insert(rows.end(), std::begin(detail::metrics::of_models), std::end(detail::metrics::of_models));
    for (const metric_traits* const row : rows) {
        INFO(row->word);
        CHECK(claimed.contains(row->word));
    }
}

}  // namespace perfspec
