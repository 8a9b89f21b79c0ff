// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A library with the functions of NVIDIA's driver that perfspec loads, and one made-up GPU.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <numeric>

extern "C" {

int cuInit(unsigned) { return 0; }
int cuDeviceGetCount(int* devices) { return (*devices = 1, 0); }
int cuDeviceGet(int* device, int ordinal) { return (*device = ordinal, ordinal == 0 ? 0 : 101); }
int cuDeviceGetName(char* text, int length, int) {
    std::snprintf(text, static_cast<std::size_t>(length), "Made-up GPU");
    return 0;
}
int cuDeviceGetUuid_v2(unsigned char* uuid, int) {
    std::iota(uuid, uuid + 16, static_cast<unsigned char>(0));
    return 0;
}
int cuDeviceGetPCIBusId(char* text, int length, int) {
    std::snprintf(text, static_cast<std::size_t>(length), "0000:01:00.0");
    return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) { return (*bytes = 4096, 0); }
int cuDeviceGetAttribute(int* value, int which, int) {
    *value = which == 75 ? 7 : which == 76 ? 5 : which;  // answers with the number of the attribute
    return 0;
}
int cuDriverGetVersion(int* version) { return (*version = 12040, 0); }
int cuGetErrorName(int, const char** text) { return (*text = "CUDA_ERROR_INVALID_DEVICE", 0); }
int cuGetErrorString(int, const char** text) { return (*text = "invalid device ordinal", 0); }
}
