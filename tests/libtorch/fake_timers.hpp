// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "fake_device.hpp"

#include <perfspec/explain/kernel_times.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fake {

/// Timers for the streams of the fake device, installed while this object lives. perfspec::cuda installs those of CUDA.
/// A sample is one iteration after one that warms up.
class timers {
public:
    struct sample {
        void* stream{};
        std::string name{};
        bool is_held{};
        bool waits_for_last{};
        c10::Device device{c10::kCPU};  ///< that was current
    };

    explicit timers(const device& of) : device_(of) {
        now = this;
        perfspec::detail::known_stream_timers() = &installed;
    }
    timers(const timers&) = delete;
    timers& operator=(const timers&) = delete;
    ~timers() {
        perfspec::detail::known_stream_timers() = &none;
        now = nullptr;
    }

    std::vector<sample> samples{};
    std::string caveat{};
    std::string slow{};
    std::function<void()> before_sample = [] {};

private:
    class timer final : public perfspec::detail::stream_timer {
    public:
        explicit timer(perfspec::detail::stream_use use) : use_(use) {}

        double time_iteration(void* stream, const perfspec::detail::streamed_body& body) override {
            now->samples.push_back({stream, std::string(body.name), use_ == perfspec::detail::stream_use::held,
                                    body.waits_for_last, now->device_.current()});
            now->before_sample();
            body.launch(body.self);
            const double begin = now->time_of(stream);
            body.launch(body.self);
            return (now->time_of(stream) - begin) * 1e6;
        }
        std::string caveat() override { return now->caveat; }
        std::string report_slow_samples() override { return std::exchange(now->slow, {}); }

    private:
        perfspec::detail::stream_use use_;
    };

    [[nodiscard]] double time_of(void* stream) const {
        for (c10::StreamId id = 0; id < 100; ++id)
            if (device_.native_handle(id) == stream) return device_.time(id);
        return 0.0;
    }

    static std::unique_ptr<perfspec::detail::stream_timer> make(perfspec::detail::stream_use use) {
        return std::make_unique<timer>(use);
    }
    static std::string timing(perfspec::detail::stream_use use) {
        return use == perfspec::detail::stream_use::held ? "hot" : "hot-synchronized";
    }

    static inline timers* now = nullptr;
    static constexpr perfspec::detail::stream_timers installed{"privateuseone", make, timing};
    static constexpr perfspec::detail::stream_timers none{"nothing", make, timing};

    const device& device_;
};

}  // namespace fake
