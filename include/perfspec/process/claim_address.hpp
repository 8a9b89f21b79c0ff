// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

namespace perfspec {

/// Names one evaluation of a claim: the claim's key, and how many partial runs entered the same section path before
/// (generators, loops).
struct claim_address {
    std::string key;
    unsigned occurrence{};

    friend bool operator==(const claim_address&, const claim_address&) = default;
};

/// `<key>#<occurrence>`, the form in a request.
///
///     to_text({"suite / sort / latency(sort)", 2})  ==  "suite / sort / latency(sort)#2"
///
/// Throws input_error for an empty key, and for a NUL, which an environment variable cannot hold. All other bytes stay
/// as they are.
[[nodiscard]] std::string to_text(const claim_address& address);

/// The inverse of to_text. The last '#' separates, so a key may hold any number of them. Throws input_error for any
/// other text.
[[nodiscard]] claim_address parse_claim_address(std::string_view text);

}  // namespace perfspec
