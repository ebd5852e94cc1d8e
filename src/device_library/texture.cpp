// Texture fetches and surface addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After the CUDA C++ Programming Guide, appendix "Texture Fetching". Positions of linear filtering
// have 8 fractional bits, rounded to nearest, so that a weight is one of 257 values from 0 to 1.
#include "texel.h"

using gridspan::abi::TextureAddressing;
using namespace gridspan::device_library;

namespace {

/// The two subscripts linear filtering mixes along one axis, and the second's weight.
struct Taps {
  int at[2];
  float weight;
};

/// The number's floor, within numbers that subscripts can be computed with; NaN counts as very low.
/// By truncation: processors without a rounding instruction would call the C library.
HELPER int floor_of(double x) {
  constexpr int far = 1 << 30;
  if (!(x > -far)) return -far;
  if (x >= far) return far;
  const int whole = static_cast<int>(x);
  return whole - (x < whole);
}

/// Subscript `i` of an axis of `n` texels as its addressing mode has it.
HELPER int resolve(int i, int n, TextureAddressing mode) {
  switch (mode) {
    case TextureAddressing::clamp:
      return clamped(i, n);
    case TextureAddressing::border:
      return i >= 0 && i < n ? i : -1;
    case TextureAddressing::wrap: {
      const int left = i % n;
      return left < 0 ? left + n : left;
    }
    case TextureAddressing::mirror: {
      const int left = i % (2 * n), there = left < 0 ? left + 2 * n : left;
      return there < n ? there : 2 * n - 1 - there;
    }
  }
  return -1;
}

/// A coordinate in texels. Repeating ones lose their whole periods first, so that large ones stay
/// exact.
HELPER float in_texels(const TextureDescriptor& texture, float x, std::uint32_t n,
                       TextureAddressing mode) {
  if (!texture.has_normalized_position) return x;
  if (mode == TextureAddressing::wrap) x -= __builtin_floorf(x);
  if (mode == TextureAddressing::mirror) x -= 2 * __builtin_floorf(x * 0.5F);
  return x * static_cast<float>(n);
}

HELPER int nearest(const TextureDescriptor& texture, float x, std::uint32_t n, unsigned axis) {
  const TextureAddressing mode = texture.addressing[axis];
  const int extent = static_cast<int>(n);
  return resolve(floor_of(in_texels(texture, x, n, mode)), extent, mode);
}

HELPER Taps taps(const TextureDescriptor& texture, float x, std::uint32_t n, unsigned axis) {
  const TextureAddressing mode = texture.addressing[axis];
  const double position = in_texels(texture, x, n, mode);
  // Half a texel back, in 256ths, to nearest. Far out there are no fractions; only edges count.
  constexpr double far = 1 << 22;
  const bool is_near = position > -far && position < far;
  const int fixed = is_near ? floor_of(position * 256 + 0.5) - 128 : 0;
  const int first = is_near ? fixed >> 8 : floor_of(position);
  const int extent = static_cast<int>(n);
  return {{resolve(first, extent, mode), resolve(first + 1, extent, mode)},
          static_cast<float>(fixed & 255) * (1.0F / 256)};
}

/// A mean of the 2, 4 or 8 texels around; `layer` stands for z below three dimensions.
template <int Dimensions>
HELPER void filtered(const TextureDescriptor& texture, float x, float y, float z, int layer,
                     Word* words) {
  const Taps along_x = taps(texture, x, texture.width, 0);
  const Taps along_y = Dimensions > 1 ? taps(texture, y, texture.height, 1) : Taps{{0, 0}, 0};
  const Taps along_z =
      Dimensions > 2 ? taps(texture, z, texture.depth, 2) : Taps{{layer, layer}, 0};
  float sums[4] = {0, 0, 0, 0};
  for (unsigned corner = 0; corner < 1U << Dimensions; ++corner) {
    const unsigned i = corner & 1, j = corner >> 1 & 1, k = corner >> 2 & 1;
    const Place at{along_x.at[i], along_y.at[j], along_z.at[k]};
    const float weight = (i ? along_x.weight : 1 - along_x.weight) *
                         (j ? along_y.weight : 1 - along_y.weight) *
                         (k ? along_z.weight : 1 - along_z.weight);
    for (unsigned c = 0; c < texture.channels; ++c) sums[c] += weight * float_at(texture, at, c);
  }
  for (unsigned c = 0; c < 4; ++c) words[c] = bits_as<Word>(sums[c]);
}

template <int Dimensions>
HELPER void sample(Handle handle, float x, float y, float z, int layer, Word* words) {
  if (!handle) return clear(words);  // a reference that is not bound
  const TextureDescriptor& texture = descriptor_of(handle);
  if (texture.is_linear) return filtered<Dimensions>(texture, x, y, z, layer, words);
  texel(texture,
        {nearest(texture, x, texture.width, 0),
         Dimensions > 1 ? nearest(texture, y, texture.height, 1) : 0,
         Dimensions > 2 ? nearest(texture, z, texture.depth, 2) : layer},
        words);
}

/// The same from the levels of a mipmap nearest to `level`, which has 8 fractional bits.
template <int Dimensions>
HELPER void sample_level(Handle handle, float x, float y, float z, int layer, float level,
                         Word* words) {
  if (!handle) return clear(words);
  const TextureDescriptor& first = descriptor_of(handle);
  if (first.level_count < 2) return sample<Dimensions>(handle, x, y, z, layer, words);
  level += first.level_bias;
  const float last = static_cast<float>(first.level_count - 1);
  const float low = first.min_level > 0 ? first.min_level : 0;
  const float high = first.max_level < last ? first.max_level : last;
  level = level > low ? level : low;  // what is not a number is the lowest
  level = level < high ? level : high;
  level = level > 0 ? level : 0;
  const auto at = [&](int number) {
    return handle + static_cast<Handle>(number) * sizeof(TextureDescriptor);
  };
  if (!first.mixes_levels) {
    return sample<Dimensions>(at(static_cast<int>(level + 0.5F)), x, y, z, layer, words);
  }
  const int fixed = static_cast<int>(level * 256 + 0.5F);
  const float weight = static_cast<float>(fixed & 255) * (1.0F / 256);
  sample<Dimensions>(at(fixed >> 8), x, y, z, layer, words);
  if (weight == 0) return;
  Word finer[4];
  for (unsigned c = 0; c < 4; ++c) finer[c] = words[c];
  sample<Dimensions>(at((fixed >> 8) + 1), x, y, z, layer, words);
  for (unsigned c = 0; c < 4; ++c) {
    words[c] =
        bits_as<Word>((1 - weight) * bits_as<float>(finer[c]) + weight * bits_as<float>(words[c]));
  }
}

HELPER float length(float x, float y, float z) { return __builtin_sqrtf(x * x + y * y + z * z); }
HELPER float larger(float a, float b) { return a > b ? a : b; }

HELPER int layer_of(Handle handle, int layer, int faces) {
  if (!handle) return 0;
  // Numbers below zero are large ones, as on GPUs.
  const int layers = static_cast<int>(descriptor_of(handle).depth) / faces;
  return clamped(layer < 0 ? layers - 1 : layer, layers);
}

/// A direction's face of the cube and the position on it.
struct OnFace {
  int face;
  float s, t;
};
HELPER OnFace on_face(Handle handle, float x, float y, float z) {
  const float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
  int face = 0;
  float major = ax, s = 0, t = 0;
  if (ax >= ay && ax >= az) {
    face = x < 0 ? 1 : 0;
    s = x < 0 ? z : -z;
    t = -y;
  } else if (ay >= az) {
    face = y < 0 ? 3 : 2;
    major = ay;
    s = x;
    t = y < 0 ? -z : z;
  } else {
    face = z < 0 ? 5 : 4;
    major = az;
    s = z < 0 ? -x : x;
    t = -y;
  }
  // Directions know no texels: whatever the mode says, the position is one from 0 to 1.
  const bool is_normalized = !handle || descriptor_of(handle).has_normalized_position;
  const float edge = is_normalized ? 1.0F : static_cast<float>(descriptor_of(handle).width);
  return {face, (s / major + 1) * 0.5F * edge, (t / major + 1) * 0.5F * edge};
}

}  // namespace

/// Linear memory by number; what lies outside is 0.
DEVICE_INLINE void __gridspan_texture_fetch(Handle handle, int x, Word* words) {
  clear(words);
  if (!handle) return;
  const TextureDescriptor& texture = descriptor_of(handle);
  if (static_cast<Word>(x) >= texture.width) return;
  texel(texture, {x, 0, 0}, words);
}

DEVICE_FUNCTION void __gridspan_texture_1d(Handle handle, float x, Word* words) {
  sample<1>(handle, x, 0, 0, 0, words);
}
DEVICE_FUNCTION void __gridspan_texture_2d(Handle handle, float x, float y, Word* words) {
  sample<2>(handle, x, y, 0, 0, words);
}
DEVICE_FUNCTION void __gridspan_texture_3d(Handle handle, float x, float y, float z, Word* words) {
  sample<3>(handle, x, y, z, 0, words);
}
DEVICE_FUNCTION void __gridspan_texture_1d_layered(Handle handle, float x, int layer, Word* words) {
  sample<1>(handle, x, 0, 0, layer_of(handle, layer, 1), words);
}
DEVICE_FUNCTION void __gridspan_texture_2d_layered(Handle handle, float x, float y, int layer,
                                                   Word* words) {
  sample<2>(handle, x, y, 0, layer_of(handle, layer, 1), words);
}
DEVICE_FUNCTION void __gridspan_texture_cubemap(Handle handle, float x, float y, float z,
                                                Word* words) {
  const OnFace at = on_face(handle, x, y, z);
  sample<2>(handle, at.s, at.t, 0, at.face, words);
}
DEVICE_FUNCTION void __gridspan_texture_cubemap_layered(Handle handle, float x, float y, float z,
                                                        int layer, Word* words) {
  const OnFace at = on_face(handle, x, y, z);
  sample<2>(handle, at.s, at.t, 0, 6 * layer_of(handle, layer, 6) + at.face, words);
}

DEVICE_FUNCTION void __gridspan_texture_1d_lod(Handle handle, float x, float level, Word* words) {
  sample_level<1>(handle, x, 0, 0, 0, level, words);
}
DEVICE_FUNCTION void __gridspan_texture_2d_lod(Handle handle, float x, float y, float level,
                                               Word* words) {
  sample_level<2>(handle, x, y, 0, 0, level, words);
}
DEVICE_FUNCTION void __gridspan_texture_3d_lod(Handle handle, float x, float y, float z,
                                               float level, Word* words) {
  sample_level<3>(handle, x, y, z, 0, level, words);
}
DEVICE_FUNCTION void __gridspan_texture_1d_layered_lod(Handle handle, float x, int layer,
                                                       float level, Word* words) {
  sample_level<1>(handle, x, 0, 0, layer_of(handle, layer, 1), level, words);
}
DEVICE_FUNCTION void __gridspan_texture_2d_layered_lod(Handle handle, float x, float y, int layer,
                                                       float level, Word* words) {
  sample_level<2>(handle, x, y, 0, layer_of(handle, layer, 1), level, words);
}
DEVICE_FUNCTION void __gridspan_texture_cubemap_lod(Handle handle, float x, float y, float z,
                                                    float level, Word* words) {
  const OnFace at = on_face(handle, x, y, z);
  sample_level<2>(handle, at.s, at.t, 0, at.face, level, words);
}
DEVICE_FUNCTION void __gridspan_texture_cubemap_layered_lod(Handle handle, float x, float y,
                                                            float z, int layer, float level,
                                                            Word* words) {
  const OnFace at = on_face(handle, x, y, z);
  sample_level<2>(handle, at.s, at.t, 0, 6 * layer_of(handle, layer, 6) + at.face, level, words);
}

/// How many texels of level 0 a step of one pixel goes, along the longer of two gradients.
DEVICE_FUNCTION float __gridspan_texture_footprint(Handle handle, float ax, float ay, float az,
                                                   float bx, float by, float bz) {
  if (!handle) return 0;
  const TextureDescriptor& texture = descriptor_of(handle);
  const bool scales = texture.has_normalized_position;
  const float w = scales ? static_cast<float>(texture.width) : 1;
  const float h = scales ? static_cast<float>(texture.height) : 1;
  const float d = scales ? static_cast<float>(texture.depth) : 1;
  return larger(length(ax * w, ay * h, az * d), length(bx * w, by * h, bz * d));
}

/// The same on a cube, whose faces are two long where the direction's largest part is 1.
DEVICE_FUNCTION float __gridspan_texture_cube_footprint(Handle handle, float x, float y, float z,
                                                        float ax, float ay, float az, float bx,
                                                        float by, float bz) {
  if (!handle) return 0;
  const float major = larger(__builtin_fabsf(x), larger(__builtin_fabsf(y), __builtin_fabsf(z)));
  const float scale = static_cast<float>(descriptor_of(handle).width) * 0.5F / major;
  return scale * larger(length(ax, ay, az), length(bx, by, bz));
}

/// Counter-clockwise from the lower left, as on GPUs.
DEVICE_FUNCTION void __gridspan_texture_gather(Handle handle, float x, float y, int component,
                                               Word* words) {
  clear(words);
  if (!handle) return;
  const TextureDescriptor& texture = descriptor_of(handle);
  const Taps along_x = taps(texture, x, texture.width, 0);
  const Taps along_y = taps(texture, y, texture.height, 1);
  constexpr unsigned columns[4] = {0, 1, 1, 0}, rows[4] = {1, 1, 0, 0};
  for (unsigned i = 0; i < 4; ++i) {
    Word found[4];
    texel(texture, {along_x.at[columns[i]], along_y.at[rows[i]], 0}, found);
    words[i] = found[component & 3];
  }
}
