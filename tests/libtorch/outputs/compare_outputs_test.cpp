// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/libtorch.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <support/test.hpp>

namespace {

using namespace perfspec::testing;
using perfspec::accuracy;
using perfspec::compare_outputs;
using perfspec::nan_rule;
using perfspec::tensor_list;
using enum perfspec::verification_code;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

at::Tensor filled(double value, std::int64_t n, at::ScalarType type = at::kFloat) { return at::full({n}, value, type); }

double statistic(const perfspec::verification& v, const char* name) {
    const auto found = std::ranges::find(v.statistics, name, &perfspec::detail::verification_statistic::name);
    return found == v.statistics.end() ? not_a_number : found->value;
}

}  // namespace

TEST_CASE("compare_outputs passes up to the tolerance of the dtype and fails beyond", "[libtorch][unit]") {
    const auto [type, inside, outside] =
        GENERATE(table<at::ScalarType, double, double>({{at::kFloat, 1.8e-4, 2.5e-4},
                                                        {at::kDouble, 1.8e-4, 2.5e-4},
                                                        {at::kHalf, 1.5e-3, 4e-3},
                                                        {at::kBFloat16, 1.5e-2, 4e-2}}));
    CHECK(compare_outputs(filled(1, 4, type), filled(1 + inside, 4, type)).code == pass);
    CHECK(compare_outputs(filled(1, 4, type), filled(1 + outside, 4, type)).code == fail);
}

TEST_CASE("compare_outputs allows what the caller allows", "[libtorch][unit]") {
    CHECK(compare_outputs(filled(1, 4), filled(1.1, 4), {.tolerance = 0.06}).code == pass);
    CHECK(compare_outputs(filled(1, 4), filled(1.1, 4), {.tolerance = 0.04}).code == fail);
}

TEST_CASE("compare_outputs fails where number, dtype or shape differ", "[libtorch][unit]") {
    const auto [reference, candidate, text] = GENERATE(table<tensor_list, tensor_list, const char*>({
        {{filled(1, 4), filled(1, 4)}, {filled(1, 4)}, "1 outputs, but the reference has 2"},
        {{filled(1, 4)}, {filled(1, 4, at::kInt)}, "int32[4], but the reference has float32[4]"},
        {{filled(1, 4, at::kInt)}, {filled(1, 4, at::kLong)}, "int64[4], but the reference has int32[4]"},
        {{filled(1, 4)}, {filled(1, 4, at::kComplexFloat)}, "complex64[4], but the reference has float32[4]"},
        {{at::ones({1, 4})},
         {at::ones({4})},
         "float32[4], but the reference has float32[1,4]"},  // allclose would broadcast
        {{filled(1, 4)}, {at::Tensor{}}, "undefined"},
    }));
    const auto found = compare_outputs(reference, candidate);
    CHECK(found.code == fail);
    CHECK_THAT(found.text, ContainsSubstring(text));
}

TEST_CASE("compare_outputs wants integers and booleans equal", "[libtorch][unit]") {
    const auto ids = at::arange(1'000'000, 1'000'004);
    CHECK(compare_outputs(ids, ids.clone()).code == pass);
    CHECK(compare_outputs(ids, ids + 1).code == fail);  // within 1e-4 of a million
    CHECK(compare_outputs(ids > 0, ids > 1'000'000).code == fail);
}

TEST_CASE("compare_outputs judges every output", "[libtorch][unit]") {
    const auto last_differs = compare_outputs({filled(1, 4), filled(2, 4)}, {filled(1, 4), filled(3, 4)});
    CHECK(last_differs.code == fail);
    CHECK_THAT(last_differs.text, ContainsSubstring("output 1, float32[4]: within") &&
                                      ContainsSubstring("output 2, float32[4]: not within"));
    CHECK(compare_outputs({filled(1, 4), filled(2, 4)}, {filled(3, 4), filled(2, 4)}).code == fail);
}

TEST_CASE("compare_outputs lets the error to double precision be twice the reference's own", "[libtorch][unit]") {
    // From 1000 elements on the factor is 2. Both errors are constant, so that the root mean square is the error
    // itself.
    const auto exact = filled(0, 1000, at::kDouble);
    const auto reference = filled(0.010, 1000);
    CHECK(compare_outputs(reference, filled(-0.0199, 1000), {}, exact).code == pass);
    CHECK(compare_outputs(reference, filled(-0.0201, 1000), {}, exact).code == fail);
    CHECK(compare_outputs(reference, filled(-0.0199, 1000)).code == fail);  // without it
}

TEST_CASE("compare_outputs lets it be three times for small outputs, 1x1 maps and half precision", "[libtorch][unit]") {
    const auto [reference, factor] = GENERATE(table<at::Tensor, double>({{filled(1, 999), 3},
                                                                         {filled(1, 1000), 2},
                                                                         {at::ones({1, 2000, 1, 1}), 3},
                                                                         {at::ones({1, 2000, 1, 2}), 2},
                                                                         {filled(1, 1000, at::kHalf), 3},
                                                                         {filled(1, 1000, at::kBFloat16), 3}}));
    const auto exact = at::zeros(reference.sizes(), at::kDouble);
    CHECK(compare_outputs(reference, reference * -(factor - 0.05), {}, exact).code == pass);
    CHECK(compare_outputs(reference, reference * -(factor + 0.05), {}, exact).code == fail);
}

TEST_CASE("compare_outputs lets it be three times under a large tolerance", "[libtorch][unit]") {
    const auto exact = filled(0, 1000, at::kDouble);
    CHECK(compare_outputs(filled(1, 1000), filled(-2.95, 1000), {.tolerance = 2e-2}, exact).code == pass);
    CHECK(compare_outputs(filled(1, 1000), filled(-2.95, 1000), {.tolerance = 1.9e-2}, exact).code == fail);
}

TEST_CASE("compare_outputs adds a tenth of the tolerance to the allowed error", "[libtorch][unit]") {
    const auto exact = filled(1, 1000, at::kDouble);
    auto candidate = filled(1, 1000);
    candidate[0] = 1 + 1.1e-3;  // beyond 2e-4; the root mean square is 3.5e-5, beyond 1e-5
    CHECK(compare_outputs(filled(1, 1000), candidate, {}, exact).code == fail);
    candidate[0] = 1 + 0.3e-3;  // 9.5e-6
    CHECK(compare_outputs(filled(1, 1000), candidate, {}, exact).code == pass);
}

TEST_CASE("compare_outputs takes a reference in double precision for exact", "[libtorch][unit]") {
    const auto reference = filled(1, 1000, at::kDouble);
    auto candidate = reference.clone();
    candidate[0] = 1 + 0.3e-3;
    CHECK(compare_outputs(reference, candidate).code == pass);
}

TEST_CASE("compare_outputs judges outputs far below its tolerance by their own size", "[libtorch][unit]") {
    const auto tiny = at::arange(1, 1001, at::kFloat) * 3.4e-17;  // up to 3.4e-14
    CHECK(compare_outputs(tiny, tiny * 1.00015).code == pass);
    const auto other = compare_outputs(tiny, tiny.flip(0));
    CHECK(other.code == fail);
    CHECK_THAT(other.text, ContainsSubstring("not within 3.4e-18 absolute plus 0.0001 relative"));
    CHECK(compare_outputs(tiny, at::zeros({1000})).code == fail);
    CHECK(compare_outputs(tiny, at::zeros({1000}), {.tolerance = 0.2}).code == fail);
    CHECK(compare_outputs(tiny, at::zeros({1000}), {}, tiny.to(at::kDouble)).code ==
          fail);  // the error to it counts by its size, too
    CHECK(compare_outputs(tiny, tiny.flip(0), {.absolute = 1e-4}).code == pass);  // on request
}

TEST_CASE("compare_outputs wants zeros where the reference has nothing else", "[libtorch][unit]") {
    CHECK(compare_outputs(filled(0, 4), filled(0, 4)).code == pass);
    const auto found = compare_outputs(filled(0, 4), filled(1e-9, 4), {}, filled(0, 4, at::kDouble));
    CHECK(found.code == fail);
    CHECK_THAT(found.text, ContainsSubstring("the reference is zero everywhere"));
}

TEST_CASE("compare_outputs never takes zeros for an output, of any size and dtype", "[libtorch][unit]") {
    const auto type = GENERATE(at::kFloat, at::kDouble, at::kHalf, at::kBFloat16);
    const auto size = GENERATE(1e-4, 1e-3, 1e-2, 1.0, 100.0);
    auto sparse = at::zeros({1'000'000}, type);
    sparse[7] = size;
    CAPTURE(size, c10::toString(type));
    CHECK(compare_outputs(sparse, at::zeros_like(sparse), {}, sparse.to(at::kDouble)).code == fail);
}

TEST_CASE("compare_outputs compares two floating-point dtypes with the tolerance of the coarser", "[libtorch][unit]") {
    struct row {
        at::ScalarType reference, candidate;
        double inside, outside;
    };
    const auto r = GENERATE(values<row>({{at::kFloat, at::kBFloat16, 1.5e-2, 4e-2},
                                         {at::kBFloat16, at::kFloat, 1.5e-2, 4e-2},
                                         {at::kFloat, at::kHalf, 1.5e-3, 4e-3},
                                         {at::kHalf, at::kBFloat16, 1.5e-2, 4e-2},
                                         {at::kDouble, at::kFloat, 1.8e-4, 2.5e-4}}));
    const auto reference = filled(1, 4, r.reference);
    CHECK(compare_outputs(reference, filled(1 + r.inside, 4, r.candidate)).code == pass);
    CHECK(compare_outputs(reference, filled(1 + r.outside, 4, r.candidate)).code == fail);
}

TEST_CASE("compare_outputs takes NaN for equal in half precision or on request", "[libtorch][unit]") {
    CHECK(compare_outputs(filled(not_a_number, 4), filled(not_a_number, 4)).code == fail);
    CHECK(compare_outputs(filled(not_a_number, 4), filled(not_a_number, 4), {.nan = nan_rule::agree}).code == pass);
    CHECK(compare_outputs(filled(not_a_number, 4, at::kBFloat16), filled(not_a_number, 4, at::kBFloat16)).code == pass);
    CHECK(compare_outputs(filled(not_a_number, 4, at::kBFloat16), filled(not_a_number, 4, at::kBFloat16),
                          {.nan = nan_rule::differ})
              .code == fail);
    CHECK(compare_outputs(filled(1, 4), filled(not_a_number, 4), {.nan = nan_rule::agree}, filled(1, 4, at::kDouble))
              .code == fail);
}

TEST_CASE("compare_outputs lets an infinite or undefined value excuse no other value", "[libtorch][unit]") {
    const double special = GENERATE(infinity, -infinity, not_a_number);
    const auto type = GENERATE(at::kFloat, at::kBFloat16);
    const auto with = [&](double other, double at_first) {
        const at::Tensor made = filled(other, 8, type);
        made[0] = at_first;
        return made;
    };
    const at::Tensor exact = with(1, 1).to(at::kDouble), also_special = with(1, special).to(at::kDouble);
    CAPTURE(special, type);
    for (const at::Tensor& in_double : {exact, also_special}) {
        CHECK(compare_outputs({with(1, special)}, {with(7, special)}, {}, {in_double}).code == fail);
        CHECK(compare_outputs({with(1, special)}, {filled(special, 8, type)}, {}, {in_double}).code == fail);
        CHECK(compare_outputs({with(1, 1)}, {with(1, special)}, {}, {exact}).code == fail);
    }
    const bool agree = special == special || type == at::kBFloat16;  // NaN agrees in half precision alone
    CHECK((compare_outputs({with(1, special)}, {with(1, special)}, {}, {also_special}).code == pass) == agree);
}

TEST_CASE("compare_outputs measures the finite values beside infinite ones", "[libtorch][unit]") {
    const auto masked = [](double other, at::ScalarType type) {
        const at::Tensor made = filled(other, 8, type);
        made[0] = -infinity;
        return made;
    };
    // The reference lies 1e-3 from double precision, so a candidate that does so too is right; one that lies 1e-2 from
    // it is not.
    const tensor_list exact{masked(1, at::kDouble)}, reference{masked(1.001, at::kFloat)};
    CHECK(compare_outputs(reference, {masked(0.999, at::kFloat)}, {}, exact).code == pass);
    CHECK(compare_outputs(reference, {masked(0.99, at::kFloat)}, {}, exact).code == fail);
}

TEST_CASE("compare_outputs fails if neither side returned anything", "[libtorch][unit]") {
    for (const tensor_list& nothing : {tensor_list{}, tensor_list{at::Tensor{}}}) {
        const perfspec::verification found = compare_outputs(nothing, nothing);
        CHECK(found.code == fail);
        CHECK_THAT(found.text, ContainsSubstring("there is nothing to compare"));
    }
}

TEST_CASE("compare_outputs passes a finite candidate near double precision where the reference is NaN",
          "[libtorch][unit]") {
    const auto exact = filled(1, 4, at::kDouble);
    CHECK(compare_outputs(filled(not_a_number, 4), filled(1.07, 4), {}, exact).code == pass);
    CHECK(compare_outputs(filled(not_a_number, 4), filled(1.09, 4), {}, exact).code == fail);
}

TEST_CASE("compare_outputs reports error statistics", "[libtorch][unit]") {
    auto candidate = filled(2, 4);
    candidate[1] = 2.5;
    const auto found = compare_outputs(filled(2, 4), candidate);
    CHECK_THAT(statistic(found, "max_abs_error"), WithinRel(0.5, 1e-6));
    CHECK_THAT(statistic(found, "mean_abs_error"), WithinRel(0.125, 1e-6));
    CHECK_THAT(statistic(found, "max_rel_error"), WithinRel(0.25, 1e-6));
    CHECK_THAT(statistic(found, "rmse"), WithinRel(0.25, 1e-6));
    CHECK_THAT(statistic(found, "max_abs_reference"), WithinRel(2.0, 1e-6));
    CHECK_THAT(statistic(found, "tolerance"), WithinRel(1e-4, 1e-6));
}
