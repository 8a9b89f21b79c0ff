// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// In place of NVIDIA's driver in tests of ctest's grants. It has FAKE_GPUS GPUs, and shows those in
// CUDA_VISIBLE_DEVICES up to the first unknown name, as the real one does.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

/// "GPU-" and sixteen times the byte, with a dash before four of them.
std::string uuid_text(int gpu) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text = "GPU";
    for (int i = 0; i < 16; ++i) {
        if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += digits[gpu / 16 % 16];
        text += digits[gpu % 16];
    }
    return text;
}

int number_of(const std::string& name, int there) {
    for (int gpu = 0; gpu < there; ++gpu)
        if (name == std::to_string(gpu) || name == uuid_text(gpu + 1)) return gpu;
    return -1;
}

std::vector<int> visible;

}  // namespace

extern "C" {

int cuInit(unsigned) {
    const char* const count = std::getenv("FAKE_GPUS");
    const int there = count == nullptr ? 0 : std::atoi(count);
    visible.clear();
    const char* const listed = std::getenv("CUDA_VISIBLE_DEVICES");
    if (listed == nullptr) {
        for (int gpu = 0; gpu < there; ++gpu) visible.push_back(gpu);
        return there > 0 ? 0 : 100;
    }
    const std::string list = std::string(listed) + ",";
    for (std::size_t begin = 0, end = 0; (end = list.find(',', begin)) != list.npos; begin = end + 1) {
        const int gpu = number_of(list.substr(begin, end - begin), there);
        if (gpu < 0) break;
        visible.push_back(gpu);
    }
    return visible.empty() ? 100 : 0;
}
int cuDeviceGetCount(int* devices) { return (*devices = static_cast<int>(visible.size()), 0); }
int cuDeviceGet(int* device, int ordinal) {
    if (ordinal < 0 || ordinal >= static_cast<int>(visible.size())) return 101;
    *device = visible[static_cast<std::size_t>(ordinal)];
    return 0;
}
int cuDeviceGetName(char* text, int length, int) {
    return (std::snprintf(text, static_cast<std::size_t>(length), "Made-up GPU"), 0);
}
int cuDeviceGetUuid_v2(unsigned char* uuid, int device) {
    for (int i = 0; i < 16; ++i) uuid[i] = static_cast<unsigned char>(device + 1);
    return 0;
}
int cuGetErrorName(int error, const char** text) {
    *text = error == 100 ? "CUDA_ERROR_NO_DEVICE" : "CUDA_ERROR_INVALID_DEVICE";
    return 0;
}
int cuGetErrorString(int error, const char** text) {
    *text = error == 100 ? "no CUDA-capable device is detected" : "invalid device ordinal";
    return 0;
}
}
