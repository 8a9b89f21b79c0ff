// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/baseline/file_system.hpp>
#include <perfspec/baseline/stored_process.hpp>
#include <perfspec/baseline/update_rule.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2 {

/// Turns any name into the name of one file or folder: `../x` becomes `%2E.%2Fx`, never a path.
///
/// Different names give different results (baselines/README.md, "Where"). The empty name is `%empty`. A result of more
/// than 120 bytes is its first 100 and the FNV-1a hash of the whole name. The dot of a final `.json` or `.golden` is
/// escaped too, because files with such names stand beside the folder.
[[nodiscard]] std::string path_component(std::string_view name);

/// The paths that decide where baselines are. Empty means unknown.
struct baseline_paths {
    std::string baseline_dir{};       ///< the value of the option
    std::string project_baselines{};  ///< compiled in by perfspec_discover_tests: <project>/baselines
    std::string build_folder{};       ///< compiled in by perfspec_discover_tests
    std::string working_directory{};  ///< absolute, as it was at program start
    std::string executable{};         ///< absolute path of this test binary
};

/// The folder of committed baselines: the first of the option, the compiled-in folder, and the nearest `baselines` in
/// the working directory or above it. The compiled-in folder need not exist, but its parent must: a first recording
/// creates the folder, and a binary that moved to another machine does not use it.
[[nodiscard]] std::optional<std::string> find_committed_folder(const baseline_paths& paths, const file_system& files);

/// As find_committed_folder, but throws input_error if there is none: with the searched places and the remedy.
[[nodiscard]] std::string committed_folder(const baseline_paths& paths, const file_system& files);

/// The folder of recordings for this machine only: `perfspec-baselines` in the build folder if that exists, otherwise
/// beside the executable. Throws input_error if neither is known.
[[nodiscard]] std::string local_folder(const baseline_paths& paths, const file_system& files);

/// The fresh measurements with rounded numbers: to the digits that the spread of fresh and stored ones supports
/// (baselines/README.md, "What a file holds"). Stored ones are rounded already.
[[nodiscard]] std::vector<stored_process> rounded_processes(std::span<const stored_process> fresh,
                                                            std::span<const stored_process> stored);

/// The profile with its times rounded to three significant digits.
[[nodiscard]] part_profile rounded_profile(part_profile profile);

/// The address of a baseline file: the parts of `<folder>/<hardware>[/<variant>]/<suite>.json`.
/// Hardware, variant and suite may hold any bytes.
struct baseline_address {
    std::string folder{};    ///< a path, as `committed_folder` finds it
    std::string hardware{};  ///< from hardware_key() or one of its siblings
    std::string variant{};   ///< build variant; empty: none
    std::string suite{};
};

/// The path of the file. path_component escapes hardware, variant and suite.
[[nodiscard]] std::string path_of(const baseline_address& address);

enum class lookup_outcome : std::uint8_t {
    found,
    no_entry,     ///< the file exists, without this key
    no_file,      ///< this hardware and variant have baselines, this suite has none
    no_hardware,  ///< this hardware and variant have no folder
    unreadable,   ///< the file exists, but the system refuses to read it or it is too large
    corrupt,      ///< the file is no baseline file, or has another schema or address
};

/// The result of a search for one key.
template <class Entry> struct keyed_lookup {
    lookup_outcome outcome = lookup_outcome::no_hardware;
    std::optional<Entry> entry{};  ///< if found
    std::string reason{};          ///< if unreadable or corrupt: file, line, fault, a legal value, the remedy
};

/// The file of one address, read once. All lookups in it see the same text.
template <class Entry> struct keyed_snapshot {
    lookup_outcome outcome = lookup_outcome::no_hardware;  ///< of the file
    keyed_file<Entry> file{};
    std::string reason{};

    [[nodiscard]] keyed_lookup<Entry> find(std::string_view key) const {
        if (outcome != lookup_outcome::found) return {outcome, {}, reason};
        if (const Entry* entry = file.find(key)) return {lookup_outcome::found, *entry, {}};
        return {lookup_outcome::no_entry, {}, {}};
    }
};

using baseline_lookup = keyed_lookup<baseline_entry>;
using baseline_snapshot = keyed_snapshot<baseline_entry>;

/// The result of an update: the decision, and the entry before and after it.
struct update_result {
    update_decision decision{};
    std::optional<baseline_entry> before{};
    std::optional<baseline_entry> after{};
};

/// A folder of baselines that cannot be created, locked or written. The text ends in "or name another": each program
/// adds its option for that.
struct unwritable_baselines : input_error {
    using input_error::input_error;
};

/// One of several entries to update.
struct entry_update {
    baseline_entry measured{};
    update_request request{};
};

/// The baselines of one address, on disk.
///
///     baseline_store store(files, {"baselines", hardware_key(read_cpu_facts(files)), "", "vision_test"});
///     baseline_lookup stored = store.find("sorting / latency(sort)");
///     update_result done = store.update(measured, {.mode = baseline_update::moved, .headroom = {0.05}});
///
/// Parallel processes lose no updates: each one locks the folder, reads the file again, changes its own entry and
/// replaces the file in one step.
class baseline_store {
public:
    /// files must outlive the store. Throws input_error for an empty folder.
    baseline_store(file_system& files, baseline_address where,
                   std::chrono::milliseconds lock_wait = std::chrono::seconds(30));

    [[nodiscard]] const baseline_address& address() const noexcept { return where_; }
    [[nodiscard]] const std::string& path() const noexcept { return path_; }

    /// Reads the file. Never throws for its contents.
    [[nodiscard]] baseline_snapshot load() const;

    /// load().find(key), for a single lookup.
    [[nodiscard]] baseline_lookup find(std::string_view key) const { return load().find(key); }

    /// Stores the entry if the update rule says so. Throws input_error for an entry that cannot be stored (fault_of),
    /// and for a file that is unreadable or corrupt, which it does not change. Throws unwritable_baselines for a folder
    /// that cannot be created, locked or written.
    update_result update(const baseline_entry& measured, const update_request& request);

    /// Updates several entries in their order, all or none, with one read and one replacement of the file.
    std::vector<update_result> update_all(std::span<const entry_update> updates);

private:
    [[nodiscard]] baseline_file usable_file() const;
    void replace_file(const baseline_file& file);

    file_system& files_;
    baseline_address where_;
    std::chrono::milliseconds lock_wait_;
    std::string folder_;
    std::string path_;
};

}  // namespace perfspec::inline v0_2
