// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/file_system.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec {

/// Files in memory, with scripted faults, and a list of the operations.
///
///     scripted_file_system files;
///     files.put("/proc/cpuinfo", "processor : 0\n");
///     files.refuse_writes_below("/readonly");
///     files.before_lock = [&] { files.put("b/a.json", what_another_process_wrote); };
class scripted_file_system final : public file_system {
public:
    scripted_file_system();
    scripted_file_system(const scripted_file_system&);
    scripted_file_system& operator=(const scripted_file_system&);
    ~scripted_file_system() override;

    /// Runs between the decision to lock a folder and the lock itself: it plays another process.
    std::function<void()> before_lock = [] {};

    /// The operations in their order: "create b", "lock b", "write b/a.json", "append log", "unlock".
    std::vector<std::string> done;

    void put(const std::string& path, std::string_view text);
    void put_folder(const std::string& path) { add_folders(path); }
    void refuse_reading(const std::string& path, read_outcome outcome, std::string reason) {
        unread_[path] = {outcome, {}, std::move(reason)};
    }
    void refuse_writes_below(std::string folder) { frozen_ = std::move(folder); }
    void hold_lock_elsewhere() { held_elsewhere_ = true; }

    [[nodiscard]] bool has(const std::string& path) const { return texts_.contains(path); }
    [[nodiscard]] const std::string& text(const std::string& path) const { return texts_.at(path); }

    [[nodiscard]] file_text read(const std::string& path, std::size_t max_bytes) const override;
    [[nodiscard]] bool is_folder(const std::string& path) const override { return folders_.contains(path); }
    [[nodiscard]] std::vector<std::string> names_in(const std::string& folder) const override;
    [[nodiscard]] binary_identity compare(const std::string& one, const std::string& other) const override;
    void create_folders(const std::string& path) override;
    void write_atomically(const std::string& path, std::string_view text) override;
    void append_line(const std::string& path, std::string_view line) override;
    void remove(const std::string& path) noexcept override { texts_.erase(path); }
    [[nodiscard]] std::shared_ptr<void> lock(const std::string& folder, std::chrono::milliseconds) override;

private:
    void require_writable(const std::string& path) const;
    void add_folders(std::string folder);

    std::map<std::string, std::string> texts_;
    std::map<std::string, file_text> unread_;
    std::set<std::string> folders_{"/"};
    std::string frozen_;
    bool held_elsewhere_ = false;
};

}  // namespace perfspec
