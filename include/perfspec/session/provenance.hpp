// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>
#include <perfspec/session/system_access.hpp>

#include <optional>
#include <string>

namespace perfspec {

/// The measured code, the machine, and the run.
struct provenance {
    std::string commit;
    std::string branch;
    std::string run_id;
    std::string host;
    std::string started_by{};
};

/// Identifies what started this program, by the id and start time of its parent: "4711 1834512". All programs that one
/// ctest or script starts have the same one. A program started in a terminal has its own id and start time, because
/// each start is a separate run. Without /proc there is no start time.
[[nodiscard]] std::string starter_of(const file_system& files, int process, int parent);

/// Reads the provenance from the variables of CI systems (GitHub, GitLab, PERFSPEC_RUN_ID), and the rest from the .git
/// folder above the working directory.
[[nodiscard]] provenance read_provenance(const system_access& system);

/// Whether git sees changes in tracked files; nothing if git cannot say. This starts a git process.
///
/// but_not_in  a folder whose changes do not count, relative to the top of the repository; empty: all count
[[nodiscard]] std::optional<bool> has_uncommitted_changes(const system_access& system,
                                                          const std::string& but_not_in = {});

}  // namespace perfspec
