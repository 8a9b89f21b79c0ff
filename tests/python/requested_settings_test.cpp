// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// --perf-with on a worker's subjects.
#include <perfspec/language/queries.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/python/worker_body-inl.hpp>
#include <perfspec/python/worker_subjects.hpp>
#include <perfspec/quantity/quantity.hpp>

#include "run/scripted_run.hpp"
#include "scripted_worker.hpp"

using namespace perfspec;
using namespace perfspec::testing;

namespace {

/// A program and a worker whose calls take 1 ms at a batch of 8, and 10 ms at any other.
struct program_with_settings {
    std::string hello = R"({"answer":"hello","protocol":2,"subjects":["model"],"settings":{"threads":"2"}})";
    bool repeats = true;  ///< the worker reports the settings that it accepted
    std::string refusal{};
    std::vector<std::string> loads{};
    std::vector<child_command> started{};
    scripted_run program{};
    detail::worker_recipe recipe = scripted_subject_worker::recipe();
    detail::subject_worker worker{recipe, program.launcher, program.wall};
    subject model = detail::worker_subject(worker, "model");

    program_with_settings() {
        program.launcher.workers = [this](const child_command& command) {
            started.push_back(command);
            return [this](const std::string& request) { return numbered({answer(request)}, request); };
        };
    }

    std::string answer(const std::string& request) {
        if (request.empty()) return hello;
        const detail::subject_request message = request_in(request);
        if (message.request == "load") return load(message);
        if (message.request == "count") return R"({"answer":"counted","value":0})";
        const std::uint64_t n = message.iterations.value();
        const auto took =
            (loads.back().find(R"("batch":"8")") == std::string::npos ? 10ms : 1ms) * static_cast<std::int64_t>(n);
        program.work(took);
        const auto ns = static_cast<std::uint64_t>(std::chrono::nanoseconds(took).count());
        return detail::message_line(
            detail::subject_answer{.answer = "ran", .iterations = n, .elapsed_ns = ns, .cpu_ns = ns});
    }

    std::string load(const detail::subject_request& message) {
        loads.push_back(unnumbered(detail::message_line(message)));
        if (!refusal.empty()) return R"({"answer":"error","kind":"unavailable","reason":")" + refusal + "\"}";
        return R"({"answer":"loaded","settings":)" + detail::json(repeats ? message.settings : detail::setting_list{}) +
               '}';
    }
};

}  // namespace

TEST_CASE("a worker gets the settings of the run, and its key has them", "[python][unit]") {
    program_with_settings p;
    p.program.variables["PERFSPEC_WITH"] = "batch=8,dtype=bfloat16,device=cpu";
    const record r = p.program.evaluate(latency(p.model) < 3ms);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.key == "sorting / latency(model) / batch=8 / device=cpu / dtype=bfloat16");
    CHECK(p.program.evaluate(latency(p.model) < 4ms).key == r.key);
    CHECK(p.loads ==
          std::vector<std::string>{
              R"({"request":"load","subject":"model","settings":{"device":"cpu","dtype":"bfloat16","batch":"8"}})"});
    CHECK(p.program.context().exit_code(0) == 0);
}

TEST_CASE("a worker that does not say that it took a setting is skipped", "[python][unit]") {
    program_with_settings p;
    p.repeats = false;
    p.program.variables["PERFSPEC_WITH"] = "batch=8";
    for (const claim& each : {latency(p.model) < 3ms, latency(p.model) < 3h, graph_breaks(p.model) == 0}) {
        const record r = p.program.evaluate(each);
        CHECK(r.verdict == verdict::skipped);
        CHECK_THAT(r.reason,
                   ContainsSubstring(
                       "\"model\": this run asks for batch=8 (--perf-with), but the worker of models.py does not "
                       "report it: leave it out, or change the worker so that it takes the setting"));
    }
    CHECK(p.loads.size() == 1);
    CHECK(p.program.context().exit_code(0) == 77);
}

TEST_CASE("a setting that the worker refuses is skipped, for its reason", "[python][unit]") {
    program_with_settings p;
    p.refusal = "write batch=8";
    p.program.variables["PERFSPEC_WITH"] = "batch=8";
    const record r = p.program.evaluate(latency(p.model) < 3ms);
    CHECK(r.verdict == verdict::skipped);
    CHECK_THAT(r.reason, ContainsSubstring("write batch=8"));
    const subject here = p.program.takes("loop", 1ms).axis("batch", 8);
    CHECK(p.program.evaluate(latency(here) < 3ms).verdict == verdict::holds);
    CHECK(p.program.context().exit_code(0) == 0);
}

TEST_CASE("a count is that of the settings that the run asks for", "[python][unit]") {
    program_with_settings p;
    p.program.variables["PERFSPEC_WITH"] = "batch=8";
    const record r = p.program.evaluate(graph_breaks(p.model) == 0);
    CHECK(r.verdict == verdict::holds);
    CHECK_THAT(r.key, ContainsSubstring("batch=8"));
    CHECK(p.loads == std::vector<std::string>{R"({"request":"load","subject":"model","settings":{"batch":"8"}})"});
}

TEST_CASE("threads are those of the worker's process", "[python][unit]") {
    program_with_settings p;
    p.program.variables["PERFSPEC_WITH"] = "threads=2";
    const record r = p.program.evaluate(latency(p.model) < 30ms);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.key == "sorting / latency(model) / threads=2");
    CHECK(p.loads == std::vector<std::string>{R"({"request":"load","subject":"model"})"});
    const std::vector<std::pair<std::string, std::string>> expected{
        {"PERFSPEC_WORKER", R"({"protocol":2,"answers":3,"requests":4})"},
        {"OMP_NUM_THREADS", "2"},
        {"MKL_NUM_THREADS", "2"}};
    CHECK(p.started.at(0).environment == expected);
}

TEST_CASE("a process that has other threads than the run asks for is skipped", "[python][unit]") {
    program_with_settings p;
    p.program.variables["PERFSPEC_WITH"] = "threads=1";  // the file sets 2
    const record r = p.program.evaluate(latency(p.model) < 30ms);
    CHECK(r.verdict == verdict::skipped);
    CHECK_RECORDED(r.reason);
}

TEST_CASE("threads that the code gives a worker stay", "[python][unit]") {
    program_with_settings p;
    p.recipe.has_own_threads = true;
    p.recipe.command.environment = {{"OMP_NUM_THREADS", "2"}};
    detail::subject_worker own(p.recipe, p.program.launcher, p.program.wall);
    const subject model = detail::worker_subject(own, "model");
    p.program.variables["PERFSPEC_WITH"] = "threads=1";
    const record r = p.program.evaluate(latency(model) < 30ms);
    CHECK(r.verdict == verdict::skipped);
    CHECK_RECORDED(r.reason);
    CHECK(p.started.empty());
}

TEST_CASE("a worker is not asked for declarations of the test", "[python][unit]") {
    program_with_settings p;
    p.program.variables["PERFSPEC_WITH"] = "batch=8";
    CHECK(p.program.evaluate(latency(detail::worker_subject(p.worker, "model").axis("batch", 8)) < 30ms).verdict ==
          verdict::holds);
    CHECK(p.loads == std::vector<std::string>{R"({"request":"load","subject":"model"})"});
    CHECK(p.program.evaluate(cpu_time(p.model) < 3ms).verdict == verdict::holds);  // in a process of its own
    CHECK(p.started.size() == 2);
    CHECK(p.loads.back() == R"({"request":"load","subject":"model","settings":{"batch":"8"}})");
}

TEST_CASE("a rate of work that was declared for another batch is skipped", "[python][unit]") {
    program_with_settings p;
    p.program.variables["PERFSPEC_WITH"] = "batch=8";
    const record r = p.program.evaluate(throughput(p.model.items(100)) > items_per_second(1));
    CHECK(r.verdict == verdict::skipped);
    CHECK_THAT(r.reason, ContainsSubstring("its items, bytes or flops are those of the batch in the code"));
    CHECK(p.loads.empty());
}
