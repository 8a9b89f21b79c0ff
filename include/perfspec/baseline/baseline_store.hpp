// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/baseline/file_system.hpp>
#include <perfspec/baseline/update_rule.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec {

/// Which baselines: the parts of `<folder>/<hardware>[/<variant>]/<suite>.json`. The last three may hold any bytes.
struct baseline_address {
    std::string folder{};    ///< a path, as locate.hpp finds it
    std::string hardware{};  ///< hardware_key() and its siblings
    std::string variant{};   ///< empty: none
    std::string suite{};
};

/// The path of the file; hardware, variant and suite through path_component.
[[nodiscard]] std::string path_of(const baseline_address& address);

enum class lookup_outcome : std::uint8_t {
    found,
    no_entry,     ///< the file is there, the key is not in it
    no_file,      ///< this hardware and variant have baselines, this suite has none
    no_hardware,  ///< this hardware and variant have no folder
    unreadable,   ///< the file is there and the system does not let us read it, or it is too large
    corrupt,      ///< the file was read and is no baseline file, one of another schema, or one of another address
};

/// What the store holds for one key.
struct baseline_lookup {
    lookup_outcome outcome = lookup_outcome::no_hardware;
    std::optional<baseline_entry> entry{};  ///< where found
    std::string reason{};                   ///< where unreadable or corrupt: file, line, what was found, a legal value, the remedy

    [[nodiscard]] bool hardware_known() const noexcept { return outcome != lookup_outcome::no_hardware; }
};

/// The file of one address as it was read once; lookups in it agree with each other.
struct baseline_snapshot {
    lookup_outcome outcome = lookup_outcome::no_hardware;  ///< of the file: found, or why not
    baseline_file file{};
    std::string reason{};

    [[nodiscard]] baseline_lookup find(std::string_view key) const;
};

/// What an update did: the decision, and the entry as it stands in the file now.
struct update_result {
    update_decision decision{};
    std::optional<baseline_entry> before{};
    std::optional<baseline_entry> after{};
};

/// A folder of baselines that cannot be created, locked or written. The text ends in "or name another": each program adds its own option.
struct unwritable_baselines : input_error {
    using input_error::input_error;
};

/// One entry of several to update.
struct entry_update {
    baseline_entry measured{};
    update_request how{};
};

/// The baselines of one address, on disk.
///
///     baseline_store store(files, {"baselines", hardware_key(read_cpu_facts(files)), "", "vision_test"});
///     baseline_lookup stored = store.find("resnet50 inference / latency(inductor)");
///     update_result done = store.update(measured, {.mode = baseline_update::moved, .headroom = {0.05}});
///
/// Updates of parallel processes lose nothing: each holds the folder's lock while it reads the file again, changes its one entry
/// and replaces the file in one step.
class baseline_store {
public:
    /// files must outlive the store. Throws input_error for an empty folder.
    baseline_store(file_system& files, baseline_address where, std::chrono::milliseconds lock_wait = std::chrono::seconds(30));

    [[nodiscard]] const baseline_address& address() const noexcept { return where_; }
    [[nodiscard]] const std::string& path() const noexcept { return path_; }

    /// Reads the file; never throws for what stands in it.
    [[nodiscard]] baseline_snapshot load() const;

    /// load().find(key), for a single lookup.
    [[nodiscard]] baseline_lookup find(std::string_view key) const { return load().find(key); }

    /// Decides by the update rule and, where that says so, stores the entry; its fresh numbers are rounded (rounding.hpp).
    /// Throws input_error for an entry that cannot be stored (fault_of), a file that is there and unreadable or corrupt (it is left
    /// as it is); unwritable_baselines for a folder that cannot be created, locked or written.
    update_result update(const baseline_entry& measured, const update_request& request);

    /// The same for several entries, in their order: the file is read once and replaced once, with all of them or with none.
    std::vector<update_result> update_all(std::span<const entry_update> updates);

    /// Removes the key; false where it was not there. Throws as update does.
    bool erase(std::string_view key);

private:
    [[nodiscard]] baseline_file usable_file() const;
    void replace_file(const baseline_file& file);
    [[nodiscard]] folder_lock hold_folder();

    file_system& files_;
    baseline_address where_;
    std::chrono::milliseconds lock_wait_;
    std::string folder_;
    std::string path_;
};

}  // namespace perfspec
