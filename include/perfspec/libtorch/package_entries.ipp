// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/crc32.hpp>
#include <perfspec/libtorch/package.hpp>

#include <caffe2/serialize/inline_container.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::detail {

/// A zip file's entries, found by LibTorch's reader. That one is built without the check of their CRC-32, in 2.13 as in versions before it.
class package_entries {
public:
    /// Throws c10::Error for what is no zip file of PyTorch's.
    explicit package_entries(const std::string& file) : reader_{file}, bytes_{file, std::ios::binary}, names_{reader_.getAllRecords()} {}

    [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

    /// Whether the content is the one that was written.
    [[nodiscard]] bool is_whole(const std::string& name) {
        const auto written = written_crc(name);
        return written && *written == found_crc(name);
    }

private:
    // A local header is, little-endian: signature u32, version u16, flags u16, method u16, date u32, CRC-32 u32, … (APPNOTE.TXT 6.3.10, 4.3.7).
    // Bit 3 of the flags: the CRC stands behind the content, after a signature (4.3.9). Nothing where that cannot be, or is compressed.
    std::optional<std::uint32_t> written_crc(const std::string& name) {
        constexpr std::uint32_t descriptor_signature = 0x08074B50;
        const std::size_t header = reader_.getRecordHeaderOffset(name);
        const bool is_behind = (number_at(header + 6, 2) & 8U) != 0;
        if (!is_behind) return number_at(header + 14, 4);
        const std::size_t behind = reader_.getRecordOffset(name) + reader_.getRecordSize(name);
        if (number_at(behind, 4) != descriptor_signature) return std::nullopt;
        return number_at(behind + 4, 4);
    }

    std::uint32_t found_crc(const std::string& name) {
        constexpr std::size_t piece = 1U << 16U;
        if (buffer_.empty()) buffer_.resize(piece);
        crc32 crc;
        // Of the content after decompression, should it be compressed. Nothing is written to the place that it is said to be copied to.
        const auto add = [&crc](void*, const void* from, std::size_t size) { crc.add({static_cast<const unsigned char*>(from), size}); };
        reader_.getRecord(name, buffer_.data(), reader_.getRecordSize(name), piece, buffer_.data(), add);
        return crc.value();
    }

    std::uint32_t number_at(std::size_t offset, std::size_t size) {
        std::array<unsigned char, 4> read{};
        bytes_.seekg(static_cast<std::streamoff>(offset));
        bytes_.read(reinterpret_cast<char*>(read.data()), static_cast<std::streamsize>(size));
        std::uint32_t number = 0;
        for (std::size_t i = 0; i < size; ++i) number |= std::uint32_t{read[i]} << (8 * i);
        return number;
    }

    caffe2::serialize::PyTorchStreamReader reader_;
    std::ifstream bytes_;
    std::vector<std::string> names_;
    std::vector<char> buffer_;
};

std::string damage_of(const std::string& file, package_part part) {
    std::string name;
    try {
        package_entries entries{file};
        for (const std::string& each : entries.names()) {
            name = each;
            if ((part == package_part::all || each.ends_with("_metadata.json")) && !entries.is_whole(each))
                return "its entry " + each + " is damaged: its CRC-32 is not the one that was written with it";
        }
    } catch (const std::exception&) {
        return name.empty() ? "its table of entries is damaged, or it is no AOTInductor package" : "its entry " + name + " cannot be read";
    }
    return {};
}

}  // namespace perfspec::detail
