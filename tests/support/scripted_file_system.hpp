// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/file_system.hpp>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec {

/// Files in memory, with faults where a test wants them and a list of what was done.
///
///     scripted_file_system files;
///     files.put("/proc/cpuinfo", "processor : 0\n");
///     files.refuse_writes_below("/readonly");
///     files.before_lock = [&] { files.put("b/a.json", what_another_process_wrote); };
class scripted_file_system final : public file_system {
public:
    /// What happens between the decision to lock a folder and having it: another process's turn.
    std::function<void()> before_lock = [] {};

    /// "create b", "lock b", "write b/a.json", "append log", "unlock", in their order.
    std::vector<std::string> done;

    void put(const std::string& path, std::string_view text) {
        texts_[path] = text;
        add_folders(path.substr(0, path.rfind('/')));
    }
    void put_folder(const std::string& path) { add_folders(path); }
    void refuse_reading(const std::string& path, read_outcome outcome, std::string reason) {
        unread_[path] = {outcome, {}, std::move(reason)};
    }
    void make_older(const std::string& path) { older_.insert(path); }
    void refuse_writes_below(std::string folder) { frozen_ = std::move(folder); }
    void hold_lock_elsewhere() { held_elsewhere_ = true; }

    [[nodiscard]] bool has(const std::string& path) const { return texts_.contains(path); }
    [[nodiscard]] const std::string& text(const std::string& path) const { return texts_.at(path); }

    [[nodiscard]] file_text read(const std::string& path, std::size_t max_bytes) const override {
        if (const auto refused = unread_.find(path); refused != unread_.end()) return refused->second;
        const auto found = texts_.find(path);
        if (found == texts_.end()) return {read_outcome::missing, {}, "No such file or directory"};
        if (found->second.size() > max_bytes) return {read_outcome::too_large, {}, "has more than " + std::to_string(max_bytes) + " bytes"};
        return {read_outcome::complete, found->second, {}};
    }
    [[nodiscard]] bool is_folder(const std::string& path) const override { return folders_.contains(path); }
    [[nodiscard]] std::vector<std::string> names_in(const std::string& folder) const override {
        std::set<std::string> names;
        for (const auto& [path, text] : texts_)
            if (path.starts_with(folder + '/'))
                names.insert(path.substr(folder.size() + 1, path.find('/', folder.size() + 1) - folder.size() - 1));
        return {names.begin(), names.end()};
    }
    [[nodiscard]] likeness compare(const std::string& one, const std::string& other) const override {
        if (one == other) return likeness::same_file;
        const auto first = texts_.find(one);
        const auto second = texts_.find(other);
        const bool equal = first != texts_.end() && second != texts_.end() && first->second == second->second;
        return equal ? likeness::same_bytes : likeness::different;
    }
    [[nodiscard]] bool is_older(const std::string& path, const std::string&) const override { return older_.contains(path); }
    void create_folders(const std::string& path) override {
        require_writable(path);
        add_folders(path);
        done.push_back("create " + path);
    }
    void write_atomically(const std::string& path, std::string_view text) override {
        require_writable(path);
        put(path, text);
        done.push_back("write " + path);
    }
    void append_line(const std::string& path, std::string_view line) override {
        require_writable(path);
        texts_[path] += std::string(line) + '\n';
        done.push_back("append " + path);
    }

private:
    void require_writable(const std::string& path) const {
        if (!frozen_.empty() && path.starts_with(frozen_)) throw file_error(path, "Permission denied");
    }
    void add_folders(std::string folder) {
        while (!folder.empty()) {
            folders_.insert(folder);
            const auto slash = folder.rfind('/');
            folder.resize(slash == std::string::npos ? 0 : slash);
        }
    }
    [[nodiscard]] int acquire(const std::string& folder, std::chrono::milliseconds) override {
        before_lock();
        if (held_elsewhere_) throw file_error(folder, "is locked by another process, which did not let go in time");
        done.push_back("lock " + folder);
        return 0;
    }
    void release(int) noexcept override { done.emplace_back("unlock"); }

    std::map<std::string, std::string> texts_;
    std::map<std::string, file_text> unread_;
    std::set<std::string> folders_{"/"};
    std::set<std::string> older_;
    std::string frozen_;
    bool held_elsewhere_ = false;
};

}  // namespace perfspec
