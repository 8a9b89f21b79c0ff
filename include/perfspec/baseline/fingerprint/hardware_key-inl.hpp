// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/file_system.hpp>
#include <perfspec/baseline/fingerprint/hardware_key.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace perfspec::inline v0_2 {

namespace detail {

/// The cores of one Arm design. They have no model name, only the numbers of the implementer and the part.
struct arm_core {
    unsigned implementer = 0;
    unsigned part = 0;
    unsigned variant = 0;
    unsigned revision = 0;

    [[nodiscard]] bool same_design(const arm_core& other) const noexcept {
        return implementer == other.implementer && part == other.part;
    }
};

struct arm_name {
    unsigned implementer;
    unsigned part;
    std::string_view name;
};

// Main ID Register numbers as in Linux, arch/arm64/include/asm/cputype.h. A row added later changes the key of machines
// that already have baselines, so it needs an entry in CHANGELOG.md.
inline constexpr std::array arm_names{
    arm_name{0x41, 0xd03, "Cortex-A53"},  arm_name{0x41, 0xd05, "Cortex-A55"},  arm_name{0x41, 0xd07, "Cortex-A57"},
    arm_name{0x41, 0xd08, "Cortex-A72"},  arm_name{0x41, 0xd09, "Cortex-A73"},  arm_name{0x41, 0xd0a, "Cortex-A75"},
    arm_name{0x41, 0xd0b, "Cortex-A76"},  arm_name{0x41, 0xd0c, "Neoverse-N1"}, arm_name{0x41, 0xd0d, "Cortex-A77"},
    arm_name{0x41, 0xd40, "Neoverse-V1"}, arm_name{0x41, 0xd41, "Cortex-A78"},  arm_name{0x41, 0xd44, "Cortex-X1"},
    arm_name{0x41, 0xd46, "Cortex-A510"}, arm_name{0x41, 0xd47, "Cortex-A710"}, arm_name{0x41, 0xd48, "Cortex-X2"},
    arm_name{0x41, 0xd49, "Neoverse-N2"}, arm_name{0x41, 0xd4f, "Neoverse-V2"}, arm_name{0x41, 0xd84, "Neoverse-V3"},
    arm_name{0x41, 0xd8e, "Neoverse-N3"}, arm_name{0x46, 0x001, "A64FX"},       arm_name{0x48, 0xd01, "Kunpeng-920"},
    arm_name{0xc0, 0xac3, "Ampere-1"},    arm_name{0xc0, 0xac4, "Ampere-1A"},
};

[[nodiscard]] inline std::string name_of(const arm_core& core) {
    for (const auto& row : arm_names)
        if (row.implementer == core.implementer && row.part == core.part) return std::string(row.name);
    return fmt::format("Arm implementer {:x} part {:x}", core.implementer, core.part);
}

[[nodiscard]] inline std::string revision_of(const arm_core& core) {
    return fmt::format("r{}p{}", core.variant, core.revision);
}

/// Reads "0xd0c" or "12"; 0 for any other text.
[[nodiscard]] inline unsigned number_of(std::string_view text) noexcept {
    const bool hex = text.starts_with("0x");
    return whole_number<unsigned>(text.substr(hex ? 2 : 0), hex ? 16 : 10).value_or(0);
}

/// Collects the lines of /proc/cpuinfo, one processor after the other.
struct cpuinfo_lines {
    std::size_t processors = 0;
    std::string model_name, family, model, stepping;  // x86, of the first processor
    std::vector<arm_core> cores;                      // Arm, each design once

    void take(std::string_view name, std::string_view value) {
        if (name == "processor") ++processors;
        else if (name == "model name" && model_name.empty()) model_name = value;
        else if (name == "cpu family" && family.empty()) family = value;
        else if (name == "model" && model.empty()) model = value;
        else if (name == "stepping" && stepping.empty()) stepping = value;
        else if (name == "CPU implementer") current_.implementer = number_of(value);
        else if (name == "CPU variant") current_.variant = number_of(value);
        else if (name == "CPU part") current_.part = number_of(value);
        else if (name == "CPU revision") finish_arm_core(value);  // the last line of a core
    }

private:
    void finish_arm_core(std::string_view revision) {
        current_.revision = number_of(revision);
        const bool known =
            std::any_of(cores.begin(), cores.end(), [this](const arm_core& c) { return c.same_design(current_); });
        if (!known) cores.push_back(current_);
        current_ = {};
    }

    arm_core current_;
};

[[nodiscard]] inline cpu_facts facts_of(const cpuinfo_lines& lines) {
    cpu_facts facts{{}, {}, lines.processors};
    if (lines.cores.empty()) {
        facts.model = lines.model_name;
        if (!lines.family.empty() && !lines.model.empty() && !lines.stepping.empty())
            facts.revision = 'f' + lines.family + 'm' + lines.model + 's' + lines.stepping;
        return facts;
    }
    auto cores = lines.cores;  // /proc/cpuinfo may list big and little cores in any order
    std::sort(cores.begin(), cores.end(), [](const arm_core& a, const arm_core& b) { return name_of(a) < name_of(b); });
    for (const auto& core : cores) {
        facts.model += (facts.model.empty() ? "" : " + ") + name_of(core);
        facts.revision += (facts.revision.empty() ? "" : " ") + revision_of(core);
    }
    return facts;
}

/// Whether a word counts cores, such as the "eight" of "Eight-Core". The key has that count at its end.
[[nodiscard]] inline bool counts_cores(std::string_view word) {
    constexpr std::array<std::string_view, 7> names{"dual", "triple", "quad", "six", "eight", "twelve", "sixteen"};
    return std::all_of(word.begin(), word.end(), is_digit) ||
           std::find(names.begin(), names.end(), word) != names.end();
}

[[nodiscard]] inline bool is_clock_rate(std::string_view word) {
    return word.ends_with("ghz") || word.ends_with("mhz");
}

/// The model name in lower case, without trademarks, up to a clock rate or the name of a graphics unit.
[[nodiscard]] inline std::string bare_model(std::string_view model) {
    std::string text;
    for (const char c : model) text += to_lower(c);
    for (const std::string_view mark : {"(r)", "(tm)"})
        for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark))
            text.replace(at, mark.size(), " ");
    for (const std::string_view tail : {"@", " with "}) text.resize(std::min(text.size(), text.find(tail)));
    return text;
}

/// The words of a model name: runs of letters and digits.
[[nodiscard]] inline std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const auto part = take_until(text, ' ');
        if (is_clock_rate(part)) continue;
        bool inside = false;
        for (const char c : part) {
            if (is_slug_letter(c) && !inside) words.emplace_back();
            inside = is_slug_letter(c);
            if (inside) words.back() += c;
        }
    }
    return words;
}

[[nodiscard]] inline std::string slug_of(std::string_view model) {
    const auto words = words_of(bare_model(model));
    std::string slug;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool core_count = i + 1 < words.size() && words[i + 1] == "core" && counts_cores(words[i]);
        if (core_count) ++i;
        if (core_count || words[i] == "cpu" || words[i] == "processor") continue;
        slug += (slug.empty() ? "" : "-") + words[i];
    }
    return slug;
}

/// Whether a word has three or more digits: 7763, 9b14, 1355u. Fewer are a generation, a series or the version of an
/// emulator.
[[nodiscard]] inline bool has_model_number(std::string_view slug) {
    while (!slug.empty()) {
        const auto word = take_until(slug, '-');
        if (std::count_if(word.begin(), word.end(), is_digit) >= 3) return true;
    }
    return false;
}

[[nodiscard]] constexpr std::string_view architecture() noexcept {
#if defined(__x86_64__)
    return "x86_64";
#elif defined(__aarch64__)
    return "aarch64";
#elif defined(__riscv) && __riscv_xlen == 64
    return "riscv64";
#elif defined(__powerpc64__)
    return "powerpc64";
#else
#    error "perfspec: add a name for this architecture here; baselines are kept by it"
#endif
}

}  // namespace detail

cpu_facts parse_cpuinfo(std::string_view text) {
    detail::cpuinfo_lines lines;
    while (!text.empty()) {
        auto line = detail::take_until(text, '\n');
        const auto name = detail::trimmed(detail::take_until(line, ':'));
        lines.take(name, detail::trimmed(line));
    }
    return detail::facts_of(lines);
}

cpu_facts read_cpu_facts(const file_system& files) {
    const auto read = files.read("/proc/cpuinfo", std::size_t{16} << 20);
    return parse_cpuinfo(read.text);
}

std::string hardware_key(const cpu_facts& facts) {
    const std::string slug = detail::slug_of(facts.model);
    if (slug.empty() || facts.processors == 0) return "unknown-cpu-" + std::string(detail::architecture());
    const bool add_revision = !facts.revision.empty() && !detail::has_model_number(slug);
    return slug + (add_revision ? '-' + detail::slug_of(facts.revision) : "") + '-' + std::to_string(facts.processors) +
           'c';
}

std::string any_hardware_key() { return "any-" + std::string(detail::architecture()); }

std::string device_hardware_key(std::string_view model) {
    const std::string slug = detail::slug_of(model);
    return slug.empty() ? "unknown-device" : slug;
}

}  // namespace perfspec::inline v0_2
