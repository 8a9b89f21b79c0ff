// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/record.hpp>

namespace perfspec {

const char* to_string(verdict v) noexcept {
    switch (v) {
    case verdict::holds: return "holds";
    case verdict::violated: return "violated";
    case verdict::undecided: return "undecided";
    case verdict::invalid: return "invalid";
    case verdict::not_judged: break;
    }
    return "not judged";
}

}  // namespace perfspec
