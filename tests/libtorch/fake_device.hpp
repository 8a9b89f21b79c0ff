// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fake {

/// A device for LibTorch, without hardware: the pool numbers streams from 1, waits are logged, and work advances the
/// time of its stream.
class device {
    struct guard final : c10::impl::DeviceGuardImplInterface {
        mutable c10::StreamId current{0};
        mutable c10::StreamId last{0};
        mutable std::vector<std::string> log;
        mutable c10::Device now{only()};

        static c10::Stream stream(c10::StreamId id) { return c10::Stream{c10::Stream::UNSAFE, only(), id}; }

        c10::DeviceType type() const override { return c10::DeviceType::PrivateUse1; }
        c10::Device exchangeDevice(c10::Device next) const override { return std::exchange(now, next); }
        c10::Device getDevice() const override { return now; }
        void setDevice(c10::Device next) const override { now = next; }
        void uncheckedSetDevice(c10::Device next) const noexcept override { now = next; }
        c10::Stream getStream(c10::Device) const override { return stream(current); }
        c10::Stream getStreamFromGlobalPool(c10::Device, bool) const override { return stream(++last); }
        c10::Stream exchangeStream(c10::Stream next) const override {
            return stream(std::exchange(current, next.id()));
        }
        c10::DeviceIndex deviceCount() const noexcept override { return 1; }
        void* getStreamNativeHandle(const c10::Stream of) const override { return &handles[of.id()]; }
        void synchronizeDevice(c10::DeviceIndex) const override { log.emplace_back("wait"); }
        void record(void** event, const c10::Stream& of, c10::DeviceIndex, c10::EventFlag flag) const override {
            TORCH_CHECK(flag == c10::EventFlag::BACKEND_DEFAULT, "events of the other flag have no time");
            if (*event == nullptr) *event = new double;
            *static_cast<double*>(*event) = times[of.id()];
        }
        void block(void* event, const c10::Stream& waits) const override {
            times[waits.id()] = std::max(times[waits.id()], *static_cast<double*>(event));
        }
        bool queryEvent(void*) const override { return true; }
        void destroyEvent(void* event, c10::DeviceIndex) const noexcept override { delete static_cast<double*>(event); }
        double elapsedTime(void* begin, void* end, c10::DeviceIndex) const override {
            return *static_cast<double*>(end) - *static_cast<double*>(begin);
        }
        mutable std::map<c10::StreamId, double> times;
        mutable std::map<c10::StreamId, char> handles;
    };

    static c10::Device only() { return {c10::DeviceType::PrivateUse1, 0}; }

public:
    device() { c10::impl::DeviceGuardImplRegistrar{c10::DeviceType::PrivateUse1, &guard_}; }
    device(const device&) = delete;
    device& operator=(const device&) = delete;
    ~device() { c10::impl::DeviceGuardImplRegistrar{c10::DeviceType::PrivateUse1, nullptr}; }

    [[nodiscard]] static c10::Device name() { return only(); }
    [[nodiscard]] c10::StreamId current_stream() const { return guard_.current; }
    [[nodiscard]] void* native_handle(c10::StreamId of) const { return &guard_.handles[of]; }
    [[nodiscard]] double time(c10::StreamId of) const { return guard_.times[of]; }
    [[nodiscard]] c10::Device current() const { return guard_.now; }
    void make_current(c10::Device next) const { guard_.now = next; }
    void make_current(c10::StreamId next) const { guard_.current = next; }
    void log(std::string event) const { guard_.log.push_back(std::move(event)); }
    /// Gives the current stream work.
    void work(double milliseconds) const { guard_.times[guard_.current] += milliseconds; }
    /// The log since the last call.
    [[nodiscard]] std::vector<std::string> take_log() const { return std::exchange(guard_.log, {}); }

private:
    guard guard_;
};

}  // namespace fake
