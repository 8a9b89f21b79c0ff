// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// perfspec_baseline_build_calibration: judges claims on baseline() against a copy of this very program, by the whole
// product with its workers, and prints how often each verdict came as JSON. The copy does the usual work; this program
// does as much, or more.

#include "../calibration_program.hpp"
#include "live_workloads.hpp"
#include "support/replay.hpp"

#include <perfspec/claim/samples.hpp>
#include <perfspec/judge/judge_claim.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/perfspec.hpp>

#include <perfspec/baseline/process_fields.hpp>
#include <perfspec/program/program.hpp>
#include <perfspec/session/host.hpp>
#include <perfspec/session/session.hpp>
#include <perfspec/stats/summary.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace perfspec::testing {
namespace {

namespace fs = std::filesystem;

constexpr const char* name_of_copy = "reference_copy";

/// Whether all processes of both builds do equal work, or each draws at its start whether it does a tenth more.
enum class processes : std::uint8_t { equal, varying };

/// `speedup over the baseline > bound`, and the units of this program.
struct build_claim {
    std::string name;
    std::size_t units;
    double bound;
    processes drawn = processes::equal;
};

/// The negative control: processes differ, builds do not. Seven process pairs decide it.
const build_claim control{"unlike processes vs 0.50", 100, 0.50, processes::varying};

const std::vector<build_claim> build_claims{{"unchanged vs 1.00", 100, 1.00},
                                            {"5 % slower vs 0.97", 105, 0.97},
                                            {"unchanged vs 0.99", 100, 0.99},
                                            {"unchanged vs 0.97", 100, 0.97},
                                            {"5 % slower vs 0.97", 105, 0.97},
                                            {"unchanged vs 0.95", 100, 0.95},
                                            control};
/// The claims that ctest judges: effects that no load hides, and no true value at its bound.
const std::vector<build_claim> quick_claims{
    control, {"10 % slower vs 0.97", 110, 0.97}, {"unchanged vs 0.95", 100, 0.95},
    control, {"10 % slower vs 0.97", 110, 0.97}, {"unchanged vs 0.90", 100, 0.90}};

std::vector<live_workload> workloads_in_use(bool compute) {
    std::vector<live_workload> all = live_workloads();
    std::erase_if(all, [compute](const live_workload& w) {
        constexpr std::array used{"arith 20 us", "dot 20 us", "arith 1 ms", "sort 1 ms", "mem 64 MiB"};
        return std::ranges::find(used, w.name) == used.end() || (compute && !w.in_cache);
    });
    return all;
}

std::string key_of(const live_workload& w, const build_claim& c, std::size_t nth) {
    return w.name + " / " + c.name + " #" + std::to_string(nth);
}

assertion_outcome judge(const live_workload& w, const build_claim& c, const std::string& key) {
    const bool is_copy = fs::path(this_session().system().start.executable).filename() == name_of_copy;
    const std::size_t units = is_copy ? live_workload::usual_units : c.units;
    const bool works_more = c.drawn == processes::varying && std::random_device()() % 2 == 0;
    const auto work = subject(w.name, [&w, units = works_more ? units + units / 10 : units] { return w.work(units); });
    const claim slower = language::latency(work) < (1.0 / c.bound) * language::baseline();
    const detail::located_expression at(slower);
    const site where{"evaluate", "", at.file, at.line, at.effect, at.build, at.flags, at.compiler};
    const std::array options{language::key(key.c_str())};
    return evaluate_assertion(this_session(), detail::current_host(), {slower.node(), where, {}, options});
}

/// In a worker: serves the claim with this key.
void serve(const std::vector<live_workload>& workloads, const std::vector<build_claim>& claims,
           const std::string& key) {
    for (const live_workload& w : workloads)
        for (const build_claim& c : claims)
            if (key.starts_with(w.name + " / " + c.name + " #")) static_cast<void>(judge(w, c, key));
}

/// Counts of one claim on one workload.
struct tally {
    std::map<std::string, std::size_t> verdicts{
        {"holds", 0}, {"error", 0}, {"skipped", 0}, {"undecided", 0}, {"violated", 0}};
    std::vector<double> process_pairs{};
    std::vector<double> seconds{};
    std::size_t single{};           ///< process pairs
    std::size_t single_violated{};  ///< those whose samples alone would show a violation
};

/// With the process pairs whose 30 pairs of samples alone show, at the rate of a whole claim, that this program is
/// slower.
tally with_single_processes(tally t, const evaluation_samples& samples) {
    for (const process_pair& p : samples.builds.pairs) {
        std::vector<double> distances;
        for (std::size_t i = 0; i < p.head_ns.size(); ++i)
            distances.push_back(std::log(p.baseline_ns[i]) - std::log(p.head_ns[i]));
        sequential_settings whole_rate;
        whole_rate.confirm = stages::one;
        ++t.single;
        t.single_violated += replay(distances, whole_rate).decided() == decision::violated ? 1U : 0U;
    }
    return t;
}

std::string json_of(const tally& t) {
    const auto middle = [](const std::vector<double>& values) {
        return detail::json(values.empty() ? 0.0 : median(values));
    };
    const auto maximum = [](const std::vector<double>& values) {
        return detail::json(values.empty() ? 0.0 : std::ranges::max(values));
    };
    std::string text = "{";
    for (const auto& [word, n] : t.verdicts) text += "\"" + word + "\": " + std::to_string(n) + ", ";
    return text + "\"process_pairs\": " + middle(t.process_pairs) +
           ", \"max_process_pairs\": " + maximum(t.process_pairs) + ", \"seconds\": " + middle(t.seconds) +
           ", \"max_seconds\": " + maximum(t.seconds) + ", \"single\": " + std::to_string(t.single) +
           ", \"single_violated\": " + std::to_string(t.single_violated) + "}";
}

/// Judges all claims of all workloads in turn.
std::map<std::string, std::map<std::string, tally>> judge_all(std::size_t count,
                                                              const std::vector<live_workload>& workloads,
                                                              const std::vector<build_claim>& claims) {
    std::map<std::string, std::map<std::string, tally>> tallies;
    for (std::size_t n = 0; n < count; ++n) {
        const live_workload& w = workloads[n % workloads.size()];
        const build_claim& c = claims[(n / workloads.size()) % claims.size()];
        const assertion_outcome judged = judge(w, c, key_of(w, c, n));
        const record& r = judged.result;
        tally& t = tallies[w.name][c.name];
        ++t.verdicts[to_string(r.verdict)];
        if (r.verdict == verdict::error || r.verdict == verdict::skipped)
            std::cerr << w.name << ": " << r.reason << '\n';
        t.process_pairs.push_back(static_cast<double>(r.evidence.processes));
        t.seconds.push_back(r.evidence.seconds);
        t = with_single_processes(std::move(t), *judged.samples);
    }
    return tallies;
}

/// A copy of this program in a folder of its own, removed with this object.
class copy_of_this_program {
public:
    copy_of_this_program() {
        std::string name = (fs::temp_directory_path() / "perfspec-baseline-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            throw input_error("no folder can be made for a copy of this program: " + name);
        folder_ = name;
        fs::copy_file(this_session().system().start.executable, path());
    }
    copy_of_this_program(const copy_of_this_program&) = delete;
    copy_of_this_program& operator=(const copy_of_this_program&) = delete;
    ~copy_of_this_program() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    [[nodiscard]] std::string path() const { return (folder_ / name_of_copy).string(); }

private:
    fs::path folder_;
};

int baseline_build_calibration(int argc, char** argv) {
    std::size_t count = 105;
    bool quick = false;
    CLI::App app(
        "Judges claims of this program against a copy of itself, unchanged and with more work, and prints the counts of verdicts as JSON.\n"
        "Nothing else should run meanwhile.",
        "perfspec_baseline_build_calibration");
    app.add_option("--claims", count, "how many, over all workloads  [105]")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000));
    app.add_flag("--quick", quick,
                 "claims that are told apart beside any load, without the sweep of memory, which takes the most time");
    if (const auto code = exit_code_of_command_line(app, argc, argv)) return *code;
    init(argc, argv);
    const auto workloads = workloads_in_use(quick);
    const auto& claims = quick ? quick_claims : build_claims;
    if (const auto& child = this_session().child()) {
        serve(workloads, claims, child->address.key);
        return 0;
    }
    const copy_of_this_program baseline;
    this_session().set_option(option_id::baseline_build, baseline.path());
    std::string text;
    for (const auto& [workload, tallies] : judge_all(count, workloads, claims)) {
        text += (text.empty() ? "\n  \"" : ",\n  \"") + workload + "\": {";
        std::string separator;
        for (const auto& [claim, t] : tallies)
            text += std::exchange(separator, ",") + "\n    \"" + claim + "\": " + json_of(t);
        text += "}";
    }
    std::cout << "{" << text << "\n}\n";
    return 0;
}

}  // namespace
}  // namespace perfspec::testing

int main(int argc, char** argv) {
    return perfspec::testing::run_calibration_program("perfspec_baseline_build_calibration",
                                                      perfspec::testing::baseline_build_calibration, argc, argv);
}
