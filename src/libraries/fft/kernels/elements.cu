// What stands before and after the transforms of lines: the kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/fft/kernels/elements.h"

#include "libraries/support/start_kernel.h"

#include <cuda_fp16.h>

#include <algorithm>

namespace gridspan::libraries::fft {
namespace {

constexpr unsigned block_elements = 32, block_lines = 8;
constexpr std::int64_t most_blocks = 65535;  // along y and z

__device__ __forceinline__ float wide(float x) { return x; }
__device__ __forceinline__ double wide(double x) { return x; }
__device__ __forceinline__ float wide(__half x) { return __half2float(x); }
__device__ __forceinline__ void put(float& to, float x) { to = x; }
__device__ __forceinline__ void put(double& to, double x) { to = x; }
__device__ __forceinline__ void put(__half& to, float x) { to = __float2half(x); }

template <typename C>
__device__ __forceinline__ C product(C a, C b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

/// Where a thread's line begins in the program's array.
__device__ __forceinline__ long long start(const Strided& s, long long line) {
  return line * s.line + blockIdx.z * s.group;
}

template <typename T, typename Number>
__device__ __forceinline__ Complex<T> whole(const Number* from, long long at) {
  return {static_cast<T>(wide(from[at])), static_cast<T>(wide(from[at + 1]))};
}

template <typename T, typename Number, Elements elements>
__device__ __forceinline__ Complex<T> element(const Moved<T, Number>& m, const Number* from,
                                              long long j) {
  const long long row = m.strides.row;
  if constexpr (elements == Elements::whole) return whole<T>(from, j * row);
  if constexpr (elements == Elements::real) return {static_cast<T>(wide(from[j * row])), T(0)};
  if constexpr (elements == Elements::pairs)
    return {static_cast<T>(wide(from[2 * j * row])), static_cast<T>(wide(from[(2 * j + 1) * row]))};
  if constexpr (elements == Elements::hermitian) {
    const bool is_mirror = 2 * j > m.n;
    Complex<T> x = whole<T>(from, (is_mirror ? m.n - j : j) * row);
    if (is_mirror) x.y = -x.y;
    if (j == 0 || 2 * j == m.n) x.y = 0;
    return x;
  }
  if constexpr (elements == Elements::folded) {
    const long long half = m.n / 2;
    Complex<T> a = whole<T>(from, j * row), b = whole<T>(from, (half - j) * row);
    if (j == 0) a.y = b.y = 0;
    b.y = -b.y;
    const Complex<T> root = m.factors[j];  // conjugated: (a - b) i / root
    const Complex<T> d = product<Complex<T>>({a.x - b.x, a.y - b.y}, {root.x, -root.y});
    return {a.x + b.x - d.y, a.y + b.y + d.x};
  }
}

template <typename T, typename Number, Elements elements>
__global__ void read(Moved<T, Number> m, long long first_line) {
  const long long j = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  const long long line = first_line + blockIdx.y * static_cast<long long>(blockDim.y) + threadIdx.y;
  if (j >= m.length || line >= m.lines) return;
  Complex<T> x = {0, 0};
  if (j < m.count) {
    x = element<T, Number, elements>(m, m.numbers + start(m.strides, line), j);
    if (m.exchanges) x = {x.y, x.x};
    if constexpr (elements != Elements::folded)
      if (m.factors) x = product(x, m.factors[j]);
  }
  m.work[(blockIdx.z * m.lines + line) * m.length + j] = x;
}

template <typename T, typename Number, Elements elements>
__global__ void write(Moved<T, Number> m, long long first_line) {
  const long long j = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  const long long line = first_line + blockIdx.y * static_cast<long long>(blockDim.y) + threadIdx.y;
  if (j >= m.count || line >= m.lines) return;
  Complex<T> x = m.work[(blockIdx.z * m.lines + line) * m.length + j];
  if (m.factors) x = product(x, m.factors[j]);
  if (m.exchanges) x = {x.y, x.x};
  Number* const to = m.numbers + start(m.strides, line);
  const long long row = m.strides.row;
  if constexpr (elements == Elements::whole) {
    put(to[j * row], x.x);
    put(to[j * row + 1], x.y);
  } else if constexpr (elements == Elements::real) {
    put(to[j * row], x.x);
  } else if constexpr (elements == Elements::pairs) {
    put(to[2 * j * row], x.x);
    put(to[(2 * j + 1) * row], x.y);
  }
}

/// A thread has element k and the one that mirrors it.
template <typename T>
__global__ void unfold(Unfolded<T> u, long long first_line) {
  const long long k = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  const long long line = first_line + blockIdx.y * static_cast<long long>(blockDim.y) + threadIdx.y;
  const long long half = u.n / 2;
  if (2 * k > half || line >= u.lines) return;
  T* const own = u.numbers + start(u.strides, line) + k * u.strides.row;
  T* const other = u.numbers + start(u.strides, line) + (half - k) * u.strides.row;
  const T* const last = k == 0 ? own : other;  // of half numbers, number half is number 0
  const Complex<T> a = {own[0], own[1]}, b = {last[0], -last[1]};
  const Complex<T> sum = {(a.x + b.x) / 2, (a.y + b.y) / 2};
  const Complex<T> turned =
      product<Complex<T>>({(a.y - b.y) / 2, (b.x - a.x) / 2}, u.roots[k]);  // of (a - b) / 2i
  own[0] = sum.x + turned.x;
  own[1] = sum.y + turned.y;
  if (2 * k != half) {
    other[0] = sum.x - turned.x;
    other[1] = turned.y - sum.y;
  }
}

/// Calls `start(grid, block, first line, outer group)` for launches that a grid has room for.
template <typename Start>
cudaError_t in_grids(std::int64_t elements, std::int64_t lines, std::int64_t groups,
                     std::int64_t outer_groups, Start start) {
  const dim3 block(block_elements, block_lines);
  const auto blocks = static_cast<unsigned>((elements + block_elements - 1) / block_elements);
  constexpr std::int64_t most_lines = most_blocks * block_lines;
  for (std::int64_t outer = 0; outer < outer_groups; ++outer) {
    for (std::int64_t group = 0; group < groups; group += most_blocks) {
      for (std::int64_t line = 0; line < lines; line += most_lines) {
        const dim3 grid(blocks,
                        static_cast<unsigned>(
                            (std::min(lines - line, most_lines) + block_lines - 1) / block_lines),
                        static_cast<unsigned>(std::min(groups - group, most_blocks)));
        const cudaError_t error = start(grid, block, line, outer, group);
        if (error != cudaSuccess) return error;
      }
    }
  }
  return cudaSuccess;
}

template <typename T, typename Number>
using Mover = void (*)(Moved<T, Number>, long long);

template <typename T, typename Number>
cudaError_t launch_moved(Mover<T, Number> kernel, const Moved<T, Number>& moved,
                         std::int64_t elements, cudaStream_t stream) {
  return in_grids(
      elements, moved.lines, moved.groups, moved.outer_groups,
      [&](dim3 grid, dim3 block, std::int64_t line, std::int64_t outer, std::int64_t group) {
        Moved<T, Number> m = moved;
        m.numbers += outer * m.strides.outer + group * m.strides.group;
        m.work += (outer * m.groups + group) * m.lines * m.length;
        return start_kernel(kernel, grid, block, stream, m, line);
      });
}

}  // namespace

template <typename T, typename Number>
cudaError_t launch_read(const Moved<T, Number>& moved, cudaStream_t stream) {
  Mover<T, Number> kernel = nullptr;
  switch (moved.elements) {
    case Elements::whole:
      kernel = read<T, Number, Elements::whole>;
      break;
    case Elements::real:
      kernel = read<T, Number, Elements::real>;
      break;
    case Elements::pairs:
      kernel = read<T, Number, Elements::pairs>;
      break;
    case Elements::hermitian:
      kernel = read<T, Number, Elements::hermitian>;
      break;
    case Elements::folded:
      kernel = read<T, Number, Elements::folded>;
      break;
  }
  return launch_moved(kernel, moved, moved.length, stream);
}

template <typename T, typename Number>
cudaError_t launch_write(const Moved<T, Number>& moved, cudaStream_t stream) {
  Mover<T, Number> kernel = nullptr;
  switch (moved.elements) {
    case Elements::whole:
      kernel = write<T, Number, Elements::whole>;
      break;
    case Elements::real:
      kernel = write<T, Number, Elements::real>;
      break;
    case Elements::pairs:
      kernel = write<T, Number, Elements::pairs>;
      break;
    default:
      return cudaErrorInvalidValue;
  }
  return launch_moved(kernel, moved, moved.count, stream);
}

template <typename T>
cudaError_t launch_unfold(const Unfolded<T>& unfolded, cudaStream_t stream) {
  return in_grids(
      unfolded.n / 4 + 1, unfolded.lines, unfolded.groups, unfolded.outer_groups,
      [&](dim3 grid, dim3 block, std::int64_t line, std::int64_t outer, std::int64_t group) {
        Unfolded<T> u = unfolded;
        u.numbers += outer * u.strides.outer + group * u.strides.group;
        return start_kernel(unfold<T>, grid, block, stream, u, line);
      });
}

namespace {

template <typename T>
__global__ void multiply(Complex<T>* work, long long lines, long long length,
                         const Complex<T>* factors, long long first_line) {
  const long long j = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  const long long line = first_line + blockIdx.y * static_cast<long long>(blockDim.y) + threadIdx.y;
  if (j < length && line < lines)
    work[line * length + j] = product(work[line * length + j], factors[j]);
}

}  // namespace

template <typename T>
cudaError_t launch_multiply(Complex<T>* work, std::int64_t lines, std::int64_t length,
                            const Complex<T>* factors, cudaStream_t stream) {
  return in_grids(length, lines, 1, 1,
                  [&](dim3 grid, dim3 block, std::int64_t line, std::int64_t, std::int64_t) {
                    return start_kernel(multiply<T>, grid, block, stream, work, lines, length,
                                        factors, line);
                  });
}

#define GRIDSPAN_MOVES(T, Number)                                                     \
  template cudaError_t launch_read<T, Number>(const Moved<T, Number>&, cudaStream_t); \
  template cudaError_t launch_write<T, Number>(const Moved<T, Number>&, cudaStream_t);
GRIDSPAN_MOVES(float, float)
GRIDSPAN_MOVES(float, __half)
GRIDSPAN_MOVES(double, double)
#define GRIDSPAN_ELEMENTS(T)                                                       \
  template cudaError_t launch_unfold<T>(const Unfolded<T>&, cudaStream_t);         \
  template cudaError_t launch_multiply<T>(Complex<T>*, std::int64_t, std::int64_t, \
                                          const Complex<T>*, cudaStream_t);
GRIDSPAN_ELEMENTS(float)
GRIDSPAN_ELEMENTS(double)

}  // namespace gridspan::libraries::fft
