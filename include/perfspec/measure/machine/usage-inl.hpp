// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/machine/clock-inl.hpp>
#include <perfspec/measure/machine/cores-inl.hpp>
#include <perfspec/measure/machine/disturbance.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <locale>
#include <malloc.h>
#include <sstream>
#include <string_view>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>

namespace perfspec::inline v0_2 {
namespace detail {

/// The number behind a name, as in "Threads:\t3"; 0 if the name or the number is missing.
inline std::int64_t number_after(std::string_view text, std::string_view name) noexcept {
    const auto at = text.find(name);
    if (at == std::string_view::npos) return 0;
    text.remove_prefix(at + name.size());
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    std::uint64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return static_cast<std::int64_t>(number);
}

/// The beginning of a small kernel file, read without the heap; empty if there is no such file.
class process_file {
public:
    explicit process_file(const char* path) {
        descriptor_ = ::open(path, O_RDONLY | O_CLOEXEC);
        if (descriptor_ < 0) return;
        length_ = static_cast<std::size_t>(std::max<ssize_t>(::read(descriptor_, buffer_.data(), buffer_.size()), 0));
        ::close(descriptor_);
    }
    /// The descriptor that the file had: the lowest free one.
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
    [[nodiscard]] std::string_view text() const noexcept { return {buffer_.data(), length_}; }

    [[nodiscard]] std::int64_t number(std::string_view name) const noexcept { return number_after(text(), name); }

private:
    int descriptor_{};
    // /proc/self/status lists the user's groups. Not filled at first: the stack is touched only as far as is read.
    std::array<char, 32768> buffer_;
    std::size_t length_{};
};

std::int64_t run_delay_in(std::string_view schedstat) { return number_after(schedstat, " "); }

std::int64_t run_delay_of(const std::string& thread) {
    return run_delay_in(process_file(("/proc/" + thread + "/schedstat").c_str()).text());
}

std::int64_t throttled_in(std::string_view cpu_stat) {
    constexpr std::pair<std::string_view, std::int64_t> names[] = {{"throttled_usec ", 1000}, {"throttled_time ", 1}};
    std::int64_t ns = 0;
    for (const auto& [name, unit_ns] : names) ns = std::max(ns, number_after(cpu_stat, name) * unit_ns);
    return ns;
}

std::vector<std::string> cpu_stat_files(std::string_view cgroup) {
    std::vector<std::string> files;
    std::istringstream lines{std::string(cgroup)};
    for (std::string line; std::getline(lines, line);) {
        const auto first = line.find(':');
        const auto second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const std::string path = line.substr(second + 1) == "/" ? "" : line.substr(second + 1);
        if (controllers.empty()) files.insert(files.begin(), "/sys/fs/cgroup" + path + "/cpu.stat");
        if (controllers == "cpu" || controllers.starts_with("cpu,") || controllers.ends_with(",cpu"))
            for (const std::string& group : {path, std::string()})
                files.push_back("/sys/fs/cgroup/" + controllers + group + "/cpu.stat");
    }
    return files;
}

/// How long the quota of this process's control group has stopped it so far.
inline std::int64_t throttled_ns() {
    static const std::string& file = *new std::string([] {  // never destroyed, as the meter
        for (const std::string& candidate : cpu_stat_files(process_file("/proc/self/cgroup").text()))
            if (process_file(candidate.c_str()).text().find("throttled_") != std::string_view::npos) return candidate;
        return std::string();
    }());
    return file.empty() ? 0 : throttled_in(process_file(file.c_str()).text());
}

/// The times of threads so far, by their files schedstat.
struct thread_times {
    std::int64_t ran_ns{};     ///< a thread that runs now may be late by some milliseconds
    std::int64_t waited_ns{};  ///< for a processor
};

/// process    "self" or "123"
/// all_but    a thread of which `ran_ns` is left out; empty: none
inline thread_times times_of_threads(const std::string& process, const std::string& all_but = {}) {
    thread_times all;
    std::error_code none;
    std::filesystem::directory_iterator thread("/proc/" + process + "/task", none);
    for (; thread != std::filesystem::directory_iterator(); thread.increment(none)) {
        const process_file file((thread->path().string() + "/schedstat").c_str());
        all.waited_ns += run_delay_in(file.text());
        if (thread->path().filename() != all_but) all.ran_ns += number_after(file.text(), "");
    }
    return all;
}

inline std::int64_t run_delay_of_all_threads(const std::string& process) { return times_of_threads(process).waited_ns; }

/// The bytes of live blocks of malloc; 0 without glibc.
inline std::int64_t heap_in_use() {
#if defined(__GLIBC__)
#    if __GLIBC_PREREQ(2, 33)
    const struct mallinfo2 heap = ::mallinfo2();
    return static_cast<std::int64_t>(heap.uordblks + heap.hblkhd);
#    endif
#endif
    return 0;
}

/// A file of the kernel, whose numbers do not follow the locale of the program.
inline std::ifstream kernel_file(const std::string& path) {
    std::ifstream file(path);
    file.imbue(std::locale::classic());
    return file;
}

/// Reads /proc/stat (proc(5)). Its lines "cpu", of all cores, and "cpu0" are in ticks: user, nice, system, idle,
/// iowait, irq, softirq and steal. The work is that of the cores `own`, which rise, or of all if the file lacks these:
/// a container may show only its own, by other numbers.
inline void read_processors(const std::string& proc, const std::vector<std::uint32_t>& own, machine_counters& now) {
    const auto per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
    std::ifstream file = kernel_file(proc + "/stat");
    std::string rest;
    std::size_t found = 0;
    double work_of_own = 0.0;
    for (std::string name; file >> name && name.starts_with("cpu"); std::getline(file, rest)) {
        std::array<double, 8> ticks{};
        for (double& each : ticks)
            if (!(file >> each)) return;
        const double work = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6];
        const auto core = whole_number<std::uint32_t>(std::string_view(name).substr(3));
        if (name == "cpu") {
            now.steal_seconds = ticks[7] / per_second;
            now.busy_seconds = work / per_second;
        } else if (core && std::ranges::binary_search(own, *core)) {
            work_of_own += work;
            ++found;
        }
    }
    if (found != 0 && found == own.size()) now.busy_seconds = work_of_own / per_second;
}

/// The processor time of another process; 0 after its end.
inline std::int64_t cpu_ns_of(pid_t process) {
    clockid_t id{};
    timespec t{};
    if (::clock_getcpuclockid(process, &id) != 0 || ::clock_gettime(id, &t) != 0) return 0;
    return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

/// The processor time of the children of a process that have ended, by its file stat (proc(5)): in ticks, the 14th and
/// 15th field behind the name in parentheses.
inline std::int64_t cpu_ns_of_ended_children(const std::string& process) {
    std::ifstream stat = kernel_file("/proc/" + process + "/stat");
    std::string text;
    std::getline(stat, text);
    std::istringstream fields(text.substr(text.rfind(')') + 1));
    std::int64_t user = 0, kernel = 0;
    for (int field = 1; field < 14; ++field) fields >> text;
    if (!(fields >> user >> kernel)) return 0;
    return (user + kernel) * (1'000'000'000 / ::sysconf(_SC_CLK_TCK));
}

/// The processor time of the children of a process and of theirs, without this process. The system may list only those
/// that have ended.
inline std::int64_t cpu_ns_of_children(const std::string& process) {
    std::int64_t all = cpu_ns_of_ended_children(process);
    std::error_code none;
    std::filesystem::directory_iterator thread("/proc/" + process + "/task", none);
    for (; thread != std::filesystem::directory_iterator(); thread.increment(none)) {
        std::ifstream children = kernel_file(thread->path().string() + "/children");
        for (pid_t child{}; children >> child;)
            if (child != ::getpid()) all += cpu_ns_of(child) + cpu_ns_of_children(std::to_string(child));
    }
    return all;
}

/// The processes beside this one and its children.
class neighbors {
public:
    /// Whether they used a tenth of a core or more in the last half of a second, or since the start; and so much more
    /// as the system's steps of 10 ms may show. Unknown counts as yes: the first 50 ms, or a system that shows less
    /// work than ours.
    [[nodiscard]] bool work() {
        constexpr double often = 0.05, long_enough = 0.5, steps = 0.02;
        if (1e-9 * static_cast<double>(read_system_clock(CLOCK_MONOTONIC)) - looked_ < often) return work_;
        const machine_counters now = read(), between = difference(since_, now);
        const bool is_known = now.busy_seconds > 0.0 && 2.0 * between.busy_seconds >= between.own_seconds;
        work_ = !is_known || others_cores(between) >= disturbing_cores + steps / between.elapsed_seconds;
        if (between.elapsed_seconds >= long_enough) since_ = now;
        return work_;
    }

private:
    machine_counters read() {
        machine_counters now;
        read_processors("/proc", cores_, now);
        now.elapsed_seconds = looked_ = 1e-9 * static_cast<double>(read_system_clock(CLOCK_MONOTONIC));
        now.own_seconds =
            1e-9 * static_cast<double>(read_system_clock(CLOCK_PROCESS_CPUTIME_ID) + cpu_ns_of_children("self"));
        return now;
    }

    std::vector<std::uint32_t> cores_ = usable_cores();
    double looked_{};
    machine_counters since_ = read();
    bool work_ = true;
};

class usage_of_this_process final : public usage_meter {
public:
    [[nodiscard]] usage now() override {
        usage u;
        const process_file status("/proc/self/status");
        u.memory_bytes = status.number("\nRssAnon:") * 1024;
        u.threads = static_cast<int>(status.number("\nThreads:"));
        rusage used{};
        if (::getrusage(RUSAGE_SELF, &used) == 0) u.page_faults = used.ru_minflt + used.ru_majflt;
        u.wall_ns = read_system_clock(CLOCK_MONOTONIC);
        // in this order, others_cpu_ns is never negative
        u.own_cpu_ns = read_system_clock(CLOCK_THREAD_CPUTIME_ID);
        u.cpu_ns = read_system_clock(CLOCK_PROCESS_CPUTIME_ID);
        return u;
    }

    usage_of_this_process() {
        constexpr std::size_t readings = 15;
        std::array<std::int64_t, readings> own{};
        for (std::int64_t& each : own) {
            const processor_use before = use_of_processors(metered_waiting::none, reading_place::before);
            each = difference(before, use_of_processors(metered_waiting::none, reading_place::after)).own_ns;
        }
        std::ranges::sort(own);
        of_reading_ = {.own_ns = own[readings / 2]};
    }

    /// The clock of the process is read between two of the thread's. The work of other threads counts from the earlier
    /// reading of the first three to the later one of the last three: what lies between the clocks is no work of
    /// others.
    [[nodiscard]] processor_use use_of_processors(metered_waiting which, reading_place where) override {
        const bool is_before = where == reading_place::before;
        processor_use use;
        if (is_before) use = switches_and_waiting(which);
        const std::int64_t first_ns = read_system_clock(CLOCK_THREAD_CPUTIME_ID);
        const std::int64_t all_ns = read_system_clock(CLOCK_PROCESS_CPUTIME_ID);
        const std::int64_t second_ns = read_system_clock(CLOCK_THREAD_CPUTIME_ID);
        if (!is_before) use = switches_and_waiting(which);
        use.own_ns = is_before ? second_ns : first_ns;
        use.others_ns = all_ns - (is_before ? first_ns : second_ns);
        if (which == metered_waiting::of_all_threads) use.ended_ns += use.others_ns;
        return use;
    }

    [[nodiscard]] processor_use use_of_reading() override { return of_reading_; }

    [[nodiscard]] bool is_beside_others() override { return others_.work(); }

    [[nodiscard]] machine_counters machine() override { return read_machine_counters(); }

    [[nodiscard]] process_resources kept() override {
        const process_file status("/proc/self/status");
        return {static_cast<int>(status.number("\nThreads:")), status.descriptor(), heap_in_use()};
    }

private:
    /// All but the processor times; `ended_ns` less those of other threads.
    [[nodiscard]] processor_use switches_and_waiting(metered_waiting which) {
        processor_use use;
        rusage of_thread{};
        if (::getrusage(RUSAGE_THREAD, &of_thread) == 0) {
            use.interruptions = static_cast<std::uint64_t>(of_thread.ru_nivcsw);
            use.blocks = static_cast<std::uint64_t>(of_thread.ru_nvcsw);
        }
        if (which == metered_waiting::none) return use;
        const thread_times times = has_other_threads() ? times_of_threads("self", std::to_string(::gettid()))
                                                       : thread_times{.waited_ns = run_delay_of("thread-self")};
        use.waited_ns = throttled_ns() + times.waited_ns;
        use.ended_ns = -times.ran_ns;
        use.is_beside_others = others_.work();
        return use;
    }

    neighbors others_;
    processor_use of_reading_{};
};

class usage_of_other_process final : public usage_meter {
public:
    explicit usage_of_other_process(std::int64_t process)
        : process_(static_cast<pid_t>(process)), name_(std::to_string(process)) {
        first_ = now();
        waited_first_ns_ = run_delay_of_all_threads(name_) + throttled_ns();
    }

    [[nodiscard]] usage now() override {
        usage u;
        const process_file status(("/proc/" + name_ + "/status").c_str());
        u.memory_bytes = status.number("\nRssAnon:") * 1024;
        u.threads = static_cast<int>(status.number("\nThreads:"));
        u.wall_ns = read_system_clock(CLOCK_MONOTONIC);
        u.cpu_ns = cpu_ns_of(process_) + cpu_ns_of_children(name_) - first_.cpu_ns;
        const std::int64_t first_thread_ns =
            number_after(process_file(("/proc/" + name_ + "/schedstat").c_str()).text(), "");
        u.own_cpu_ns = std::min(first_thread_ns - first_.own_cpu_ns, u.cpu_ns);  // a running thread's may be late
        return u;
    }

    [[nodiscard]] processor_use use_of_processors(metered_waiting, reading_place) override {
        return {.others_ns = cpu_ns_of(process_),
                .waited_ns = run_delay_of_all_threads(name_) + throttled_ns() - waited_first_ns_,
                .is_beside_others = process_usage().is_beside_others()};
    }

private:
    pid_t process_;
    std::string name_;
    usage first_{};
    std::int64_t waited_first_ns_{};
};

}  // namespace detail

usage_meter& process_usage() {
    static detail::usage_of_this_process& meter = *new detail::usage_of_this_process;
    return meter;
}

std::unique_ptr<usage_meter> usage_of_process(std::int64_t process) {
    return std::make_unique<detail::usage_of_other_process>(process);
}

double waited_seconds(const processor_use& between, std::int64_t elapsed_ns) noexcept {
    const auto waited = static_cast<double>(between.waited_ns);
    const double could_run = waited + static_cast<double>(between.all_ns());
    return 1e-9 * waited / std::max(could_run / static_cast<double>(std::max(elapsed_ns, std::int64_t{1})), 1.0);
}

}  // namespace perfspec::inline v0_2
