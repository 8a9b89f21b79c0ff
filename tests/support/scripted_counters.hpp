// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/failure.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <typeindex>

namespace perfspec::testing {

/// Counts what bodies add, but only between `begin` and `end`.
class scripted_counter final : public counter {
public:
    std::string fault{};         ///< why it cannot begin
    std::string trouble{};       ///< why a reading is an error
    std::int64_t per_reading{};  ///< the cost of a reading itself
    int begun{};
    int ended{};

    void add(std::int64_t n) { count_ += begun > ended ? n : 0; }

    [[nodiscard]] std::string begin() override {
        ++begun;
        return fault;
    }
    void end() noexcept override { ++ended; }
    [[nodiscard]] std::int64_t now() override {
        if (!trouble.empty()) throw measurement_failure(failure_kind::not_countable, trouble);
        return count_ += per_reading;
    }

private:
    std::int64_t count_{};
};

class scripted_counters final : public counters {
public:
    [[nodiscard]] scripted_counter& of(metric_kind m, const std::string& name = {}) { return all_[m][name]; }
    template <class Recorder> void install(Recorder* r) { recorders_[typeid(Recorder)] = r; }
    /// Another counter in place of the scripted one.
    void replace(metric_kind m, counter& how) { replaced_[m] = &how; }

    [[nodiscard]] counter& of(const counter_key& key) override {
        const auto found = replaced_.find(key.metric);
        return found != replaced_.end() ? *found->second : of(key.metric, key.name);
    }

private:
    [[nodiscard]] void* recorder_of(std::type_index type) override {
        const auto found = recorders_.find(type);
        return found == recorders_.end() ? nullptr : found->second;
    }

    std::map<metric_kind, std::map<std::string, scripted_counter>> all_;
    std::map<metric_kind, counter*> replaced_;
    std::map<std::type_index, void*> recorders_;
};

}  // namespace perfspec::testing
