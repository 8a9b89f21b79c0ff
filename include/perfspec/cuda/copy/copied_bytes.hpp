// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_stream.hpp>
#include <perfspec/cuda/timing/device_timer.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace perfspec::detail {

/// Large copies are written and compared in pieces of so many bytes.
inline constexpr std::size_t compared_at_once = std::size_t{4} << 20U;

/// Sees whether the iterations of a copy bring its bytes. What is looked at is made other than its source before: a
/// byte that is not copied differs then for sure, whatever the source has.
///
/// Before the first sample that is all of the destination. Before each later one it is four bytes, the first, the last
/// and two that change, so that a copy that is left out, or cut short, after the first time is found, too.
class copied_bytes {
public:
    /// The stream and the memory must outlive this.
    copied_bytes(const cuda_stream& stream, void* to, const void* from, std::size_t bytes)
        : stream_(stream), to_(static_cast<std::byte*>(to)), from_(static_cast<const std::byte*>(from)), bytes_(bytes) {
    }

    /// Call it before a sample. Throws cuda_error, and measurement_failure (refused) where bytes were not copied.
    void begin(const launched_body& body);
    /// Call it behind a sample, outside of its time.
    void look(std::string_view name) noexcept;
    /// Throws measurement_failure (refused) where the last look found a byte that was not copied.
    void require_arrived();

private:
    struct mark {
        std::size_t at{};
        std::byte expected{};
    };

    void require_all(const launched_body& body);
    void spoil_all() const;
    void compare_all(std::string_view name) const;
    void spoil_marks();
    void read(std::span<std::byte> into, const std::byte* at) const;
    void write(std::byte* at, std::span<const std::byte> from) const;
    [[nodiscard]] std::size_t next_place() noexcept;

    const cuda_stream& stream_;
    std::byte* to_;
    const std::byte* from_;
    std::size_t bytes_;
    bool was_compared_{};  ///< all of it
    std::array<mark, 4> marks_{};
    std::uint64_t places_{1};
    std::string fault_{};  ///< what the last look found
};

}  // namespace perfspec::detail
