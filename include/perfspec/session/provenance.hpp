// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>
#include <perfspec/session/surroundings.hpp>

#include <optional>
#include <string>

namespace perfspec {

/// Which code is measured, where, in which run.
struct provenance {
    std::string commit;
    std::string branch;
    std::string run_id;
    std::string host;
    std::string started_by{};
};

/// What started this program: id and start of its parent, "4711 1834512", which all have in common that one ctest or script starts. Of a program that
/// somebody starts in a terminal, its own: each is a run of its own. Without a start where there is no /proc.
[[nodiscard]] std::string starter_of(const file_system& files, int process, int parent);

/// From the variables of CI systems (GitHub, GitLab, PERFSPEC_RUN_ID), else from the .git folder above the working directory.
[[nodiscard]] provenance read_provenance(const surroundings& around);

/// Whether git sees changes in tracked files; asks git itself, so that it costs a process.
///
/// but_not_in  a folder whose changes do not count, from the top of the repository on; empty: all count
[[nodiscard]] std::optional<bool> has_uncommitted_changes(const surroundings& around, const std::string& but_not_in = {});

}  // namespace perfspec
