// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <ATen/Context.h>
#include <c10/util/Exception.h>
#include <torch/version.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace perfspec::inline v0_2::detail {

inline void set_matmul_precision(at::Float32MatmulPrecision to) {
    using enum at::Float32MatmulPrecision;
    at::globalContext().setFloat32MatmulPrecision(to == HIGHEST ? "highest" : to == HIGH ? "high" : "medium");
}

#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 13)

struct operator_precision {
    at::Float32Backend backend;
    at::Float32Op op;
    at::Float32Precision in_effect{at::globalContext().float32Precision(backend, op)};

    void set(at::Float32Precision to) const { at::globalContext().setFloat32Precision(backend, op, to); }

    // An operator that inherited its precision inherits it again. LibTorch's initial value for cuDNN, which means TF32,
    // cannot be set again.
    void restore() const {
        set(at::Float32Precision::NONE);
        if (at::globalContext().float32Precision(backend, op) != in_effect) set(in_effect);
    }
};

/// Whether convolutions may use TF32 by the old function, which throws if its value contradicts the one in effect.
inline bool old_setting_of_convolutions(const operator_precision& now) {
    try {
        return at::globalContext().allowTF32CuDNN();
    } catch (const c10::Error&) { return now.in_effect != at::Float32Precision::TF32; }
}

/// Returns a function that restores the present precision of float32 products and convolutions. LibTorch has this
/// twice: for its old functions, and by operator. The old functions throw if a program has set only the others.
inline std::function<void()> float32_precision_now() {
    using enum at::Float32Precision;
    at::Context& context = at::globalContext();
    const std::array<operator_precision, 4> each{{{at::Float32Backend::CUDA, at::Float32Op::MATMUL},
                                                  {at::Float32Backend::MKLDNN, at::Float32Op::MATMUL},
                                                  {at::Float32Backend::CUDA, at::Float32Op::CONV},
                                                  {at::Float32Backend::CUDA, at::Float32Op::RNN}}};
    const bool convolutions = old_setting_of_convolutions(each[2]);
    each[0].set(IEEE);  // no old setting contradicts IEEE
    each[1].set(IEEE);
    const auto products = context.float32MatmulPrecision();
    each[0].restore();
    each[1].restore();
    return [&context, each, convolutions, products] {
        set_matmul_precision(products);
        context.setAllowTF32CuDNN(convolutions);
        for (const operator_precision& one : each) one.restore();
    };
}

/// The present precisions of float32 products, convolutions and recurrent layers on CUDA, as numbers.
inline std::vector<int> float32_precisions() {
    std::vector<int> all;
    for (const at::Float32Op op : {at::Float32Op::MATMUL, at::Float32Op::CONV, at::Float32Op::RNN})
        all.push_back(static_cast<int>(at::globalContext().float32Precision(at::Float32Backend::CUDA, op)));
    return all;
}

#else

inline std::vector<int> float32_precisions() {
    return {static_cast<int>(at::globalContext().float32MatmulPrecision()),
            static_cast<int>(at::globalContext().allowTF32CuDNN())};
}

/// Returns a function that restores the present precision of float32 products and convolutions.
inline std::function<void()> float32_precision_now() {
    at::Context& context = at::globalContext();
    return [&context, products = context.float32MatmulPrecision(), convolutions = context.allowTF32CuDNN()] {
        set_matmul_precision(products);
        context.setAllowTF32CuDNN(convolutions);
    };
}

#endif

}  // namespace perfspec::inline v0_2::detail
