// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/cuda/kernels/kernel_recorder.hpp>

#include <support/test.hpp>

#if PERFSPEC_TEST_CUPTI_HEADER
#    include <cupti.h>
#endif

namespace perfspec::detail {

// The toolkit's header, which perfspec does not need, has the same records and functions.
#if PERFSPEC_TEST_CUPTI_HEADER
#    if CUPTI_API_VERSION >= 130000
using newest_kernel = CUpti_ActivityKernel10;
using newest_copy = CUpti_ActivityMemcpy6;
#    else
using newest_kernel = CUpti_ActivityKernel9;
using newest_copy = CUpti_ActivityMemcpy5;
#    endif

template <class Record> constexpr bool begins_alike() {
    return offsetof(Record, kind) == offsetof(cupti_record, kind) &&
           offsetof(Record, start) == offsetof(cupti_record, start_ns) &&
           offsetof(Record, end) == offsetof(cupti_record, end_ns);
}
static_assert(begins_alike<newest_kernel>() && begins_alike<newest_copy>() && begins_alike<CUpti_ActivityMemset4>() &&
              begins_alike<CUpti_ActivityMemcpyPtoP4>());
static_assert(offsetof(newest_kernel, name) == offsetof(cupti_kernel_record, name));
static_assert(offsetof(newest_copy, copyKind) == offsetof(cupti_record, copy));
static_assert(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL == int{cupti_kernel} &&
              CUPTI_ACTIVITY_KIND_MEMCPY == int{cupti_copy} && CUPTI_ACTIVITY_KIND_MEMSET == int{cupti_fill} &&
              CUPTI_ACTIVITY_KIND_MEMCPY2 == int{cupti_copy_to_another});
static_assert(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED == cupti_flush_all_buffers &&
              CUPTI_ERROR_MAX_LIMIT_REACHED == cupti_end_of_buffer);
static_assert(CUPTI_ACTIVITY_MEMCPY_KIND_HTOD == 1 && CUPTI_ACTIVITY_MEMCPY_KIND_DTOH == 2 &&
              CUPTI_ACTIVITY_MEMCPY_KIND_DTOD == 8);
#endif

TEST_CASE("places_of_cupti has the major version of the runtime in each name", "[cuda][unit]") {
    CHECK_RECORDED(places_of_cupti(12'040));
    CHECK(places_of_cupti(13'000).front() == "libcupti.so.13");
}

TEST_CASE("load_cupti says of a missing library what the dynamic linker says of the first name", "[cuda][unit]") {
    const cupti_library none = load_cupti({"libno_cupti.so.1", "/nowhere/libno_cupti.so.1"});
    CHECK(none.fault == "libno_cupti.so.1: cannot open shared object file: No such file or directory");
    CHECK(none.enable == nullptr);
}

TEST_CASE("load_cupti refuses another library, and stops its search", "[cuda][unit]") {
    CHECK_RECORDED(load_cupti({"libc.so.6", "libno_cupti.so.1"}).fault);
}

TEST_CASE("load_cupti finds all functions in the toolkit's library", "[cuda][unit]") {
    const std::string real = PERFSPEC_TEST_CUPTI_LIBRARY;
    if (real.empty()) SKIP("this toolkit has no libcupti");
    const cupti_library cupti = load_cupti({"libno_cupti.so.1", real});
    CHECK(cupti.fault.empty());
    const char* name = nullptr;
    REQUIRE(cupti.error_name(cupti_end_of_buffer, &name) == 0);
    CHECK(name == std::string("CUPTI_ERROR_MAX_LIMIT_REACHED"));
}

#if PERFSPEC_TEST_CUPTI_HEADER
TEST_CASE("the toolkit's library walks through records that perfspec reads", "[cuda][unit]") {
    const std::string real = PERFSPEC_TEST_CUPTI_LIBRARY;
    if (real.empty()) SKIP("this toolkit has no libcupti");
    const cupti_library cupti = load_cupti({real});
    struct {
        newest_kernel kernel{};
        CUpti_ActivityMemset4 fill{};
    } buffer;
    buffer.kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    buffer.kernel.start = 5;
    buffer.kernel.end = 9;
    buffer.kernel.name = "_Z1kv";
    buffer.fill.kind = CUPTI_ACTIVITY_KIND_MEMSET;
    auto* const bytes = reinterpret_cast<std::uint8_t*>(&buffer);
    constexpr std::size_t used = sizeof(buffer.kernel) + sizeof(buffer.fill);
    cupti_record* record = nullptr;
    REQUIRE(cupti.next(bytes, used, &record) == 0);
    CHECK(record->kind == cupti_kernel);
    CHECK(record->start_ns == 5);
    CHECK(record->end_ns == 9);
    CHECK(reinterpret_cast<const cupti_kernel_record*>(record)->name == std::string("_Z1kv"));
    REQUIRE(cupti.next(bytes, used, &record) == 0);
    CHECK(record->kind == cupti_fill);
    CHECK(cupti.next(bytes, used, &record) == cupti_end_of_buffer);
}
#endif

}  // namespace perfspec::detail
