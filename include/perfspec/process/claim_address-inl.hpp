// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/claim_address.hpp>
#include <perfspec/process/printable.hpp>
#include <perfspec/process/whole_number.hpp>
#include <perfspec/quantity/error.hpp>

#include <fmt/format.h>

namespace perfspec {

std::string to_text(const claim_address& address) {
    if (address.key.empty())
        throw input_error(
            "claim address: found an empty key, expected one such as \"suite / sort / latency(sort)\"; give the claim key(\"…\")");
    if (address.key.find('\0') != std::string::npos)
        throw input_error(fmt::format(
            "claim address: found a NUL in the key {}, which an environment variable cannot carry; rename the test, "
            "section or subject",
            detail::excerpt(address.key)));
    return fmt::format("{}#{}", address.key, address.occurrence);
}

claim_address parse_claim_address(std::string_view text) {
    const auto separator = text.rfind('#');
    if (separator != text.npos && separator != 0 && text.find('\0') == text.npos)
        if (const auto occurrence = detail::whole_number<unsigned>(text.substr(separator + 1)))
            return {std::string(text.substr(0, separator)), *occurrence};
    throw input_error(fmt::format(
        "PERFSPEC_CHILD: found the claim {}, expected a key and the number of its evaluation such as \"suite / sort / "
        "latency(sort)#0\"; perfspec sets this variable for its children: unset it to run this program yourself",
        detail::excerpt(text)));
}

}  // namespace perfspec
