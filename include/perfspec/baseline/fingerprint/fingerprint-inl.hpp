// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/file_system.hpp>
#include <perfspec/baseline/fingerprint/fingerprint.hpp>
#include <perfspec/baseline/fingerprint/hardware_key.hpp>
#include <perfspec/baseline/process_fields.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

device_machine*& known_device_machine() noexcept {
    static device_machine* known = nullptr;
    return known;
}

device_facts unknown_device(std::string_view device, std::string why) {
    return {.model = {},
            .hardware_key = "unknown-" + device_hardware_key(device.substr(0, device.find(':'))),
            .fault = std::move(why),
            .libraries = {}};
}

namespace detail {

/// Whether an option may change the speed of the program. Options with folders do not count: they differ between
/// checkouts.
[[nodiscard]] inline bool changes_code(std::string_view option) {
    if (option.find('/') != option.npos || option.starts_with("-DPERFSPEC_COMMIT")) return false;
    for (const char* const message : {"-fdiagnostics", "-fcolor", "-fmessage"})
        if (option.starts_with(message)) return false;
    return option.size() > 2 && option[0] == '-' && std::string_view("OmfD").find(option[1]) != std::string_view::npos;
}

std::string significant_flags(const compile_options& build) {
    std::string words = fmt::format("{} {}", build.flags, build.link_time ? "-flto" : "");
    for (std::string_view rest = build.options; !rest.empty();) {
        const std::string_view element = take_until(rest, ';');
        words += fmt::format(" {}", element.starts_with("SHELL:") ? element.substr(6) : element);
    }
    std::ranges::replace_if(
        words, [](char c) { return c == '\t' || c == '\n'; }, ' ');
    std::set<std::string> code, definitions;
    for (std::string_view rest = words; !rest.empty();) {
        const std::string_view word = take_until(rest, ' ');
        // The last level of optimization counts.
        if (word.starts_with("-O")) std::erase_if(code, [](const std::string& w) { return w.starts_with("-O"); });
        if (changes_code(word)) (word.starts_with("-D") ? definitions : code).emplace(word);
    }
    for (std::string_view rest = build.definitions; !rest.empty();) {
        const std::string_view element = take_until(rest, ';');
        const std::string word = fmt::format("{}{}", element.starts_with("-D") ? "" : "-D", element);
        if (changes_code(word)) definitions.insert(word);
    }
    return fmt::format("{}{}{}", fmt::join(code, " "), code.empty() || definitions.empty() ? "" : " ",
                       fmt::join(definitions, " "));
}

[[nodiscard]] inline std::string small_file(const file_system& files, const std::string& path) {
    return std::string(trimmed(files.read(path, std::size_t{1} << 20).text));
}

/// The rest of the first line that starts with the name; empty if there is none.
[[nodiscard]] inline std::string value_after(std::string_view text, std::string_view name) {
    while (!text.empty()) {
        const auto line = take_until(text, '\n');
        if (line.starts_with(name)) return std::string(trimmed(line.substr(name.size())));
    }
    return {};
}

[[nodiscard]] inline std::optional<double> number_at_start(std::string_view text) {
    const auto number = read_leading_number(text);
    return number ? std::optional(number->value) : std::nullopt;
}

[[nodiscard]] inline std::string memory_of(const file_system& files) {
    const auto kib = number_at_start(value_after(small_file(files, "/proc/meminfo"), "MemTotal:"));
    return kib ? fmt::format("{:.0f} GiB", std::max(1.0, std::round(*kib / 1048576))) : "";
}

[[nodiscard]] inline std::string os_of(const file_system& files) {
    std::string name = value_after(small_file(files, "/etc/os-release"), "PRETTY_NAME=");
    std::erase(name, '"');
    return name;
}

[[nodiscard]] inline std::string container_of(const file_system& files) {
    if (files.is_folder("/var/run/secrets/kubernetes.io")) return "kubernetes";
    if (files.read("/.dockerenv", 1 << 20).outcome != read_outcome::missing) return "docker";
    if (files.read("/run/.containerenv", 1 << 20).outcome != read_outcome::missing) return "podman";
    return {};
}

/// The quota in a cpu.max file, in processors ("150000 100000" is 1.5); nullopt for "max".
[[nodiscard]] inline std::optional<double> quota_in(std::string_view cpu_max) {
    const auto granted = number_at_start(take_until(cpu_max, ' '));
    const auto period = number_at_start(cpu_max);
    if (!granted || !period || *period <= 0) return {};
    return *granted / *period;
}

[[nodiscard]] inline std::string processors_of(const file_system& files) {
    const std::string allowed = value_after(small_file(files, "/proc/self/status"), "Cpus_allowed_list:");
    const auto quota = processor_quota(files);
    return quota ? fmt::format("{}, quota {}", allowed, *quota) : allowed;
}

[[nodiscard]] inline std::string text_or_unknown(const std::string& text) { return text.empty() ? "unknown" : text; }

inline void add_difference(std::vector<std::string>& to, std::string_view field, const std::string& then,
                           const std::string& now) {
    if (then != now) to.push_back(fmt::format("{}: was {}, is {}", field, text_or_unknown(then), text_or_unknown(now)));
}

/// The words of `text` that `other` lacks, in their order.
[[nodiscard]] inline std::string words_missing_in(std::string_view other, std::string_view text) {
    const std::string all = fmt::format(" {} ", other);
    std::string missing;
    while (!text.empty()) {
        const std::string word(take_until(text, ' '));
        if (all.find(fmt::format(" {} ", word)) == all.npos) missing += (missing.empty() ? "" : " ") + word;
    }
    return missing;
}

inline void add_flags_difference(std::vector<std::string>& to, const std::string& then, const std::string& now) {
    if (then.empty() || now.empty() || then == now) return;
    const std::string gone = words_missing_in(now, then), added = words_missing_in(then, now);
    if (gone.empty() && added.empty()) to.emplace_back("flags: in another order");
    else if (gone.empty()) to.push_back("flags: added " + added);
    else if (added.empty()) to.push_back("flags: without " + gone);
    else add_difference(to, "flags", gone, added);
}

/// A side without any libraries does not differ: an older perfspec did not record them.
inline void add_difference(std::vector<std::string>& to, std::string_view, const std::vector<versioned_library>& then,
                           const std::vector<versioned_library>& now) {
    if (then.empty() || now.empty()) return;
    std::map<std::string, std::pair<std::string, std::string>> versions;
    for (const auto& library : then)
        versions.try_emplace(library.name, "none", "none").first->second.first = library.version;
    for (const auto& library : now)
        versions.try_emplace(library.name, "none", "none").first->second.second = library.version;
    for (const auto& [name, both] : versions) add_difference(to, name, both.first, both.second);
}

}  // namespace detail

std::optional<double> processor_quota(const file_system& files) {
    std::string group = detail::value_after(detail::small_file(files, "/proc/self/cgroup"), "0::");
    std::optional<double> smallest;
    for (;;) {
        if (group == "/") group.clear();
        const auto quota = detail::quota_in(detail::small_file(files, "/sys/fs/cgroup" + group + "/cpu.max"));
        if (quota) smallest = std::min(*quota, smallest.value_or(*quota));
        if (group.empty()) return smallest;
        group.resize(std::min(group.size() - 1, group.rfind('/')));
    }
}

fingerprint read_fingerprint(const file_system& files, const build_facts& build) {
    fingerprint read;
    read.memory = detail::memory_of(files);
    read.os = detail::os_of(files);
    read.kernel = detail::small_file(files, "/proc/sys/kernel/osrelease");
    read.flags = build.flags;
    read.governor = detail::small_file(files, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    read.container = detail::container_of(files);
    read.processors = detail::processors_of(files);
    read.libraries = build.libraries;
    std::sort(read.libraries.begin(), read.libraries.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    return read;
}

std::vector<std::string> describe_difference(const fingerprint& then, const fingerprint& now) {
    std::vector<std::string> differences;
    const auto add = [&](const auto& field) {
        if (field.name == "flags") detail::add_flags_difference(differences, then.flags, now.flags);
        else detail::add_difference(differences, field.name, then.*field.member, now.*field.member);
    };
    std::apply([&](const auto&... fields) { (add(fields), ...); }, detail::fields_of<fingerprint>);
    return differences;
}

}  // namespace perfspec::inline v0_2
