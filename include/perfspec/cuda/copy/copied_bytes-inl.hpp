// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/copy/copied_bytes.hpp>
#include <perfspec/measure/failure.hpp>

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

namespace perfspec::detail {

inline std::string text_of_lost_byte(std::string_view name, std::size_t at, std::size_t bytes) {
    return "\"" + std::string(name) + "\" does not copy what it declares: after an iteration byte " +
           std::to_string(at) + " of " + std::to_string(bytes) +
           " at the destination is not that of the source. Let each iteration copy all bytes, and nothing else write to the destination";
}

void copied_bytes::begin(const launched_body& body) {
    require_arrived();
    if (!was_compared_) require_all(body);
    was_compared_ = true;
    spoil_marks();
    stream_.need(stream_.runtime().wait_for_device(), " (of bytes that a copy has to bring)");
}

void copied_bytes::look(std::string_view name) noexcept {
    try {
        for (const mark& each : marks_) {
            std::byte found{};
            read({&found, 1}, to_ + each.at);
            if (found != each.expected) fault_ = text_of_lost_byte(name, each.at, bytes_);
        }
    } catch (const std::exception& failed) { fault_ = failed.what(); }
}

void copied_bytes::require_arrived() {
    if (!fault_.empty()) throw measurement_failure(failure_kind::refused, std::exchange(fault_, {}));
}

void copied_bytes::require_all(const launched_body& body) {
    spoil_all();
    stream_.need(stream_.runtime().wait_for_device(), " (of bytes that a copy has to bring)");
    body.launch(body.self);
    stream_.need(stream_.runtime().wait_for_device(), " (of the body's work)");
    stream_.check_launches();
    compare_all(body.name);
}

void copied_bytes::spoil_all() const {
    std::vector<std::byte> piece(std::min(bytes_, compared_at_once));
    for (std::size_t at = 0; at < bytes_; at += piece.size()) {
        const std::span part(piece.data(), std::min(piece.size(), bytes_ - at));
        read(part, from_ + at);
        for (std::byte& each : part) each = ~each;
        write(to_ + at, part);
    }
}

void copied_bytes::compare_all(std::string_view name) const {
    std::vector<std::byte> expected(std::min(bytes_, compared_at_once));
    std::vector<std::byte> found(expected.size());
    for (std::size_t at = 0; at < bytes_; at += expected.size()) {
        const std::size_t size = std::min(expected.size(), bytes_ - at);
        read({expected.data(), size}, from_ + at);
        read({found.data(), size}, to_ + at);
        const auto differs =
            std::mismatch(expected.data(), expected.data() + size, found.data()).first - expected.data();
        if (static_cast<std::size_t>(differs) == size) continue;
        throw measurement_failure(failure_kind::refused,
                                  text_of_lost_byte(name, at + static_cast<std::size_t>(differs), bytes_));
    }
}

void copied_bytes::spoil_marks() {
    marks_[0].at = 0;
    marks_[1].at = bytes_ - 1;
    marks_[2].at = next_place();
    marks_[3].at = next_place();
    for (mark& each : marks_) {
        read({&each.expected, 1}, from_ + each.at);
        const std::byte other = ~each.expected;
        write(to_ + each.at, {&other, 1});
    }
}

void copied_bytes::read(std::span<std::byte> into, const std::byte* at) const {
    stream_.need(stream_.runtime().copy(into.data(), at, into.size()), " (of a look at bytes of a copy)");
}

void copied_bytes::write(std::byte* at, std::span<const std::byte> from) const {
    stream_.need(stream_.runtime().copy(at, from.data(), from.size()), " (of bytes that a copy has to bring)");
}

/// A place in the copy, another one at each call.
///
/// Source: Knuth, The Art of Computer Programming, volume 2, 3.3.4: the multiplier of MMIX's linear congruential
/// generator.
std::size_t copied_bytes::next_place() noexcept {
    places_ = places_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>((places_ >> 11U) % bytes_);
}

}  // namespace perfspec::detail
