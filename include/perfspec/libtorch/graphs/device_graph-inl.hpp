// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Graphs of devices. CUDA has its own class. A LibTorch for the processor declares but does not define it, so CMake
// tells which LibTorch this is. From 2.13 on, other types of devices can register graphs.

#include <perfspec/libtorch/subjects/on_device.hpp>

#if defined(PERFSPEC_DETAIL_TORCH_CUDA)
#    include <ATen/cuda/CUDAGraph.h>
#    include <c10/cuda/CUDACachingAllocator.h>
#    include <c10/cuda/CUDAFunctions.h>
#endif
#if __has_include(<ATen/core/GraphImplInterface.h>)
#    include <ATen/core/GraphImplInterface.h>
#endif
#include <c10/util/Exception.h>
#include <torch/version.h>

#include <exception>
#include <memory>
#include <string>
#include <utility>

namespace perfspec::inline v0_2::detail {

#if defined(PERFSPEC_DETAIL_TORCH_CUDA)

class cuda_device_graph final : public device_graph {
public:
    void begin() override {
        device_ = c10::cuda::current_device();
        try {
            graph_.capture_begin(pool_);
        } catch (...) {
            abandon();
            throw;
        }
    }
    void end() override {
        try {
            graph_.capture_end();
        } catch (...) {
            abandon();
            throw;
        }
    }
    void replay() override { graph_.replay(); }

private:
    /// After a failed capture LibTorch still points to the graph and its pool. A step fails if it has nothing to undo.
    void abandon() noexcept {
        attempt([&] { graph_.reset(); });
        attempt([&] { c10::cuda::CUDACachingAllocator::endAllocateToPool(device_, pool_); });
        attempt([&] { c10::cuda::CUDACachingAllocator::releasePool(device_, pool_); });
        attempt(end_capture_of_random_numbers);
    }

    /// In older versions a generator stays in capture mode after a failure, and draws no more numbers. An empty
    /// capture, of which LibTorch warns, ends that mode.
    static void end_capture_of_random_numbers() {
#    if TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR < 13
        at::cuda::CUDAGraph empty;
        empty.capture_begin(at::cuda::graph_pool_handle());
        empty.capture_end();
#    endif
    }

    template <class Step> static void attempt(const Step& step) noexcept {
        try {
            step();
        } catch (const std::exception&) {}  // the caller throws the failure of the capture
    }

    at::cuda::CUDAGraph graph_;
    decltype(at::cuda::graph_pool_handle()) pool_{at::cuda::graph_pool_handle()};
    c10::DeviceIndex device_{};
};

#endif

#if __has_include(<ATen/core/GraphImplInterface.h>)

class registered_device_graph final : public device_graph {
public:
    explicit registered_device_graph(std::unique_ptr<at::GraphImplInterface> graph) : graph_(std::move(graph)) {}

    void begin() override { graph_->capture_begin(); }
    void end() override { graph_->capture_end(); }
    void replay() override { graph_->replay(); }

private:
    std::unique_ptr<at::GraphImplInterface> graph_;
};

inline bool has_registered_graphs(c10::DeviceType type) { return at::has_graph_impl(type); }

inline std::unique_ptr<device_graph> make_registered_graph(c10::DeviceType type) {
    return std::make_unique<registered_device_graph>(at::create_graph_impl(type));
}

#else

inline bool has_registered_graphs(c10::DeviceType) { return false; }

inline std::unique_ptr<device_graph> make_registered_graph(c10::DeviceType) { return nullptr; }

#endif

inline bool has_graphs(c10::DeviceType type) {
#if defined(PERFSPEC_DETAIL_TORCH_CUDA)
    if (type == c10::DeviceType::CUDA) return true;
#endif
    return has_registered_graphs(type);
}

std::unique_ptr<device_graph> make_device_graph(c10::DeviceType type) {
    if (!has_graphs(type)) return nullptr;
#if defined(PERFSPEC_DETAIL_TORCH_CUDA)
    if (type == c10::DeviceType::CUDA) return std::make_unique<cuda_device_graph>();
#endif
    return make_registered_graph(type);
}

std::string why_no_graphs(c10::Device device) {
    if (device.is_cpu())
        return "it runs on the processor, which has no graphs: give a LibTorch subject whose inputs are on a device, "
               "such as at::randn({1, 3, 224, 224}, at::kCUDA)";
    if (has_graphs(device.type())) return {};
    return "this LibTorch has no graphs for device " + c10::DeviceTypeName(device.type(), /*lower_case=*/true);
}

}  // namespace perfspec::inline v0_2::detail
