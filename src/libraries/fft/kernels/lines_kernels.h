// Transforms of lines: the kernels. Included by a file for each pair of ways.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/fft/kernels/butterflies.h"
#include "libraries/fft/kernels/lines.h"
#include "libraries/support/start_kernel.h"

#include <algorithm>

namespace gridspan::libraries::fft {
namespace detail {

constexpr int side = lines_of_block;         // threads along x: the lines
constexpr int rows_at_once = 4;              // threads along y
constexpr std::int64_t most_blocks = 65535;  // along y and z

/// Rows of `side` numbers. The inverse transform is the forward one with both parts exchanged.
template <typename T>
struct Tile {
  T *re, *im;
};

/// The row, from this thread's line on. Offsets of pointers are wide, so that it is known that
/// neighbouring threads have neighbouring numbers.
template <typename T>
__device__ __forceinline__ Tile<T> at_row(Tile<T> tile, long long row) {
  return {tile.re + row * side + threadIdx.x, tile.im + row * side + threadIdx.x};
}

template <int R, bool is_natural, typename T>
__device__ __forceinline__ void pass(Tile<T> from, Tile<T> to, const int* numbers, int at,
                                     int natural, const Complex<T>* roots, long long last) {
  const int count = numbers[at + 1];
  const long long stride = static_cast<long long>(numbers[at + 2]) * side;
  const int* const starts = numbers + numbers[at + 3];
  for (int b = threadIdx.y; b < count; b += rows_at_once) {
    const Tile<T> own = at_row(from, starts[2 * b]);
    const int exponent = starts[2 * b + 1];
    Few<T, R> x;
    unrolled<R>([&](auto r) {
      x.re[r] = own.re[r * stride];
      x.im[r] = own.im[r * stride];
    });
    transform(x);
    if constexpr (is_natural) {
      const Tile<T> result = at_row(to, numbers[natural + b]);
      unrolled<R>([&](auto r) {
        result.re[r * last] = x.re[r];
        result.im[r * last] = x.im[r];
      });
    } else {
      if (exponent != 0) {
        unrolled<R - 1>([&](auto before) {
          constexpr int r = before + 1;
          const Complex<T> root = roots[exponent * r];
          turn(x.re[r], x.im[r], root.x, root.y);
        });
      }
      unrolled<R>([&](auto r) {
        own.re[r * stride] = x.re[r];
        own.im[r * stride] = x.im[r];
      });
    }
  }
}

/// In place; or, the last one, from one tile to another, with rows in order.
template <bool is_natural, typename T>
__device__ __forceinline__ void any_pass(Tile<T> from, Tile<T> to, const int* numbers, int at,
                                         int natural, const Complex<T>* roots, int rows) {
  const int radix = numbers[at];
  const long long last = is_natural ? rows / radix * static_cast<long long>(side) : 0;
  if (radix == 8)
    pass<8, is_natural>(from, to, numbers, at, natural, roots, last);
  else if (radix == 4)
    pass<4, is_natural>(from, to, numbers, at, natural, roots, last);
  else if (radix == 2)
    pass<2, is_natural>(from, to, numbers, at, natural, roots, last);
  else if (radix == 3)
    pass<3, is_natural>(from, to, numbers, at, natural, roots, last);
  else if (radix == 5)
    pass<5, is_natural>(from, to, numbers, at, natural, roots, last);
  else if (radix == 7)
    pass<7, is_natural>(from, to, numbers, at, natural, roots, last);
  else if (radix == 11)
    pass<11, is_natural>(from, to, numbers, at, natural, roots, last);
  else if (radix == 13)
    pass<13, is_natural>(from, to, numbers, at, natural, roots, last);
}

template <typename T>
__device__ __forceinline__ Few<T, 4> exchanged(const Few<T, 4>& v) {
  return {{v.im[0], v.im[1], v.im[2], v.im[3]}, {v.re[0], v.re[1], v.re[2], v.re[3]}};
}

/// Four numbers beside one another, as one: lanes that have four each are neighbours then.
template <typename T>
__device__ __forceinline__ void put_four(Tile<T> tile, long long at, const Few<T, 4>& v) {
  T* const re = tile.re + at;
  T* const im = tile.im + at;
  unrolled<4>([&](auto i) { re[i] = v.re[i]; });
  unrolled<4>([&](auto i) { im[i] = v.im[i]; });
}
template <typename T>
__device__ __forceinline__ Few<T, 4> four_at(Tile<T> tile, long long at) {
  const T* const re = tile.re + at;
  const T* const im = tile.im + at;
  return {{re[0], re[1], re[2], re[3]}, {im[0], im[1], im[2], im[3]}};
}

/// From `copy`, where element e of line 4 b + c is at 4 (c rows + e) + b, to rows.
template <typename T>
__device__ __forceinline__ void rows_from_copy(Tile<T> copy, Tile<T> tile, int rows) {
  for (int r = threadIdx.y; r * side < 4 * rows; r += rows_at_once) {
    const long long a = r * static_cast<long long>(side) + threadIdx.x;
    if (a < 4 * rows) {
      Few<T, 4> v;
      unrolled<4>([&](auto c) {
        v.re[c] = (copy.re + c * 4ll * rows)[a];
        v.im[c] = (copy.im + c * 4ll * rows)[a];
      });
      put_four(tile, 4 * a, v);
    }
  }
}

template <typename T>
__device__ __forceinline__ void copy_from_rows(Tile<T> tile, Tile<T> copy, int rows) {
  for (int r = threadIdx.y; r * side < 4 * rows; r += rows_at_once) {
    const long long a = r * static_cast<long long>(side) + threadIdx.x;
    if (a < 4 * rows) {
      const Few<T, 4> v = four_at(tile, 4 * a);
      unrolled<4>([&](auto c) {
        (copy.re + c * 4ll * rows)[a] = v.re[c];
        (copy.im + c * 4ll * rows)[a] = v.im[c];
      });
    }
  }
}

template <typename T>
struct Arguments {
  int rows;
  long long lines;
  const Complex<T>* in;
  Complex<T>* out;
  Places from, to;
  Passes passes;
  const Complex<T>* roots;
  const Complex<T>* factors;
  long long by_row, by_line, by_group;
  bool is_inverse;
};

template <typename T, Way read, Way write>
__global__ void __launch_bounds__(side* rows_at_once) lines(Arguments<T> a) {
  extern __shared__ __align__(64) unsigned char shared[];
  const int rows = a.rows, size = rows * side;
  T* const start = reinterpret_cast<T*>(shared);
  const Tile<T> tile = {start, start + size};
  const Tile<T> copy = {start + 2 * size, start + 3 * size};
  // With parts exchanged where the transform is the inverse one.
  const Tile<T> in_tile = a.is_inverse ? Tile<T>{tile.im, tile.re} : tile;
  const Tile<T> in_copy = a.is_inverse ? Tile<T>{copy.im, copy.re} : copy;

  const long long first = static_cast<long long>(blockIdx.x) * side;
  const int x = static_cast<int>(threadIdx.x);
  const Complex<T>* const in = a.in + blockIdx.y * a.from.group + blockIdx.z * a.from.outer;
  if constexpr (read == Way::across || read == Way::apart) {
    const long long step = read == Way::across ? 1 : a.from.line;
    if (first + side > a.lines) {  // lines that are not there are transformed, too
      for (int row = threadIdx.y; row < rows; row += rows_at_once) {
        const Tile<T> own = at_row(tile, row);
        *own.re = *own.im = 0;
      }
    }
    for (int row = threadIdx.y; row < rows; row += rows_at_once) {
      if (first + x < a.lines) {
        const Complex<T> value = in[row * a.from.row + (first + x) * step];
        const Tile<T> own = at_row(in_tile, row);
        *own.re = value.x;
        *own.im = value.y;
      }
    }
  } else if constexpr (read == Way::along) {
    const int columns = (rows + side - 1) / side;
    for (int r = threadIdx.y; r < 4 * columns; r += rows_at_once) {
      const int c = r & 3;
      const long long element = (r >> 2) * static_cast<long long>(side) + x;
      if (element < rows) {
        Few<T, 4> v;
        unrolled<4>([&](auto b) {
          // Lines that are not there repeat the last one.
          const long long line = min(first + 4 * b + c, a.lines - 1);
          const Complex<T> value = in[line * a.from.line + element];
          v.re[b] = value.x;
          v.im[b] = value.y;
        });
        put_four(in_copy, 4 * (c * static_cast<long long>(rows) + element), v);
      }
    }
    __syncthreads();
    rows_from_copy(copy, tile, rows);
  } else {
    const int columns = (rows + side - 1) / side;
    // The first pass, by 16, as two by 4. Results are where `along` has them.
    const Complex<T>* const sixteenths = a.factors + side * static_cast<long long>(rows);
    for (int r = threadIdx.y; r < 4 * columns; r += rows_at_once) {
      const int j = r & 3;
      const long long element = (r >> 2) * static_cast<long long>(side) + x;
      if (element < rows) {
        Few<T, 4> v;
        unrolled<4>([&](auto part) {
          const Complex<T> value = (in + (j + 4 * part) * static_cast<long long>(rows))[element];
          v.re[part] = value.x;
          v.im[part] = value.y;
        });
        if (a.is_inverse) v = exchanged(v);
        transform(v);
        unrolled<4>([&](auto k) {
          const Complex<T> root = sixteenths[j * k];
          turn(v.re[k], v.im[k], root.x, root.y);
          (tile.re + (4 * k + j) * static_cast<long long>(rows))[element] = v.re[k];
          (tile.im + (4 * k + j) * static_cast<long long>(rows))[element] = v.im[k];
        });
      }
    }
    __syncthreads();
    for (int r = threadIdx.y; r < 4 * columns; r += rows_at_once) {
      const int c = r & 3;
      const long long element = (r >> 2) * static_cast<long long>(side) + x;
      if (element < rows) {
        Few<T, 4> v;
        unrolled<4>([&](auto j) {
          v.re[j] = (tile.re + (4 * c + j) * static_cast<long long>(rows))[element];
          v.im[j] = (tile.im + (4 * c + j) * static_cast<long long>(rows))[element];
        });
        transform(v);
        put_four(copy, 4 * (c * static_cast<long long>(rows) + element), v);
      }
    }
    __syncthreads();
    for (int row = threadIdx.y; row < rows; row += rows_at_once) {
      const Tile<T> own = at_row(copy, row);
      const Complex<T> factor = (a.factors + row * static_cast<long long>(side))[threadIdx.x];
      T re = *own.re, im = *own.im;
      turn(re, im, factor.x, factor.y);
      *own.re = re;
      *own.im = im;
    }
    __syncthreads();
    rows_from_copy(copy, tile, rows);
  }
  __syncthreads();

  constexpr bool is_natural = write == Way::along;
  const int passes = is_natural ? a.passes.count - 1 : a.passes.count;
  for (int p = 0; p < passes; ++p) {
    any_pass<false>(tile, tile, a.passes.numbers, 4 * p, 0, a.roots, rows);
    __syncthreads();
  }

  Complex<T>* const out = a.out + blockIdx.y * a.to.group + blockIdx.z * a.to.outer;
  if constexpr (write == Way::along) {
    any_pass<true>(tile, copy, a.passes.numbers, 4 * passes, a.passes.natural, a.roots, rows);
    __syncthreads();
    copy_from_rows(copy, tile, rows);
    __syncthreads();
    const int columns = (rows + side - 1) / side;
    for (int r = threadIdx.y; r < 4 * columns; r += rows_at_once) {
      const int c = r & 3;
      const long long element = (r >> 2) * static_cast<long long>(side) + x;
      if (element < rows) {
        const Few<T, 4> v = four_at(in_tile, 4 * (c * static_cast<long long>(rows) + element));
        unrolled<4>([&](auto b) {
          const long long line = first + 4 * b + c;
          if (line < a.lines) out[line * a.to.line + element] = {v.re[b], v.im[b]};
        });
      }
    }
  } else {
    const long long step = write == Way::across ? 1 : a.to.line;
    const int* const order = a.passes.numbers + a.passes.order;
    if (a.factors && read != Way::parts) {
      const Complex<T>* const factors = a.factors + blockIdx.y * a.by_group;
      for (int row = threadIdx.y; row < rows; row += rows_at_once) {
        if (first + x < a.lines) {
          const Tile<T> own = at_row(tile, order[row]);
          const Complex<T> factor = factors[row * a.by_row + (first + x) * a.by_line];
          T re = *own.re, im = *own.im;
          turn(re, im, factor.x, factor.y);
          const Complex<T> value = {a.is_inverse ? im : re, a.is_inverse ? re : im};
          out[row * a.to.row + (first + x) * step] = value;
        }
      }
    } else {
      for (int row = threadIdx.y; row < rows; row += rows_at_once) {
        if (first + x < a.lines) {
          const Tile<T> own = at_row(in_tile, order[row]);
          out[row * a.to.row + (first + x) * step] = {*own.re, *own.im};
        }
      }
    }
  }
}

template <typename T, Way read, Way write>
cudaError_t launch_ways(const Lines<T>& l, cudaStream_t stream) {
  const auto kernel = lines<T, read, write>;
  const int copies = l.read == Way::along || l.read == Way::parts || l.write == Way::along ? 2 : 1;
  const int bytes = l.rows * side * 2 * static_cast<int>(sizeof(T)) * copies;
  static const cudaError_t allowed =
      cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                           cudaFuncAttributeMaxDynamicSharedMemorySize, shared_limit);
  if (allowed != cudaSuccess) return allowed;
  const std::int64_t tiles = read == Way::parts ? 1 : (l.lines + side - 1) / side;
  for (std::int64_t z = 0; z < l.outer_groups; z += most_blocks) {
    for (std::int64_t y = 0; y < l.groups; y += most_blocks) {
      const dim3 grid(static_cast<unsigned>(tiles),
                      static_cast<unsigned>(std::min(l.groups - y, most_blocks)),
                      static_cast<unsigned>(std::min(l.outer_groups - z, most_blocks)));
      Arguments<T> a = {l.rows,
                        l.lines,
                        l.in + y * l.from.group + z * l.from.outer,
                        l.out + y * l.to.group + z * l.to.outer,
                        l.from,
                        l.to,
                        l.passes,
                        l.roots,
                        l.factors ? l.factors + y * l.by_group : nullptr,
                        l.by_row,
                        l.by_line,
                        l.by_group,
                        l.is_inverse};
      const cudaError_t error = start_kernel_with(kernel, grid, dim3(side, rows_at_once),
                                                  static_cast<std::size_t>(bytes), stream, a);
      if (error != cudaSuccess) return error;
    }
  }
  return cudaSuccess;
}

}  // namespace detail

}  // namespace gridspan::libraries::fft

/// For a file of its own: a module of many kernels has no code for AVX-512.
#define GRIDSPAN_LINES(read, write)                                                          \
  namespace gridspan::libraries::fft::detail {                                               \
  template cudaError_t launch_ways<float, read, write>(const Lines<float>&, cudaStream_t);   \
  template cudaError_t launch_ways<double, read, write>(const Lines<double>&, cudaStream_t); \
  }
