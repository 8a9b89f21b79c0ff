// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/packages/package.hpp>
#include <perfspec/libtorch/packages/package_entries.hpp>

#include <caffe2/serialize/inline_container.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace perfspec::detail {

/// Reads little-endian numbers from a file.
class binary_file {
public:
    explicit binary_file(const std::string& file) : bytes_{file, std::ios::binary} {}

    [[nodiscard]] std::uint64_t size() {
        bytes_.seekg(0, std::ios::end);
        return static_cast<std::uint64_t>(bytes_.tellg());
    }
    /// Throws runtime_error where the file is too short.
    [[nodiscard]] std::string text_at(std::uint64_t offset, std::size_t size) {
        std::string read(size, '\0');
        bytes_.seekg(static_cast<std::streamoff>(offset));
        if (!bytes_.read(read.data(), static_cast<std::streamsize>(size)))
            throw std::runtime_error{"the file ends too early"};
        return read;
    }
    [[nodiscard]] std::uint64_t number_at(std::uint64_t offset, std::size_t size) {
        std::uint64_t number = 0;
        const std::string read = text_at(offset, size);
        for (std::size_t i = 0; i < size; ++i) number |= std::uint64_t{static_cast<unsigned char>(read[i])} << (8 * i);
        return number;
    }

private:
    std::ifstream bytes_;
};

/// Where the central directory of a zip file begins (APPNOTE.TXT 6.3.10, 4.3.14 to 4.3.16).
inline std::uint64_t central_directory(binary_file& zip) {
    constexpr std::uint64_t record = 22;  // followed by a comment with a 16-bit length
    const std::uint64_t size = zip.size();
    const std::uint64_t tail = std::min<std::uint64_t>(size, record + 0xFFFF);
    const auto found = zip.text_at(size - tail, tail).rfind("PK\5\6");
    if (found == std::string::npos) throw std::runtime_error{"it has no table of entries"};
    const std::uint64_t end = size - tail + found;
    const std::uint64_t offset = zip.number_at(end + 16, 4);
    if (offset != 0xFFFFFFFF) return offset;
    return zip.number_at(zip.number_at(end - 20 + 8, 8) + 48, 8);  // zip64: its locator precedes the record
}

/// The written CRC-32 of each entry, by its name within PyTorch's one folder. The central directory has it for every
/// file. The headers of entries precede the content, so they have it only where the writer could go back
/// (4.3.12, 4.4.4).
inline std::map<std::string, std::uint32_t> written_crcs(const std::string& file) {
    binary_file zip{file};
    std::map<std::string, std::uint32_t> all;
    for (std::uint64_t at = central_directory(zip); zip.text_at(at, 4) == "PK\1\2";) {
        const std::string name = zip.text_at(at + 46, zip.number_at(at + 28, 2));
        all[name.substr(name.find('/') + 1)] = static_cast<std::uint32_t>(zip.number_at(at + 16, 4));
        at += 46 + name.size() + zip.number_at(at + 30, 2) + zip.number_at(at + 32, 2);
    }
    return all;
}

/// The entries of a zip file, found by LibTorch's reader. That reader is built without the check of their CRC-32,
/// in 2.13 as in versions before it.
class package_entries {
public:
    /// Throws for a file that is not a zip file of PyTorch's.
    explicit package_entries(const std::string& file)
        : reader_{file}, names_{reader_.getAllRecords()}, written_{written_crcs(file)} {}

    [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

    [[nodiscard]] std::string text_of(const std::string& name) {
        const auto [content, size] = reader_.getRecord(name);
        return {static_cast<const char*>(content.get()), size};
    }

    /// Whether the content is as it was written.
    [[nodiscard]] bool is_whole(const std::string& name) { return written_.at(name) == found_crc(name); }

private:
    std::uint32_t found_crc(const std::string& name) {
        constexpr std::size_t piece = 1U << 16U;
        if (buffer_.empty()) buffer_.resize(piece);
        crc32 crc;
        // The CRC is of the content after decompression, if it is compressed. Nothing is written to the destination
        // that the reader is given.
        const auto add = [&crc](void*, const void* from, std::size_t size) {
            crc.add({static_cast<const unsigned char*>(from), size});
        };
        reader_.getRecord(name, buffer_.data(), reader_.getRecordSize(name), piece, buffer_.data(), add);
        return crc.value();
    }

    caffe2::serialize::PyTorchStreamReader reader_;
    std::vector<std::string> names_;
    std::map<std::string, std::uint32_t> written_;
    std::vector<char> buffer_;
};

package_damage damage_of(const std::string& file, package_part part) {
    std::string name;
    try {
        package_entries entries{file};
        for (const std::string& each : entries.names()) {
            name = each;
            if ((part == package_part::all || each.ends_with("_metadata.json")) && !entries.is_whole(each))
                return {damaged_part::entry,
                        "its entry " + each + " is damaged: its CRC-32 is not the one that was written with it"};
        }
    } catch (const std::exception&) {
        if (name.empty())
            return {damaged_part::table, "its table of entries is damaged, or it is no AOTInductor package"};
        return {damaged_part::entry, "its entry " + name + " cannot be read"};
    }
    return {};
}

}  // namespace perfspec::detail
