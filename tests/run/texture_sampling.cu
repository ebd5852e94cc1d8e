// Sampling arrays at positions: every address mode, filter and kind of coordinate.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Textures and surfaces | texture objects: tex1D, tex2D, tex3D of float arrays
// FEATURE: Textures and surfaces | point and linear filtering (weights of 8 fractional bits), normalised coordinates
// FEATURE: Textures and surfaces | address modes clamp, border with colour, wrap, mirror, different ones per axis
// FEATURE: Textures and surfaces | 8 and 16 bit integers as normalised floats, filtered; half floats
// FEATURE: Textures and surfaces | tex1DLod, tex2DLod, tex3DLod, tex1DGrad, tex2DGrad, tex3DGrad without mipmaps
#include "texture_check.h"

using namespace texture_check;

__global__ void sample1(float* out, cudaTextureObject_t t, const float* x, int n) {
  const int i = check::global_index();
  if (i >= n) return;
  out[3 * i] = tex1D<float>(t, x[i]);
  out[3 * i + 1] = tex1DLod<float>(t, x[i], 0.0f);
  tex1DGrad(&out[3 * i + 2], t, x[i], 0.25f, 0.5f);
}

__global__ void sample2(float* out, cudaTextureObject_t t, const float* x, const float* y, int n) {
  const int i = check::global_index();
  if (i >= n) return;
  tex2D(&out[3 * i], t, x[i], y[i]);
  out[3 * i + 1] = tex2DLod<float>(t, x[i], y[i], 0.0f);
  out[3 * i + 2] = tex2DGrad<float>(t, x[i], y[i], make_float2(0, 0), make_float2(0, 0));
}

__global__ void sample3(float* out, cudaTextureObject_t t, const float* x, const float* y,
                        const float* z, int n) {
  const int i = check::global_index();
  if (i >= n) return;
  const float4 slope = make_float4(0, 0, 0, 0);
  out[3 * i] = tex3D<float>(t, x[i], y[i], z[i]);
  out[3 * i + 1] = tex3DLod<float>(t, x[i], y[i], z[i], 0.0f);
  out[3 * i + 2] = tex3DGrad<float>(t, x[i], y[i], z[i], slope, slope);
}

template <class V>
__global__ void sample_channels(V* out, cudaTextureObject_t t, const float* x, const float* y,
                                int n) {
  const int i = check::global_index();
  if (i < n) out[i] = tex2D<V>(t, x[i], y[i]);
}

constexpr int count = 777;

void dimensions(check::Random& random, int d, const Modes& modes) {
  const Image image{23, d > 1 ? 9 : 1, d > 2 ? 5 : 1,
                    random.reals<double>(23 * (d > 1 ? 9 : 1) * (d > 2 ? 5 : 1), -8, 8)};
  Image rounded = image;
  const std::vector<float> texels(image.texels.begin(), image.texels.end());
  rounded.texels.assign(texels.begin(), texels.end());
  const cudaExtent extent = make_cudaExtent(23, d > 1 ? 9 : 0, d > 2 ? 5 : 0);
  const DeviceImage<float> array(extent, cudaArrayDefault, texels);
  const Object object(resource_of(array.get()), describe(modes));
  std::vector<float> at[3];
  for (int axis = 0; axis < 3; ++axis)
    at[axis] = coordinates(random, count, image.extent(axis), modes.normalized);
  check::Array<float> x(at[0]), y(at[1]), z(at[2]), out(3 * count);
  if (d == 1) sample1<<<7, 128>>>(out.data(), object.get(), x.data(), count);
  if (d == 2) sample2<<<7, 128>>>(out.data(), object.get(), x.data(), y.data(), count);
  if (d == 3) sample3<<<7, 128>>>(out.data(), object.get(), x.data(), y.data(), z.data(), count);
  std::vector<float> want;
  for (int i = 0; i < count; ++i) {
    const double position[3] = {at[0][i], at[1][i], at[2][i]};
    const auto value = static_cast<float>(sample(rounded, d, modes, position));
    for (int form = 0; form < 3; ++form) want.push_back(value);
  }
  check::near("tex" + std::to_string(d) + "D mode " + std::to_string(modes.address[0]) +
                  (modes.linear ? " linear" : " point") + (modes.normalized ? " normalised" : ""),
              out.get(), want, modes.linear ? 1e-5 : 0);
}

/// `bits` of integers with the sign, several channels, as floats from 0 or -1 to 1.
template <class T, class V>
void normalised_integers(check::Random& random, bool linear, double low, double high) {
  constexpr int width = 19, height = 11;
  constexpr int channels = sizeof(V) / sizeof(float);
  struct Texel {
    T channel[channels];
  };
  Modes modes;
  modes.linear = linear;
  modes.border = 0.5;
  modes.address = {cudaAddressModeBorder, cudaAddressModeClamp, cudaAddressModeClamp};
  const auto values = random.integers<T>(width * height * channels, static_cast<long long>(low),
                                         static_cast<long long>(high));
  cudaArray_t array = nullptr;
  const int bits = sizeof(T) * 8, more = channels > 1 ? bits : 0, most = channels > 2 ? bits : 0;
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(bits, more, most, most,
                            low < 0 ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned);
  CUDA_OK(cudaMallocArray(&array, &format, width, height));
  CUDA_OK(cudaMemcpy2DToArray(array, 0, 0, values.data(), width * sizeof(Texel),
                              width * sizeof(Texel), height, cudaMemcpyHostToDevice));
  {
    const Object object(resource_of(array), describe(modes, true));
    const auto at_x = coordinates(random, count, width, false);
    const auto at_y = coordinates(random, count, height, false);
    check::Array<float> x(at_x), y(at_y);
    check::Array<V> out(count);
    sample_channels<V><<<7, 128>>>(out.data(), object.get(), x.data(), y.data(), count);
    std::vector<float> want(count * channels);
    for (int c = 0; c < channels; ++c) {
      Image image{width, height, 1, std::vector<double>(width * height)};
      for (int i = 0; i < width * height; ++i)
        image.texels[i] = std::fmax(-1, values[i * channels + c] / high);
      for (int i = 0; i < count; ++i) {
        const double position[2] = {at_x[i], at_y[i]};
        want[i * channels + c] = static_cast<float>(sample(image, 2, modes, position));
      }
    }
    const std::vector<V> vectors = out.get();
    const auto* got = reinterpret_cast<const float*>(vectors.data());
    check::near("normalised " + std::to_string(bits) + " bit x " + std::to_string(channels),
                std::vector<float>(got, got + count * channels), want, 1e-6);
  }
  CUDA_OK(cudaFreeArray(array));
}

/// Half floats from all over their range, infinities and subnormals among them.
void halves() {
  const std::vector<unsigned short> bits{0x0000, 0x3c00, 0xbc00, 0x0001, 0x8001, 0x03ff,
                                         0x0400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x3555};
  const std::vector<float> values{0,        1,     -1,     0x1p-24F, -0x1p-24F, 0x3ffp-24F,
                                  0x1p-14F, 65504, -65504, INFINITY, -INFINITY, 0x1.554p-2F};
  const int n = static_cast<int>(bits.size());
  const cudaChannelFormatDesc format = cudaCreateChannelDescHalf();
  cudaArray_t array = nullptr;
  CUDA_OK(cudaMallocArray(&array, &format, n));
  CUDA_OK(cudaMemcpyToArray(array, 0, 0, bits.data(), n * 2, cudaMemcpyHostToDevice));
  {
    const Object object(resource_of(array), describe({}));
    std::vector<float> at(n), want;
    for (int i = 0; i < n; ++i) at[i] = i + 0.25F;
    for (float value : values) want.insert(want.end(), 3, value);
    check::Array<float> x(at), out(3 * n);
    sample1<<<1, 32>>>(out.data(), object.get(), x.data(), n);
    check::equal("half floats", out.get(), want);
  }
  CUDA_OK(cudaFreeArray(array));
}

/// Far away, infinite and not a number: the edge, and no fault.
void far_away() {
  const std::vector<float> texels{3, 5, 7};
  const DeviceImage<float> array(make_cudaExtent(3, 0, 0), cudaArrayDefault, texels);
  Modes modes;
  for (bool linear : {false, true}) {
    modes.linear = linear;
    const Object object(resource_of(array.get()), describe(modes));
    const std::vector<float> at{-1e30F, 1e30F, -INFINITY, INFINITY, 8388609.0F, -3e9F};
    check::Array<float> x(at), out(3 * at.size());
    sample1<<<1, 32>>>(out.data(), object.get(), x.data(), static_cast<int>(at.size()));
    std::vector<float> want;
    for (float position : at) want.insert(want.end(), 3, position < 0 ? 3.0F : 7.0F);
    check::equal("far away", out.get(), want);
  }
}

int main() {
  check::Random random(501);
  const cudaTextureAddressMode all[] = {cudaAddressModeWrap, cudaAddressModeClamp,
                                        cudaAddressModeMirror, cudaAddressModeBorder};
  for (bool linear : {false, true})
    for (bool normalized : {false, true})
      for (int d = 1; d <= 3; ++d)
        for (int mode = 0; mode < 4; ++mode) {
          Modes modes;
          modes.linear = linear;
          modes.normalized = normalized;
          modes.border = 2.75;
          modes.address = {all[mode], all[(mode + d) % 4], all[(mode + 2) % 4]};
          dimensions(random, d, modes);
        }
  for (bool linear : {false, true}) {
    normalised_integers<unsigned char, float4>(random, linear, 0, 255);
    normalised_integers<signed char, float2>(random, linear, -128, 127);
    normalised_integers<unsigned short, float>(random, linear, 0, 65535);
    normalised_integers<short, float4>(random, linear, -32768, 32767);
  }
  halves();
  far_away();
  return check::finish();
}
