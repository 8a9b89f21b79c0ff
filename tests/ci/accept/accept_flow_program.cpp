// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A test program on a scripted machine, for accept_flow.py: FLOW_CPU is the processor's model, FLOW_MICROSECONDS the
// time of the body.
#include <perfspec/judge/judge_claim.hpp>
#include <perfspec/perfspec.hpp>

#include <perfspec/claim/claim_context.hpp>
#include <perfspec/report/console/console.hpp>
#include <perfspec/session/host.hpp>
#include <perfspec/session/session.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace perfspec;

/// The files of this machine, except /proc/cpuinfo.
class scripted_machine final : public file_system {
public:
    explicit scripted_machine(file_system& real) : real_(real) {}

    [[nodiscard]] file_text read(const std::string& path, std::size_t max_bytes) const override {
        if (path != "/proc/cpuinfo") return real_.read(path, max_bytes);
        return {
            read_outcome::complete, std::string("processor : 0\nmodel name : ") + std::getenv("FLOW_CPU") + "\n", {}};
    }
    [[nodiscard]] bool is_folder(const std::string& path) const override { return real_.is_folder(path); }
    [[nodiscard]] std::vector<std::string> names_in(const std::string& folder) const override {
        return real_.names_in(folder);
    }
    [[nodiscard]] binary_identity compare(const std::string& one, const std::string& other) const override {
        return real_.compare(one, other);
    }
    void create_folders(const std::string& path) override { real_.create_folders(path); }
    void write_atomically(const std::string& path, std::string_view text) override {
        real_.write_atomically(path, text);
    }
    void append_line(const std::string& path, std::string_view line) override { real_.append_line(path, line); }
    void remove(const std::string& path) noexcept override { real_.remove(path); }
    [[nodiscard]] std::shared_ptr<void> lock(const std::string& folder, std::chrono::milliseconds at_most) override {
        return real_.lock(folder, at_most);
    }

private:
    file_system& real_;
};

/// One test case.
class one_test final : public detail::plain_host {
public:
    [[nodiscard]] test_position position() const override {
        return {.test = "waiting", .sections = {}, .pass = 1, .failed_before = false};
    }
    [[nodiscard]] std::string test_filter(const test_position&) const override { return "waiting"; }
};

void wait() {
    const auto until =
        std::chrono::steady_clock::now() + std::chrono::microseconds(std::atoi(std::getenv("FLOW_MICROSECONDS")));
    while (std::chrono::steady_clock::now() < until) continue;
}

}  // namespace

int main() {
    system_access real = real_system();
    scripted_machine machine(real.files);
    session run({real.variables, machine, real.wall, real.cpu, real.rest, real.launcher, real.start, real.utc_now,
                 real.draw_seed, real.under_debugger, real.counts, real.annotations});
    run.share_child_of(this_session());
    one_test framework;
    const auto claim = latency(subject("wait", wait)) < 1.3 * baseline();
    const site where{"PERF_CHECK", "", __FILE__, __LINE__, effect::check, PERFSPEC_DETAIL_BUILD_KIND};
    const record r =
        evaluate_assertion(run, framework, {claim.node(), where, "latency(wait) < 1.3 * baseline()", {}}).result;
    std::printf("%s\n%s", render_console(r, {}).c_str(), run.summary().c_str());
    return run.exit_code(r.failed ? 42 : 0);
}
