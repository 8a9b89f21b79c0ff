// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/printable.hpp>
#include <perfspec/process/whole_number.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/run/departures.hpp>

namespace perfspec::detail {

std::string departures_text(const std::vector<claim_address>& departures) {
    std::string text;
    for (const claim_address& address : departures) {
        const std::string one = to_text(address);
        text += std::to_string(one.size()) + ":" + one;
    }
    return text;
}

std::vector<claim_address> parse_departures(std::string_view text) {
    std::vector<claim_address> departures;
    while (!text.empty()) {
        const std::size_t colon = text.find(':');
        const auto length = whole_number<std::size_t>(text.substr(0, colon));
        if (colon == std::string_view::npos || !length || *length > text.size() - colon - 1) {
            throw input_error(
                std::string(departures_variable) + ": found " + excerpt(text) +
                ", expected addresses such as \"9:sorting#0\"; perfspec sets this variable for its children: unset it to run this program yourself");
        }
        departures.push_back(parse_claim_address(text.substr(colon + 1, *length)));
        text.remove_prefix(colon + 1 + *length);
    }
    return departures;
}

}  // namespace perfspec::detail
