// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/libtorch/tensors.hpp>

#include <c10/core/Device.h>
#include <c10/core/Stream.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace perfspec::inline v0_2 {
inline namespace language {

/// The same body on n streams of its device at once. One iteration starts the body once on each stream, from one
/// thread, and ends when the device is done with all. So `latency` and declared work are those of n runs. With `setup`
/// each run has its own input. The result is another subject, with the axis "streams", verified like x.
///
/// x  a LibTorch subject whose inputs are on a device, or `on_device(f, device)`. Another subject runs on the
///    processor, and every claim on it is *skipped*, with the reason. A package of AOTInductor has one runner, for
///    which its streams wait.
/// n  1 to 10, as in PyTorch's benchmarks. Throws `input_error` for another number, and for a subject with streams.
///
///     PERF_CHECK(latency(streams(model, 4)) < 3 * latency(model));      // of four runs at once, a part overlaps
[[nodiscard]] subject streams(const subject& x, int n);

/// The same body, but its time includes the work that it starts on a device: the clock stops when the device is done.
/// The result is another subject, with the axis "device". LibTorch's own subjects wait without it.
///
/// If this LibTorch or this machine has no such device, every claim is *skipped*, with the reason.
/// Throws `input_error` for a LibTorch subject.
///
///     auto a = at::randn({4096, 4096}, at::kCUDA);
///     auto gemm = on_device(perfspec::subject("gemm", [&] { return a.matmul(a); }), at::kCUDA);
[[nodiscard]] subject on_device(const subject& x, c10::Device device);

/// The same model, whose `device_time` includes the time in which its device waits for the processor: its stream is not
/// held, and records and keys say `timed=hot-synchronized`. It is for models that wait for their device (`.item()`,
/// `nonzero`), and for models with more launches than the queue of a stream takes, some 1000. Without it the
/// `device_time` of such a model is an *error*. It changes no other metric, and nothing in a program without
/// perfspec::cuda. Claims compare it only with another such model.
///
/// x  a LibTorch subject, also on streams, or `on_device(f, device)`. Throws `input_error` for any other.
///
///     PERF_CHECK(speedup(device_time(host_synchronized(eager)), device_time(host_synchronized(compiled))) > 1.2);
[[nodiscard]] subject host_synchronized(const subject& x);

/// The same model, captured once in a graph of its device, a CUDA graph. One iteration is one replay, which starts all
/// of its kernels by one call of the driver. The result is another subject, with the axis "graph", verified like x.
///
/// x  a LibTorch subject whose inputs are on a device. On the processor, and on devices without graphs in LibTorch,
///    every claim is *skipped*, with the reason. Throws `input_error` for a subject that is not LibTorch's, trains,
///    runs on several streams, or is a graph already.
///
/// It is captured on a stream of its own, with its own memory, after three warm calls. Only `load_time` and
/// `cold_start` include that. Claims are *errors* if the model waits for the device, which cannot be captured, and if
/// a replay does not write all outputs, because the model computes them on another stream or on the processor.
///
/// A replay reads the inputs at their place in memory. A program with new inputs copies them there first; the times do
/// not include that copy.
///
///     auto model = perfspec::eager("resnet50", module, at::randn({1, 3, 224, 224}, at::kCUDA));
///     PERF_REQUIRE(speedup(model, as_graph(model)) > 1.1);      // what launching kernels one by one costs
[[nodiscard]] subject as_graph(const subject& x);

}  // namespace language

namespace detail {

struct torch_body;

/// Work of a device that is captured once and replayed often. All of it is on the current stream of the current device.
class device_graph {
public:
    device_graph() = default;
    device_graph(const device_graph&) = delete;
    device_graph& operator=(const device_graph&) = delete;
    virtual ~device_graph() = default;

    /// Starts a capture: the work of this thread is recorded and not executed. Its tensors get memory of the graph's
    /// pool.
    virtual void begin() = 0;
    /// Ends the capture. Throws if it failed.
    virtual void end() = 0;
    /// Starts the captured work.
    virtual void replay() = 0;
};

/// An empty graph of such a device; null if this LibTorch has none.
[[nodiscard]] std::unique_ptr<device_graph> make_device_graph(c10::DeviceType type);

/// Why work on the device cannot be captured; empty if it can.
[[nodiscard]] std::string why_no_graphs(c10::Device device);

/// One iteration of a model, captured in a graph of its device.
///
/// A graph reads and writes the memory of its capture. So it is captured again if inputs, parameters or buffers have
/// moved, or settings of PyTorch have changed. Its outputs are the same tensors after each replay.
class model_graph {
public:
    explicit model_graph(c10::Device device) : device_(device) {}

    [[nodiscard]] c10::Device device() const noexcept { return device_; }

    /// Captures the model on these inputs, unless that is done. Throws if it cannot be captured, and if a replay does
    /// not write all outputs. Restores random numbers.
    void capture(const torch_body& body, const tensor_list& inputs);

    /// Starts replays on the current stream. Precondition: the model is captured.
    const tensor_list& replay(std::uint64_t iterations);

    /// Destroys the values of the outputs, replays once, and returns the outputs.
    const tensor_list& compute(const torch_body& body, const tensor_list& inputs);

private:
    /// What a capture depends on. Keeps the tensors, so that no other one gets their memory.
    struct basis {
        tensor_list tensors{};
        std::vector<int> settings{};
    };
    [[nodiscard]] static basis basis_of(const torch_body& body, const tensor_list& inputs);
    [[nodiscard]] static bool is_same(const basis& a, const basis& b);

    /// Returns the outputs of a call before the capture.
    [[nodiscard]] tensor_list record(const torch_body& body, const tensor_list& inputs);
    void check_outputs(const torch_body& body, const tensor_list& inputs, const tensor_list& earlier);
    /// The number of elements of each output in `written_` that a replay does not write.
    [[nodiscard]] std::vector<std::int64_t> count_unwritten(const torch_body& body);
    /// The elements that still have the value after these outputs were filled with it, and a replay.
    [[nodiscard]] tensor_list elements_unchanged_from(const torch_body& body, double value);
    void forget() noexcept;

    c10::Device device_;
    std::optional<c10::Stream> side_{};
    std::unique_ptr<device_graph> graph_{};
    tensor_list outputs_{};
    tensor_list written_{};  ///< the outputs that a replay must write
    basis basis_{};
};

}  // namespace detail
}  // namespace perfspec::inline v0_2
