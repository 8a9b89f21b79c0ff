// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>

#include <cstdlib>
#include <string>
#include <string_view>

namespace perfspec::detail {

/// The environment variable of a run that has to have a GPU.
inline constexpr const char* require_gpu_variable = "PERFSPEC_REQUIRE_GPU";

/// Whether a value of the variable asks for a GPU: any but none, the empty one, and 0. Without a GPU tests then fail in
/// place of being skipped: on the machine that has the GPU, a driver that broke would else pass.
[[nodiscard]] inline bool requires_gpu(const char* value = std::getenv(require_gpu_variable)) noexcept {
    return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

/// Notes on a subject that its device does not exist. Its claims are then *not judged*; *invalid* where the run has to
/// have a GPU.
///
/// missing  why there is none; empty where there is one, and then nothing is noted
inline void note_missing_device(subject& made, const std::string& missing, bool is_required = requires_gpu()) {
    if (missing.empty()) return;
    if (is_required) made.refuse(missing + "; " + require_gpu_variable + " asks for one");
    else made.lacks(missing);
}

}  // namespace perfspec::detail
