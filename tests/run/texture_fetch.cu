// Linear memory by number, rows with a pitch, and what objects say of themselves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Textures and surfaces | tex1Dfetch of linear memory: 1, 2, 4 channels of char, short, int, float, signed and not; 0 outside
// FEATURE: Textures and surfaces | tex2D of pitched memory (cudaResourceTypePitch2D)
// FEATURE: Textures and surfaces | cudaGetTextureObjectResourceDesc, cudaGetTextureObjectTextureDesc; wrong descriptions refused
// FEATURE: Textures and surfaces | objects in structs, in arrays in memory, chosen by each thread
#include "texture_check.h"

using namespace texture_check;

template <class T>
__global__ void fetch(T* out, cudaTextureObject_t t, const int* at, int n) {
  const int i = check::global_index();
  if (i >= n) return;
  if (i % 2)
    out[i] = tex1Dfetch<T>(t, at[i]);
  else
    tex1Dfetch(&out[i], t, at[i]);
}

template <class T>
__global__ void pitched(T* out, cudaTextureObject_t t, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = tex2D<T>(t, x + 0.5f, y + 0.5f);
}

struct Pair {
  int skip;
  cudaTextureObject_t textures[2];
};
__global__ void choose(int* out, Pair pair, const cudaTextureObject_t* table, int n) {
  const int i = check::global_index();
  if (i >= n) return;
  const cudaTextureObject_t mine = i % 3 ? pair.textures[i % 2] : table[i % 2];
  out[i] = tex1Dfetch<int>(mine, i);
}

cudaResourceDesc linear(void* memory, const cudaChannelFormatDesc& format, std::size_t bytes) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = bytes;
  return resource;
}

template <class T>
std::vector<T> random_texels(check::Random& random, std::size_t n) {
  std::vector<T> texels(n);
  auto* bytes = reinterpret_cast<unsigned char*>(texels.data());
  for (std::size_t i = 0; i < n * sizeof(T); ++i)
    bytes[i] = static_cast<unsigned char>(random.integer(0, 126));  // no NaN among floats
  for (std::size_t i = 0; i < n * sizeof(T); i += 5) bytes[i] |= 0x80;
  return texels;
}

template <class T>
void linear_memory(check::Random& random) {
  constexpr int n = 301;
  const std::vector<T> texels = random_texels<T>(random, n);
  check::Array<T> memory(texels), out(2 * n);
  const Object object(linear(memory.data(), cudaCreateChannelDesc<T>(), n * sizeof(T)),
                      describe({}));
  std::vector<int> at = random.integers<int>(2 * n, -40, n + 40);
  at[0] = n - 1, at[1] = n, at[2] = -1, at[3] = 0;
  check::Array<int> where(at);
  fetch<T><<<5, 128>>>(out.data(), object.get(), where.data(), 2 * n);
  std::vector<T> want(2 * n);
  for (int i = 0; i < 2 * n; ++i)
    if (at[i] >= 0 && at[i] < n)
      want[i] = texels[at[i]];
    else
      std::memset(&want[i], 0, sizeof(T));
  check::equal("tex1Dfetch of " + std::to_string(sizeof(T)) + " bytes", out.get(), want);
}

template <class T>
void pitched_memory(check::Random& random, int width, int height) {
  T* memory = nullptr;
  std::size_t pitch = 0;
  CUDA_OK(cudaMallocPitch(&memory, &pitch, width * sizeof(T), height));
  const std::vector<T> texels = random_texels<T>(random, width * height);
  CUDA_OK(cudaMemcpy2D(memory, pitch, texels.data(), width * sizeof(T), width * sizeof(T), height,
                       cudaMemcpyHostToDevice));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<T>();
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  {
    const Object object(resource, describe({}));
    check::Array<T> out(width * height);
    pitched<T><<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(out.data(), object.get(),
                                                                           width, height);
    check::equal("pitched memory", out.get(), texels);
  }
  CUDA_OK(cudaFree(memory));
}

void chosen_handles() {
  constexpr int n = 200;
  std::vector<int> even(n), odd(n), want(n);
  for (int i = 0; i < n; ++i) {
    even[i] = 3 * i;
    odd[i] = -7 * i;
    want[i] = i % 2 ? odd[i] : even[i];
  }
  check::Array<int> a(even), b(odd), out(n);
  const auto format = cudaCreateChannelDesc<int>();
  const Object first(linear(a.data(), format, n * 4), describe({}));
  const Object second(linear(b.data(), format, n * 4), describe({}));
  const Pair pair{1, {first.get(), second.get()}};
  check::Array<cudaTextureObject_t> table({first.get(), second.get()});
  choose<<<2, 128>>>(out.data(), pair, table.data(), n);
  check::equal("handles chosen by threads", out.get(), want);
}

void descriptions() {
  check::Array<float> memory(64);
  cudaResourceDesc resource = linear(memory.data(), cudaCreateChannelDesc<float>(), 64 * 4);
  Modes modes;
  modes.border = 1.5;
  cudaTextureDesc description = describe(modes);
  const Object object(resource, description);
  cudaResourceDesc found{};
  CUDA_OK(cudaGetTextureObjectResourceDesc(&found, object.get()));
  CHECK(found.resType == cudaResourceTypeLinear && found.res.linear.devPtr == memory.data());
  CHECK_EQ(found.res.linear.sizeInBytes, std::size_t{256});
  cudaTextureDesc modes_found{};
  CUDA_OK(cudaGetTextureObjectTextureDesc(&modes_found, object.get()));
  CHECK(modes_found.addressMode[1] == cudaAddressModeClamp && modes_found.borderColor[2] == 1.5f);
  CHECK(cudaGetTextureObjectResourceDesc(&found, 12345) == cudaErrorInvalidValue);
  CHECK(cudaDestroyTextureObject(12345) == cudaErrorInvalidValue);

  cudaTextureObject_t none = 0;
  int on_host = 0;
  cudaResourceDesc wrong = linear(&on_host, cudaCreateChannelDesc<int>(), 4);
  CHECK(cudaCreateTextureObject(&none, &wrong, &description, nullptr) == cudaErrorInvalidValue);
  wrong = resource;
  wrong.res.linear.desc = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
  CHECK(cudaCreateTextureObject(&none, &wrong, &description, nullptr) ==
        cudaErrorInvalidChannelDescriptor);
  wrong.res.linear.desc = cudaCreateChannelDesc<int>();
  description.filterMode = cudaFilterModeLinear;
  CHECK(cudaCreateTextureObject(&none, &wrong, &description, nullptr) ==
        cudaErrorInvalidFilterSetting);
  CHECK(cudaCreateTextureObject(nullptr, &resource, &description, nullptr) ==
        cudaErrorInvalidValue);
  cudaGetLastError();
}

int main() {
  check::Random random(502);
  linear_memory<char>(random);
  linear_memory<unsigned char>(random);
  linear_memory<char2>(random);
  linear_memory<uchar4>(random);
  linear_memory<short>(random);
  linear_memory<ushort2>(random);
  linear_memory<short4>(random);
  linear_memory<int>(random);
  linear_memory<unsigned int>(random);
  linear_memory<int2>(random);
  linear_memory<uint4>(random);
  linear_memory<float>(random);
  linear_memory<float2>(random);
  linear_memory<float4>(random);
  pitched_memory<float>(random, 37, 11);
  pitched_memory<uchar4>(random, 5, 3);
  pitched_memory<short>(random, 129, 2);
  chosen_handles();
  descriptions();
  return check::finish();
}
