// Rotations of pairs of vectors: how the kernels are launched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/kernels/vectors.h"

namespace gridspan::libraries::blas {

/// x = c x + s y, y = c y - conj(s) x. Work: what elements T are computed in.
template <typename Work, typename Cosine, typename Sine, typename T>
cudaError_t launch_rot(std::int64_t count, Vector<T> x, Vector<T> y, Scalar<Cosine> c,
                       Scalar<Sine> s, cudaStream_t stream);

/// A flag and the four numbers of a matrix, by columns: as rotmg gives them.
template <typename T>
struct Modified {
  T numbers[5];
  const T* place = nullptr;
};
template <typename Work, typename T>
cudaError_t launch_rotm(std::int64_t count, Vector<T> x, Vector<T> y, const Modified<T>& parameters,
                        cudaStream_t stream);

// Those that make rotations: numbers in device memory, or, with `on_host`, in the host's, where
// they are computed at once.
template <typename T>
cudaError_t make_rotation(bool on_host, T* a, T* b, T* c, T* s, cudaStream_t stream);
template <typename T, typename R>
cudaError_t make_complex_rotation(bool on_host, T* a, T* b, R* c, T* s, cudaStream_t stream);
template <typename T>
cudaError_t make_modified_rotation(bool on_host, T* d1, T* d2, T* x1, const T* y1, T* parameters,
                                   cudaStream_t stream);

/// y = alpha x + y, and x = alpha x, of 16 bits: alpha of float.
template <typename T>
cudaError_t launch_axpy_short(std::int64_t count, Scalar<float> alpha, Vector<const T> x,
                              Vector<T> y, cudaStream_t stream);
template <typename T>
cudaError_t launch_scal_short(std::int64_t count, Scalar<float> alpha, Vector<T> x,
                              cudaStream_t stream);

}  // namespace gridspan::libraries::blas
