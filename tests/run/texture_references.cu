// Legacy texture references: texture<...> variables, bound by the host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Textures and surfaces | legacy texture references: global, static, in namespaces; texture<T, dimensions, mode>
// FEATURE: Textures and surfaces | cudaBindTexture, cudaBindTexture2D, cudaBindTextureToArray, cudaUnbindTexture, cudaGetTextureReference
// FEATURE: Textures and surfaces | references handed to device functions, by reference and by value
// FEATURE: Textures and surfaces | fields of references set before and after binding; rebinding between launches without waiting
// FEATURE: Textures and surfaces | tex1Dfetch, tex1D, tex2D, tex3D, layered, cubemap, tex2Dgather through references
#include "texture_check.h"

using namespace texture_check;

texture<int> numbers;
texture<int, 1, cudaReadModeElementType> twice;
static texture<float, cudaTextureType2D, cudaReadModeElementType> plane;
namespace {
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;
}
namespace volumes {
texture<float, 3> volume(true, cudaFilterModeLinear, cudaAddressModeWrap);
}
texture<float, cudaTextureType1DLayered> lines;
texture<float, cudaTextureType2DLayered> pages;
texture<float, cudaTextureTypeCubemap> box;
texture<float, 1> line;

template <class Texture>
__device__ int by_value(Texture reference, int i) {
  return tex1Dfetch(reference, i);
}
__device__ int by_reference(const texture<int>& reference, int i) {
  return tex1Dfetch(reference, i);
}
__device__ int from_function(int i) { return by_value(numbers, i) + 2 * by_reference(twice, i); }

__global__ void fetch(int* out, int n) {
  const int i = check::global_index();
  if (i < n) out[i] = from_function(i);
}

__global__ void write(int* out, int factor, int n) {
  const int i = check::global_index();
  if (i < n) out[i] = factor * i;
}

__global__ void only_numbers(int* out, int n) {
  const int i = check::global_index();
  if (i < n) out[i] = tex1Dfetch(numbers, i);
}

__global__ void planes(float* out, float4* colour, const float* x, const float* y, int n) {
  const int i = check::global_index();
  if (i >= n) return;
  out[i] = tex2D(plane, x[i], y[i]);
  colour[i] = tex2D(colours, x[i], y[i]);
}

__global__ void others(float* out, const float* x, const float* y, int n) {
  const int i = check::global_index();
  if (i >= n) return;
  float* mine = out + 5 * i;
  mine[0] = tex3D(volumes::volume, x[i], y[i], 0.5f);
  mine[1] = tex1DLayered(lines, x[i], i % 3);
  mine[2] = tex2DLayered(pages, x[i], y[i], i % 3);
  mine[3] = texCubemap(box, 1.0f, 0.0f, 0.0f);
  mine[4] = tex1D(line, x[i]);
}

__global__ void gathered(float4* out, int n) {
  const int i = check::global_index();
  if (i < n) out[i] = tex2Dgather(plane, i + 1.0f, 1.0f);
}

constexpr int count = 500;

std::vector<int> scaled(int factor, int offset = 0) {
  std::vector<int> made(count);
  for (int i = 0; i < count; ++i) made[i] = factor * i + offset;
  return made;
}

/// Every launch sees what was bound when it was launched, although none has been waited for.
void rebinding() {
  check::Array<int> a(scaled(1)), b(scaled(-5)), c(scaled(11, 3));
  check::Array<int> first(count), second(count), third(count), fourth(count);
  std::size_t offset = 99;
  CUDA_OK(cudaBindTexture(&offset, numbers, a.data(), count * sizeof(int)));
  CHECK_EQ(offset, std::size_t{0});
  CUDA_OK(cudaBindTexture(nullptr, twice, b.data()));
  fetch<<<4, 128>>>(first.data(), count);
  CUDA_OK(cudaBindTexture(nullptr, numbers, c.data(), cudaCreateChannelDesc<int>(),
                          count * sizeof(int)));
  fetch<<<4, 128>>>(second.data(), count);
  CUDA_OK(cudaBindTexture(nullptr, twice, a.data() + 100, (count - 100) * sizeof(int)));
  fetch<<<4, 128>>>(third.data(), count);
  CUDA_OK(cudaUnbindTexture(twice));
  CHECK(cudaGetTextureAlignmentOffset(&offset, twice) == cudaErrorInvalidTextureBinding);
  CHECK(cudaGetLastError() == cudaErrorInvalidTextureBinding);
  CUDA_OK(cudaBindTexture(nullptr, twice, a.data(), count * sizeof(int)));
  CUDA_OK(cudaGetTextureAlignmentOffset(&offset, twice));
  fetch<<<4, 128>>>(fourth.data(), count);
  std::vector<int> want(count);
  check::equal("first binding", first.get(), scaled(1 - 10));
  check::equal("second binding", second.get(), scaled(11 - 10, 3));
  for (int i = 0; i < count; ++i) want[i] = 11 * i + 3 + (i < count - 100 ? 2 * (i + 100) : 0);
  check::equal("bound to a part", third.get(), want);
  check::equal("bound again", fourth.get(), scaled(13, 3));
}

/// Copies into bound memory are seen by the launches behind them.
void changing_memory() {
  check::Array<int> a(scaled(1)), zero(scaled(0)), out(count);
  CUDA_OK(cudaBindTexture(nullptr, numbers, a.data(), count * sizeof(int)));
  CUDA_OK(cudaBindTexture(nullptr, twice, zero.data(), count * sizeof(int)));
  for (int round = 1; round < 4; ++round) {
    fetch<<<4, 128>>>(a.data(), count);  // each thread writes what only it reads
    const std::vector<int> three = scaled(3 * round);
    CUDA_OK(cudaMemcpy(zero.data(), three.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  }
  fetch<<<4, 128>>>(out.data(), count);
  // 1; then + 2*3, + 2*6; the last launch adds 2*9
  check::equal("memory changes between launches", out.get(), scaled(1 + 6 + 12 + 18));
}

/// What a kernel without textures writes, on however many devices, the next fetches see.
void written_by_kernels() {
  check::Array<int> a(count), b(count), out(count);
  CUDA_OK(cudaBindTexture(nullptr, numbers, a.data(), count * sizeof(int)));
  CUDA_OK(cudaBindTexture(nullptr, twice, b.data(), count * sizeof(int)));
  for (int round = 1; round < 4; ++round) {
    write<<<16, 32>>>(a.data(), round, count);
    write<<<16, 32>>>(b.data(), 10 * round, count);
    fetch<<<4, 128>>>(out.data(), count);
    check::equal("memory that kernels write", out.get(), scaled(21 * round));
  }
}

/// Modes are read when a kernel is launched.
void modes(check::Random& random) {
  constexpr int width = 16, height = 8;
  const auto texels = random.reals<float>(width * height, -4, 4);
  const auto bytes = random.integers<unsigned char>(width * height * 4, 0, 255);
  const DeviceImage<float> array(make_cudaExtent(width, height, 0), cudaArrayDefault, texels);
  uchar4* rows = nullptr;
  std::size_t pitch = 0;
  CUDA_OK(cudaMallocPitch(&rows, &pitch, width * 4, height));
  CUDA_OK(cudaMemcpy2D(rows, pitch, bytes.data(), width * 4, width * 4, height,
                       cudaMemcpyHostToDevice));
  const Image image{width, height, 1, std::vector<double>(texels.begin(), texels.end())};
  Image red{width, height, 1, std::vector<double>(width * height)};
  for (int i = 0; i < width * height; ++i) red.texels[i] = bytes[4 * i] / 255.0;
  CUDA_OK(cudaBindTextureToArray(plane, array.get()));
  CUDA_OK(cudaBindTexture2D(nullptr, colours, rows, width, height, pitch));
  Modes now;
  for (int turn = 0; turn < 4; ++turn) {
    now.linear = turn & 1;
    now.normalized = turn & 2;
    now.address[0] = turn == 3 ? cudaAddressModeWrap : cudaAddressModeBorder;
    plane.normalized = colours.normalized = now.normalized;
    plane.filterMode = colours.filterMode = now.linear ? cudaFilterModeLinear : cudaFilterModePoint;
    plane.addressMode[0] = colours.addressMode[0] = now.address[0];
    const auto at_x = coordinates(random, count, width, now.normalized);
    const auto at_y = coordinates(random, count, height, now.normalized);
    check::Array<float> x(at_x), y(at_y), out(count);
    check::Array<float4> colour(count);
    planes<<<4, 128>>>(out.data(), colour.data(), x.data(), y.data(), count);
    std::vector<float> want, want_red, got_red;
    for (int i = 0; i < count; ++i) {
      const double position[2] = {at_x[i], at_y[i]};
      want.push_back(static_cast<float>(sample(image, 2, now, position)));
      want_red.push_back(static_cast<float>(sample(red, 2, now, position)));
    }
    for (const float4& one : colour.get()) got_red.push_back(one.x);
    check::near("reference to an array", out.get(), want, 1e-5);
    check::near("reference to rows", got_red, want_red, 1e-6);
  }
  check::Array<float4> four(width - 1);
  gathered<<<1, 32>>>(four.data(), width - 1);
  std::vector<float4> want;
  for (int i = 0; i < width - 1; ++i)
    want.push_back(make_float4(texels[width + i], texels[width + i + 1], texels[i + 1], texels[i]));
  plane.normalized = false;
  plane.addressMode[0] = cudaAddressModeClamp;
  gathered<<<1, 32>>>(four.data(), width - 1);
  check::equal("gather through a reference", four.get(), want);
  CUDA_OK(cudaFree(rows));
}

void shapes(check::Random& random) {
  const auto texels = random.reals<float>(8 * 8 * 6, -4, 4);
  const Image image{8, 8, 6, std::vector<double>(texels.begin(), texels.end())};
  const DeviceImage<float> solid(make_cudaExtent(8, 8, 6), cudaArrayDefault, texels);
  const DeviceImage<float> layered(make_cudaExtent(8, 8, 6), cudaArrayLayered, texels);
  const DeviceImage<float> thin(make_cudaExtent(8, 0, 6), cudaArrayLayered, texels);
  const DeviceImage<float> cube(make_cudaExtent(8, 8, 6), cudaArrayCubemap, texels);
  const DeviceImage<float> row(make_cudaExtent(8, 0, 0), cudaArrayDefault, texels);
  CUDA_OK(cudaBindTextureToArray(volumes::volume, solid.get()));
  CUDA_OK(cudaBindTextureToArray(lines, thin.get()));
  CUDA_OK(cudaBindTextureToArray(pages, layered.get(), cudaCreateChannelDesc<float>()));
  CUDA_OK(cudaBindTextureToArray(box, cube.get()));
  CUDA_OK(cudaBindTextureToArray(line, row.get()));
  const auto at_x = coordinates(random, count, 8, true), at_y = coordinates(random, count, 8, true);
  check::Array<float> x(at_x), y(at_y), out(5 * count);
  others<<<4, 128>>>(out.data(), x.data(), y.data(), count);
  Modes wrapped;
  wrapped.linear = wrapped.normalized = true;
  wrapped.address = {cudaAddressModeWrap, cudaAddressModeWrap, cudaAddressModeWrap};
  const Image flat{8, 1, 6, image.texels};
  std::vector<float> want;
  for (int i = 0; i < count; ++i) {
    const double position[3] = {at_x[i], at_y[i], 0.5};
    want.push_back(static_cast<float>(sample(image, 3, wrapped, position)));
    want.push_back(static_cast<float>(sample(flat, 1, {}, position, i % 3)));
    want.push_back(static_cast<float>(sample(image, 2, {}, position, i % 3)));
    want.push_back(static_cast<float>(image.at(4, 4, 0)));  // the middle of face 0
    want.push_back(static_cast<float>(sample(flat, 1, {}, position)));
  }
  check::near("references of every shape", out.get(), want, 1e-5);
}

/// Memory freed while bound does not keep kernels from running that have no use for it.
void freed_memory() {
  int* gone = nullptr;
  CUDA_OK(cudaMalloc(&gone, 4000));
  CUDA_OK(cudaBindTexture(nullptr, twice, gone, 4000));
  check::Array<int> a(scaled(4)), out(count);
  CUDA_OK(cudaBindTexture(nullptr, numbers, a.data(), count * sizeof(int)));
  CUDA_OK(cudaFree(gone));
  only_numbers<<<4, 128>>>(out.data(), count);
  check::equal("another reference's memory was freed", out.get(), scaled(4));
}

void errors() {
  const textureReference* found = nullptr;
  CUDA_OK(cudaGetTextureReference(&found, &plane));
  CHECK(found == &plane);
  int no_texture = 0;
  CHECK(cudaGetTextureReference(&found, &no_texture) == cudaErrorInvalidTexture);
  CHECK(cudaBindTexture(nullptr, numbers, &no_texture, 4) == cudaErrorInvalidValue);
  check::Array<int> a(scaled(1));
  numbers.filterMode = cudaFilterModeLinear;
  CHECK(cudaBindTexture(nullptr, numbers, a.data(), 64) == cudaErrorInvalidFilterSetting);
  numbers.filterMode = cudaFilterModePoint;
  cudaGetLastError();
}

int main() {
  check::Random random(504);
  rebinding();
  changing_memory();
  written_by_kernels();
  modes(random);
  shapes(random);
  freed_memory();
  errors();
  return check::finish();
}
