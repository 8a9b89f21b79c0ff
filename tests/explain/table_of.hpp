// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/claim_result.hpp>

#include <string>

namespace perfspec::testing {

/// "conv | net | 500 us | 50 % | 1 call" a line, in the order of the table.
inline std::string table_of(const record& r) {
    std::string text;
    for (const part_value& p : r.parts)
        text += p.part + " | " + p.method + " | " + std::to_string(static_cast<long>(p.value.value / 1000)) + " us | " +
                std::to_string(static_cast<int>(p.share * 100)) + " % | " + p.mark + "\n";
    return text;
}

}  // namespace perfspec::testing
