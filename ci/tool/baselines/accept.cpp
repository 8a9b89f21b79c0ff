// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The command `accept`.

#include "baselines.hpp"

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/stats/rank_test.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace perfspec::tool {
namespace {

struct accept_request {
    std::string baseline_dir{};
    std::string filter{};                           ///< only keys that contain this pattern
    baseline_update mode = baseline_update::moved;  ///< or append: as a further recording session
    noisy_processes noisy = noisy_processes::refuse;
    writing writes = writing::done;
};

/// Whether a result has processes for a baseline: those of a violated claim, or of a claim without a baseline. An
/// undecided claim has shown no move. As a further session of the same code, all processes may be stored.
bool carries_processes_to_store(const record& r, baseline_update mode) {
    if (!r.baseline || r.baseline->taken.size() < stored_rank_test::min_stored) return false;
    const bool has_none = r.baseline->action != baseline_action::compared;
    return mode == baseline_update::append || has_none || r.verdict == verdict::violated;
}

/// The results of one key: the one to store, and the smallest headroom of all their claims.
struct candidate {
    const result_line* chosen = nullptr;
    const result_line* of_another_program = nullptr;  ///< a result of another source file
    double headroom = 0;
    std::size_t older = 0;

    void consider(const result_line& line) {
        const baseline_origin& processes = *line.about.baseline;
        headroom = chosen == nullptr ? processes.headroom : std::min(headroom, processes.headroom);
        const auto rank = [](const record& r) {
            return std::pair(newest_of(r.baseline->taken), r.baseline->taken.size());
        };
        if (chosen == nullptr) {
            chosen = &line;
            return;
        }
        if (!may_be_one_source(source_of(line.about.file, 0), source_of(chosen->about.file, 0)))
            of_another_program = chosen;
        const bool same_processes = chosen->about.baseline->taken == processes.taken;
        if (!same_processes) ++older;
        if (rank(line.about) >= rank(chosen->about)) chosen = &line;
    }
};

baseline_entry entry_of(const record& r) {
    std::vector<stored_process> processes = r.baseline->taken;
    std::ranges::stable_sort(processes, {}, &stored_process::time);
    return {.key = r.key,
            .unit = unit_name(r),
            .direction = r.direction,
            .source = source_of(r.file, r.line),
            .recorded_on = r.baseline->machine,
            .processes = std::move(processes),
            .profile = r.baseline->profile};
}

constexpr std::string_view word_of(update_action a) noexcept {
    switch (a) {
    case update_action::keep: return "kept";
    case update_action::record: return "recorded";
    case update_action::replace: return "updated";
    case update_action::append: return "appended";
    case update_action::refuse: break;
    }
    return "refused";
}

/// ", detects +2 % or more"; empty if no change can be detected.
std::string resolution_text(const baseline_entry& entry) {
    const std::string change = detectable_text(entry);
    return change == "-" ? std::string{} : ", detects " + change + " or more";
}

/// Why no processes can be stored under this key; none if they can.
std::optional<std::string> fault_of_key(std::string_view key) {
    if (key.find("\xEF\xBF\xBD") == std::string_view::npos) return {};  // replaces bytes that are not UTF-8
    return "the key contains U+FFFD, so it was not UTF-8 and cannot be found again: name the query with key(\"…\")";
}

/// Warnings for the reviewer of a stored result, one per line: a working tree with changes, a machine that is not
/// identified.
std::string warnings_about(const record& r) {
    std::string text;
    if (r.dirty)
        text += fmt::format(
            "    warning: measured from a working tree with changes after {}, so no commit has the code of these "
            "processes\n",
            r.commit.empty() ? "no commit" : detail::single_line(r.commit).substr(0, 10));
    if (r.hardware_key.starts_with("unknown-cpu"))
        text +=
            "    warning: this processor does not report its model, so other machines would use these baselines, too: "
            "do not commit them\n";
    return text;
}

/// "was 3.214 ms, is 3.521 ms (+10 %), detects +2 % or more".
std::string values_text(const update_result& done, const baseline_entry& fresh) {
    if (!done.decision.writes()) {
        const std::string stored = done.before ? fmt::format("stored {}, ", median_text(*done.before)) : std::string{};
        return fmt::format("{}measured {}{}", stored, median_text(fresh), resolution_text(fresh));
    }
    const baseline_entry& after = done.after.value_or(fresh);
    if (!done.before || done.before->unit != after.unit)
        return fmt::format("{}{}", median_text(after), resolution_text(after));
    const percentage change = change_between(*done.before, after);
    return fmt::format("was {}, is {} ({}){}", median_text(*done.before), median_text(after),
                       format_change(change.fraction), resolution_text(after));
}

std::string last_line(std::size_t written, const accept_request& request) {
    const std::string folder = detail::single_line(request.baseline_dir);
    if (request.writes == writing::dry_run)
        return fmt::format("dry run: {} would be written below {}\n", counted(written, "entry"), folder);
    if (written == 0) return "nothing was written\n";
    return fmt::format("{} written below {}; review the diff, and commit it\n", counted(written, "entry"), folder);
}

/// Accepts candidates, and reports the outcome of each.
class acceptance {
public:
    acceptance(const accept_request& request, file_system& files, std::span<const std::string> notes)
        : request_(request), files_(files) {
        for (const std::string& note : notes) text_ += note + '\n';
    }

    /// Decides on the update, and writes nothing. Throws input_error for a broken baseline file.
    void plan_update(const candidate& c) {
        const baseline_snapshot& stored = stored_in(store_of(c));
        if (stored.outcome == lookup_outcome::unreadable || stored.outcome == lookup_outcome::corrupt)
            throw input_error(stored.reason);
        planned next{&c, entry_of(c.chosen->about), {}};
        next.done.before = stored.find(next.fresh.key).entry;
        next.done.decision = decide(c, next.fresh, next.done.before);
        plans_.push_back(std::move(next));
    }

    [[nodiscard]] outcome carry_out() {
        for (auto first = plans_.begin(); first != plans_.end();) {  // plans_ is in the order of files
            baseline_store store = store_of(*first->of);
            const auto last = std::find_if(first, plans_.end(),
                                           [&](const planned& p) { return store_of(*p.of).path() != store.path(); });
            if (request_.writes == writing::done) write(store, {first, last});
            for (; first != last; ++first) report_on(*first, store.path());
        }
        return {std::move(text_), refused_ == 0 ? exit_code::fine : exit_code::error};
    }

    [[nodiscard]] std::size_t written() const noexcept { return written_; }

private:
    struct planned {
        const candidate* of;
        baseline_entry fresh;
        update_result done;
    };

    [[nodiscard]] baseline_store store_of(const candidate& c) {
        const record& r = c.chosen->about;
        return {files_, {request_.baseline_dir, r.hardware_key, r.build_variant, r.suite}};
    }
    [[nodiscard]] update_request request_for(const candidate& c) const {
        return {.mode = request_.mode, .headroom = {c.headroom}, .noisy = request_.noisy};
    }

    [[nodiscard]] update_decision decide(const candidate& c, const baseline_entry& fresh,
                                         const std::optional<baseline_entry>& known) const {
        const auto refused = [](std::string why) { return update_decision{update_action::refuse, std::move(why)}; };
        const record& r = c.chosen->about;
        baseline_entry fitting = fresh;  // without the oldest processes if there are too many
        fitting.processes = processes_after(update_action::record, nullptr, fresh.processes);
        if (const auto fault = fault_of(fitting)) return refused("it cannot be stored: " + *fault);
        if (const auto lost = fault_of_key(fresh.key)) return refused(*lost);
        if (c.of_another_program != nullptr)
            return refused(
                fmt::format("{} and {} have this key, because two programs are called {}: rename one of them",
                            detail::single_line(r.file), detail::single_line(c.of_another_program->about.file),
                            detail::single_line(r.suite)));
        update_decision made = decide_update(request_for(c), known ? &*known : nullptr, fresh);
        if (made.because >= refusal::noisy) made.reason += "; --record-anyway stores them anyway";
        if (!made.writes() || request_.noisy == noisy_processes::record) return made;
        if (detail::are_processes_lengthened(r))
            return refused(detail::lengthening_text(r) +
                           ": run it again when the machine has less to do; --record-anyway stores them");
        if (detail::are_devices_slowed(r))
            return refused(
                detail::slowed_device_text(r) +
                ": run it again when the device is cool and no other process uses it; --record-anyway stores them");
        if (known && newest_of(known->processes) > newest_of(fresh.processes))
            return refused(fmt::format(
                "the stored processes of {} are newer than these processes of {}; --record-anyway stores these",
                newest_of(known->processes), newest_of(fresh.processes)));
        return made;
    }

    /// The file as it was when its first key was planned.
    [[nodiscard]] const baseline_snapshot& stored_in(const baseline_store& store) {
        const auto known = stored_.find(store.path());
        return known != stored_.end() ? known->second : stored_.emplace(store.path(), store.load()).first->second;
    }

    /// Writes all new entries of one file at once.
    void write(baseline_store& store, std::span<planned> plans) {
        std::vector<entry_update> updates;
        for (const planned& plan : plans)
            if (plan.done.decision.writes()) updates.push_back({plan.fresh, request_for(*plan.of)});
        if (updates.empty()) return;
        auto results = update(store, updates);
        auto next = results.begin();
        for (planned& plan : plans)
            if (plan.done.decision.writes()) plan.done = std::move(*next++);
    }

    /// Throws failed_midway with the report so far.
    std::vector<update_result> update(baseline_store& store, std::span<const entry_update> updates) const {
        const std::string so_far = text_ + last_line(written_, request_);
        try {
            return store.update_all(updates);
        } catch (const unwritable_baselines& error) {
            throw failed_midway(
                std::string(error.what()) + ":  --baseline-dir baselines  or  PERFSPEC_BASELINE_DIR=baselines", so_far);
        } catch (const input_error& error) { throw failed_midway(error.what(), so_far); }
    }

    void report_on(const planned& plan, const std::string& path) {
        const record& r = plan.of->chosen->about;
        if (path != path_) text_ += detail::single_line(path) + "\n";
        path_ = path;
        const update_decision& decision = plan.done.decision;
        text_ += fmt::format("  {}: {}: {}\n", detail::single_line(r.key), word_of(decision.action),
                             values_text(plan.done, plan.fresh));
        text_ += fmt::format("    {} ({})\n", detail::single_line(decision.reason), plan.of->chosen->place());
        if (plan.of->older > 0)
            text_ +=
                fmt::format("    not stored: {} of this key with older processes\n", counted(plan.of->older, "result"));
        if (decision.action == update_action::refuse) ++refused_;
        if (!decision.writes()) return;
        ++written_;
        if (plan.done.before)
            for (const std::string& difference :
                 describe_difference(plan.done.before->recorded_on, plan.fresh.recorded_on))
                text_ += fmt::format("    differs from the stored recording: {}\n", detail::single_line(difference));
        text_ += warnings_about(r);
    }

    accept_request request_;
    file_system& files_;
    std::map<std::string, baseline_snapshot> stored_;
    std::vector<planned> plans_;
    std::string text_;
    std::string path_;
    std::size_t written_ = 0;
    std::size_t refused_ = 0;
};

/// Claims on baseline() that failed or are undecided, and have no processes to accept: a line for each.
outcome not_accepted(std::span<const result_line* const> lines, const std::map<entry_address, candidate>& candidates,
                     const accept_request& request) {
    outcome done;
    std::size_t against_another_build = 0;
    for (const result_line* line : lines) {
        const record& r = line->about;
        const bool needs_action = contains_pattern(r.key, request.filter) &&
                                  (r.failed || r.verdict == verdict::undecided) && r.baseline &&
                                  !carries_processes_to_store(r, request.mode);
        if (!needs_action || candidates.contains(address_of(r))) continue;
        if (r.baseline->action == baseline_action::baseline_build && ++against_another_build > 0) continue;
        const std::string why =
            r.verdict == verdict::undecided
                ? "its processes do not differ clearly from the stored ones: change the bound, or add processes by "
                  "PERFSPEC_UPDATE_BASELINES=append"
                : fmt::format("it has {}, but a baseline needs {}: run it again with PERFSPEC_CI=on and without "
                              "baseline_processes=0, or record it by PERFSPEC_UPDATE_BASELINES=1",
                              counted(r.baseline->taken.size(), "process"), stored_rank_test::min_stored);
        done.text += fmt::format("not accepted: {}: {}: {} ({})\n", detail::single_line(r.key), to_string(r.verdict),
                                 why, line->place());
        done.code = exit_code::error;
    }
    if (against_another_build > 0)
        done.text +=
            fmt::format("nothing to accept: {} failed against a baseline build, which needs no stored baselines\n",
                        counted(against_another_build, "claim"));
    return done;
}

/// Merges the processes in results into baseline files. It uses the rule of `--perf-update-baselines=moved` or
/// `append`, and measures nothing.
///
/// If a key has several results on the same hardware, the one with the newest processes counts. Their smallest headroom
/// decides whether an entry moved. Other entries keep every byte. All lines and affected files are read before the
/// first file is written.
///
/// The code is `error` if processes are refused, a failed or undecided claim cannot be accepted, or a result was cut
/// short. Throws input_error for a broken baseline file, failed_midway for one that cannot be written.
outcome accept(const results& input, const accept_request& request, file_system& files) {
    const auto lines = input.finished();
    std::map<entry_address, candidate> candidates;  // in the order of files and keys
    for (const result_line* line : lines)
        if (carries_processes_to_store(line->about, request.mode) && contains_pattern(line->about.key, request.filter))
            candidates[address_of(line->about)].consider(*line);
    acceptance all(request, files, input.notes);
    for (const auto& [address, c] : candidates) all.plan_update(c);
    outcome done = all.carry_out();
    const outcome rejected = not_accepted(lines, candidates, request);
    if (rejected.code != exit_code::fine || input.cut_short > 0) done.code = exit_code::error;
    done.text += rejected.text;
    if (candidates.empty() && rejected.text.empty())
        done.text += fmt::format("nothing to accept: none of {}{} has processes for a baseline\n",
                                 counted(lines.size(), "result"),
                                 request.filter.empty() ? "" : " whose key contains the pattern");
    done.text += last_line(all.written(), request);
    return done;
}

}  // namespace

void add_accept(CLI::App& app, command_context& context) {
    struct options {
        std::vector<std::string> results;
        accept_request request;
        bool append = false;
        bool record_anyway = false;
        bool dry_run = false;
    };
    auto* command =
        app.add_subcommand("accept", "Stores the processes in results as baselines, without measuring again.");
    const auto o = std::make_shared<options>();
    command->add_option("RESULTS", o->results, "files that --perf-output wrote, such as artifacts of CI")->required();
    command
        ->add_option("--baseline-dir", o->request.baseline_dir,
                     "baseline folder  [PERFSPEC_BASELINE_DIR, else the nearest \"baselines\" upwards]")
        ->type_name("FOLDER");
    command->add_option("--filter", o->request.filter, "only keys that contain this; * stands for any text")
        ->type_name("PATTERN");
    command->add_flag("--append", o->append, "add the processes as another recording session of the baseline's code");
    command->add_flag(
        "--record-anyway", o->record_anyway,
        "also store processes that vary by more than 20 %, shared processors with other work, or are older than the "
        "stored ones");
    command->add_flag("--dry-run", o->dry_run, "print what it would do, and write nothing");
    command->footer(
        R"(In CI, a claim on baseline() that is violated or has no baseline for its hardware writes its processes into the results. This command
stores an entry that is missing, or that changed by more than a third of its claim's headroom. All other entries keep every byte.
The newest result of a key counts.

Exit codes: 0 done; 2 wrong input; 4 a failed claim could not be accepted.

Examples:
  perfspec accept results.jsonl                       into the nearest folder "baselines"
  git diff baselines                                  review the change)");
    command->callback([o, &context] {
        const auto texts = context.read_results_files(o->results);
        o->request.baseline_dir = context.baseline_dir(o->request.baseline_dir);
        o->request.mode = o->append ? baseline_update::append : baseline_update::moved;
        o->request.noisy = o->record_anyway ? noisy_processes::record : noisy_processes::refuse;
        o->request.writes = o->dry_run ? writing::dry_run : writing::done;
        context.done = accept(newest_results(read_results(texts)), o->request, context.system.files);
    });
}

}  // namespace perfspec::tool
