// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A library with the functions of NVML that perfspec loads, and one made-up GPU.
#include <cstring>

namespace {

int gpu_itself;

int answer(unsigned* into, unsigned value) { return (*into = value, 0); }

struct process {
    unsigned pid;
    unsigned long long bytes;
    unsigned gpu_instance;
    unsigned compute_instance;
};

struct use {
    unsigned pid;
    unsigned long long microseconds;
    unsigned multiprocessors;
    unsigned memory;
    unsigned encoder;
    unsigned decoder;
};

struct violation {
    unsigned long long until_microseconds;
    unsigned long long nanoseconds;
};

}  // namespace

extern "C" {

int nvmlInit_v2() { return 0; }
const char* nvmlErrorString(int error) { return error == 6 ? "Not Found" : "Unknown Error"; }
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** found) {
    *found = &gpu_itself;
    return std::strcmp(bus, "0000:01:00.0") == 0 ? 0 : 6;
}
int nvmlDeviceGetClockInfo(void* gpu, unsigned which, unsigned* mhz) {
    return gpu == &gpu_itself ? answer(mhz, 1000 + which) : 2;
}
int nvmlDeviceGetMaxClockInfo(void*, unsigned which, unsigned* mhz) { return answer(mhz, 2000 + which); }
int nvmlDeviceGetTemperature(void*, unsigned sensor, unsigned* celsius) { return answer(celsius, 50 + sensor); }
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) { return answer(milliwatts, 70'250); }
int nvmlDeviceGetEnforcedPowerLimit(void*, unsigned* milliwatts) { return answer(milliwatts, 300'000); }
int nvmlDeviceGetPersistenceMode(void*, unsigned* is_on) { return answer(is_on, 0); }
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* bits) {
    return (*bits = 0x4, 0);
}  // as an older driver calls it
int nvmlDeviceGetViolationStatus(void*, int policy, violation* so_long) {
    *so_long = {.until_microseconds = 8'000'000, .nanoseconds = policy == 0 ? 5U : 7U};
    return 0;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, process* all) {
    if (all == nullptr) return (*count = 2, 7);
    *count = 2;
    all[0] = {.pid = 11, .bytes = 1, .gpu_instance = 0, .compute_instance = 0};
    all[1] = {.pid = 12, .bytes = 1, .gpu_instance = 0, .compute_instance = 0};
    return 0;
}
int nvmlDeviceGetProcessUtilization(void*, use* all, unsigned* count, unsigned long long) {
    const bool is_asked_for_number = all == nullptr;
    *count = 2;
    if (is_asked_for_number) return 7;
    all[0] = {.pid = 12, .microseconds = 100, .multiprocessors = 30, .memory = 1, .encoder = 0, .decoder = 0};
    all[1] = {.pid = 12, .microseconds = 90, .multiprocessors = 45, .memory = 1, .encoder = 0, .decoder = 0};
    return 0;
}
}
