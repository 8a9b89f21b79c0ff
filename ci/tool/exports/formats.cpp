// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "export.hpp"

namespace perfspec::tool {

std::span<const export_format> export_formats() noexcept {
    static constexpr export_format formats[] = {
        {"google-benchmark", to_google_benchmark},
        {"pytorch", to_pytorch},
        {"torchbench", to_torchbench},
        {"csv", to_csv},
        {"junit", to_junit},
    };
    return formats;
}

}  // namespace perfspec::tool
