// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/file_system.hpp>
#include <perfspec/baseline/update_rule.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace perfspec::inline v0_2 {

namespace detail {

// ASCII only: a name must give the same path in every locale.
[[nodiscard]] constexpr bool stays_in_paths(char c, bool leads) noexcept {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return true;
    if (c == '-' || c == '.') return !leads;
    return c == '_' || c == '+' || c == '=' || c == ',' || c == '@';
}

}  // namespace detail

std::string path_component(std::string_view name) {
    constexpr std::size_t maximum = 120;
    constexpr std::size_t kept = 100;
    if (name.empty()) return "%empty";
    const std::size_t ending = name.ends_with(".json")     ? 5
                               : name.ends_with(".golden") ? 7
                                                           : 0;  // length of a file ending
    std::string escaped;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool last_dot = i + ending == name.size();
        if (detail::stays_in_paths(name[i], i == 0) && !last_dot) escaped += name[i];
        else escaped += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(name[i])));
    }
    if (escaped.size() <= maximum) return escaped;
    escaped.resize(kept);
    const auto cut = escaped.rfind('%');
    if (cut != std::string::npos && cut + 3 > escaped.size()) escaped.resize(cut);  // drops half of a %XX
    return fmt::format("{}%~{:016X}", escaped, detail::fnv1a_64(name));
}

namespace detail {

/// The folder of a path; "/" for paths directly below it, empty for a path without a folder.
[[nodiscard]] inline std::string parent_of(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    const auto slash = path.rfind('/');
    if (slash == std::string::npos || path == "/") return {};
    path.resize(slash == 0 ? 1 : slash);
    return path;
}

[[nodiscard]] inline std::string inside(const std::string& folder, const char* name) {
    return folder.ends_with('/') ? folder + name : folder + '/' + name;
}

}  // namespace detail

std::optional<std::string> find_committed_folder(const baseline_paths& paths, const file_system& files) {
    if (!paths.baseline_dir.empty()) return paths.baseline_dir;
    const auto& project = paths.project_baselines;
    if (!project.empty() && (files.is_folder(project) || files.is_folder(detail::parent_of(project)))) return project;
    for (auto above = paths.working_directory; !above.empty(); above = detail::parent_of(above)) {
        auto candidate = detail::inside(above, "baselines");
        if (files.is_folder(candidate)) return candidate;
    }
    return {};
}

std::string committed_folder(const baseline_paths& paths, const file_system& files) {
    if (auto found = find_committed_folder(paths, files)) return *found;
    throw input_error(fmt::format(
        "there is no folder for committed baselines: {}, and there is no folder \"baselines\" in {} or above it. "
        "Create one in the project's folder (mkdir baselines), or set PERFSPEC_BASELINE_DIR=/path/to/project/baselines",
        paths.project_baselines.empty() ? "the build names none" : paths.project_baselines + " does not exist",
        paths.working_directory.empty() ? "the working directory" : paths.working_directory));
}

std::string local_folder(const baseline_paths& paths, const file_system& files) {
    constexpr const char* name = "perfspec-baselines";
    if (!paths.build_folder.empty() && files.is_folder(paths.build_folder))
        return detail::inside(paths.build_folder, name);
    const auto beside = detail::parent_of(paths.executable);
    if (!beside.empty()) return detail::inside(beside, name);
    throw input_error(
        "there is no folder for this machine's baselines, because the build names no build folder and the path of the "
        "test binary is unknown. Set PERFSPEC_BASELINE_DIR=/path/to/project/baselines");
}

namespace detail {

/// The exponent of a number's leading decimal digit: 4 for 12300, -2 for 0.05.
[[nodiscard]] inline int exponent_of(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)))); }

/// The nearest decimal with this many digits after the leading one. It goes through text, because 3.214 * 0.001 is not
/// 0.003214.
[[nodiscard]] inline double with_digits(double value, int after_the_leading) {
    return read_leading_number(fmt::format("{:.{}e}", value, after_the_leading))->value;
}

[[nodiscard]] inline double rounded_to(double value, int last_exponent) {
    constexpr int minimum = 2;   // digits after the leading one
    constexpr int maximum = 16;  // more digits than a double has
    if (value == 0) return value;
    return with_digits(value, std::clamp(exponent_of(value) - last_exponent, minimum, maximum));
}

}  // namespace detail

std::vector<stored_process> rounded_processes(std::span<const stored_process> fresh,
                                              std::span<const stored_process> stored) {
    std::vector<stored_process> rounded(fresh.begin(), fresh.end());
    std::vector<double> values = values_of(stored);
    for (const auto& process : fresh) values.push_back(process.value);
    const double spread = values.empty() ? 0 : summarize(values).mad;
    if (spread == 0) return rounded;
    const int last_exponent = detail::exponent_of(spread) - 1;
    for (auto& process : rounded)
        for (const auto& [name, member] : detail::process_numbers)
            process.*member = detail::rounded_to(process.*member, last_exponent);
    return rounded;
}

part_profile rounded_profile(part_profile profile) {
    constexpr int after_the_leading = 2;
    const auto rounded = [](double ns) { return ns == 0.0 ? ns : detail::with_digits(ns, after_the_leading); };
    for (profiled_part& o : profile.longest) o.self_ns = rounded(o.self_ns);
    profile.others_ns = rounded(profile.others_ns);
    return profile;
}

namespace detail {

[[nodiscard]] inline std::string folder_of(const baseline_address& address) {
    std::string folder = address.folder;
    if (!folder.ends_with('/')) folder += '/';
    folder += path_component(address.hardware);
    return address.variant.empty() ? folder : folder + '/' + path_component(address.variant);
}

/// Describes how the address in the file differs from its place, as after a copy; empty if it does not.
template <class File>
[[nodiscard]] std::string fault_of_address(const File& file, const baseline_address& where, const std::string& path) {
    const auto differs = [&](std::string_view member, const std::string& found, const std::string& expected) {
        return fmt::format(
            "{}: \"{}\" is \"{}\", expected \"{}\"\n  move the file to where it belongs, or remove it and record again:  "
            "PERFSPEC_UPDATE_BASELINES=missing ctest",
            path, member, found, expected);
    };
    if (file.hardware != where.hardware) return differs("hardware", file.hardware, where.hardware);
    if (file.variant != where.variant) return differs("build_variant", file.variant, where.variant);
    if (file.suite != where.suite) return differs("suite", file.suite, where.suite);
    return {};
}

[[nodiscard]] inline std::string unreadable_reason(const std::string& path, const std::string& why) {
    return fmt::format(
        "{}: {}, expected a baseline file that this process may read\n  restore it from version control, or correct its permissions",
        path, why);
}

/// The entry to write.
[[nodiscard]] inline baseline_entry entry_after(update_action action, const baseline_entry* stored,
                                                const baseline_entry& measured) {
    baseline_entry entry = measured;
    const bool keeps_stored = action == update_action::append;
    const auto rounded =
        rounded_processes(measured.processes, keeps_stored ? std::span<const stored_process>(stored->processes)
                                                           : std::span<const stored_process>());
    entry.processes = processes_after(action, stored, rounded);
    if (entry.profile) entry.profile = rounded_profile(*std::move(entry.profile));
    else if (keeps_stored) entry.profile = stored->profile;  // an appended session measures the same code
    return entry;
}

inline void require_storable(const baseline_entry& entry) {
    auto checked = entry;
    checked.processes = processes_after(update_action::record, nullptr,
                                        entry.processes);  // leaves out the oldest of too many
    if (const auto fault = fault_of(checked))
        throw input_error(fmt::format("the entry {} cannot be stored: {}", excerpt(entry.key), *fault));
}

/// Decides about each entry, and changes the file accordingly.
[[nodiscard]] inline std::vector<update_result> apply(std::span<const entry_update> updates, baseline_file& file) {
    std::vector<update_result> results;
    for (const auto& [measured, request] : updates) {
        const auto* stored = file.find(measured.key);
        auto& result = results.emplace_back(update_result{.decision = decide_update(request, stored, measured)});
        if (stored != nullptr) result.before = result.after = *stored;
        if (!result.decision.writes()) continue;
        result.after = entry_after(result.decision.action, stored, measured);
        file.insert_or_replace(*result.after);
    }
    return results;
}

[[nodiscard]] inline bool any_writes(std::span<const update_result> results) {
    return std::any_of(results.begin(), results.end(), [](const update_result& r) { return r.decision.writes(); });
}

/// Runs a change of files, and adds the remedy to its error.
template <class Change> auto with_remedy(const std::string& path, const baseline_address& where, const Change& change) {
    try {
        return change();
    } catch (const file_error& error) {
        throw unwritable_baselines(fmt::format(
            "cannot update {}: {}: {}\n  perfspec must be able to write and lock files in \"{}\". Correct its "
            "permissions, or name another folder",
            path, error.path, error.reason, where.folder));
    }
}

/// Reads the file at a path with `parse`. Never throws: the outcome tells why a file is unusable.
template <class Entry>
[[nodiscard]] keyed_snapshot<Entry> load_keyed_file(const file_system& files, const baseline_address& where,
                                                    const std::string& path,
                                                    keyed_file<Entry> (*parse)(std::string_view, std::string_view)) {
    const auto read = files.read(path, keyed_file<Entry>::max_bytes);
    if (read.outcome == read_outcome::missing)
        return {files.is_folder(folder_of(where)) ? lookup_outcome::no_file : lookup_outcome::no_hardware, {}, {}};
    if (read.outcome != read_outcome::complete)
        return {lookup_outcome::unreadable, {}, unreadable_reason(path, read.reason)};
    try {
        auto file = parse(read.text, path);
        if (auto fault = fault_of_address(file, where, path); !fault.empty())
            return {lookup_outcome::corrupt, {}, std::move(fault)};
        return {lookup_outcome::found, std::move(file), {}};
    } catch (const input_error& error) { return {lookup_outcome::corrupt, {}, error.what()}; }
}

/// The loaded file, or a new one without entries if there was none. Throws input_error for an unusable file.
template <class Entry>
[[nodiscard]] keyed_file<Entry> usable_file_of(keyed_snapshot<Entry> stored, const baseline_address& where) {
    if (stored.outcome == lookup_outcome::unreadable || stored.outcome == lookup_outcome::corrupt)
        throw input_error(stored.reason);
    if (stored.outcome == lookup_outcome::found) return std::move(stored.file);
    return {where.hardware, where.variant, where.suite, {}};
}

}  // namespace detail

std::string path_of(const baseline_address& address) {
    return detail::folder_of(address) + '/' + path_component(address.suite) + ".json";
}

baseline_store::baseline_store(file_system& files, baseline_address where, std::chrono::milliseconds lock_wait)
    : files_(files), where_(std::move(where)), lock_wait_(lock_wait), folder_(detail::folder_of(where_)),
      path_(path_of(where_)) {
    if (where_.folder.empty())
        throw input_error("the baseline folder has no name, expected one such as --perf-baseline-dir baselines");
}

baseline_snapshot baseline_store::load() const {
    return detail::load_keyed_file<baseline_entry>(files_, where_, path_, parse_baseline_file);
}

baseline_file baseline_store::usable_file() const { return detail::usable_file_of(load(), where_); }

void baseline_store::replace_file(const baseline_file& file) {
    const std::string text = render_baseline_file(file);
    if (text.size() > baseline_file::max_bytes)
        throw input_error(
            fmt::format("{} would have {} bytes, expected at most {}\n  split the suite into several test binaries",
                        path_, text.size(), baseline_file::max_bytes));
    (void)parse_baseline_file(text, path_);  // an unreadable text must not replace a readable file
    files_.write_atomically(path_, text);
}

update_result baseline_store::update(const baseline_entry& measured, const update_request& request) {
    return update_all(std::array{entry_update{measured, request}}).front();
}

std::vector<update_result> baseline_store::update_all(std::span<const entry_update> updates) {
    for (const entry_update& u : updates) detail::require_storable(u.measured);
    // Decide before creating anything: an update without changes must not leave a folder, which would make this
    // hardware known.
    if (!files_.is_folder(folder_)) {
        auto file = usable_file();
        if (auto early = detail::apply(updates, file); !detail::any_writes(early)) return early;
    }
    return detail::with_remedy(path_, where_, [&] {
        files_.create_folders(folder_);
        const auto guard = files_.lock(folder_, lock_wait_);
        auto file = usable_file();
        auto results = detail::apply(updates, file);
        if (!detail::any_writes(results)) return results;
        replace_file(file);
        return results;
    });
}

}  // namespace perfspec::inline v0_2
