// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/callgrind/count.hpp>

#include <support/scripted_file_system.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace perfspec::testing {

/// Counts the instructions that bodies report between begin and end, and writes profiles into scripted files.
class scripted_simulator final : public simulator {
public:
    std::string trouble{};   ///< why nothing can be simulated
    bool running{};          ///< whether this process is simulated
    std::string profiles{};  ///< their folder
    std::int64_t of_reading = 11;

    explicit scripted_simulator(scripted_file_system& files) noexcept : files_(files) {}

    /// A function executes instructions.
    void work(const std::string& function, std::int64_t instructions) {
        if (!is_on_) return;
        total_ += instructions;
        lines_ += "fn=" + function + "\n0 " + std::to_string(instructions) + "\n";
    }

    [[nodiscard]] std::string fault() const override { return trouble; }
    [[nodiscard]] std::vector<std::string> command(const std::string& where) const override {
        return {"/usr/bin/valgrind", where};
    }
    [[nodiscard]] bool is_running() const noexcept override { return running; }
    void begin() noexcept override { is_on_ = true; }
    void end() noexcept override { is_on_ = false; }
    void forget() noexcept override {
        total_ = 0;
        lines_.clear();
    }
    void write_profile() noexcept override {
        const std::string totals = std::to_string(total_ + of_reading);
        files_.put(profiles + "." + std::to_string(++written_), "events: Ir\n" + lines_ + "totals: " + totals + "\n");
        forget();
    }

private:
    scripted_file_system& files_;
    bool is_on_{};
    std::int64_t total_{};
    std::string lines_;
    unsigned written_{};
};

/// Counts in a scripted program.
struct scripted_count {
    scripted_simulator processor;
    detail::instruction_counter counter{processor};

    explicit scripted_count(scripted_file_system& files) : processor(files) {}
    [[nodiscard]] auto simulated_instructions(const subject& x) const { return detail::instructions_of(x, counter); }
};

}  // namespace perfspec::testing
