// Convolutions and their gradients: as products of matrices where tensors are packed images of
// float or double, else a thread for each element. Every element is a sum in an order that the
// shapes decide. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/gemm.h"
#include "libraries/dnn/kernels/launches.h"
#include "libraries/dnn/kernels/scratch.h"
#include "libraries/support/start_kernel.h"

namespace gridspan::libraries::dnn {
namespace {

/// The windows of one image and group as a matrix: element (place p, entry e) is at e places + p. A
/// block has places of one entry, so that no thread divides.
template <typename T>
__global__ void unfold(const T* x, int height, int width, int rows, int columns, int pad_h,
                       int pad_w, int step_h, int step_w, int dilation_h, int dilation_w,
                       bool flips, int y_height, int y_width, T* to) {
  const int b = blockIdx.x * blockDim.x + threadIdx.x, a = blockIdx.y * blockDim.y + threadIdx.y;
  const int e = blockIdx.z;
  if (a >= y_height || b >= y_width) return;
  const int s = e % columns, r = e / columns % rows, c = e / (columns * rows);
  const int h = a * step_h - pad_h + (flips ? rows - 1 - r : r) * dilation_h;
  const int w = b * step_w - pad_w + (flips ? columns - 1 - s : s) * dilation_w;
  T value = 0;
  if (h >= 0 && h < height && w >= 0 && w < width) value = x[(c * height + h) * width + w];
  to[(e * y_height + a) * y_width + b] = value;
}

/// The same with element (p, e) at p entries + e.
template <typename T>
__global__ void unfold_places(const T* x, int height, int width, int rows, int columns, int pad_h,
                              int pad_w, int step_h, int step_w, int dilation_h, int dilation_w,
                              bool flips, int y_width, int places, int entries, T* to) {
  const int fast = blockIdx.x * blockDim.x + threadIdx.x, slow = blockIdx.y;
  const int p = slow, e = fast;
  if (p >= places || e >= entries) return;
  const int s = e % columns, r = e / columns % rows, c = e / (columns * rows);
  const int h = p / y_width * step_h - pad_h + (flips ? rows - 1 - r : r) * dilation_h;
  const int w = p % y_width * step_w - pad_w + (flips ? columns - 1 - s : s) * dilation_w;
  T value = 0;
  if (h >= 0 && h < height && w >= 0 && w < width) value = x[(c * height + h) * width + w];
  to[p * entries + e] = value;
}

/// Adds up what `unfold` put into several windows.
template <typename T>
__global__ void fold(const T* from, int height, int width, int rows, int columns, int pad_h,
                     int pad_w, int step_h, int step_w, int dilation_h, int dilation_w, bool flips,
                     int y_height, int y_width, int count, T* x, T beta) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int w = i % width, h = i / width % height, c = i / (width * height);
  T sum = 0;
  for (int r = 0; r < rows; ++r) {
    const int top = h + pad_h - (flips ? rows - 1 - r : r) * dilation_h;
    if (top < 0 || top % step_h || top / step_h >= y_height) continue;
    for (int s = 0; s < columns; ++s) {
      const int left = w + pad_w - (flips ? columns - 1 - s : s) * dilation_w;
      if (left < 0 || left % step_w || left / step_w >= y_width) continue;
      sum += from[(((c * rows + r) * columns + s) * y_height + top / step_h) * y_width +
                  left / step_w];
    }
  }
  if (beta != 0) sum += beta * x[i];
  x[i] = sum;
}

__device__ int tap(bool flips, int size, int i) { return flips ? size - 1 - i : i; }

template <typename T>
__global__ void convolve(Convolution of, int count, const T* x, const T* w, T* y, Wide<T> alpha,
                         Wide<T> beta) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Place to(of.y, i);
  const int channels = of.w.size[1], first = to.axis[1] / (of.w.size[0] / of.groups) * channels;
  const Window& win = of.window;
  Wide<T> sum = 0;
  for (int c = 0; c < channels; ++c)
    for (int q = 0; q < win.size[0]; ++q)
      for (int r = 0; r < win.size[1]; ++r)
        for (int s = 0; s < win.size[2]; ++s) {
          const int d = to.axis[2] * win.step[0] - win.pad[0] +
                        tap(of.flips, win.size[0], q) * win.dilation[0];
          const int h = to.axis[3] * win.step[1] - win.pad[1] +
                        tap(of.flips, win.size[1], r) * win.dilation[1];
          const int v = to.axis[4] * win.step[2] - win.pad[2] +
                        tap(of.flips, win.size[2], s) * win.dilation[2];
          if (d < 0 || d >= of.x.size[2] || h < 0 || h >= of.x.size[3] || v < 0 ||
              v >= of.x.size[4])
            continue;
          sum += wide(x[of.x.at(to.axis[0], first + c, d, h, v)]) *
                 wide(w[of.w.at(to.axis[1], c, q, r, s)]);
        }
  blend(y + to.in(of.y), sum, alpha, beta);
}

/// The place of the window that has this element as its tap, or -1.
__device__ int window_at(const Window& win, int axis, bool flips, int at, int i, int windows) {
  const int begin = at + win.pad[axis] - tap(flips, win.size[axis], i) * win.dilation[axis];
  if (begin < 0 || begin % win.step[axis]) return -1;
  const int place = begin / win.step[axis];
  return place < windows ? place : -1;
}

template <typename T>
__global__ void convolve_data_gradient(Convolution of, int count, const T* w, const T* dy, T* dx,
                                       Wide<T> alpha, Wide<T> beta) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Place to(of.x, i);
  const int channels = of.w.size[1], filters = of.w.size[0] / of.groups;
  const int group = to.axis[1] / channels, c = to.axis[1] % channels;
  const Window& win = of.window;
  Wide<T> sum = 0;
  for (int k = group * filters; k < (group + 1) * filters; ++k)
    for (int q = 0; q < win.size[0]; ++q) {
      const int d = window_at(win, 0, of.flips, to.axis[2], q, of.y.size[2]);
      if (d < 0) continue;
      for (int r = 0; r < win.size[1]; ++r) {
        const int h = window_at(win, 1, of.flips, to.axis[3], r, of.y.size[3]);
        if (h < 0) continue;
        for (int s = 0; s < win.size[2]; ++s) {
          const int v = window_at(win, 2, of.flips, to.axis[4], s, of.y.size[4]);
          if (v < 0) continue;
          sum += wide(dy[of.y.at(to.axis[0], k, d, h, v)]) * wide(w[of.w.at(k, c, q, r, s)]);
        }
      }
    }
  blend(dx + to.in(of.x), sum, alpha, beta);
}

template <typename T>
__global__ void convolve_filter_gradient(Convolution of, int count, const T* x, const T* dy, T* dw,
                                         Wide<T> alpha, Wide<T> beta) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Place to(of.w, i);
  const int k = to.axis[0], channel = k / (of.w.size[0] / of.groups) * of.w.size[1] + to.axis[1];
  const Window& win = of.window;
  Wide<T> sum = 0;
  for (int n = 0; n < of.y.size[0]; ++n)
    for (int d = 0; d < of.y.size[2]; ++d)
      for (int h = 0; h < of.y.size[3]; ++h)
        for (int v = 0; v < of.y.size[4]; ++v) {
          const int x_d = d * win.step[0] - win.pad[0] +
                          tap(of.flips, win.size[0], to.axis[2]) * win.dilation[0];
          const int x_h = h * win.step[1] - win.pad[1] +
                          tap(of.flips, win.size[1], to.axis[3]) * win.dilation[1];
          const int x_w = v * win.step[2] - win.pad[2] +
                          tap(of.flips, win.size[2], to.axis[4]) * win.dilation[2];
          if (x_d < 0 || x_d >= of.x.size[2] || x_h < 0 || x_h >= of.x.size[3] || x_w < 0 ||
              x_w >= of.x.size[4])
            continue;
          sum += wide(x[of.x.at(n, channel, x_d, x_h, x_w)]) * wide(dy[of.y.at(n, k, d, h, v)]);
        }
  blend(dw + to.in(of.w), sum, alpha, beta);
}

bool is_packed_images(const Layout& layout) {
  long long next = 1;
  for (int axis = most_axes - 1; axis >= 0; --axis) {
    if (layout.size[axis] != 1 && layout.stride[axis] != next) return false;
    next *= layout.size[axis];
  }
  return layout.size[2] == 1;
}

/// One image and group as a product: sizes that subscripts of kernels hold.
struct Product {
  explicit Product(const Convolution& c)
      : channels(c.w.size[1]),
        filters(c.w.size[0] / c.groups),
        entries(static_cast<long long>(channels) * c.window.size[1] * c.window.size[2]),
        places(static_cast<long long>(c.y.size[3]) * c.y.size[4]),
        pixels(static_cast<long long>(c.x.size[3]) * c.x.size[4]) {
    const Window& w = c.window;
    unfolds = w.size[1] != 1 || w.size[2] != 1 || w.step[1] != 1 || w.step[2] != 1 || w.pad[1] ||
              w.pad[2];
    const bool is_real = c.type == CUDNN_DATA_FLOAT || c.type == CUDNN_DATA_DOUBLE;
    // Fewer rows than these, as of a filter for each channel, are no matrix.
    pays = is_real && is_packed_images(c.x) && is_packed_images(c.y) && is_packed_images(c.w) &&
           filters >= 4 && entries >= 8 && w.size[0] == 1 && w.pad[0] == 0 && w.step[0] == 1 &&
           entries * places < INT32_MAX && entries < 65536 && places < 65536;
  }

  int channels, filters;
  long long entries, places, pixels;
  bool unfolds, pays;
};

template <typename T>
cudaError_t start_unfold(const Convolution& c, const Product& of, const T* x, T* to,
                         cudaStream_t stream) {
  const Window& w = c.window;
  const dim3 block(32, 8);
  const dim3 grid(blocks_of(c.y.size[4], 32), blocks_of(c.y.size[3], 8),
                  static_cast<unsigned>(of.entries));
  return start_kernel(unfold<T>, grid, block, stream, x, c.x.size[3], c.x.size[4], w.size[1],
                      w.size[2], w.pad[1], w.pad[2], w.step[1], w.step[2], w.dilation[1],
                      w.dilation[2], c.flips, c.y.size[3], c.y.size[4], to);
}

template <typename T>
cudaError_t start_unfold_places(const Convolution& c, const Product& of, const T* x, T* to,
                                cudaStream_t stream) {
  const Window& w = c.window;
  const long long fast = of.entries, slow = of.places;
  return start_kernel(unfold_places<T>, dim3(blocks_of(fast), static_cast<unsigned>(slow)),
                      block_threads, stream, x, c.x.size[3], c.x.size[4], w.size[1], w.size[2],
                      w.pad[1], w.pad[2], w.step[1], w.step[2], w.dilation[1], w.dilation[2],
                      c.flips, c.y.size[4], of.places, of.entries, to);
}

template <typename T>
using Gemm = blas::Gemm<T, T, T, T>;

template <typename T>
Gemm<T> gemm_of(long long m, long long n, long long k, double alpha, double beta,
                cudaStream_t stream) {
  Gemm<T> g;
  g.m = m;
  g.n = n;
  g.k = k;
  g.alpha.value = static_cast<T>(alpha);
  g.beta.value = static_cast<T>(beta);
  g.stream = stream;
  return g;
}

/// Element (i, j) is base[i row + j column].
template <typename M, typename T>
void set(M& matrix, T* base, long long row, long long column) {
  matrix.base = base;
  matrix.row = row;
  matrix.column = column;
}

/// Calls `run(image, group)` until one fails.
template <typename Run>
cudaError_t each_image(const Convolution& c, Run run) {
  for (int n = 0; n < c.x.size[0]; ++n)
    for (int g = 0; g < c.groups; ++g)
      if (const cudaError_t error = run(n, g); error != cudaSuccess) return error;
  return cudaSuccess;
}

/// Places by filters = windows (places by entries) times filters' entries.
template <typename T>
cudaError_t multiply_forward(const Convolution& c, const Product& of, const T* x, const T* w, T* y,
                             Blend blend) {
  const Scratch scratch(of.unfolds ? of.entries * of.places * (long long)sizeof(T) : 0,
                        blend.stream);
  if (scratch.error() != cudaSuccess) return scratch.error();
  return each_image(c, [&](int n, int g) {
    const long long index = static_cast<long long>(n) * c.groups + g;
    const T* windows = x + index * of.channels * of.pixels;
    if (of.unfolds) {
      const cudaError_t error = start_unfold<T>(c, of, windows, scratch.as<T>(), blend.stream);
      if (error != cudaSuccess) return error;
      windows = scratch.as<T>();
    }
    auto product =
        gemm_of<T>(of.places, of.filters, of.entries, blend.alpha, blend.beta, blend.stream);
    set(product.a, windows, 1, of.places);
    set(product.b, w + g * of.filters * of.entries, 1, of.entries);
    set(product.c, y + index * of.filters * of.places, 1, of.places);
    return blas::launch(product);
  });
}

template <typename T>
cudaError_t multiply_data(const Convolution& c, const Product& of, const T* w, const T* dy, T* dx,
                          Blend blend) {
  const Scratch scratch(of.unfolds ? of.entries * of.places * (long long)sizeof(T) : 0,
                        blend.stream);
  if (scratch.error() != cudaSuccess) return scratch.error();
  const Window& win = c.window;
  return each_image(c, [&](int n, int g) {
    const long long index = static_cast<long long>(n) * c.groups + g;
    T* const image = dx + index * of.channels * of.pixels;
    auto product = gemm_of<T>(of.places, of.entries, of.filters, blend.alpha,
                              of.unfolds ? 0 : blend.beta, blend.stream);
    set(product.a, dy + index * of.filters * of.places, 1, of.places);
    set(product.b, w + g * of.filters * of.entries, of.entries, 1);
    set(product.c, of.unfolds ? scratch.as<T>() : image, 1, of.places);
    const cudaError_t error = blas::launch(product);
    if (error != cudaSuccess || !of.unfolds) return error;
    const long long count = of.channels * of.pixels;
    return start_kernel(fold<T>, blocks_of(count), block_threads, blend.stream, scratch.as<T>(),
                        c.x.size[3], c.x.size[4], win.size[1], win.size[2], win.pad[1], win.pad[2],
                        win.step[1], win.step[2], win.dilation[1], win.dilation[2], c.flips,
                        c.y.size[3], c.y.size[4], count, image, static_cast<T>(blend.beta));
  });
}

template <typename T>
cudaError_t multiply_filter(const Convolution& c, const Product& of, const T* x, const T* dy, T* dw,
                            Blend blend) {
  const Scratch scratch(of.entries * of.places * (long long)sizeof(T), blend.stream);
  if (scratch.error() != cudaSuccess) return scratch.error();
  return each_image(c, [&](int n, int g) {
    const long long index = static_cast<long long>(n) * c.groups + g;
    const cudaError_t error = start_unfold_places<T>(c, of, x + index * of.channels * of.pixels,
                                                     scratch.as<T>(), blend.stream);
    if (error != cudaSuccess) return error;
    auto product = gemm_of<T>(of.entries, of.filters, of.places, blend.alpha,
                              n == 0 ? blend.beta : 1, blend.stream);
    set(product.a, scratch.as<T>(), 1, of.entries);
    set(product.b, dy + index * of.filters * of.places, 1, of.places);
    set(product.c, dw + g * of.filters * of.entries, 1, of.entries);
    return blas::launch(product);
  });
}

/// Calls `run` for the two types that have products.
template <typename Run>
cudaError_t with_real(cudnnDataType_t type, Run run) {
  return type == CUDNN_DATA_FLOAT ? run(0.0f) : run(0.0);
}

}  // namespace

cudaError_t launch_convolution(const Convolution& c, const void* x, const void* w, void* y,
                               Blend blend) {
  if (const Product product(c); product.pays)
    return with_real(c.type, [&](auto of) {
      using T = decltype(of);
      return multiply_forward(c, product, static_cast<const T*>(x), static_cast<const T*>(w),
                              static_cast<T*>(y), blend);
    });
  return with_type(c.type, [&](auto of) {
    using T = decltype(of);
    return start_kernel(convolve<T>, blocks_of(c.y.count()), block_threads, blend.stream, c,
                        c.y.count(), static_cast<const T*>(x), static_cast<const T*>(w),
                        static_cast<T*>(y), blend.alpha, blend.beta);
  });
}

cudaError_t launch_data_gradient(const Convolution& c, const void* w, const void* dy, void* dx,
                                 Blend blend) {
  if (const Product product(c); product.pays)
    return with_real(c.type, [&](auto of) {
      using T = decltype(of);
      return multiply_data(c, product, static_cast<const T*>(w), static_cast<const T*>(dy),
                           static_cast<T*>(dx), blend);
    });
  return with_type(c.type, [&](auto of) {
    using T = decltype(of);
    return start_kernel(convolve_data_gradient<T>, blocks_of(c.x.count()), block_threads,
                        blend.stream, c, c.x.count(), static_cast<const T*>(w),
                        static_cast<const T*>(dy), static_cast<T*>(dx), blend.alpha, blend.beta);
  });
}

cudaError_t launch_filter_gradient(const Convolution& c, const void* x, const void* dy, void* dw,
                                   Blend blend) {
  if (const Product product(c); product.pays)
    return with_real(c.type, [&](auto of) {
      using T = decltype(of);
      return multiply_filter(c, product, static_cast<const T*>(x), static_cast<const T*>(dy),
                             static_cast<T*>(dw), blend);
    });
  return with_type(c.type, [&](auto of) {
    using T = decltype(of);
    return start_kernel(convolve_filter_gradient<T>, blocks_of(c.w.count()), block_threads,
                        blend.stream, c, c.w.count(), static_cast<const T*>(x),
                        static_cast<const T*>(dy), static_cast<T*>(dw), blend.alpha, blend.beta);
  });
}

}  // namespace gridspan::libraries::dnn
