// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/program_start.hpp>

#include <string>
#include <string_view>

namespace perfspec::detail {

/// The folder of a source file, which relative paths start from.
///
/// source  __FILE__. Where it is relative, as ccache may make it, the compiler's folder is not known. The first of
/// these that has the file
///         is taken for it: that of the program, those above, and the folder where the program was started; that one
///         where none has it. The program comes first because another build of it, which --perf-against names, is
///         started in the folder of this one.
[[nodiscard]] std::string folder_of_source(std::string_view source, const program_start& start);

}  // namespace perfspec::detail
