// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/kernel_times.hpp>

#include <string>
#include <utility>
#include <vector>

namespace perfspec::testing {

/// Records the events that bodies report, but only between `begin` and `end`.
class scripted_devices final : public device_recorder {
public:
    std::string fault{};  ///< why it cannot begin
    int begun{};

    void run(const std::vector<device_event>& events) {
        if (records_) events_.insert(events_.end(), events.begin(), events.end());
    }
    [[nodiscard]] bool records() const noexcept { return records_; }

    [[nodiscard]] std::string begin(input_shapes shapes) override {
        ++begun;
        tells_shapes_ = shapes == input_shapes::recorded;
        records_ = fault.empty();
        return fault;
    }
    [[nodiscard]] std::vector<device_event> end() override {
        records_ = false;
        if (!tells_shapes_)
            for (device_event& e : events_) e.shapes.clear();
        return std::exchange(events_, {});
    }

private:
    std::vector<device_event> events_;
    bool records_{};
    bool tells_shapes_{};
};

}  // namespace perfspec::testing
