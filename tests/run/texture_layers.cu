// Layered textures, cubes and gathers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Textures and surfaces | tex1DLayered, tex2DLayered, texCubemap, texCubemapLayered, their Lod and Grad forms
// FEATURE: Textures and surfaces | tex2Dgather of every component
#include "texture_check.h"

using namespace texture_check;

__global__ void layers1(float* out, cudaTextureObject_t t, const float* x, const int* layer,
                        int n) {
  const int i = check::global_index();
  if (i >= n) return;
  out[3 * i] = tex1DLayered<float>(t, x[i], layer[i]);
  out[3 * i + 1] = tex1DLayeredLod<float>(t, x[i], layer[i], 0.0f);
  tex1DLayeredGrad(&out[3 * i + 2], t, x[i], layer[i], 0.0f, 0.0f);
}

__global__ void layers2(float* out, cudaTextureObject_t t, const float* x, const float* y,
                        const int* layer, int n) {
  const int i = check::global_index();
  if (i >= n) return;
  tex2DLayered(&out[3 * i], t, x[i], y[i], layer[i]);
  out[3 * i + 1] = tex2DLayeredLod<float>(t, x[i], y[i], layer[i], 0.0f);
  out[3 * i + 2] =
      tex2DLayeredGrad<float>(t, x[i], y[i], layer[i], make_float2(0, 0), make_float2(0, 0));
}

__global__ void cube(float* out, cudaTextureObject_t t, const float* x, const float* y,
                     const float* z, const int* layer, bool layered, int n) {
  const int i = check::global_index();
  if (i >= n) return;
  const float4 slope = make_float4(0, 0, 0, 0);
  if (layered) {
    out[3 * i] = texCubemapLayered<float>(t, x[i], y[i], z[i], layer[i]);
    out[3 * i + 1] = texCubemapLayeredLod<float>(t, x[i], y[i], z[i], layer[i], 0.0f);
    texCubemapLayeredGrad(&out[3 * i + 2], t, x[i], y[i], z[i], layer[i], slope, slope);
  } else {
    texCubemap(&out[3 * i], t, x[i], y[i], z[i]);
    out[3 * i + 1] = texCubemapLod<float>(t, x[i], y[i], z[i], 0.0f);
    out[3 * i + 2] = texCubemapGrad<float>(t, x[i], y[i], z[i], slope, slope);
  }
}

__global__ void gather(int4* out, cudaTextureObject_t t, const float* x, const float* y, int n) {
  const int i = check::global_index();
  if (i >= n) return;
  out[4 * i] = tex2Dgather<int4>(t, x[i], y[i]);
  out[4 * i + 1] = tex2Dgather<int4>(t, x[i], y[i], 1);
  tex2Dgather(&out[4 * i + 2], t, x[i], y[i], 2);
  out[4 * i + 3] = tex2Dgather<int4>(t, x[i], y[i], 3);
}

constexpr int count = 700;

Image random_image(check::Random& random, int width, int height, int depth,
                   std::vector<float>& texels) {
  texels = random.reals<float>(width * height * depth, -8, 8);
  return {width, height, depth, std::vector<double>(texels.begin(), texels.end())};
}

/// The hardware takes numbers below zero for large ones.
int kept_layer(int layer, int layers) {
  return static_cast<int>(
      std::min(static_cast<unsigned>(layer), static_cast<unsigned>(layers - 1)));
}

int kept(int texel, int extent) { return std::min(std::max(texel, 0), extent - 1); }

void check_three(const char* what, check::Array<float>& out, const std::vector<float>& values) {
  std::vector<float> want;
  for (float value : values) want.insert(want.end(), 3, value);
  check::near(what, out.get(), want, 1e-5);
}

void layered(check::Random& random, int dimensions, const Modes& modes) {
  constexpr int layers = 4;
  std::vector<float> texels;
  const Image image = random_image(random, 13, dimensions > 1 ? 6 : 1, layers, texels);
  const DeviceImage<float> array(make_cudaExtent(13, dimensions > 1 ? 6 : 0, layers),
                                 cudaArrayLayered, texels);
  const Object object(resource_of(array.get()), describe(modes));
  const auto at_x = coordinates(random, count, image.width, modes.normalized);
  const auto at_y = coordinates(random, count, image.height, modes.normalized);
  const auto at_layer = random.integers<int>(count, -2, layers + 1);
  check::Array<float> x(at_x), y(at_y), out(3 * count);
  check::Array<int> layer(at_layer);
  if (dimensions == 1)
    layers1<<<6, 128>>>(out.data(), object.get(), x.data(), layer.data(), count);
  else
    layers2<<<6, 128>>>(out.data(), object.get(), x.data(), y.data(), layer.data(), count);
  std::vector<float> want;
  for (int i = 0; i < count; ++i) {
    const double position[2] = {at_x[i], at_y[i]};
    want.push_back(static_cast<float>(
        sample(image, dimensions, modes, position, kept_layer(at_layer[i], layers))));
  }
  check_three(dimensions == 1 ? "tex1DLayered" : "tex2DLayered", out, want);
}

/// Face and position as the guide's table "cubemap fetch" has them.
struct OnFace {
  int face;
  double s, t;
};
OnFace on_face(double x, double y, double z) {
  const double a = std::fabs(x), b = std::fabs(y), c = std::fabs(z);
  struct {
    int face;
    double m, s, t;
  } row;
  if (a >= b && a >= c)
    row = x >= 0 ? decltype(row){0, x, -z, -y} : decltype(row){1, -x, z, -y};
  else if (b >= a && b >= c)
    row = y >= 0 ? decltype(row){2, y, x, z} : decltype(row){3, -y, x, -z};
  else
    row = z >= 0 ? decltype(row){4, z, x, -y} : decltype(row){5, -z, -x, -y};
  return {row.face, (row.s / row.m + 1) / 2, (row.t / row.m + 1) / 2};
}

/// Directions whose quotients are exact: the largest coordinate is a power of two.
void cubes(check::Random& random, int layers, bool linear) {
  constexpr int width = 8;
  Modes modes;
  modes.normalized = true;
  modes.linear = linear;
  std::vector<float> texels;
  const Image image = random_image(random, width, width, 6 * layers, texels);
  const unsigned flags = cudaArrayCubemap | (layers > 1 ? cudaArrayLayered : 0);
  const DeviceImage<float> array(make_cudaExtent(width, width, 6 * layers), flags, texels);
  const Object object(resource_of(array.get()), describe(modes));
  std::vector<float> at[3];
  std::vector<float> want;
  const auto at_layer = random.integers<int>(count, -1, layers);
  for (int i = 0; i < count; ++i) {
    float direction[3];
    for (float& part : direction) part = static_cast<float>(random.integer(-511, 511)) / 256;
    direction[random.integer(0, 2)] = random.integer(0, 1) ? 2.0F : -2.0F;
    for (int axis = 0; axis < 3; ++axis) at[axis].push_back(direction[axis]);
    const OnFace on = on_face(direction[0], direction[1], direction[2]);
    const double position[2] = {on.s, on.t};
    const int slice = 6 * (layers > 1 ? kept_layer(at_layer[i], layers) : 0) + on.face;
    want.push_back(static_cast<float>(sample(image, 2, modes, position, slice)));
  }
  check::Array<float> x(at[0]), y(at[1]), z(at[2]), out(3 * count);
  check::Array<int> layer(at_layer);
  cube<<<6, 128>>>(out.data(), object.get(), x.data(), y.data(), z.data(), layer.data(), layers > 1,
                   count);
  check_three(layers > 1 ? "texCubemapLayered" : "texCubemap", out, want);
}

/// The four texels linear filtering would mix: left and right column, lower row first.
void gathers(check::Random& random) {
  constexpr int width = 9, height = 7;
  std::vector<int4> texels(width * height);
  for (int4& texel : texels)
    texel = make_int4(random.integer(-99, 99), random.integer(-99, 99), random.integer(-99, 99),
                      random.integer(-99, 99));
  const DeviceImage<int4> array(make_cudaExtent(width, height, 0), cudaArrayTextureGather, texels);
  const Object object(resource_of(array.get()), describe({}));
  auto at_x = coordinates(random, count, width, false);
  const auto at_y = coordinates(random, count, height, false);
  at_x[0] = 2.4985F;  // 1.9985 of a texel: 8 bits round it up to 2, as the guide warns
  std::vector<int4> want;
  for (int i = 0; i < count; ++i) {
    const auto first = [](double x) {
      return static_cast<int>(std::floor(std::floor((x - 0.5) * 256 + 0.5) / 256));
    };
    const int c = first(at_x[i]), r = first(at_y[i]);
    const auto texel = [&](int column, int row) {
      return texels[kept(row, height) * width + kept(column, width)];
    };
    const int4 from[4] = {texel(c, r + 1), texel(c + 1, r + 1), texel(c + 1, r), texel(c, r)};
    want.push_back(make_int4(from[0].x, from[1].x, from[2].x, from[3].x));
    want.push_back(make_int4(from[0].y, from[1].y, from[2].y, from[3].y));
    want.push_back(make_int4(from[0].z, from[1].z, from[2].z, from[3].z));
    want.push_back(make_int4(from[0].w, from[1].w, from[2].w, from[3].w));
  }
  check::Array<float> x(at_x), y(at_y);
  check::Array<int4> out(4 * count);
  gather<<<6, 128>>>(out.data(), object.get(), x.data(), y.data(), count);
  check::equal("tex2Dgather", out.get(), want);
}

int main() {
  check::Random random(503);
  for (bool linear : {false, true})
    for (bool normalized : {false, true}) {
      Modes modes;
      modes.linear = linear;
      modes.normalized = normalized;
      modes.address = {cudaAddressModeWrap, cudaAddressModeMirror, cudaAddressModeClamp};
      layered(random, 1, modes);
      layered(random, 2, modes);
    }
  for (bool linear : {false, true}) {
    cubes(random, 1, linear);
    cubes(random, 3, linear);
  }
  gathers(random);
  return check::finish();
}
