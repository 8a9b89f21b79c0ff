// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/program_start.hpp>

#include <string>
#include <string_view>

namespace perfspec::detail {

/// The folder of a source file, which relative paths start from.
///
/// source  __FILE__. Where it is relative, as ccache may make it, the compiler's folder is not known. The first of these that has the file
///         is taken for it: the folder where the program was started, that of the program, and those above. Where none has it, the first.
[[nodiscard]] std::string folder_of_source(std::string_view source, const program_start& start);

}  // namespace perfspec::detail
