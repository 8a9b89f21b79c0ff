// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/python/source_folder.hpp>

#include <filesystem>
#include <system_error>

namespace perfspec::detail {

std::string folder_of_source(std::string_view source, const program_start& start) {
    namespace fs = std::filesystem;
    const fs::path file(source);
    const auto folder_below = [&](const fs::path& base) {
        return (base / file).lexically_normal().parent_path().string();
    };
    if (file.is_absolute()) return folder_below({});
    std::error_code ignored;
    for (fs::path base = fs::path(start.executable).parent_path(); !base.empty(); base = base.parent_path()) {
        if (fs::exists(base / file, ignored)) return folder_below(base);
        if (base == base.parent_path()) break;
    }
    return folder_below(start.working_directory);
}

}  // namespace perfspec::detail
