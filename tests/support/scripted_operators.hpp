// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/operator_events.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::testing {

/// Records the operators that bodies report, one after another on one thread.
class scripted_operators final : public operator_recorder {
public:
    /// An operator of a body that takes `ns`. Ignored outside of a recording.
    void run(std::string name, std::int64_t ns, std::string shapes = {}) {
        if (records_)
            events_.push_back(
                {std::move(name), now_, now_ + ns, 1, 0.0, tells_shapes_ ? std::move(shapes) : std::string{}});
        now_ += ns;
    }
    [[nodiscard]] bool records() const noexcept { return records_; }

    void begin(input_shapes shapes) override {
        events_.clear();
        tells_shapes_ = shapes == input_shapes::recorded;
        within_others = 0;
        records_ = true;
    }
    [[nodiscard]] std::vector<operator_event> end() override {
        records_ = false;
        return std::exchange(events_, {});
    }
    [[nodiscard]] std::int64_t seen() const override { return static_cast<std::int64_t>(events_.size()); }
    [[nodiscard]] std::int64_t called(std::string_view name) const override {
        return std::ranges::count(events_, name, &operator_event::name);
    }
    [[nodiscard]] std::int64_t outermost() const override { return seen() - within_others; }

    std::int64_t within_others{};
    [[nodiscard]] part_library known() const override { return all; }

    [[nodiscard]] std::string settings() const override { return runs_with; }

    part_library all{};  ///< the operators that exist
    std::string runs_with{"2 threads"};

private:
    std::vector<operator_event> events_;
    std::int64_t now_{};
    bool records_{};
    bool tells_shapes_{};
};

}  // namespace perfspec::testing
