// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/simulation/children.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include <sys/resource.h>

namespace perfspec {

process_children children_of_process() {
    process_children found;
    rusage ended{};
    if (::getrusage(RUSAGE_CHILDREN, &ended) == 0)
        found.page_faults_of_ended = static_cast<std::uint64_t>(ended.ru_minflt + ended.ru_majflt);
    std::error_code ignored;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
        std::ifstream ids(task.path() / "children");
        for (std::string id; ids >> id;) ++found.living;
    }
    return found;
}

}  // namespace perfspec
