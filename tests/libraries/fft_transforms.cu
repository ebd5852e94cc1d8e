// cuFFT against the definition, element by element: lengths of every kind, one to three dimensions,
// real and complex numbers of three precisions, both directions, in place and not, strides,
// distances, batches, gaps, what a capture holds, bad arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fft_check.h"

#include <cmath>
#include <string>
#include <thread>

namespace {

std::string text_of(const Layout& in, const Layout& out, const char* kind) {
  std::string text = kind;
  for (const int size : in.sizes) text += " " + std::to_string(size);
  return text + " batch " + std::to_string(in.batch) + " stride " + std::to_string(in.stride) +
         " to " + std::to_string(out.stride);
}

void expect_result(bool is_right, const std::string& what) {
  ++checks;
  if (!is_right && ++wrong <= 20) std::printf("wrong: %s\n", what.c_str());
}

int length_of(const std::vector<int>& sizes) { return plain(sizes, 1).count(); }

Numbers random_numbers(int count, bool is_real = false) {
  Numbers result(count);
  for (Number& x : result) {
    const double real = fraction();
    x = Number(real, is_real ? 0 : fraction());
  }
  return result;
}

/// What arrays of this precision hold of them.
template <typename Element>
Numbers rounded(const Numbers& numbers) {
  Numbers result;
  for (const Number& x : numbers) {
    Element held;
    narrow(x, held);
    result.push_back(wide(held));
  }
  return result;
}

/// Each array of the batch.
Numbers transformed_batch(const Numbers& x, const std::vector<int>& sizes, int batch,
                          int direction) {
  Numbers result;
  const int count = length_of(sizes);
  for (int b = 0; b < batch; ++b) {
    const Numbers one =
        transformed(Numbers(x.begin() + b * count, x.begin() + (b + 1) * count), sizes, direction);
    result.insert(result.end(), one.begin(), one.end());
  }
  return result;
}

/// The part of a Hermitian array that is stored, of each array of the batch.
Numbers half_of(const Numbers& whole, const std::vector<int>& sizes, int batch) {
  const int last = sizes.back(), half = last / 2 + 1;
  Numbers result;
  for (int line = 0; line < length_of(sizes) / last * batch; ++line)
    for (int i = 0; i < half; ++i) result.push_back(whole[line * last + i]);
  return result;
}

std::vector<int> half_sizes(std::vector<int> sizes) {
  sizes.back() = sizes.back() / 2 + 1;
  return sizes;
}

template <typename T>
void check_complex(const Layout& in, const Layout& out, int direction, bool in_place = false) {
  using Complex = typename Precision<T>::Complex;
  Plan plan;
  make<T>(plan, in, false, out, false, in.sizes);
  const Numbers values = rounded<Complex>(random_numbers(in.count() * in.batch));
  const int size = in_place ? std::max(in.size(), out.size()) : in.size();
  const auto source = spread<Complex>(values, in, size);
  Memory from(source.size() * sizeof(Complex)), to(out.size() * sizeof(Complex));
  from.put(source);
  const auto before = in_place ? source : spread<Complex>({}, {{0}, 0, {0}}, out.size());
  if (!in_place) to.put(before);
  RIGHT(cufftXtExec(plan, from.place, in_place ? from.place : to.place, direction));
  const auto got = (in_place ? from : to).template get<Complex>(before.size());
  const Numbers wanted = transformed_batch(values, in.sizes, in.batch, direction);
  expect_result(is_result(got, before, out, wanted, Precision<T>::rounding, in.count()),
                text_of(in, out, in_place ? "complex in place" : "complex"));
  if (!in_place)
    EXPECT(std::memcmp(from.get<Complex>(size).data(), source.data(), size * sizeof(Complex)) == 0);
  print_bits("complex", got);
}

template <typename T>
void check_from_real(const Layout& in, const Layout& out) {
  using Real = typename Precision<T>::Real;
  using Complex = typename Precision<T>::Complex;
  Plan plan;
  make<T>(plan, in, true, out, false, in.sizes);
  const Numbers values = rounded<Real>(random_numbers(in.count() * in.batch, true));
  const auto source = spread<Real>(values, in, in.size());
  const auto before = spread<Complex>({}, {{0}, 0, {0}}, out.size());
  Memory from(source.size() * sizeof(Real)), to(before.size() * sizeof(Complex));
  from.put(source);
  to.put(before);
  RIGHT(cufftXtExec(plan, from.place, to.place, CUFFT_FORWARD));
  const auto got = to.get<Complex>(before.size());
  const Numbers wanted =
      half_of(transformed_batch(values, in.sizes, in.batch, CUFFT_FORWARD), in.sizes, in.batch);
  expect_result(is_result(got, before, out, wanted, Precision<T>::rounding, in.count()),
                text_of(in, out, "from real"));
  EXPECT(std::memcmp(from.get<Real>(source.size()).data(), source.data(),
                     source.size() * sizeof(Real)) == 0);
  print_bits("from real", got);
}

/// `in` is the layout of the complex numbers, `out` that of the real ones.
template <typename T>
void check_to_real(const Layout& in, const Layout& out) {
  using Real = typename Precision<T>::Real;
  using Complex = typename Precision<T>::Complex;
  Plan plan;
  make<T>(plan, in, false, out, true, out.sizes);
  // Complex numbers of a real array; what is not stored follows from what is.
  const Numbers real = random_numbers(out.count() * out.batch, true);
  const Numbers whole = transformed_batch(real, out.sizes, out.batch, CUFFT_FORWARD);
  const auto source = spread<Complex>(half_of(whole, out.sizes, out.batch), in, in.size());
  const auto before = spread<Real>({}, {{0}, 0, {0}}, out.size());
  Memory from(source.size() * sizeof(Complex)), to(before.size() * sizeof(Real));
  from.put(source);
  to.put(before);
  RIGHT(cufftXtExec(plan, from.place, to.place, CUFFT_INVERSE));
  const auto got = to.get<Real>(before.size());
  Numbers wanted;
  for (const Number& x : real) wanted.push_back(x * static_cast<double>(out.count()));
  expect_result(is_result(got, before, out, wanted, 2 * Precision<T>::rounding, out.count()),
                text_of(in, out, "to real"));
  print_bits("to real", got);
}

const std::vector<int> lengths = {1,   2,   3,   4,   5,   7,   8,   11,  13,  16,   17,
                                  31,  32,  36,  60,  64,  97,  105, 121, 128, 169,  243,
                                  256, 257, 300, 343, 512, 528, 625, 719, 768, 1009, 1024};

template <typename T>
void check_lengths() {
  for (const int n : lengths) {
    const int batch = n > 600 ? 1 : n > 100 ? 3 : 19;
    check_complex<T>(plain({n}, batch), plain({n}, batch), CUFFT_FORWARD);
    check_complex<T>(plain({n}, batch), plain({n}, batch), CUFFT_INVERSE, true);
    check_from_real<T>(plain({n}, batch), plain(half_sizes({n}), batch));
    check_to_real<T>(plain(half_sizes({n}), batch), plain({n}, batch));
  }
}

template <typename T>
void check_layouts() {
  const std::vector<std::vector<int>> shapes = {{12},    {34},     {45},       {4, 6},    {17, 16},
                                                {5, 33}, {16, 16}, {3, 4, 10}, {16, 2, 5}};
  for (const auto& sizes : shapes) {
    const auto half = half_sizes(sizes);
    for (const int batch : {1, 3}) {
      for (const int stride : {1, 2, 3}) {
        check_complex<T>(loose(sizes, batch, stride), plain(sizes, batch), CUFFT_FORWARD);
        check_complex<T>(plain(sizes, batch), loose(sizes, batch, stride), CUFFT_INVERSE);
        check_from_real<T>(loose(sizes, batch, stride), plain(half, batch));
        check_from_real<T>(plain(sizes, batch), loose(half, batch, stride));
        check_to_real<T>(loose(half, batch, stride), plain(sizes, batch));
        check_to_real<T>(plain(half, batch), loose(sizes, batch, stride));
      }
      check_complex<T>(loose(sizes, batch, 2), loose(sizes, batch, 2), CUFFT_INVERSE, true);
    }
    check_complex<T>(across(sizes, 20), across(sizes, 20), CUFFT_FORWARD, true);
    check_complex<T>(across(sizes, 20), plain(sizes, 20), CUFFT_FORWARD);
    check_complex<T>(plain(sizes, 20), across(sizes, 20), CUFFT_INVERSE);
    check_from_real<T>(across(sizes, 20), across(half, 20));
    check_to_real<T>(across(half, 20), across(sizes, 20));
  }
}

/// Lines that are cut, across and along, and dimensions that have a large prime factor.
template <typename T>
void check_dimensions() {
  for (const auto& sizes : std::vector<std::vector<int>>{{1, 1},
                                                         {1, 16},
                                                         {16, 1},
                                                         {19, 23},
                                                         {600, 3},
                                                         {5, 600},
                                                         {578, 2},
                                                         {2, 3, 5},
                                                         {1030, 2},
                                                         {7, 1, 9},
                                                         {2, 530, 2},
                                                         {20, 20, 20}}) {
    check_complex<T>(plain(sizes, 2), plain(sizes, 2), CUFFT_FORWARD);
    check_complex<T>(plain(sizes, 1), plain(sizes, 1), CUFFT_INVERSE, true);
    check_from_real<T>(plain(sizes, 1), plain(half_sizes(sizes), 1));
    check_to_real<T>(plain(half_sizes(sizes), 1), plain(sizes, 1));
  }
}

/// Long lines: a few elements that are not 0, whose transform is known.
template <typename T>
void check_long(int n) {
  using Complex = typename Precision<T>::Complex;
  cufftHandle plan = 0;
  RIGHT(cufftPlan1d(&plan, n, sizeof(T) == 8 ? CUFFT_Z2Z : CUFFT_C2C, 1));
  std::vector<Complex> source(n, Complex{0, 0});
  const std::vector<long long> places = {0, 1, n / 3, n - 2};
  Numbers values = random_numbers(static_cast<int>(places.size()));
  values = rounded<Complex>(values);
  for (std::size_t i = 0; i < places.size(); ++i) narrow(values[i], source[places[i]]);
  Memory memory(n * sizeof(Complex));
  memory.put(source);
  RIGHT(cufftXtExec(plan, memory.place, memory.place, CUFFT_INVERSE));
  const auto got = memory.get<Complex>(n);
  Numbers own, wanted;
  for (long long k = 0; k < n; k += k < 2000 ? 1 : 37) {
    Number sum = 0;
    for (std::size_t i = 0; i < places.size(); ++i)
      sum += values[i] * std::polar(1.0, 2 * M_PI * static_cast<double>(k * places[i] % n) / n);
    own.push_back(wide(got[k]));
    wanted.push_back(sum);
  }
  expect_result(is_close(own, wanted, Precision<T>::rounding, n), "long " + std::to_string(n));
  print_bits("long", got);
  RIGHT(cufftDestroy(plan));
}

/// Calls of every form, of one and the same transform.
template <typename T, typename Plans, typename Exec>
void check_same(const std::vector<int>& sizes, int batch, Plans plans, Exec exec) {
  using Complex = typename Precision<T>::Complex;
  const Layout layout = plain(sizes, batch);
  const Numbers values = rounded<Complex>(random_numbers(layout.count() * batch));
  const auto source = spread<Complex>(values, layout, layout.size());
  Memory from(source.size() * sizeof(Complex)), to(source.size() * sizeof(Complex));
  from.put(source);
  cufftHandle plan = 0;
  RIGHT(plans(&plan));
  RIGHT(exec(plan, static_cast<Complex*>(from.place), static_cast<Complex*>(to.place)));
  expect_result(is_result(to.get<Complex>(source.size()), source, layout,
                          transformed_batch(values, sizes, batch, CUFFT_INVERSE),
                          Precision<T>::rounding, layout.count()),
                text_of(layout, layout, "calls"));
  RIGHT(cufftDestroy(plan));
}

void check_calls() {
  const auto single = [](cufftHandle plan, float2* in, float2* out) {
    return cufftExecC2C(plan, in, out, CUFFT_INVERSE);
  };
  const auto twice = [](cufftHandle plan, double2* in, double2* out) {
    return cufftExecZ2Z(plan, in, out, CUFFT_INVERSE);
  };
  int sizes[] = {6, 10};
  check_same<float>({30}, 5, [](auto* p) { return cufftPlan1d(p, 30, CUFFT_C2C, 5); }, single);
  check_same<float>({6, 10}, 1, [](auto* p) { return cufftPlan2d(p, 6, 10, CUFFT_C2C); }, single);
  check_same<double>(
      {2, 3, 4}, 1, [](auto* p) { return cufftPlan3d(p, 2, 3, 4, CUFFT_Z2Z); }, twice);
  check_same<double>(
      {6, 10}, 3,
      [&](auto* p) {
        return cufftPlanMany(p, 2, sizes, nullptr, 7, 7, nullptr, 7, 7, CUFFT_Z2Z, 3);
      },
      twice);
  int wide[] = {7, 11};
  check_same<double>(
      {6, 10}, 3,
      [&](auto* p) {
        return cufftPlanMany(p, 2, sizes, wide, 2, 200, nullptr, 7, 7, CUFFT_Z2Z, 3);
      },
      twice);
  check_same<double>(
      {6, 10}, 3,
      [&](auto* p) {
        return cufftPlanMany(p, 2, sizes, nullptr, 2, 200, wide, 3, 300, CUFFT_Z2Z, 3);
      },
      twice);
  check_same<float>(
      {30}, 5,
      [](auto* p) {
        std::size_t size = 0, estimated = 1, measured = 2;
        const bool is_created = cufftCreate(p) == CUFFT_SUCCESS;
        EXPECT(cufftEstimate1d(30, CUFFT_C2C, 5, &estimated) == CUFFT_SUCCESS);
        EXPECT(cufftGetSize1d(*p, 30, CUFFT_C2C, 5, &measured) == CUFFT_SUCCESS);
        EXPECT(cufftMakePlan1d(*p, 30, CUFFT_C2C, 5, &size) == CUFFT_SUCCESS);
        EXPECT(size == estimated && size == measured);
        return is_created ? CUFFT_SUCCESS : CUFFT_INTERNAL_ERROR;
      },
      single);
  check_same<float>(
      {1030, 2}, 1,
      [](auto* p) {
        std::size_t size = 0, estimated = 1, measured = 2, got = 3;
        EXPECT(cufftCreate(p) == CUFFT_SUCCESS);
        EXPECT(cufftEstimate2d(1030, 2, CUFFT_C2C, &estimated) == CUFFT_SUCCESS);
        EXPECT(cufftGetSize2d(*p, 1030, 2, CUFFT_C2C, &measured) == CUFFT_SUCCESS);
        EXPECT(cufftMakePlan2d(*p, 1030, 2, CUFFT_C2C, &size) == CUFFT_SUCCESS);
        EXPECT(cufftGetSize(*p, &got) == CUFFT_SUCCESS);
        EXPECT(size == estimated && size == measured && size == got && size > 0);
        return CUFFT_SUCCESS;
      },
      single);
  check_same<double>(
      {2, 3, 4}, 1,
      [](auto* p) {
        std::size_t size = 0, estimated = 1, measured = 2;
        EXPECT(cufftCreate(p) == CUFFT_SUCCESS);
        EXPECT(cufftEstimate3d(2, 3, 4, CUFFT_Z2Z, &estimated) == CUFFT_SUCCESS);
        EXPECT(cufftGetSize3d(*p, 2, 3, 4, CUFFT_Z2Z, &measured) == CUFFT_SUCCESS);
        EXPECT(cufftMakePlan3d(*p, 2, 3, 4, CUFFT_Z2Z, &size) == CUFFT_SUCCESS);
        EXPECT(size == estimated && size == measured);
        return CUFFT_SUCCESS;
      },
      twice);
  check_same<double>(
      {6, 10}, 3,
      [&](auto* p) {
        std::size_t size = 0, estimated = 1, measured = 2;
        EXPECT(cufftCreate(p) == CUFFT_SUCCESS);
        EXPECT(cufftEstimateMany(2, sizes, nullptr, 1, 1, nullptr, 1, 1, CUFFT_Z2Z, 3,
                                 &estimated) == CUFFT_SUCCESS);
        EXPECT(cufftGetSizeMany(*p, 2, sizes, nullptr, 1, 1, nullptr, 1, 1, CUFFT_Z2Z, 3,
                                &measured) == CUFFT_SUCCESS);
        EXPECT(cufftMakePlanMany(*p, 2, sizes, nullptr, 1, 1, nullptr, 1, 1, CUFFT_Z2Z, 3, &size) ==
               CUFFT_SUCCESS);
        EXPECT(size == estimated && size == measured);
        return CUFFT_SUCCESS;
      },
      twice);
  check_same<double>(
      {6, 10}, 3,
      [&](auto* p) {
        long long n[] = {6, 10};
        std::size_t size = 0, measured = 2;
        EXPECT(cufftCreate(p) == CUFFT_SUCCESS);
        EXPECT(cufftGetSizeMany64(*p, 2, n, nullptr, 1, 1, nullptr, 1, 1, CUFFT_Z2Z, 3,
                                  &measured) == CUFFT_SUCCESS);
        EXPECT(cufftMakePlanMany64(*p, 2, n, n, 1, 60, n, 1, 60, CUFFT_Z2Z, 3, &size) ==
               CUFFT_SUCCESS);
        EXPECT(size == measured);
        return CUFFT_SUCCESS;
      },
      twice);
}

/// Without layouts of the program's: arrays that are transformed in place have room at the end of
/// each line.
template <typename T, typename FromReal, typename ToReal>
void check_real_in_place(const std::vector<int>& sizes, int batch, cufftType from_real_type,
                         cufftType to_real_type, FromReal from_real, ToReal to_real) {
  using Real = typename Precision<T>::Real;
  using Complex = typename Precision<T>::Complex;
  std::vector<int> n = sizes, padded = sizes;
  padded.back() = 2 * (padded.back() / 2 + 1);
  Layout real = {sizes, batch, padded, 1, plain(padded, 1).count()};
  const Layout half = plain(half_sizes(sizes), batch);
  const Numbers values = rounded<Real>(random_numbers(real.count() * batch, true));
  const int size = half.size() * 2;
  Memory memory(size * sizeof(Real));
  memory.put(spread<Real>(values, real, size));
  cufftHandle forward = 0, back = 0;
  const int rank = static_cast<int>(n.size());
  RIGHT(
      cufftPlanMany(&forward, rank, n.data(), nullptr, 1, 0, nullptr, 1, 0, from_real_type, batch));
  RIGHT(cufftPlanMany(&back, rank, n.data(), nullptr, 1, 0, nullptr, 1, 0, to_real_type, batch));
  RIGHT(from_real(forward, static_cast<Real*>(memory.place), static_cast<Complex*>(memory.place)));
  const auto spectrum = memory.get<Complex>(half.size());
  const Numbers wanted =
      half_of(transformed_batch(values, sizes, batch, CUFFT_FORWARD), sizes, batch);
  expect_result(is_result(spectrum, spectrum, half, wanted, Precision<T>::rounding, real.count()),
                text_of(real, half, "from real in place"));
  RIGHT(to_real(back, static_cast<Complex*>(memory.place), static_cast<Real*>(memory.place)));
  Numbers scaled;
  for (const Number& x : values) scaled.push_back(x * static_cast<double>(real.count()));
  const auto got = memory.get<Real>(size);
  expect_result(is_result(got, got, real, scaled, 2 * Precision<T>::rounding, real.count()),
                text_of(half, real, "to real in place"));
  print_bits("real in place", spectrum);
  RIGHT(cufftDestroy(forward));
  RIGHT(cufftDestroy(back));
}

void check_real_in_place() {
  for (const auto& sizes :
       std::vector<std::vector<int>>{{8}, {9}, {600}, {6, 10}, {5, 7}, {3, 4, 6}}) {
    for (const int batch : {1, 18}) {
      if (batch > 1 && sizes[0] == 600) continue;
      check_real_in_place<float>(sizes, batch, CUFFT_R2C, CUFFT_C2R, cufftExecR2C, cufftExecC2R);
      check_real_in_place<double>(sizes, batch, CUFFT_D2Z, CUFFT_Z2D, cufftExecD2Z, cufftExecZ2D);
    }
  }
}

/// Many lines and many groups: more than a grid has blocks along an axis.
void check_many() {
  constexpr int batch = 70001;
  check_complex<float>(plain({2}, batch), plain({2}, batch), CUFFT_FORWARD);
  check_complex<float>(plain({2, 2}, batch), plain({2, 2}, batch), CUFFT_FORWARD);
}

/// What a NaN or an infinite number is in stays in its line.
void check_not_finite() {
  constexpr int n = 24, batch = 20;
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {infinity, std::numeric_limits<double>::quiet_NaN()}) {
    const Layout layout = plain({n}, batch);
    Numbers values = random_numbers(n * batch, true);
    values[5 * n + 3] = bad;
    Memory from(n * batch * 8), to(n * batch * 16);
    from.put(spread<double>(values, layout, layout.size()));
    cufftHandle plan = 0;
    RIGHT(cufftPlan1d(&plan, n, CUFFT_D2Z, batch));
    RIGHT(cufftExecD2Z(plan, static_cast<double*>(from.place), static_cast<double2*>(to.place)));
    const auto got = to.get<double2>((n / 2 + 1) * batch);
    bool others = true, own = false;
    for (int i = 0; i < (n / 2 + 1) * batch; ++i) {
      const bool is_finite = std::isfinite(got[i].x) && std::isfinite(got[i].y);
      if (i / (n / 2 + 1) == 5)
        own = own || !is_finite;
      else
        others = others && is_finite;
    }
    EXPECT(others && own);
    RIGHT(cufftDestroy(plan));
  }
}

/// On a stream that captures, with a work area of the program's; the graph runs twice.
void check_capture() {
  constexpr int n = 1030 * 6;
  const Layout layout = plain({n}, 2);
  const Numbers values = rounded<float2>(random_numbers(2 * n));
  const auto source = spread<float2>(values, layout, layout.size());
  Memory from(source.size() * 8), to(source.size() * 8);
  from.put(source);
  Plan plan;
  std::size_t size = 0;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t runnable;
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
  RIGHT(cufftSetAutoAllocation(plan, 0));
  RIGHT(cufftMakePlan1d(plan, n, CUFFT_C2C, 2, &size));
  EXPECT(size > 0);
  RIGHT(cufftSetStream(plan, stream));
  const auto run = [&] {
    return cufftExecC2C(plan, static_cast<float2*>(from.place), static_cast<float2*>(to.place),
                        CUFFT_INVERSE);
  };
  EXPECT(run() == CUFFT_NO_WORKSPACE);
  Memory work(size);
  RIGHT(cufftSetWorkArea(plan, work.place));
  EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  RIGHT(run());
  EXPECT(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  EXPECT(cudaGraphInstantiate(&runnable, graph, nullptr, nullptr, 0) == cudaSuccess);
  const Numbers wanted = transformed_batch(values, {n}, 2, CUFFT_INVERSE);
  for (int i = 0; i < 2; ++i) {
    to.put(std::vector<float2>(source.size()));
    EXPECT(cudaGraphLaunch(runnable, stream) == cudaSuccess);
    EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
    expect_result(is_result(to.get<float2>(source.size()), source, layout, wanted,
                            Precision<float>::rounding, n),
                  "captured");
  }
  EXPECT(cudaGraphExecDestroy(runnable) == cudaSuccess);
  EXPECT(cudaGraphDestroy(graph) == cudaSuccess);
  EXPECT(cudaStreamDestroy(stream) == cudaSuccess);
}

/// One plan in several threads, each with its own arrays.
void check_threads() {
  constexpr int n = 192;
  cufftHandle plan = 0;
  RIGHT(cufftPlan1d(&plan, n, CUFFT_C2C, 1));
  bool right[4] = {};
  std::vector<std::thread> threads;
  const Numbers values = rounded<float2>(random_numbers(n));
  const Numbers wanted = transformed(values, {n}, CUFFT_FORWARD);
  for (bool& is_right : right)
    threads.emplace_back([&] {
      const Layout layout = plain({n}, 1);
      const auto source = spread<float2>(values, layout, n);
      Memory memory(n * 8);
      memory.put(source);
      const auto place = static_cast<float2*>(memory.place);
      const bool done = cufftExecC2C(plan, place, place, CUFFT_FORWARD) == CUFFT_SUCCESS;
      is_right = done && is_result(memory.get<float2>(n), source, layout, wanted,
                                   Precision<float>::rounding, n);
    });
  for (std::thread& thread : threads) thread.join();
  for (const bool is_right : right) EXPECT(is_right);
  RIGHT(cufftDestroy(plan));
}

/// Arrays that the library allocates: as programs for several GPUs have them.
void check_descriptors() {
  constexpr int n = 600;
  const Layout layout = plain({n}, 3);
  const Numbers values = rounded<float2>(random_numbers(3 * n));
  const auto source = spread<float2>(values, layout, layout.size());
  const Numbers wanted = transformed_batch(values, {n}, 3, CUFFT_FORWARD);
  Plan plan;
  int devices[] = {0}, no_devices[] = {1000};
  std::size_t size = 0;
  EXPECT(cufftXtSetGPUs(plan, 1, no_devices) == CUFFT_INVALID_DEVICE);
  EXPECT(cufftXtSetGPUs(plan, 0, devices) == CUFFT_INVALID_VALUE);
  RIGHT(cufftXtSetGPUs(plan, 1, devices));
  cudaLibXtDesc *one = nullptr, *two = nullptr;
  EXPECT(cufftXtMalloc(plan, &one, CUFFT_XT_FORMAT_INPLACE) == CUFFT_INVALID_PLAN);
  RIGHT(cufftMakePlan1d(plan, n, CUFFT_C2C, 3, &size));
  RIGHT(cufftXtMalloc(plan, &one, CUFFT_XT_FORMAT_INPLACE));
  RIGHT(cufftXtMalloc(plan, &two, CUFFT_XT_FORMAT_OUTPUT));
  EXPECT(one->descriptor->nGPUs == 1 && one->descriptor->size[0] == source.size() * 8);
  EXPECT(one->subFormat == CUFFT_XT_FORMAT_INPLACE && one->library == LIB_FORMAT_CUFFT);
  auto got = source;
  const auto is_right = [&] {
    return is_result(got, source, layout, wanted, Precision<float>::rounding, n);
  };
  RIGHT(cufftXtMemcpy(plan, one, got.data(), CUFFT_COPY_HOST_TO_DEVICE));
  RIGHT(cufftXtExecDescriptorC2C(plan, one, two, CUFFT_FORWARD));
  RIGHT(cufftXtMemcpy(plan, got.data(), two, CUFFT_COPY_DEVICE_TO_HOST));
  expect_result(is_right(), "descriptors");
  RIGHT(cufftXtExecDescriptor(plan, one, one, CUFFT_FORWARD));
  RIGHT(cufftXtMemcpy(plan, two, one, CUFFT_COPY_DEVICE_TO_DEVICE));
  got = std::vector<float2>(source.size());
  RIGHT(cufftXtMemcpy(plan, got.data(), two, CUFFT_COPY_DEVICE_TO_HOST));
  expect_result(is_right(), "descriptors in place");
  EXPECT(cufftXtExecDescriptorR2C(plan, one, two) == CUFFT_INVALID_TYPE);
  EXPECT(cufftXtExecDescriptorC2C(plan, one, nullptr, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
  EXPECT(cufftXtMemcpy(plan, got.data(), got.data(), CUFFT_COPY_DEVICE_TO_HOST) ==
         CUFFT_INVALID_VALUE);
  RIGHT(cufftXtFree(one));
  EXPECT(cufftXtFree(one) == CUFFT_INVALID_VALUE);
  EXPECT(cufftXtExecDescriptor(plan, one, two, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
  RIGHT(cufftXtFree(two));
}

/// Arrays in parts: slabs of the first axis, after a transform in place of the second.
void check_parts() {
  constexpr int x = 7, y = 5, z = 6, parts = 2, count = x * y * z;
  const Layout layout = plain({x, y, z}, 1);
  const Numbers values = rounded<float2>(random_numbers(count));
  const auto source = spread<float2>(values, layout, layout.size());
  const Numbers wanted = transformed_batch(values, {x, y, z}, 1, CUFFT_FORWARD);
  Plan plan;
  int devices[parts] = {0, 0};
  std::size_t sizes[parts + 1] = {1, 1, 77};
  RIGHT(cufftXtSetGPUs(plan, parts, devices));
  RIGHT(cufftMakePlan3d(plan, x, y, z, CUFFT_C2C, sizes));
  EXPECT(sizes[parts - 1] == 0 && sizes[parts] == 77);
  cudaLibXtDesc *one = nullptr, *two = nullptr;
  RIGHT(cufftXtMalloc(plan, &one, CUFFT_XT_FORMAT_INPLACE));
  RIGHT(cufftXtMalloc(plan, &two, CUFFT_XT_FORMAT_INPLACE));
  RIGHT(cufftXtMemcpy(plan, one, const_cast<float2*>(source.data()), CUFFT_COPY_HOST_TO_DEVICE));
  const auto elements = [](cudaLibXtDesc* array, int part) {
    std::vector<float2> got(array->descriptor->size[part] / sizeof(float2));
    EXPECT(cudaMemcpy(got.data(), array->descriptor->data[part], array->descriptor->size[part],
                      cudaMemcpyDeviceToHost) == cudaSuccess);
    return got;
  };
  EXPECT(one->descriptor->nGPUs == parts && elements(one, 0).size() == 4 * y * z);
  EXPECT(elements(one, 1).size() == 3 * y * z && elements(one, 1)[3].x == source[4 * y * z + 3].x);
  RIGHT(cufftXtExecDescriptorC2C(plan, one, one, CUFFT_FORWARD));
  EXPECT(one->subFormat == CUFFT_XT_FORMAT_INPLACE_SHUFFLED);
  auto got = source;
  const auto is_right = [&] {
    return is_result(got, source, layout, wanted, Precision<float>::rounding, count);
  };
  for (int part = 0, first = 0; part < parts; ++part) {
    const auto slab = elements(one, part);
    const int lines = part == 0 ? 3 : 2;
    EXPECT(slab.size() == std::size_t(x * lines * z));
    for (int i = 0; i < x; ++i)
      for (int j = 0; j < lines; ++j)
        for (int k = 0; k < z; ++k)
          got[(i * y + first + j) * z + k] = slab.at((i * lines + j) * z + k);
    first += lines;
  }
  expect_result(is_right(), "parts after a transform");
  got.assign(source.size(), {});
  RIGHT(cufftXtMemcpy(plan, got.data(), one, CUFFT_COPY_DEVICE_TO_HOST));
  expect_result(is_right(), "parts on the host");
  RIGHT(cufftXtMemcpy(plan, two, one, CUFFT_COPY_DEVICE_TO_DEVICE));
  EXPECT(two->subFormat == CUFFT_XT_FORMAT_INPLACE);
  const auto first = elements(two, 0), second = elements(two, 1);
  std::copy(second.begin(), second.end(), std::copy(first.begin(), first.end(), got.begin()));
  expect_result(is_right(), "parts in natural order");
  RIGHT(cufftXtExecDescriptorC2C(plan, one, one, CUFFT_INVERSE));
  EXPECT(one->subFormat == CUFFT_XT_FORMAT_INPLACE && elements(one, 0).size() == 4 * y * z);
  RIGHT(cufftXtMemcpy(plan, got.data(), one, CUFFT_COPY_DEVICE_TO_HOST));
  bool is_back = true;
  for (int i = 0; i < count; ++i)
    is_back &= std::abs(got[i].x / count - source[i].x) < 1e-5 &&
               std::abs(got[i].y / count - source[i].y) < 1e-5;
  EXPECT(is_back);
  RIGHT(cufftXtFree(one));
  RIGHT(cufftXtFree(two));

  Plan line;
  RIGHT(cufftXtSetGPUs(line, parts, devices));
  RIGHT(cufftMakePlan1d(line, 601, CUFFT_C2C, 1, sizes));
  RIGHT(cufftXtMalloc(line, &one, CUFFT_XT_FORMAT_INPLACE));
  EXPECT(one->descriptor->size[0] == 301 * 8 && one->descriptor->size[1] == 300 * 8);
  RIGHT(cufftXtFree(one));
}

struct Scaling {
  float factor;
  float* outside;  // where elements are stored
};
__device__ float2 load_scaled(void* in, std::size_t offset, void* information, void*) {
  const float2 x = static_cast<float2*>(in)[offset];
  const float factor = static_cast<Scaling*>(information)->factor;
  return {x.x * factor, x.y * factor};
}
__device__ void store_twice(void* out, std::size_t offset, float2 x, void* information, void*) {
  static_cast<float2*>(out)[offset] = x;
  static_cast<Scaling*>(information)->outside[offset] = x.x;
}
__device__ double load_whole(void* in, std::size_t offset, void*, void* shared) {
  static_cast<short*>(shared)[threadIdx.x] = static_cast<short*>(in)[offset];
  return static_cast<short*>(shared)[threadIdx.x];
}
__device__ cufftCallbackLoadC load_scaled_here = load_scaled;
__device__ cufftCallbackStoreC store_twice_here = store_twice;
__device__ cufftCallbackLoadD load_whole_here = load_whole;

/// In place, with gaps; and integers that are transformed.
void check_callbacks() {
  const Layout layout = loose({6, 10}, 3, 2);
  const Numbers values = rounded<float2>(random_numbers(layout.count() * 3));
  const auto source = spread<float2>(values, layout, layout.size());
  Memory memory(source.size() * 8), outside(source.size() * 4), information(sizeof(Scaling));
  memory.put(source);
  information.put(std::vector<Scaling>{{4, static_cast<float*>(outside.place)}});
  Plan plan;
  cufftCallbackLoadC load = nullptr;
  cufftCallbackStoreC store = nullptr;
  EXPECT(cudaMemcpyFromSymbol(&load, load_scaled_here, sizeof load) == cudaSuccess);
  EXPECT(cudaMemcpyFromSymbol(&store, store_twice_here, sizeof store) == cudaSuccess);
  const auto at = [](auto& function) { return reinterpret_cast<void**>(&function); };
  EXPECT(cufftXtSetCallback(plan, at(load), CUFFT_CB_LD_COMPLEX, &information.place) ==
         CUFFT_INVALID_PLAN);
  make<float>(plan, layout, false, layout, false, layout.sizes);
  EXPECT(cufftXtSetCallback(plan, at(load), CUFFT_CB_LD_REAL, &information.place) ==
         CUFFT_INVALID_TYPE);
  EXPECT(cufftXtSetCallback(plan, nullptr, CUFFT_CB_LD_COMPLEX, &information.place) ==
         CUFFT_INVALID_VALUE);
  RIGHT(cufftXtSetCallback(plan, at(load), CUFFT_CB_LD_COMPLEX, &information.place));
  RIGHT(cufftXtSetCallback(plan, at(store), CUFFT_CB_ST_COMPLEX, &information.place));
  RIGHT(cufftXtExec(plan, memory.place, memory.place, CUFFT_FORWARD));
  Numbers wanted = transformed_batch(values, layout.sizes, 3, CUFFT_FORWARD);
  for (Number& x : wanted) x *= 4;
  const auto got = memory.get<float2>(source.size());
  expect_result(is_result(got, source, layout, wanted, Precision<float>::rounding, 60),
                "callbacks");
  const auto parts = outside.get<float>(source.size());
  for (int b = 0; b < 3; ++b)
    for (int i = 0; i < layout.count(); ++i)
      EXPECT(same_bits(parts[layout.place(b, i)], got[layout.place(b, i)].x));
  RIGHT(cufftXtClearCallback(plan, CUFFT_CB_LD_COMPLEX));
  RIGHT(cufftXtClearCallback(plan, CUFFT_CB_ST_COMPLEX));
  memory.put(source);
  RIGHT(cufftXtExec(plan, memory.place, memory.place, CUFFT_FORWARD));
  for (Number& x : wanted) x /= 4;
  expect_result(is_result(memory.get<float2>(source.size()), source, layout, wanted,
                          Precision<float>::rounding, 60),
                "callbacks that were cleared");

  constexpr int n = 45;
  std::vector<short> whole(n);
  Numbers integers;
  for (short& x : whole) {
    x = static_cast<short>(std::rand() % 1000 - 500);
    integers.push_back(x);
  }
  Memory in(2 * n), out(16 * n);
  in.put(whole);
  cufftHandle real = 0;
  cufftCallbackLoadD load_integer = nullptr;
  EXPECT(cudaMemcpyFromSymbol(&load_integer, load_whole_here, sizeof load_integer) == cudaSuccess);
  RIGHT(cufftPlan1d(&real, n, CUFFT_D2Z, 1));
  RIGHT(cufftXtSetCallback(real, at(load_integer), CUFFT_CB_LD_REAL_DOUBLE, nullptr));
  RIGHT(cufftXtSetCallbackSharedSize(real, CUFFT_CB_LD_REAL_DOUBLE, 256));
  EXPECT(cufftXtSetCallbackSharedSize(real, CUFFT_CB_LD_REAL_DOUBLE, 100000) ==
         CUFFT_INVALID_VALUE);
  RIGHT(cufftExecD2Z(real, static_cast<double*>(in.place), static_cast<double2*>(out.place)));
  const Layout half = plain({n / 2 + 1}, 1);
  const auto spectrum = out.get<double2>(half.size());
  expect_result(is_result(spectrum, spectrum, half,
                          half_of(transformed(integers, {n}, CUFFT_FORWARD), {n}, 1),
                          Precision<double>::rounding, n),
                "callback of integers");
  RIGHT(cufftDestroy(real));
}

/// The comparison notices what a wrong transform would do.
void check_twins() {
  constexpr int n = 60;
  const Numbers values = random_numbers(n);
  const Numbers right = transformed(values, {n}, CUFFT_FORWARD);
  const double rounding = Precision<float>::rounding;
  EXPECT(is_close(right, right, rounding, n));
  Numbers twin = right;
  twin[17] *= 1 + 1e-5;
  EXPECT(!is_close(twin, right, rounding, n));
  twin = right;
  std::swap(twin[3], twin[4]);
  EXPECT(!is_close(twin, right, rounding, n));
  EXPECT(!is_close(transformed(values, {n}, CUFFT_INVERSE), right, rounding, n));
  twin = right;
  twin[n - 1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT(!is_close(twin, right, rounding, n));
  const Layout layout = loose({n}, 1, 2);
  const auto before = spread<double2>(right, layout, layout.size());
  auto after = before;
  EXPECT(is_result(after, before, layout, right, rounding, n));
  after[1].x = 0;  // in a gap
  EXPECT(!is_result(after, before, layout, right, rounding, n));
}

void check_refusals() {
  cufftHandle plan = -1;
  std::size_t size = 0;
  int n[] = {8, 8, 8, 8}, zero[] = {8, 0};
  long long wide_n[] = {12};
  EXPECT(cufftPlan1d(nullptr, 8, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
  EXPECT(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
  EXPECT(cufftPlan1d(&plan, -8, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
  EXPECT(cufftPlan1d(&plan, 8, CUFFT_C2C, 0) == CUFFT_INVALID_SIZE);
  EXPECT(cufftPlan1d(&plan, 8, static_cast<cufftType>(7), 1) == CUFFT_INVALID_TYPE);
  EXPECT(cufftPlan2d(&plan, 8, 0, CUFFT_C2C) == CUFFT_INVALID_SIZE);
  EXPECT(cufftPlan3d(&plan, 8, 8, -1, CUFFT_C2C) == CUFFT_INVALID_SIZE);
  EXPECT(cufftPlan3d(&plan, 2147483647, 2147483647, 2147483647, CUFFT_C2C) == CUFFT_INVALID_SIZE);
  EXPECT(cufftPlanMany(&plan, 0, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1) ==
         CUFFT_INVALID_VALUE);
  EXPECT(cufftPlanMany(&plan, 4, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1) ==
         CUFFT_INVALID_VALUE);
  EXPECT(cufftPlanMany(&plan, 1, nullptr, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1) ==
         CUFFT_INVALID_VALUE);
  EXPECT(cufftPlanMany(&plan, 2, n, n, 0, 64, n, 1, 64, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
  EXPECT(cufftPlanMany(&plan, 2, n, n, 1, 64, zero, 1, 64, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
  EXPECT(plan == -1);
  long long huge[] = {8, 1ll << 31, 1ll << 31}, few[] = {8, 8, 8};
  RIGHT(cufftCreate(&plan));
  EXPECT(cufftMakePlanMany64(plan, 3, few, huge, 1, 1, few, 1, 512, CUFFT_C2C, 1, &size) ==
         CUFFT_INVALID_VALUE);
  EXPECT(cufftMakePlanMany64(plan, 3, few, few, 1, 512, huge, 1, 1, CUFFT_C2C, 1, &size) ==
         CUFFT_INVALID_VALUE);
  RIGHT(cufftDestroy(plan));
  plan = -1;
  EXPECT(cufftEstimate1d(8, CUFFT_C2C, 1, nullptr) == CUFFT_INVALID_VALUE);
  EXPECT(cufftEstimate2d(8, 0, CUFFT_C2C, &size) == CUFFT_INVALID_SIZE);
  EXPECT(cufftGetSize1d(12345, 8, CUFFT_C2C, 1, &size) == CUFFT_INVALID_PLAN);
  EXPECT(cufftMakePlan1d(12345, 8, CUFFT_C2C, 1, &size) == CUFFT_INVALID_PLAN);
  Memory memory(8 * 16);
  const auto place = static_cast<float2*>(memory.place);
  EXPECT(cufftExecC2C(12345, place, place, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  EXPECT(cufftXtExec(12345, place, place, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  Plan own;
  EXPECT(cufftGetSize(own, &size) == CUFFT_INVALID_PLAN);
  EXPECT(cufftExecC2C(own, place, place, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  EXPECT(cufftXtMakePlanMany(own, 1, wide_n, nullptr, 1, 0, CUDA_C_32F, nullptr, 1, 0, CUDA_C_64F,
                             1, &size, CUDA_C_32F) == CUFFT_INVALID_TYPE);
  EXPECT(cufftXtMakePlanMany(own, 1, wide_n, nullptr, 1, 0, CUDA_C_16F, nullptr, 1, 0, CUDA_C_16F,
                             1, &size, CUDA_C_16F) == CUFFT_INVALID_SIZE);
  RIGHT(cufftMakePlan1d(own, 8, CUFFT_C2C, 1, nullptr));
  EXPECT(cufftMakePlan1d(own, 8, CUFFT_C2C, 1, nullptr) == CUFFT_INVALID_PLAN);
  EXPECT(cufftExecC2C(own, nullptr, place, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
  EXPECT(cufftExecC2C(own, place, nullptr, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
  EXPECT(cufftExecC2C(own, place, place, 0) == CUFFT_INVALID_VALUE);
  EXPECT(cufftExecR2C(own, reinterpret_cast<float*>(place), place) == CUFFT_INVALID_TYPE);
  EXPECT(cufftExecZ2Z(own, reinterpret_cast<double2*>(place), reinterpret_cast<double2*>(place),
                      CUFFT_FORWARD) == CUFFT_INVALID_TYPE);
  EXPECT(cudaGetLastError() == cudaSuccess);
}

}  // namespace

int main() {
  check_twins();
  check_lengths<float>();
  check_lengths<double>();
  check_layouts<float>();
  check_layouts<double>();
  check_dimensions<float>();
  check_dimensions<double>();
  for (const int n : {16, 256, 1024}) {
    check_complex<__half>(plain({n}, 3), plain({n}, 3), CUFFT_FORWARD);
    check_from_real<__half>(plain({n}, 3), plain(half_sizes({n}), 3));
    check_to_real<__half>(plain(half_sizes({n}), 3), plain({n}, 3));
  }
  check_complex<__half>(loose({4, 8}, 2, 3), loose({4, 8}, 2, 2), CUFFT_INVERSE);
  check_from_real<__half>(loose({4, 8}, 2, 3), loose({4, 5}, 2, 2));
  check_to_real<__half>(loose({4, 5}, 2, 3), loose({4, 8}, 2, 2));
  for (const int n : {4096, 6000, 8192, 10007, 65536, 98304, 117649}) {
    if (has_few() && n > 10007) continue;
    check_long<float>(n);
    check_long<double>(n);
  }
  check_calls();
  check_real_in_place();
  check_many();
  check_not_finite();
  check_capture();
  check_threads();
  check_descriptors();
  check_parts();
  check_callbacks();
  check_refusals();
  return finish();
}
