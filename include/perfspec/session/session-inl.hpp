// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/fingerprint.hpp>
#include <perfspec/baseline/fingerprint/hardware_key.hpp>
#include <perfspec/baseline/project_file.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/plan/option_table.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/annotation.hpp>
#include <perfspec/report/console/console.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/session/project_paths.hpp>
#include <perfspec/session/session.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace perfspec::inline v0_2 {
namespace detail {

std::string absolute_path(const session& run, const std::string& path) {
    return (std::filesystem::path(run.system().start.working_directory) / path).lexically_normal().string();
}

/// The plan; the default if an option does not parse, because the end of a run must not throw. Then every assertion is
/// already error.
inline plan plan_at_end(const session& s) {
    try {
        return s.resolve_plan({});
    } catch (const input_error&) { return {}; }
}

/// Prints the absolute path of the results if the option has a relative one, because ctest starts each program in
/// another folder.
inline std::string note_on_output(const session& s, const std::string& path) {
    if (path.empty() || path.starts_with('/')) return {};
    return "perfspec: results are appended to " + absolute_path(s, path) + "\n";
}

/// Throws input_error if the user names a folder of baselines that does not exist. Only an update creates it.
inline void require_named_folder(const session& s, const std::string& folder, const plan& p) {
    if (p.baseline_dir.empty() || p.update != baseline_update::none || s.system().files.is_folder(folder)) return;
    throw input_error(
        "--perf-baseline-dir or PERFSPEC_BASELINE_DIR names the folder of baselines " + folder +
        ", which does not exist: name an existing one, such as /path/to/project/baselines, create this one, or record "
        "into it with PERFSPEC_UPDATE_BASELINES=1");
}

/// The number of assertions that the options left out. With `quiet`, only if none is left.
inline std::string note_on_left_out(const session& s, const plan& p, std::size_t left_out) {
    if (left_out == 0) return {};
    const std::string text =
        printable((left_out == 1 ? "1 claim" : std::to_string(left_out) + " claims") + " left out by only=" + p.only);
    if (s.records().empty()) return "perfspec: all " + text + ": nothing was judged\n";
    return p.verbosity == console_verbosity::quiet ? std::string() : "perfspec: " + text + "\n";
}

/// Warns that claims were recorded only for this machine although the project has committed baselines: a fresh
/// workspace always records.
inline std::string note_on_own_recordings(const session& s, const plan& p) {
    const auto committed = find_committed_folder(s.paths(p), s.system().files);
    if (!committed || !s.system().files.is_folder(*committed)) return {};
    const auto is_own = [&](const record& r) {
        return r.baseline && r.baseline->action == baseline_action::recorded &&
               !r.baseline->file.starts_with(*committed);
    };
    const auto own = std::ranges::count_if(s.records(), is_own);
    if (own == 0) return {};
    return "perfspec: " + std::to_string(own) + (own == 1 ? " claim was" : " claims were") +
           " recorded for this machine alone, and skipped, because " + absolute_path(s, *committed) +
           " has no baseline for " + (own == 1 ? "it" : "them") +
           ": record there with PERFSPEC_UPDATE_BASELINES=1, and set CI=true if this is a CI system\n";
}

/// The value of a key; the first call makes and stores it.
template <class Map, class Make> auto& cached(Map& all, const typename Map::key_type& key, Make make) {
    const auto found = all.find(key);
    return found != all.end() ? found->second : all.emplace(key, make()).first->second;
}

inline std::string pass_name(const test_position& where) { return std::to_string(where.pass) + '\n' + where.test; }

}  // namespace detail

session::session(const system_access& system)
    : system_(system), child_(read_child_request(system.variables)), built_commit_(detail::commit_of_this_file) {
    if (child_) abandoned_claims_ = child_->abandoned_claims;
}

void session::become_child() { child_ = perfspec::become_child(*child_, system_.variables); }

void session::set_option(option_id id, const std::string& text) {
    const option_description& row = describe(id);
    const std::string name = command_line_name(row);
    static_cast<void>(parse_option(row, text, name + "=" + text, name + "=" + std::string(row.legal)));
    options_.emplace_back(id, text);
    project_settings_.reset();  // it may name the folder of the file
}

void session::set_project(project_facts facts) {
    project_ = std::move(facts);
    project_settings_.reset();
}

const project_settings& session::settings() const {
    if (project_settings_) return *project_settings_;
    project_settings from_file;
    if (!child_) {
        const plan p = resolve({}, options_, system_.variables);
        const auto folder = find_committed_folder(paths(p), system_.files);
        if (folder) detail::require_named_folder(*this, *folder, p);
        if (folder) from_file = read_project_file(system_.files, *folder);
    }
    return project_settings_.emplace(std::move(from_file));
}

plan session::resolve_plan(std::span<const option> at_call) const {
    return resolve(at_call, options_, system_.variables, settings().options);
}

std::vector<std::pair<std::string, std::string>> session::origins(std::span<const option> at_call) const {
    return option_origins(at_call, options_, system_.variables, settings().options);
}

std::string session::suite() const {
    if (!project_.suite.empty()) return project_.suite;
    const std::string name = std::filesystem::path(system_.start.executable).filename().string();
    return name.empty() ? "tests" : name;
}

binary_identity session::identity_of_program(const std::string& other) {
    return detail::cached(identities_, other, [&] { return system_.files.compare(system_.start.executable, other); });
}

baseline_paths session::paths(const plan& p) const {
    return {.baseline_dir = p.baseline_dir.empty() ? std::string() : detail::absolute_path(*this, p.baseline_dir),
            .project_baselines = project_.baselines,
            .build_folder = project_.build,
            .working_directory = system_.start.working_directory,
            .executable = system_.start.executable};
}

void session::enter(const test_position& where) {
    std::string name = detail::pass_name(where);
    const bool is_same_pass = name == pass_ && !where.test.empty();
    has_measured_ = is_same_pass && (has_measured_ || measures_);
    measures_ = false;
    if (is_same_pass) return;
    pass_ = std::move(name);
    keys_.begin_pass();
}

const baseline_snapshot& session::stored_in(const baseline_store& store) {
    return detail::cached(stored_, store.path(), [&] { return store.load(); });
}

void session::note_recorded(const std::string& file, const std::string& key) {
    recorded_.emplace(file, key);
    stored_.erase(file);
}

void session::leave(const std::string& test, claim_address at) {
    if (test != abandoned_in_test_) abandoned_claims_.clear();
    abandoned_in_test_ = test;
    abandoned_claims_.push_back(std::move(at));
}

std::vector<claim_address> session::abandoned_claims_in(const std::string& test) const {
    return child_ || test == abandoned_in_test_ ? abandoned_claims_ : std::vector<claim_address>{};
}

const clock_facts& session::facts_of(clock& c) {
    return detail::cached(clock_facts_, &c, [&] { return inspect(c); });
}

const std::string& session::hardware_key() {
    if (!hardware_key_) hardware_key_ = perfspec::hardware_key(read_cpu_facts(system_.files));
    return *hardware_key_;
}

const device_facts& session::device(const std::string& device) {
    return detail::cached(devices_, device, [&] {
        if (system_.devices != nullptr) return system_.devices->facts(device, system_.files);
        return unknown_device(device, "no module of this program knows devices of its kind");
    });
}

const fingerprint& session::machine(library_use use) {
    return detail::cached(machines_, use, [&] {
        return read_fingerprint(system_.files, build_facts{compile_flags_, linked_libraries(use, system_.variables)});
    });
}

const provenance& session::origin() {
    if (!origin_) origin_ = read_provenance(system_);
    return *origin_;
}

bool session::has_uncommitted_changes() {
    if (!dirty_) dirty_ = !origin().commit.empty() && perfspec::has_uncommitted_changes(system_).value_or(false);
    return *dirty_;
}

void session::log_once(const std::string& line) {
    if (!logged_.insert(line).second) return;
    status_.remove();
    std::fprintf(system_.console, "perfspec: %s\n", line.c_str());
}

void session::add(const record& r) {
    records_.push_back(r);
    if (child_ || system_.variables.get("GITHUB_ACTIONS") != "true") return;
    // A command must begin a line.
    const std::string line = render_annotation(r, system_.variables.get("GITHUB_WORKSPACE").value_or(""));
    if (!line.empty()) std::fprintf(system_.annotations, "\n%s\n", line.c_str());
}

std::string session::summary(console_color color) const {
    if (child_ || (records_.empty() && left_out_ == 0)) return {};
    const plan p = detail::plan_at_end(*this);
    const std::string left_out = detail::note_on_left_out(*this, p, left_out_);
    if (p.verbosity == console_verbosity::quiet) return left_out;
    const std::string text = render_summary(records_, {.color = color, .verbosity = p.verbosity});
    if (text.empty()) return left_out;
    return text + "\n" + detail::note_on_output(*this, p.output) + left_out + detail::note_on_own_recordings(*this, p);
}

bool session::any_failed() const noexcept { return std::ranges::any_of(records_, &record::failed); }

bool session::any_failed_outside_of_tests() const noexcept {
    return std::ranges::any_of(records_,
                               [](const record& r) { return r.failed && r.test.empty() && r.macro != "evaluate"; });
}

std::string session::reason_of_skip() const {
    std::string suspects;
    for (const record& r : records_)
        if (detail::skips_test(r)) suspects += " \"" + r.key + "\"";
    if (!suspects.empty()) return detail::printable("it looks violated:" + suspects);
    // A run without judging on request (an update, a smoke run) is not a skipped test.
    const bool none_judged =
        std::ranges::all_of(records_, [](const record& r) { return r.verdict == verdict::skipped && !r.on_request; });
    return none_judged && !(records_.empty() && left_out_ == 0) ? "no claim was judged" : "";
}

int session::exit_code(int host_code) const noexcept {
    constexpr int skipped = 77;
    return host_code == 0 && !reason_of_skip().empty() ? skipped : host_code;
}

namespace detail {

/// Makes the session. Prints errors itself, because before main an exception would end the program without a message.
inline session make_session() {
    try {
        return session(real_system());
    } catch (const input_error& e) {
        std::fprintf(stderr, "perfspec: %s\n", e.what());
        std::_Exit(2);
    }
}

}  // namespace detail

session& this_session() {
    // Never destroyed, because destructors of statics may assert.
    static session& instance = *new session(detail::make_session());
    return instance;
}

register_project_paths::register_project_paths(const char* suite, const char* baselines, const char* build,
                                               const char* prefix) noexcept {
    this_session().set_project({suite, baselines, build, prefix});
}

register_compile_options::register_compile_options(const char* flags, const char* options, const char* definitions,
                                                   bool link_time, const char* commit) noexcept {
    this_session().set_compile_flags(detail::significant_flags({flags, options, definitions, link_time}));
    if (*commit != '\0') this_session().set_built_commit(commit);
}

}  // namespace perfspec::inline v0_2
