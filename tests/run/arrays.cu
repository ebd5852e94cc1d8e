// CUDA arrays: making them, asking them, copies in, out and between.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Textures and surfaces | cudaMallocArray, cudaMalloc3DArray, cudaFreeArray, cudaArrayGetInfo, cudaGetChannelDesc, cudaCreateChannelDesc
// FEATURE: Textures and surfaces | cudaMemcpyToArray, cudaMemcpyFromArray, cudaMemcpyArrayToArray, cudaMemcpy2DToArray, cudaMemcpy2DFromArray, cudaMemcpy2DArrayToArray, their Async forms
// FEATURE: Textures and surfaces | cudaMemcpy3D between arrays, pitched memory and the host, from and to any position
#include "check.h"

namespace {

template <class T>
cudaArray_t make(std::size_t width, std::size_t height, std::size_t depth = 0) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t array = nullptr;
  if (depth)
    CUDA_OK(cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth)));
  else
    CUDA_OK(cudaMallocArray(&array, &format, width, height));
  return array;
}

template <class T>
std::vector<T> all_of(cudaArray_t array, std::size_t texels) {
  std::vector<T> found(texels);
  CUDA_OK(
      cudaMemcpyFromArray(found.data(), array, 0, 0, texels * sizeof(T), cudaMemcpyDeviceToHost));
  return found;
}

void formats() {
  cudaArray_t array = make<short2>(17, 5);
  cudaChannelFormatDesc format{};
  cudaExtent extent{};
  unsigned flags = 99;
  CUDA_OK(cudaArrayGetInfo(&format, &extent, &flags, array));
  CHECK(format.x == 16 && format.y == 16 && format.z == 0 && format.w == 0);
  CHECK(format.f == cudaChannelFormatKindSigned);
  CHECK(extent.width == 17 && extent.height == 5 && extent.depth == 0 && flags == 0);
  format = {};
  CUDA_OK(cudaGetChannelDesc(&format, array));
  CHECK(format.x == 16 && format.f == cudaChannelFormatKindSigned);
  CUDA_OK(cudaFreeArray(array));
  CHECK(cudaFreeArray(array) == cudaErrorInvalidResourceHandle);
  CHECK(cudaGetChannelDesc(&format, array) == cudaErrorInvalidResourceHandle);
  CUDA_OK(cudaFreeArray(nullptr));
  format = cudaCreateChannelDesc<uchar4>();
  CHECK(format.w == 8 && format.f == cudaChannelFormatKindUnsigned);
  format = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
  CHECK(cudaMallocArray(&array, &format, 4, 4) == cudaErrorInvalidChannelDescriptor);
  format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array, &format, 0, 4) == cudaErrorInvalidValue);
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 5, 6), cudaArrayCubemap) ==
        cudaErrorInvalidValue);
  cudaGetLastError();
}

/// Runs of bytes go on in the next row.
void runs(check::Random& random) {
  constexpr int width = 7, height = 6;
  const auto values = random.integers<int>(width * height, 0, 1000);
  cudaArray_t a = make<int>(width, height), b = make<int>(width, height);
  CUDA_OK(cudaMemcpyToArray(a, 0, 0, values.data(), values.size() * 4, cudaMemcpyHostToDevice));
  check::equal("to array and back", all_of<int>(a, values.size()), values);
  std::vector<int> want = values, run{-1, -2, -3, -4, -5};
  CUDA_OK(cudaMemcpyToArrayAsync(a, 5 * 4, 2, run.data(), run.size() * 4, cudaMemcpyHostToDevice));
  std::copy(run.begin(), run.end(), want.begin() + 2 * width + 5);
  check::equal("a run over the end of a row", all_of<int>(a, want.size()), want);
  std::vector<int> part(4);
  CUDA_OK(cudaMemcpyFromArrayAsync(part.data(), a, 6 * 4, 2, 16, cudaMemcpyDeviceToHost));
  check::equal("a run out", part,
               std::vector<int>(want.begin() + 2 * width + 6, want.begin() + 2 * width + 10));
  CUDA_OK(cudaMemcpyArrayToArray(b, 0, 0, a, 0, 0, want.size() * 4));
  check::equal("array to array", all_of<int>(b, want.size()), want);
  CHECK(cudaMemcpyToArray(a, 4, 5, values.data(), width * 4, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  cudaGetLastError();
  CUDA_OK(cudaFreeArray(a));
  CUDA_OK(cudaFreeArray(b));
}

void boxes(check::Random& random) {
  constexpr int width = 11, height = 8, pitch = 15;
  const auto values = random.integers<short>(pitch * height, 0, 1000);
  cudaArray_t a = make<short>(width, height), b = make<short>(width, height);
  std::vector<short> want(width * height, 0);
  CUDA_OK(cudaMemcpyToArray(a, 0, 0, want.data(), want.size() * 2, cudaMemcpyHostToDevice));
  CUDA_OK(
      cudaMemcpy2DToArray(a, 3 * 2, 2, values.data(), pitch * 2, 5 * 2, 4, cudaMemcpyHostToDevice));
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 5; ++x) want[(y + 2) * width + x + 3] = values[y * pitch + x];
  check::equal("rows in", all_of<short>(a, want.size()), want);
  check::Array<short> device(values);
  CUDA_OK(cudaMemcpy2DToArrayAsync(b, 0, 0, device.data(), pitch * 2, width * 2, height,
                                   cudaMemcpyDeviceToDevice, cudaStreamPerThread));
  CUDA_OK(cudaMemcpy2DArrayToArray(b, 2, 1, a, 3 * 2, 2, 5 * 2, 4));
  std::vector<short> other(width * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const bool inside = x >= 1 && x < 6 && y >= 1 && y < 5;
      other[y * width + x] = inside ? want[(y + 1) * width + x + 2] : values[y * pitch + x];
    }
  check::equal("box to box", all_of<short>(b, other.size()), other);
  std::vector<short> out(pitch * height, 7), out_want = out;
  CUDA_OK(cudaMemcpy2DFromArrayAsync(out.data(), pitch * 2, b, 2 * 2, 3, 6 * 2, 4,
                                     cudaMemcpyDeviceToHost));
  CUDA_OK(cudaDeviceSynchronize());
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 6; ++x) out_want[y * pitch + x] = other[(y + 3) * width + x + 2];
  check::equal("rows out", out, out_want);
  CHECK(cudaMemcpy2DFromArray(out.data(), pitch * 2, b, 2, 0, width * 2, 1,
                              cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DToArray(b, 0, 0, values.data(), 4, width * 2, 2, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidPitchValue);
  cudaGetLastError();
  CUDA_OK(cudaFreeArray(a));
  CUDA_OK(cudaFreeArray(b));
}

/// Positions and extents count texels as soon as an array takes part.
void volumes(check::Random& random) {
  constexpr int width = 9, height = 5, depth = 4;
  const auto numbers = random.integers<int>(width * height * depth * 2, 0, 1000);
  std::vector<int2> values(width * height * depth);
  std::memcpy(values.data(), numbers.data(), numbers.size() * 4);
  cudaArray_t a = make<int2>(width, height, depth), b = make<int2>(width, height, depth);
  cudaMemcpy3DParms in{};
  in.srcPtr = make_cudaPitchedPtr(values.data(), width * 8, width, height);
  in.dstArray = a;
  in.extent = make_cudaExtent(width, height, depth);
  in.kind = cudaMemcpyHostToDevice;
  CUDA_OK(cudaMemcpy3D(&in));
  in.dstArray = b;
  CUDA_OK(cudaMemcpy3DAsync(&in));
  cudaMemcpy3DParms across{};
  across.srcArray = a;
  across.srcPos = make_cudaPos(1, 2, 0);
  across.dstArray = b;
  across.dstPos = make_cudaPos(4, 1, 2);
  across.extent = make_cudaExtent(5, 3, 2);
  across.kind = cudaMemcpyDeviceToDevice;
  CUDA_OK(cudaMemcpy3D(&across));
  std::vector<int2> want = values;
  const auto at = [](int x, int y, int z) { return (z * height + y) * width + x; };
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 5; ++x) want[at(x + 4, y + 1, z + 2)] = values[at(x + 1, y + 2, z)];
  std::vector<int2> found(values.size());
  cudaMemcpy3DParms out{};
  out.srcArray = b;
  out.dstPtr = make_cudaPitchedPtr(found.data(), width * 8, width, height);
  out.extent = make_cudaExtent(width, height, depth);
  out.kind = cudaMemcpyDeviceToHost;
  CUDA_OK(cudaMemcpy3D(&out));
  check::equal("volume to volume", found, want);
  cudaPitchedPtr memory{};
  CUDA_OK(cudaMalloc3D(&memory, make_cudaExtent(width * 8, height, depth)));
  CUDA_OK(cudaMemset3D(memory, 0, make_cudaExtent(width * 8, height, depth)));
  cudaMemcpy3DParms part{};
  part.srcArray = a;
  part.srcPos = make_cudaPos(2, 1, 1);
  part.dstPtr = memory;
  part.dstPos = make_cudaPos(3 * 8, 2, 0);  // bytes: no array
  part.extent = make_cudaExtent(4, 2, 3);
  part.kind = cudaMemcpyDeviceToDevice;
  CUDA_OK(cudaMemcpy3D(&part));
  cudaMemcpy3DParms back{};
  back.srcPtr = memory;
  back.dstPtr = make_cudaPitchedPtr(found.data(), width * 8, width, height);
  back.extent = make_cudaExtent(width * 8, height, depth);
  back.kind = cudaMemcpyDeviceToHost;
  CUDA_OK(cudaMemcpy3D(&back));
  std::fill(want.begin(), want.end(), make_int2(0, 0));
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 4; ++x) want[at(x + 3, y + 2, z)] = values[at(x + 2, y + 1, z + 1)];
  check::equal("volume to pitched memory", found, want);
  across.srcPos = make_cudaPos(6, 0, 0);
  CHECK(cudaMemcpy3D(&across) == cudaErrorInvalidValue);
  cudaGetLastError();
  CUDA_OK(cudaFree(memory.ptr));
  CUDA_OK(cudaFreeArray(a));
  CUDA_OK(cudaFreeArray(b));
}

}  // namespace

int main() {
  check::Random random(506);
  formats();
  runs(random);
  boxes(random);
  volumes(random);
  return check::finish();
}
