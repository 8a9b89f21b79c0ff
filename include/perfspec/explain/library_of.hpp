// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string_view>

namespace perfspec::detail {

/// The library that an operator or a kernel comes from, as far as its name says: "oneDNN" of
/// "aten::mkldnn_convolution", "cuBLAS" of "ampere_sgemm_128x64_tn".
///
/// An operator of ATen whose name says nothing may call a library, such as aten::addmm on the processor, which calls
/// MKL, OpenBLAS or oneDNN: it is of "ATen, or a library that it does not name". A kernel of at::native is ATen's own.
/// Names that no rule knows are of "others".
///
/// name  as a recorder tells it; templates and shapes behind it do not count
[[nodiscard]] std::string_view library_of(std::string_view name) noexcept;

}  // namespace perfspec::detail
