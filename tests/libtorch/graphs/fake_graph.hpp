// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "fake_device.hpp"
#include "fake_module.hpp"

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/libtorch.hpp>
#include <perfspec/libtorch/subjects/on_device.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>

#include <ATen/core/GraphImplInterface.h>
#include <ATen/ops/empty_like.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fake {

/// Graphs of the fake device: launches during a capture are stored, and each replay runs them. Tensors stay on the
/// processor.
class graphs {
    using work = std::function<void()>;

    struct graph final : at::GraphImplInterface {
        explicit graph(const at::GraphImplArgs&) {}
        void capture_begin(at::MempoolId_t, at::GraphCaptureMode) override {
            capturing() = this;
            is_broken() = false;
            ++captures();
        }
        void capture_end() override {
            capturing() = nullptr;
            TORCH_CHECK(!is_broken(), "operation failed due to a previous error during capture");
        }
        void instantiate() override {}
        void replay() override {
            ++replays();
            is_replaying() = true;
            for (const work& each : nodes) each();
            is_replaying() = false;
        }
        void reset() override {}
        at::MempoolId_t pool() const override { return {0, 0}; }
        void enable_debug_mode() override {}
        void debug_dump(const std::string&) override {}

        std::vector<work> nodes;
    };

    struct state {
        graph* capturing{};
        bool is_broken{};
        bool is_replaying{};
        int captures{};
        int replays{};
    };
    static state& now() {
        static state only;
        return only;
    }

public:
    /// LibTorch has no function that removes a kind of graph.
    static void install() {
        [[maybe_unused]] static const bool done = [] {
            at::GraphImplRegistry()->Register(
                c10::DeviceTypeName(c10::DeviceType::PrivateUse1, false),
                [](const at::GraphImplArgs& how) { return std::make_unique<graph>(how); });
            return true;
        }();
    }

    static graph*& capturing() { return now().capturing; }
    static bool& is_broken() { return now().is_broken; }
    static bool& is_replaying() { return now().is_replaying; }
    static int& captures() { return now().captures; }
    static int& replays() { return now().replays; }

    /// A kernel on the current stream.
    static void launch(work kernel) {
        work done = [kernel = std::move(kernel)] {
            const c10::InferenceMode inference;
            kernel();
        };
        if (capturing() == nullptr) return done();
        capturing()->nodes.push_back(std::move(done));
    }
    /// A kernel on a stream that is not joined.
    static void launch_elsewhere(const work& kernel) { kernel(); }
    /// A call that fails during a capture.
    static void synchronize() {
        is_broken() = capturing() != nullptr;
        TORCH_CHECK(!is_broken(),
                    "CUDA error: operation not permitted when stream is capturing\nSearch for it in the manual");
    }
};

/// A model of one kernel, which writes a function of its input.
inline std::function<at::Tensor(const at::Tensor&)> kernel_of(std::function<at::Tensor(const at::Tensor&)> function) {
    return [function = std::move(function)](const at::Tensor& x) {
        const at::Tensor y = at::empty_like(x);
        graphs::launch([=] { y.copy_(function(x)); });
        return y;
    };
}

/// A model in a graph of the fake device.
inline perfspec::subject graph_of(const perfspec::subject& model, const device& on) {
    graphs::install();
    perfspec::subject made = as_graph(model);
    made.lacks("");
    perfspec::detail::torch_body_of(made)->graph = std::make_shared<perfspec::detail::model_graph>(on.name());
    return made;
}

}  // namespace fake
