// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// Blocks of include/perfspec/cuda/README.md, which need the CUDA compiler (blocks.cmake). They are compiled, not run:
// the real tests are tests/cuda.
#include <perfspec/catch2.hpp>
#include <perfspec/cuda.hpp>

namespace {

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) y[i] += a * x[i];
}

}  // namespace

void claims_on_a_kernel(int n, float a, const float* x, float* y) {
    const int block = 256;
    const int grid = (n + block - 1) / block;
#include "cuda_1.inc"
}

void claims_on_a_roofline(const perfspec::cuda_work& saxpy, const perfspec::cuda_work& product) {
#include "cuda_2.inc"
}

void claims_on_copies() {
    using namespace perfspec::language;
    const auto copy_beside_kernel = [](cudaStream_t) {};
    const auto copy_then_kernel = [](cudaStream_t) {};
#include "cuda_3.inc"
}
