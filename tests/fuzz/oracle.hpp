// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/option_table.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/quantity/json_fields.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

// What the targets of libFuzzer share. Each is a function of some bytes that reads them, and checks more than that nothing
// crashes: what is accepted, is written and read back as the same value; what is refused, has a clear error.

namespace perfspec::fuzz {

/// The bytes that libFuzzer gives.
[[nodiscard]] inline std::string_view text_of(const std::uint8_t* data, std::size_t size) noexcept {
    return {reinterpret_cast<const char*>(data), size};
}

/// Ends the process if `holds` is false, so that libFuzzer keeps the bytes.
inline void require(bool holds, const char* promise, std::string_view shown = {}) {
    if (holds) return;
    std::fprintf(stderr, "not kept: %s\n%.*s\n", promise, static_cast<int>(shown.size()), shown.data());
    std::abort();
}

/// Checks a text for people: it says something, begins with the place, has no unprintable bytes, and is not the whole input.
inline void check_message(std::string_view text, std::string_view place) {
    require(!text.empty(), "an error has a text");
    require(text.starts_with(place), "an error begins with its place", text);
    require(detail::printable(text) == text, "an error is printable", text);
    require(text.size() < 2000, "an error is short", text);
}

/// What `read` returns; nothing if it throws an input_error, whose text is checked. Other exceptions end the process.
template <class Read> auto accepted(Read read, std::string_view place) -> std::optional<decltype(read())> {
    try {
        return read();
    } catch (const input_error& refusal) {
        check_message(refusal.what(), place);
        return std::nullopt;
    }
}

/// Checks that a process takes the plan that another one sent.
inline void check_plan(const plan& sent) {
    const plan taken = read_plan(message_of(sent));
    const auto is_same = [&](const option_description& row) { return row.read(taken) == row.read(sent); };
    require(std::ranges::all_of(option_table(), is_same), "a plan is read back as the same value",
            detail::json(message_of(sent).set));
}

/// A position in the text, of any size, that depends on all of its bytes.
[[nodiscard]] inline std::size_t some_position(std::string_view text) noexcept {
    return static_cast<std::size_t>(detail::fnv1a_64(text) % (text.size() + 1));
}

}  // namespace perfspec::fuzz
