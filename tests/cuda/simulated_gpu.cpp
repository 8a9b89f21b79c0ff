// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "simulated_gpu.hpp"

namespace perfspec::testing {

/// Ends a hold at its deadline, even if the processor waits for the stream.
struct simulated_gpu::watch {
    watch(simulated_gpu& on, std::uint32_t* at, std::int64_t when) : gpu(on), flag(at), deadline(when) {
        gpu.watch_ = this;
    }
    watch(const watch&) = delete;
    watch& operator=(const watch&) = delete;
    ~watch() { gpu.watch_ = nullptr; }

    simulated_gpu& gpu;
    std::uint32_t* flag;
    std::int64_t deadline;
};

/// Sees every change.
struct simulated_gpu::memory_watch {
    memory_watch(simulated_gpu& on, std::atomic<std::uint64_t>& most) : gpu(on), seen(most) {
        gpu.memory_watch_ = this;
    }
    memory_watch(const memory_watch&) = delete;
    memory_watch& operator=(const memory_watch&) = delete;
    ~memory_watch() { gpu.memory_watch_ = nullptr; }

    simulated_gpu& gpu;
    std::atomic<std::uint64_t>& seen;
};

void simulated_gpu::take_from_pool(std::size_t bytes) {
    constexpr std::size_t block_bytes = std::size_t{32} << 20U;
    pool_used_ += bytes;
    pool_most_ = std::max(pool_most_, pool_used_);
    while (pool_reserved_ < pool_used_) pool_reserved_ += block_bytes;
}

void simulated_gpu::wait_until(std::int64_t at) {
    const std::int64_t from = time();
    if (at > from) processor_.advance(ns(at - from));
}

simulated_gpu::stream& simulated_gpu::find(cudaStream_t handle) {
    const auto found =
        std::ranges::find_if(streams_, [&](stream& s) { return static_cast<void*>(&s) == static_cast<void*>(handle); });
    if (found == streams_.end()) throw std::logic_error("simulated_gpu: there is no such stream");
    return *found;
}

cudaStream_t simulated_gpu::make_stream() {
    stream& made = streams_.emplace_back(stream{.device = current});
    if (all_wait_for_ != nullptr)
        made.queue.push_back({.what = kind::wait_for_place, .seen_at = time(), .there = all_wait_for_});
    return static_cast<cudaStream_t>(static_cast<void*>(&made));
}

void simulated_gpu::put(cudaStream_t on, operation next) {
    stream& s = find(on);
    run_until(time());
    while (s.queue.size() >= queue_room) let_time_pass();
    processor_.advance(launch_cost);
    next.seen_at = time() + launch_latency.count();
    s.queue.push_back(next);
}

void simulated_gpu::launch(cudaStream_t on, const simulated_kernel& kernel) {
    // The first launch of a kernel loads it, for which the device has to be idle.
    if (loaded_.insert(kernel.code).second) static_cast<void>(wait_for_device());
    if (find(on).device != current) {
        last_error = cudaErrorInvalidResourceHandle;
        return;
    }
    put(on, {.what = kind::kernel, .kernel = kernel});
}

/// The processor launches a graph once, with any number of nodes.
cudaError_t simulated_gpu::launch(cudaStream_t on, const simulated_graph& graph) {
    if (broken_ != cudaSuccess) return broken_;
    const ns cost = std::exchange(launch_cost, ns{});
    processor_.advance(cost);
    for (const simulated_kernel& node : graph.nodes) launch(on, node);
    launch_cost = cost;
    return cudaSuccess;
}

cudaError_t simulated_gpu::record(cudaEvent_t which, cudaStream_t on) {
    auto& e = *static_cast<event*>(static_cast<void*>(which));
    if (e.device != find(on).device) return last_error = cudaErrorInvalidResourceHandle;
    put(on, {.what = kind::event, .stamp = &e.stamp});
    return answer(cudaSuccess);
}

simulated_gpu::place simulated_gpu::place_on(cudaStream_t on) {
    auto there = std::make_shared<std::optional<std::int64_t>>();
    put(on, {.what = kind::place, .there = there});
    return there;
}

void simulated_gpu::wait_on(cudaStream_t on, const place& there) {
    put(on, {.what = kind::wait_for_place, .there = there});
}

cudaError_t simulated_gpu::hold_others(cudaStream_t behind) {
    all_wait_for_ = place_on(behind);
    for (stream& s : streams_)
        if (&s != &find(behind))
            s.queue.push_back({.what = kind::wait_for_place, .seen_at = time(), .there = all_wait_for_});
    return answer(cudaSuccess);
}

cudaError_t simulated_gpu::wait_for_others(cudaStream_t waits) {
    put(waits, {.what = kind::kernel, .kernel = {.cold = wait_for_others_takes, .name = nullptr}});
    for (stream& s : streams_) {
        if (&s == &find(waits)) continue;
        const auto there = std::make_shared<std::optional<std::int64_t>>();
        s.queue.push_back({.what = kind::place, .seen_at = time(), .there = there});
        wait_on(waits, there);
    }
    return answer(cudaSuccess);
}

/// When a stream can begin its next operation; none if its queue is empty, or waits for the processor or another
/// stream.
std::optional<std::int64_t> simulated_gpu::next_start(const stream& s) const {
    if (s.queue.empty()) return {};
    const operation& op = s.queue.front();
    if (op.what == kind::wait && *op.flag == detail::hold_flag::held) return {};
    if (op.what == kind::wait_for_place && !*op.there) return {};
    const std::int64_t engine_free_at = op.what == kind::copy ? engine_free_at_[op.copied.by] : 0;
    return std::max({s.free_at, op.seen_at, op.what == kind::wait_for_place ? **op.there : s.free_at, engine_free_at});
}

/// The stream that can begin first; null if none can.
simulated_gpu::stream* simulated_gpu::next_to_start() {
    stream* first = nullptr;
    for (stream& s : streams_)
        if (next_start(s) && (first == nullptr || *next_start(s) < *next_start(*first))) first = &s;
    return first;
}

/// Runs the operations that the device can have begun at that time, in the order of their starts.
void simulated_gpu::run_until(std::int64_t at) {
    look_at_watch();
    for (stream* s = next_to_start(); s != nullptr && *next_start(*s) <= at; s = next_to_start()) run_next(*s, at);
}

void simulated_gpu::run_next(stream& s, std::int64_t at) {
    const operation& op = s.queue.front();
    const std::int64_t start = *next_start(s);
    s.free_at = op.what == kind::wait ? std::max(start, std::min(at, time())) : end_of(op, start);
    trace(op, start, s.free_at);
    s.queue.pop_front();
}

/// Passes an operation to the profiler.
void simulated_gpu::trace(const operation& op, std::int64_t start, std::int64_t end) const {
    using enum seen_work::kind;
    if (op.what == kind::stamp) profiler({kernel, "perfspec_stamp", start, end});
    if (op.what == kind::fill) profiler({fill, nullptr, start, end});
    if (op.what == kind::kernel && op.kernel.name != nullptr) profiler({kernel, op.kernel.name, start, end});
    if (op.what != kind::copy) return;
    constexpr std::array copies{copy_to_device, copy_to_host, copy_on_device};  // as the engines are
    profiler({copies.at(op.copied.by), nullptr, start, end});
}

/// Lets time pass until a stream begins an operation. If none can without the processor, a hold has to end.
void simulated_gpu::let_time_pass() {
    const stream* const next = next_to_start();
    if (next == nullptr) return end_hold();
    wait_until(*next_start(*next));
    run_until(time());
}

std::int64_t simulated_gpu::end_of(const operation& op, std::int64_t start) {
    if (op.what == kind::wait_for_place) return start;
    if (op.what == kind::place) {
        *op.there = start;
        return start;
    }
    if (op.what == kind::event) {
        *op.stamp = start / event_tick.count() * event_tick.count();
        return start + event_takes.count();
    }
    if (op.what == kind::copy) return end_of_copy(op.copied, start);
    const std::uint64_t cycles = cycles_until(start);
    if (op.what == kind::stamp) {
        *op.clocks = unread_stamps-- > 0 ? detail::clock_stamp{}
                                         : detail::clock_stamp{cycles, static_cast<std::uint64_t>(start) + 1};
        return start;
    }
    const bool warm = is_cached(op.kernel.data, op.kernel.bytes);
    if (op.kernel.fault != cudaSuccess) broken_ = op.kernel.fault;
    const ns takes = warm ? op.kernel.warm : op.kernel.cold;
    return start + std::llround(static_cast<double>(takes.count()) / clock_share(start));
}

/// The cycles that it has run up to a time.
std::uint64_t simulated_gpu::cycles_until(std::int64_t at) {
    cycles_ += static_cast<double>(at - cycles_at_) * default_kilohertz / 1e6 * clock_share(cycles_at_);
    cycles_at_ = at;
    return static_cast<std::uint64_t>(std::llround(cycles_));
}

/// Whether the data are in the cache. Puts them there as far as there is room.
bool simulated_gpu::is_cached(std::int64_t data, std::size_t bytes) {
    const auto found = std::ranges::find(cache_, data, &std::pair<std::int64_t, std::size_t>::first);
    const bool hit = found != cache_.end() && found->second >= bytes;
    if (found != cache_.end()) cache_.erase(found);
    cache_.emplace_front(data, bytes);
    std::size_t sum = 0;
    for (const auto& [which, size] : cache_) sum += size;
    for (; sum > cache_bytes; cache_.pop_back()) sum -= cache_.back().second;
    return hit;
}

void simulated_gpu::look_at_watch() {
    if (watch_ != nullptr && *watch_->flag == detail::hold_flag::held && time() >= watch_->deadline)
        *watch_->flag = detail::hold_flag::timed_out;
}

/// The processor waits for a stream that waits for the processor: only the watch ends that.
void simulated_gpu::end_hold() {
    if (watch_ == nullptr)
        throw std::logic_error("simulated_gpu: the processor and the device wait for each other for ever");
    wait_until(watch_->deadline);
    run_until(time());
}

void simulated_gpu::drain(stream& s) {
    run_until(time());
    while (!s.queue.empty()) let_time_pass();
    wait_until(s.free_at);
}

cudaError_t simulated_gpu::wait_for_device() {
    for (stream& s : streams_) drain(s);
    return answer(cudaSuccess);
}

std::size_t simulated_gpu::allocated() const {
    std::size_t sum = 0;
    for (const block& b : blocks_) sum += b.bytes;
    return sum;
}

/// Memory that takes no page of the machine before its use; null if there is none.
static std::unique_ptr<std::byte[]> pages(std::size_t bytes) {  // NOLINT(modernize-avoid-c-arrays)
    constexpr std::size_t most = std::size_t{1} << 30U;         // larger blocks are counted, and not copied
    return std::make_unique_for_overwrite<std::byte[]>(std::min(bytes, most));
}

cudaError_t simulated_gpu::allocate(void** at, std::size_t bytes) {
    if (const cudaError_t before = wait_for_device(); before != cudaSuccess) return before;
    if (allocated() + pool_reserved_ + memory_of_others + bytes > memory_bytes)
        return last_error = cudaErrorMemoryAllocation;
    *at = blocks_.emplace_back(block{pages(bytes), bytes, current}).at.get();
    if (memory_watch_ != nullptr)
        memory_watch_->seen = std::max<std::uint64_t>(memory_watch_->seen.load(), allocated() + memory_of_others);
    return cudaSuccess;
}

cudaError_t simulated_gpu::release(void* at) {
    const cudaError_t before = wait_for_device();
    std::erase_if(blocks_, [&](const block& b) { return b.at.get() == at; });
    return before;
}

const detail::cuda_runtime& simulated_gpu::runtime() noexcept {
    static constexpr detail::cuda_runtime simulated{
        .device_count = [](int* count) { return (*count = now->devices, now->count_error); },
        .driver_version = [](int* version) { return (*version = now->driver, cudaSuccess); },
        .runtime_version = [](int* version) { return (*version = 13'000, cudaSuccess); },
        .create_stream = [](cudaStream_t* made) { return (*made = now->make_stream(), now->answer(cudaSuccess)); },
        .destroy_stream =
            [](cudaStream_t handle) {
                now->drain(now->find(handle));
                now->streams_.remove_if(
                    [&](stream& s) { return static_cast<void*>(&s) == static_cast<void*>(handle); });
                return now->answer(cudaSuccess);
            },
        .wait_for_device = [] { return now->wait_for_device(); },
        .create_event =
            [](cudaEvent_t* made) {
                ++now->live_events;
                *made = static_cast<cudaEvent_t>(
                    static_cast<void*>(&now->events_.emplace_back(event{.device = now->current})));
                return now->answer(cudaSuccess);
            },
        .destroy_event = [](cudaEvent_t) { return (--now->live_events, now->answer(cudaSuccess)); },
        .record_event = [](cudaEvent_t which, cudaStream_t on) { return now->record(which, on); },
        .elapsed_ms =
            [](float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
                const auto stamp = [](cudaEvent_t e) { return static_cast<event*>(static_cast<void*>(e))->stamp; };
                *milliseconds = static_cast<float>(static_cast<double>(stamp(to) - stamp(from)) / 1e6);
                return now->answer(cudaSuccess);
            },
        .take_last_error = [] { return now->answer(std::exchange(now->last_error, cudaSuccess)); },
        .current_device = [](int* device) { return (*device = now->current, cudaSuccess); },
        .attribute =
            [](int* value, cudaDeviceAttr which, int) {
                if (which == cudaDevAttrL2CacheSize) *value = static_cast<int>(now->cache_bytes);
                else if (which == cudaDevAttrClockRate) *value = now->default_kilohertz;
                else *value = now->attributes.at(which);
                return now->answer(cudaSuccess);
            },
        .allocate = [](void** at, std::size_t bytes) { return now->allocate(at, bytes); },
        .release = [](void* at) { return now->release(at); },
        .fill =
            [](void* at, int, std::size_t bytes, cudaStream_t on) {
                const ns takes(std::llround(static_cast<double>(bytes) / now->bytes_per_ns));
                // No kernel reads its data.
                now->put(on, {.what = kind::fill, .kernel = {.cold = takes, .data = -1, .bytes = bytes}});
                return (static_cast<void>(at), now->answer(cudaSuccess));
            },
        .allocate_pinned = [](void** at, std::size_t bytes) { return now->allocate_pinned(at, bytes); },
        .release_pinned = [](void* at) { return now->release_pinned(at); },
        .copy_on = [](void* to, const void* from, std::size_t bytes,
                      cudaStream_t on) { return now->copy(to, from, bytes, on); },
        .wait_for_flag =
            [](cudaStream_t on, std::uint32_t* flag) {
                if (now->hold_error == cudaSuccess) now->put(on, {.what = kind::wait, .flag = flag});
                return now->answer(now->hold_error);
            },
        .sees_every_stream = [] { return now->sees_every_stream; },
        .hold_others = [](cudaStream_t behind, cudaEvent_t) { return now->hold_others(behind); },
        .wait_for_others = [](cudaStream_t waits, cudaEvent_t) { return now->wait_for_others(waits); },
        .stamp =
            [](cudaStream_t on, detail::clock_stamp* into) {
                if (now->clock_error == cudaSuccess) now->put(on, {.what = kind::stamp, .clocks = into});
                return now->answer(now->clock_error);
            },
        .rest =
            [](ns how_long) {
                now->rests.push_back(how_long);
                now->processor_.advance(how_long);
            },
        .memory_use =
            [](detail::device_memory_use* use, int) {
                *use = {now->allocated() + now->memory_of_others, now->pool_used_, now->pool_most_};
                return now->answer(now->memory_error);
            },
        .restart_memory_peaks =
            [](int) {
                now->pool_most_ = now->pool_used_;
                return now->answer(cudaSuccess);
            },
        .watch_plain_memory = [](int, std::atomic<std::uint64_t>& most) -> std::shared_ptr<void> {
            return std::make_shared<memory_watch>(*now, most);
        },
        .watch = [](std::uint32_t* flag, ns at_most) -> std::shared_ptr<void> {
            return std::make_shared<watch>(*now, flag, now->time() + at_most.count());
        },
    };
    return simulated;
}

}  // namespace perfspec::testing
