// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace perfspec::detail {

using crc32_tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr crc32_tables made_crc32_tables() noexcept {
    crc32_tables made{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t remainder = byte;
        for (int bit = 0; bit < 8; ++bit) remainder = (remainder >> 1) ^ ((remainder & 1U) * 0xEDB88320U);
        made[0][byte] = remainder;
    }
    for (std::size_t t = 1; t < made.size(); ++t) {
        for (std::size_t byte = 0; byte < 256; ++byte)
            made[t][byte] = (made[t - 1][byte] >> 8) ^ made[0][made[t - 1][byte] & 0xFF];
    }
    return made;
}

/// The CRC-32 of zip files (reflected polynomial 0xEDB88320), for bytes that come in pieces.
/// It takes eight bytes per step: Kounavis and Berry, "Novel Table Lookup-Based Algorithms for High-Performance CRC
/// Generation" (2008), slicing-by-8.
class crc32 {
public:
    void add(std::span<const unsigned char> bytes) noexcept {
        constexpr std::size_t step = 8;
        for (; bytes.size() >= step; bytes = bytes.subspan(step)) {
            const std::uint32_t low = register_ ^ little_endian(bytes.data());
            const std::uint32_t high = little_endian(bytes.data() + 4);
            register_ = tables[7][low & 0xFF] ^ tables[6][(low >> 8) & 0xFF] ^ tables[5][(low >> 16) & 0xFF] ^
                        tables[4][low >> 24] ^ tables[3][high & 0xFF] ^ tables[2][(high >> 8) & 0xFF] ^
                        tables[1][(high >> 16) & 0xFF] ^ tables[0][high >> 24];
        }
        for (const unsigned char byte : bytes) register_ = (register_ >> 8) ^ tables[0][(register_ ^ byte) & 0xFF];
    }
    [[nodiscard]] std::uint32_t value() const noexcept { return ~register_; }

private:
    static std::uint32_t little_endian(const unsigned char* at) noexcept {
        return std::uint32_t{at[0]} | std::uint32_t{at[1]} << 8 | std::uint32_t{at[2]} << 16 |
               std::uint32_t{at[3]} << 24;
    }

    static constexpr crc32_tables tables = made_crc32_tables();
    std::uint32_t register_ = 0xFFFFFFFF;
};

}  // namespace perfspec::detail
