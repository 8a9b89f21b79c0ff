// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <c10/core/Device.h>

#include <memory>
#include <string>

namespace perfspec::detail {

/// Work of a device that is captured once and replayed often. All of it is on the current stream of the current device.
class device_graph {
public:
    device_graph() = default;
    device_graph(const device_graph&) = delete;
    device_graph& operator=(const device_graph&) = delete;
    virtual ~device_graph() = default;

    /// From now on the work that this thread starts is captured, and not done. Its tensors get memory of a pool that
    /// belongs to the graph.
    virtual void begin() = 0;
    /// Ends the capture, also one that has failed. Throws where there is no graph of it.
    virtual void end() = 0;
    /// Starts the captured work.
    virtual void replay() = 0;
};

/// A graph of such a device, in which nothing is captured yet; null where this LibTorch has none.
[[nodiscard]] std::unique_ptr<device_graph> make_device_graph(c10::DeviceType type);

/// Why work on the device cannot be captured; empty where it can.
[[nodiscard]] std::string why_no_graphs(c10::Device device);

}  // namespace perfspec::detail
