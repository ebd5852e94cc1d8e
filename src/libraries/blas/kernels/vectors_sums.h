// Sums over vectors, and searches in them: the kernels. Included by a file for each group of
// element types. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector is cut into chunks at fixed places. A block makes one value of each chunk, and another
// one makes the result of these; of a short vector one block makes the result at once. So the order
// of all operations follows from the count alone.
#pragma once

#include "libraries/blas/kernels/vectors_kernels.h"
#include "libraries/support/home.h"

#include <type_traits>

namespace gridspan::libraries::blas {
namespace detail {

constexpr int chunk = 16384;

/// Elements that one block takes, instead of two launches. A block is a small part of a GPU.
inline std::int64_t most_at_once() { return is_home_on_gpu() ? chunk / 2 : 4 * chunk; }

/// Of a block: so many that a CPU with AVX-512 has a value of each in registers, and reads a chunk
/// once, along its memory.
template <typename Value>
constexpr unsigned threads = sizeof(Value) == 4 ? 256 : 128;

/// The type of a number's size.
template <typename T>
struct RealType : WideType<T> {};
template <>
struct RealType<cuComplex> {
  using type = float;
};
template <>
struct RealType<cuDoubleComplex> {
  using type = double;
};
template <typename T>
using Real = typename RealType<T>::type;

template <typename T>
constexpr bool is_complex = std::is_same_v<T, cuComplex> || std::is_same_v<T, cuDoubleComplex>;

__device__ inline float absolute(float x) { return fabsf(x); }
__device__ inline double absolute(double x) { return fabs(x); }
__device__ inline float absolute(cuComplex x) { return fabsf(x.x) + fabsf(x.y); }
__device__ inline double absolute(cuDoubleComplex x) { return fabs(x.x) + fabs(x.y); }
__device__ inline float absolute(__half x) { return fabsf(__half2float(x)); }
__device__ inline float absolute(__nv_bfloat16 x) { return fabsf(__bfloat162float(x)); }

// --- operations: how a value takes in an element, how two values become one, what is asked for.
// Values go by reference: two floats that are passed by value are one number to LLVM, which is
// never a lane's.

template <typename T>
struct Plus {
  using Value = T;
  __device__ static Value nothing() { return 0; }
  __device__ static void combine(Value& a, const Value& b) { a += b; }
  template <typename Out>
  __device__ static void give(const Value& value, Out& result) {
    result = Conversion<Out, Value>::of(value);
  }
};
template <typename Complex>
struct ComplexPlus {
  using Value = Complex;
  __device__ static Value nothing() { return {0, 0}; }
  __device__ static void combine(Value& a, const Value& b) {
    a.x += b.x;
    a.y += b.y;
  }
  __device__ static void give(const Value& value, Value& result) { result = value; }
};

template <typename In, bool conjugates>
struct Dot : Plus<Wide<In>> {
  using Value = Wide<In>;
  static constexpr bool takes_two = true;
  template <typename Index>
  __device__ static void take(Value& sum, const In& x, const In& y, Index) {
    sum += Conversion<Value, In>::of(x) * Conversion<Value, In>::of(y);
  }
};
template <typename Complex, bool conjugates>
struct ComplexDot : ComplexPlus<Complex> {
  static constexpr bool takes_two = true;
  template <typename Index>
  __device__ static void take(Complex& sum, const Complex& x, const Complex& y, Index) {
    const auto imaginary = conjugates ? -x.y : x.y;
    sum.x = sum.x + x.x * y.x - imaginary * y.y;
    sum.y = sum.y + x.x * y.y + imaginary * y.x;
  }
};
template <bool conjugates>
struct Dot<cuComplex, conjugates> : ComplexDot<cuComplex, conjugates> {};
template <bool conjugates>
struct Dot<cuDoubleComplex, conjugates> : ComplexDot<cuDoubleComplex, conjugates> {};

template <typename In>
struct Absolute : Plus<Real<In>> {
  static constexpr bool takes_two = false;
  template <typename Index>
  __device__ static void take(Real<In>& sum, const In& x, const In&, Index) {
    sum += absolute(x);
  }
};

/// The first element of the largest, or the smallest, size. As in the reference BLAS what is no
/// number is not found, unless it is the vector's first element, which then is the result.
template <typename Size, typename Index>
struct Found {
  Size size;
  Index place;  // from 0
};
template <typename In, typename Index, bool largest>
struct Search {
  using Size = Real<In>;
  using Value = Found<Size, Index>;
  static constexpr bool takes_two = false;
  static constexpr Index nowhere = static_cast<Index>(~(1ull << (sizeof(Index) * 8 - 1)));
  __device__ static Size infinity() { return static_cast<Size>(HUGE_VAL); }
  /// Less than each size; not less than any.
  __device__ static Value nothing() { return {largest ? Size(-1) : infinity(), nowhere}; }
  /// Found before all others.
  __device__ static Value first() { return {largest ? infinity() : Size(-1), 0}; }
  __device__ static bool is_better(Size a, Size b) { return largest ? a > b : a < b; }
  __device__ static void take(Value& found, const In& x, const In&, Index i) {
    const Size size = absolute(x);
    const bool is_found = is_better(size, found.size);
    found.size = is_found ? size : found.size;
    found.place = is_found ? i : found.place;
  }
  __device__ static void combine(Value& a, const Value& b) {
    const bool is_b = is_better(b.size, a.size) || (b.size == a.size && b.place < a.place);
    a.size = is_b ? b.size : a.size;
    a.place = is_b ? b.place : a.place;
  }
  /// The place, from 1. Nothing is found where the smallest is infinite: the first is, then, or it
  /// is no number.
  template <typename Out>
  __device__ static void give(const Value& value, Out& result) {
    result = value.place == nowhere ? Out(1) : static_cast<Out>(value.place) + 1;
  }
};

// --- values of a block's threads

/// In shared memory: members of values are arrays of their own, which vectors load as they are.
template <typename Value>
struct Tree {
  Value values[threads<Value>];
  __device__ void put(unsigned t, const Value& value) { values[t] = value; }
  __device__ void get(unsigned t, Value& value) const { value = values[t]; }
};
template <typename Complex, typename Part>
struct ComplexTree {
  Part x[threads<Complex>], y[threads<Complex>];
  __device__ void put(unsigned t, const Complex& value) {
    x[t] = value.x;
    y[t] = value.y;
  }
  __device__ void get(unsigned t, Complex& value) const {
    value.x = x[t];
    value.y = y[t];
  }
};
template <>
struct Tree<cuComplex> : ComplexTree<cuComplex, float> {};
template <>
struct Tree<cuDoubleComplex> : ComplexTree<cuDoubleComplex, double> {};
template <typename Size, typename Index>
struct Tree<Found<Size, Index>> {
  Size sizes[threads<Found<Size, Index>>];
  Index places[threads<Found<Size, Index>>];
  __device__ void put(unsigned t, const Found<Size, Index>& value) {
    sizes[t] = value.size;
    places[t] = value.place;
  }
  __device__ void get(unsigned t, Found<Size, Index>& value) const {
    value.size = sizes[t];
    value.place = places[t];
  }
};

/// All threads' values in an order that depends on nothing.
template <typename Operation>
__device__ inline void of_block(typename Operation::Value& value) {
  __shared__ Tree<typename Operation::Value> tree;
  const unsigned t = threadIdx.x;
  tree.put(t, value);
  __syncthreads();
  for (unsigned width = threads<typename Operation::Value> / 2; width > 0; width /= 2) {
    if (t < width) {
      typename Operation::Value own, other;
      tree.get(t, own);
      tree.get(t + width, other);
      Operation::combine(own, other);
      tree.put(t, own);
    }
    __syncthreads();
  }
  tree.get(0, value);
}

/// This thread's part of the elements from `begin` up to `end`.
template <template <typename> class Elements, typename Operation, typename Index, typename In>
__device__ inline void take_all(typename Operation::Value& value, Index begin, Index end,
                                const In* x, long long x_step, const In* y, long long y_step) {
  for (Index i = begin + static_cast<Index>(threadIdx.x); i < end;
       i += static_cast<Index>(threads<typename Operation::Value>)) {
    const In& a = Elements<const In>::at(x, x_step, i);
    if constexpr (Operation::takes_two)
      Operation::take(value, a, Elements<const In>::at(y, y_step, i), i);
    else
      Operation::take(value, a, a, i);
  }
}

/// What the first element alone decides.
template <typename Operation, typename In>
__device__ inline void settle(typename Operation::Value& value, const In& first) {
  if constexpr (requires { Operation::first(); })
    if (absolute(first) != absolute(first)) value = Operation::first();
}

template <typename Index>
__device__ inline Index chunk_begin() {
  return blockIdx.x * static_cast<Index>(chunk);
}
template <typename Index>
__device__ inline Index chunk_end(long long count) {
  const Index all = static_cast<Index>(count), end = chunk_begin<Index>() + chunk;
  return end < all ? end : all;
}

template <template <typename> class Elements, typename Operation, typename In>
__global__ void reduce_chunks(long long count, const In* x, long long x_step, const In* y,
                              long long y_step, typename Operation::Value* partial) {
  using Index = typename Elements<In>::Index;
  typename Operation::Value value = Operation::nothing();
  take_all<Elements, Operation>(value, chunk_begin<Index>(), chunk_end<Index>(count), x, x_step, y,
                                y_step);
  of_block<Operation>(value);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) settle<Operation>(value, *x);
  partial[blockIdx.x] = value;
}

/// Of a vector that one block takes alone.
template <typename Operation, typename In, typename Out>
__global__ void reduce_at_once(int count, const In* x, const In* y, Out* result) {
  typename Operation::Value value = Operation::nothing();
  take_all<Neighbours, Operation>(value, 0, count, x, 1, y, 1);
  of_block<Operation>(value);
  if (threadIdx.x != 0) return;
  settle<Operation>(value, *x);
  Operation::give(value, *result);
}

template <typename Operation, typename Out>
__global__ void reduce_partial(int count, const typename Operation::Value* partial, Out* result) {
  typename Operation::Value value = Operation::nothing();
  for (int i = threadIdx.x; i < count; i += static_cast<int>(threads<typename Operation::Value>))
    Operation::combine(value, partial[i]);
  of_block<Operation>(value);
  if (threadIdx.x == 0) Operation::give(value, *result);
}

// --- norms

/// With each element divided by `by` first, where `divides`.
template <bool divides>
struct Squares : Plus<double> {
  double by = 1;
  __device__ void take_number(double& sum, double x) const {
    const double number = divides ? x / by : x;
    sum += number * number;
  }
  template <typename In>
  __device__ void take(double& sum, const In& x) const {
    take_number(sum, Conversion<Real<In>, In>::of(x));
  }
  __device__ void take(double& sum, const cuComplex& x) const {
    take_number(sum, x.x);
    take_number(sum, x.y);
  }
  __device__ void take(double& sum, const cuDoubleComplex& x) const {
    take_number(sum, x.x);
    take_number(sum, x.y);
  }
};

struct Largest {
  using Value = double;
  __device__ static void combine(double& a, double b) { a = b > a ? b : a; }
  __device__ void take(double& largest, double x) const { combine(largest, fabs(x)); }
  __device__ void take(double& largest, const cuDoubleComplex& x) const {
    combine(largest, fabs(x.x));
    combine(largest, fabs(x.y));
  }
};

template <template <typename> class Elements, typename Operation, typename In, typename Index>
__device__ inline double of_elements(Operation operation, Index begin, Index end, const In* x,
                                     long long step) {
  double value = 0;
  for (Index i = begin + static_cast<Index>(threadIdx.x); i < end;
       i += static_cast<Index>(threads<double>))
    operation.take(value, Elements<const In>::at(x, step, i));
  of_block<Operation>(value);
  return value;
}

/// Squares of floats are doubles: their sum is right. Of doubles, a sum in the middle of their
/// range has lost nothing that counts; otherwise they are divided by the largest first.
template <template <typename> class Elements, typename In, typename Index>
__device__ inline double norm(Index begin, Index end, const In* x, long long step) {
  const double sum = of_elements<Elements>(Squares<false>{}, begin, end, x, step);
  if constexpr (std::is_same_v<Real<In>, double>) {
    const bool is_number = sum == sum;
    if (is_number && !(sum > 1e-270 && sum < 1e300)) {
      const double largest = of_elements<Elements>(Largest{}, begin, end, x, step);
      if (largest == 0 || largest > 1.7976931348623157e308) return largest;
      Squares<true> squares;
      squares.by = largest;
      return largest * sqrt(of_elements<Elements>(squares, begin, end, x, step));
    }
  }
  return sqrt(sum);
}

template <template <typename> class Elements, typename In>
__global__ void norms_of_chunks(long long count, const In* x, long long step, double* norms) {
  using Index = typename Elements<In>::Index;
  const double own = norm<Elements>(chunk_begin<Index>(), chunk_end<Index>(count), x, step);
  if (threadIdx.x == 0) norms[blockIdx.x] = own;
}

template <typename In, typename Out>
__global__ void norm_at_once(int count, const In* x, Out* result) {
  const double all = norm<Neighbours>(0, count, x, 1);
  if (threadIdx.x == 0) *result = Conversion<Out, Real<Out>>::of(static_cast<Real<Out>>(all));
}

// --- launches

/// Are elements side by side, and few enough to be numbered by int, up to the end of a chunk?
template <typename... Vectors>
bool have_int_places(std::int64_t count, const Vectors&... vectors) {
  return are_neighbours(count + chunk, vectors...);
}

/// Calls `begin` with memory for a value of each chunk, and `finish` with the count of these.
template <typename Value, typename Begin, typename Finish>
cudaError_t by_chunks(std::int64_t count, cudaStream_t stream, Begin begin, Finish finish) {
  const std::int64_t chunks = (count + chunk - 1) / chunk;
  void* place = nullptr;
  cudaError_t error =
      cudaMallocAsync(&place, static_cast<std::size_t>(chunks) * sizeof(Value), stream);
  if (error != cudaSuccess) return error;
  Value* const values = static_cast<Value*>(place);
  error = begin(dim3(static_cast<unsigned>(chunks)), values);
  if (error == cudaSuccess) error = finish(static_cast<int>(chunks), values);
  const cudaError_t freed = cudaFreeAsync(place, stream);
  return error == cudaSuccess ? freed : error;
}

template <template <typename> class Elements, typename Operation, typename In, typename Out>
cudaError_t reduce_by_chunks(std::int64_t count, Vector<const In> x, Vector<const In> y,
                             Out* result, cudaStream_t stream) {
  using Value = typename Operation::Value;
  return by_chunks<Value>(
      count, stream,
      [&](dim3 blocks, Value* values) {
        return start_kernel(reduce_chunks<Elements, Operation, In>, blocks, threads<Value>, stream,
                            count, x.start, x.step, y.start, y.step, values);
      },
      [&](int chunks, const Value* values) {
        return start_kernel(reduce_partial<Operation, Out>, 1, threads<Value>, stream, chunks,
                            values, result);
      });
}

/// `Near` is the operation where places are ints, `Far` where they are not.
template <typename Near, typename Far = Near, typename In, typename Out>
cudaError_t reduce(std::int64_t count, Vector<const In> x, Vector<const In> y, Out* result,
                   cudaStream_t stream) {
  if (!have_int_places(count, x, y))
    return reduce_by_chunks<Apart, Far>(count, x, y, result, stream);
  if (count > most_at_once())
    return reduce_by_chunks<Neighbours, Near>(count, x, y, result, stream);
  return start_kernel(reduce_at_once<Near, In, Out>, 1, threads<typename Near::Value>, stream,
                      static_cast<int>(count), x.start, y.start, result);
}

template <template <typename> class Elements, typename In, typename Out>
cudaError_t norm_by_chunks(std::int64_t count, Vector<const In> x, Out* result,
                           cudaStream_t stream) {
  return by_chunks<double>(
      count, stream,
      [&](dim3 blocks, double* norms) {
        return start_kernel(norms_of_chunks<Elements, In>, blocks, threads<double>, stream, count,
                            x.start, x.step, norms);
      },
      [&](int chunks, const double* norms) {
        return start_kernel(norm_at_once<double, Out>, 1, threads<double>, stream, chunks, norms,
                            result);
      });
}

template <typename In, typename Out>
cudaError_t find_norm(std::int64_t count, Vector<const In> x, Out* result, cudaStream_t stream) {
  if (!have_int_places(count, x)) return norm_by_chunks<Apart>(count, x, result, stream);
  if (count > most_at_once()) return norm_by_chunks<Neighbours>(count, x, result, stream);
  return start_kernel(norm_at_once<In, Out>, 1, threads<double>, stream, static_cast<int>(count),
                      x.start, result);
}

/// Norms and sums without signs, of complex numbers side by side as of real ones.
template <typename In, typename Out>
cudaError_t launch_size(Sum sum, std::int64_t count, Vector<const In> x, Out* result,
                        cudaStream_t stream) {
  if constexpr (is_complex<In>) {
    if (have_int_places(2 * count, x)) {
      const Vector<const Real<In>> parts = {reinterpret_cast<const Real<In>*>(x.start), 1};
      return launch_size<Real<In>, Out>(sum, 2 * count, parts, result, stream);
    }
    return sum == Sum::norm ? norm_by_chunks<Apart>(count, x, result, stream)
                            : reduce_by_chunks<Apart, Absolute<In>>(count, x, x, result, stream);
  } else {
    return sum == Sum::norm ? find_norm(count, x, result, stream)
                            : reduce<Absolute<In>>(count, x, x, result, stream);
  }
}

}  // namespace detail

template <typename In, typename Out>
cudaError_t launch_sum(Sum sum, std::int64_t count, Vector<const In> x, Vector<const In> y,
                       Out* result, cudaStream_t stream) {
  if constexpr (std::is_same_v<In, Out>) {
    if (sum == Sum::dot) return detail::reduce<detail::Dot<In, false>>(count, x, y, result, stream);
    if (sum == Sum::dot_conjugated) {
      using Dot = detail::Dot<In, detail::is_complex<In>>;
      return detail::reduce<Dot>(count, x, y, result, stream);
    }
  }
  if constexpr (!detail::is_complex<Out>)
    return detail::launch_size<In, Out>(sum, count, x, result, stream);
  return cudaErrorInvalidValue;
}

template <typename In, typename Index>
cudaError_t launch_search(bool largest, std::int64_t count, Vector<const In> x, Index* result,
                          cudaStream_t stream) {
  using detail::Search;
  return largest ? detail::reduce<Search<In, int, true>, Search<In, long long, true>>(
                       count, x, x, result, stream)
                 : detail::reduce<Search<In, int, false>, Search<In, long long, false>>(
                       count, x, x, result, stream);
}

/// The functions of an element type.
#define GRIDSPAN_SUMS(T)                                                                         \
  template cudaError_t launch_sum<T, T>(Sum, std::int64_t, Vector<const T>, Vector<const T>, T*, \
                                        cudaStream_t);                                           \
  template cudaError_t launch_search<T, int>(bool, std::int64_t, Vector<const T>, int*,          \
                                             cudaStream_t);                                      \
  template cudaError_t launch_search<T, std::int64_t>(bool, std::int64_t, Vector<const T>,       \
                                                      std::int64_t*, cudaStream_t);
/// Those of complex numbers that give real ones.
#define GRIDSPAN_SIZES_OF(T, R)                                                                  \
  template cudaError_t launch_sum<T, R>(Sum, std::int64_t, Vector<const T>, Vector<const T>, R*, \
                                        cudaStream_t);

}  // namespace gridspan::libraries::blas
