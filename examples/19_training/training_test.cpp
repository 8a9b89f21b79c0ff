// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Training with torch::nn and torch::optim: a step by its phases, what it needs of memory, mixed precision, and the
// loop around it by stage.
#include <torch/nn/functional/loss.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/functional.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/schedulers/step_lr.h>
#include <torch/optim/sgd.h>
#include <torch/serialize/archive.h>

#include <perfspec/catch2.hpp>
#include <perfspec/libtorch.hpp>

#include <ATen/ops/from_blob.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

namespace {

namespace nn = torch::nn;

constexpr std::int64_t batch = 16, size = 32;

/// Two convolutions with normalization, and a classifier of ten classes.
nn::Sequential small_network() {
    const auto conv = [](int from, int to) {
        return nn::Conv2d(nn::Conv2dOptions(from, to, 3).stride(2).padding(1).bias(false));
    };
    nn::Sequential net{conv(3, 16),
                       nn::BatchNorm2d(16),
                       nn::Functional([](const at::Tensor& x) { return at::relu(x); }),
                       conv(16, 32),
                       nn::BatchNorm2d(32),
                       nn::Functional([](const at::Tensor& x) { return at::relu(x).flatten(1); }),
                       nn::Linear(32 * (size / 4) * (size / 4), 10)};
    net->train();
    return net;
}

/// The loss of a batch of n images, whose labels are drawn once.
auto loss_of_labels(std::int64_t n) {
    return
        [labels = at::randint(10, {n}, at::kLong)](const at::Tensor& y) { return at::cross_entropy_loss(y, labels); };
}

std::shared_ptr<torch::optim::SGD> sgd_of(const nn::Sequential& net) {
    return std::make_shared<torch::optim::SGD>(net->parameters(), torch::optim::SGDOptions(0.01).momentum(0.9));
}

/// A step of training on random images.
perfspec::training_subject step_of(std::string_view name, const nn::Sequential& net, std::int64_t images) {
    return perfspec::train(name, net, at::randn({images, 3, size, size}), loss_of_labels(images));
}

/// A file with the images of one batch, a byte for each value.
class image_file {
public:
    image_file() : path_(std::filesystem::temp_directory_path() / "perfspec_example_19_images.bin") {
        const at::Tensor values = at::randint(256, {batch, 3, size, size}, at::kByte);
        std::ofstream(path_, std::ios::binary).write(static_cast<const char*>(values.const_data_ptr()), values.numel());
    }
    image_file(const image_file&) = delete;
    image_file& operator=(const image_file&) = delete;
    ~image_file() { std::filesystem::remove(path_); }

    [[nodiscard]] at::Tensor read() const {
        std::vector<char> values(static_cast<std::size_t>(batch * 3 * size * size));
        std::ifstream(path_, std::ios::binary).read(values.data(), static_cast<std::streamsize>(values.size()));
        return at::from_blob(values.data(), {batch, 3, size, size}, at::kByte).clone();
    }

private:
    std::filesystem::path path_;
};

at::Tensor preprocessed(const at::Tensor& images) { return images.to(at::kFloat).div_(255).sub_(0.5).div_(0.25); }

}  // namespace

TEST_CASE("a training step costs no more than ten forward passes", "[perf]") {
    auto net = small_network();
    const auto images = at::randn({batch, 3, size, size});
    auto forward = perfspec::eager("forward", net, images)
                       .unverified();  // its output is not the step's: that is the loss and the gradients
    auto sgd = sgd_of(net);
    auto step = perfspec::train("step", net, images, loss_of_labels(batch)).optimizer(sgd).schedule([sgd] {
        return torch::optim::StepLR(*sgd, 30, 0.1);
    });

    PERF_MEASURE(layers(step.phases()));  // forward, loss, backward, optimizer
    PERF_CHECK(latency(step) < 10 * latency(forward));
}

TEST_CASE("four passes of a quarter of the images need less memory than one pass of all", "[perf]") {
    auto net = small_network();
    auto one = step_of("one pass", net, batch).unverified();  // of other images
    auto four = step_of("four passes", net, batch / 4).accumulate(4);
    PERF_CHECK(tensor_memory(four) < 0.5 * tensor_memory(one));
    PERF_CHECK(tensor_allocations(four) > tensor_allocations(one));
}

TEST_CASE("validation takes 256 images at a time in 64 MiB", "[perf]") {
    auto net = small_network();
    net->eval();
    auto forward = perfspec::eager("forward", net, at::randn({batch, 3, size, size}));
    PERF_CHECK(largest_batch(forward, {.memory = 64_MiB}) >= 256);
}

TEST_CASE("mixed precision leaves the gradients as precise as bfloat16 is", "[perf]") {
    auto net = small_network();
    auto step = step_of("float32", net, batch);
    PERF_REQUIRE(same_output(step, configured(step, {.autocast = at::kBFloat16})));
    PERF_MEASURE(speedup(step, configured(step, {.autocast = at::kBFloat16})));
}

TEST_CASE("loading a batch takes less time than training on it", "[perf]") {
    const image_file file;
    auto net = small_network();
    auto sgd = sgd_of(net);
    const auto loss = loss_of_labels(batch);
    const auto checkpoint_path = std::filesystem::temp_directory_path() / "perfspec_example_19_checkpoint.pt";
    const at::Tensor loaded = file.read(), images = preprocessed(loaded);

    const auto train_on = [&](const at::Tensor& x) {
        sgd->zero_grad();
        loss(net->forward(x)).backward();
        sgd->step();
    };
    const auto save = [&] {
        torch::serialize::OutputArchive archive;
        net->save(archive);
        archive.save_to(checkpoint_path.string());
    };
    auto loading = perfspec::subject("loading", [&] { return file.read(); });
    auto preprocessing = perfspec::subject("preprocessing", [&] { return preprocessed(loaded); });
    auto training = perfspec::subject("training", [&] { train_on(images); });
    auto checkpoint = perfspec::subject("checkpoint", save);
    auto all = perfspec::subject("all", [&] {
        train_on(preprocessed(file.read()));
        save();
    });

    PERF_MEASURE(speedups(all, loading, preprocessing, training,
                          checkpoint));  // a stage that is 4 times as fast as all takes a quarter of it
    PERF_CHECK(latency(loading) < latency(training));
    std::filesystem::remove(checkpoint_path);
}
