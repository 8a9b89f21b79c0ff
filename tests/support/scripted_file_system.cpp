// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_file_system.hpp"

namespace perfspec {

scripted_file_system::scripted_file_system() = default;
scripted_file_system::scripted_file_system(const scripted_file_system&) = default;
scripted_file_system& scripted_file_system::operator=(const scripted_file_system&) = default;
scripted_file_system::~scripted_file_system() = default;

void scripted_file_system::put(const std::string& path, std::string_view text) {
    texts_[path] = text;
    add_folders(path.substr(0, path.rfind('/')));
}

file_text scripted_file_system::read(const std::string& path, std::size_t max_bytes) const {
    if (const auto refused = unread_.find(path); refused != unread_.end()) return refused->second;
    const auto found = texts_.find(path);
    if (found == texts_.end()) return {read_outcome::missing, {}, "No such file or directory"};
    if (found->second.size() > max_bytes)
        return {read_outcome::too_large, {}, "has more than " + std::to_string(max_bytes) + " bytes"};
    return {read_outcome::complete, found->second, {}};
}

std::vector<std::string> scripted_file_system::names_in(const std::string& folder) const {
    std::set<std::string> names;
    for (const auto& [path, text] : texts_)
        if (path.starts_with(folder + '/'))
            names.insert(path.substr(folder.size() + 1, path.find('/', folder.size() + 1) - folder.size() - 1));
    return {names.begin(), names.end()};
}

binary_identity scripted_file_system::compare(const std::string& one, const std::string& other) const {
    if (one == other) return binary_identity::same_file;
    const auto first = texts_.find(one);
    const auto second = texts_.find(other);
    const bool equal = first != texts_.end() && second != texts_.end() && first->second == second->second;
    return equal ? binary_identity::same_bytes : binary_identity::different;
}

void scripted_file_system::create_folders(const std::string& path) {
    require_writable(path);
    add_folders(path);
    done.push_back("create " + path);
}

void scripted_file_system::write_atomically(const std::string& path, std::string_view text) {
    require_writable(path);
    put(path, text);
    done.push_back("write " + path);
}

void scripted_file_system::append_line(const std::string& path, std::string_view line) {
    require_writable(path);
    texts_[path] += std::string(line) + '\n';
    done.push_back("append " + path);
}

void scripted_file_system::require_writable(const std::string& path) const {
    if (!frozen_.empty() && path.starts_with(frozen_)) throw file_error(path, "Permission denied");
}

void scripted_file_system::add_folders(std::string folder) {
    while (!folder.empty()) {
        folders_.insert(folder);
        const auto slash = folder.rfind('/');
        folder.resize(slash == std::string::npos ? 0 : slash);
    }
}

std::shared_ptr<void> scripted_file_system::lock(const std::string& folder, std::chrono::milliseconds) {
    before_lock();
    if (held_elsewhere_) throw file_error(folder, "is locked by another process, which did not release it in time");
    done.push_back("lock " + folder);
    return {nullptr, [this](void*) { done.emplace_back("unlock"); }};
}

}  // namespace perfspec
