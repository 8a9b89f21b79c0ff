// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Models that return what an earlier call computed, and models that only look like that.
#include "fake_module.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace {

using Catch::Matchers::StartsWith;
using fake::model;
using fake::verify;
using enum perfspec::verification_code;

const at::Tensor input = at::ones({2, 3});

at::Tensor twice(const at::Tensor& x) { return x * 2; }

/// A function that computes in its first call alone.
auto memoised() {
    return [kept = std::make_shared<std::optional<at::Tensor>>()](const at::Tensor& x) {
        if (!*kept) *kept = twice(x);
        return **kept;
    };
}

/// A module that returns two views of one tensor.
struct two_views {
    std::function<at::Tensor()> tensor;

    explicit two_views(std::function<at::Tensor()> f) : tensor(std::move(f)) {}
    std::vector<at::Tensor> forward(const at::Tensor&) {
        const at::Tensor all = tensor();
        return {all.view({2, 2}), all.slice(0, 1)};
    }
    std::vector<at::Tensor> parameters() const { return {}; }
    std::vector<at::Tensor> buffers() const { return {}; }
};

}  // namespace

TEST_CASE("a model that returns what an earlier call computed agrees, and is told", "[libtorch][unit]") {
    const auto candidate = verify(model(input, twice), model(input, memoised()));
    CHECK(candidate.code == pass);
    CHECK(candidate.not_computed ==
          "the candidate returned what an earlier call had computed: values that were destroyed in between came back");
    const auto reference = verify(model(input, memoised()), model(input, twice));
    CHECK(reference.code == pass);
    CHECK_THAT(reference.not_computed, StartsWith("the reference returned what an earlier call had computed"));
    CHECK(verify(model(input, twice), model(input, twice)).not_computed.empty());
}

TEST_CASE("a model that returns a view of what it keeps, or the tensor of another model, is told, and the tensor stays",
          "[libtorch][unit]") {
    const at::Tensor kept = twice(input);
    for (const auto& returns : {std::function<at::Tensor(const at::Tensor&)>([kept](const auto&) { return kept; }),
                                std::function<at::Tensor(const at::Tensor&)>([kept](const auto&) {
                                    return kept.view({2, 3});
                                })}) {
        const auto found = verify(model(input, twice), model(input, returns));
        CHECK(found.code == pass);
        CHECK_FALSE(found.not_computed.empty());
    }
    CHECK(at::equal(kept, twice(input)));
    const at::Tensor whole = at::arange(6);
    CHECK_FALSE(verify(model(whole, [](const auto& x) { return x + 0; }), model(whole, [whole](const auto&) { return whole; }))
                    .not_computed.empty());
    CHECK(at::equal(whole, at::arange(6)));
}

TEST_CASE("results that share memory which is kept have their values back", "[libtorch][unit]") {
    const at::Tensor floats = at::ones({4}), whole = at::arange(4);
    for (const at::Tensor& kept : {floats, whole}) {
        const auto computes = perfspec::eager("computes", std::make_shared<two_views>([&kept] { return kept + 0; }), kept);
        const auto keeps = perfspec::eager("keeps", std::make_shared<two_views>([&kept] { return kept; }), kept);
        const perfspec::verification found = verify(computes, keeps);
        CHECK(found.code == pass);
        CHECK_THAT(found.not_computed, StartsWith("the candidate returned what an earlier call had computed"));
    }
    CHECK(at::equal(floats, at::ones({4})));
    CHECK(at::equal(whole, at::arange(4)));
}

TEST_CASE("kept memory that cannot be put back is left alone", "[libtorch][unit]") {
    static const float constants[6] = {1, 1, 1, 1, 1, 1};  // read-only: nobody may write there
    const at::Tensor table = at::ones({1, 3});
    const at::Tensor borrowed = at::from_blob(const_cast<float*>(constants), {2, 3}, at::kFloat);
    for (const at::Tensor& kept : {table.expand({2, 3}), borrowed}) {
        const auto found = verify(model(input, [](const auto& x) { return x + 0; }), model(input, [&kept](const auto&) { return kept; }));
        CHECK(found.code == pass);
    }
    CHECK(at::equal(table, at::ones({1, 3})));
}

TEST_CASE("a model that writes its result into memory that it keeps computes it", "[libtorch][unit]") {
    const at::Tensor kept = at::ones({2, 3});
    const auto writes = [kept](const at::Tensor& x) {
        at::Tensor out = kept;
        return at::mul_out(out, x, at::full({}, 2.0));
    };
    for (const auto& found : {verify(model(input, twice), model(input, writes)), verify(model(input, writes), model(input, twice))}) {
        CHECK(found.code == pass);
        CHECK(found.not_computed.empty());
    }
}

TEST_CASE("a model that returns its input or a parameter is not suspected", "[libtorch][unit]") {
    const auto same = [](const at::Tensor& x) { return x; };
    CHECK(verify(model(input, same), model(input, same)).not_computed.empty());
    const at::Tensor weight = at::ones({4});
    const auto parameter = [weight](const at::Tensor&) { return weight; };
    CHECK(verify(model(input, parameter, {weight}), model(input, parameter, {weight})).not_computed.empty());
}
