// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The first assertion: a performance bound next to the unit test of the same function.

#include <perfspec/catch2.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace {

std::uint64_t hash(std::string_view text) {
    std::uint64_t h = 14695981039346656037ULL;
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return h;
}

}  // namespace

TEST_CASE("hash is FNV-1a") { CHECK(hash("foobar") == 0x85944171f73967e8ULL); }

TEST_CASE("hash of 16 KiB stays well below a millisecond", "[perf]") {
    const std::string text(16384, 'x');
    auto hashing = perfspec::subject("hash", [&] { return hash(text); }).bytes(16384);

    PERF_CHECK(latency(hashing) < 1ms);
    PERF_CHECK(throughput(hashing, bytes) > 50_MBps);
}
