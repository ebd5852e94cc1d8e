// Reading and writing arrays through surfaces.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Textures and surfaces | surface objects: surf1D, surf2D, surf3D, layered, cubemap reads and writes, both read forms
// FEATURE: Textures and surfaces | boundary modes zero, clamp and trap; 1 to 16 byte elements
// FEATURE: Textures and surfaces | legacy surface references: surface<void, dimensions>, cudaBindSurfaceToArray, cudaGetSurfaceReference
// FEATURE: Textures and surfaces | what surfaces write, textures and copies of later commands see
#include "texture_check.h"

using namespace texture_check;

surface<void, cudaSurfaceType2D> plane;
static surface<void, 1> line;

/// Adds its index to every element.
template <class T>
__global__ void update(cudaSurfaceObject_t s, int shape, int width, int height, int depth) {
  const int i = check::global_index();
  if (i >= width * height * depth) return;
  const int x = i % width * static_cast<int>(sizeof(T)), y = i / width % height;
  const int z = i / width / height;
  T value{};
  switch (shape) {
    case 0:
      surf1Dread(&value, s, x);
      surf1Dwrite(static_cast<T>(value + i), s, x);
      break;
    case 1:
      value = surf2Dread<T>(s, x, y);
      surf2Dwrite(static_cast<T>(value + i), s, x, y);
      break;
    case 2:
      surf3Dread(&value, s, x, y, z);
      surf3Dwrite(static_cast<T>(value + i), s, x, y, z, cudaBoundaryModeZero);
      break;
    case 3:
      value = surf1DLayeredread<T>(s, x, z);
      surf1DLayeredwrite(static_cast<T>(value + i), s, x, z);
      break;
    case 4:
      value = surf2DLayeredread<T>(s, x, y, z);
      surf2DLayeredwrite(static_cast<T>(value + i), s, x, y, z);
      break;
    case 5:
      value = surfCubemapread<T>(s, x, y, z);
      surfCubemapwrite(static_cast<T>(value + i), s, x, y, z);
      break;
    default:
      value = surfCubemapLayeredread<T>(s, x, y, z);
      surfCubemapLayeredwrite(static_cast<T>(value + i), s, x, y, z);
  }
}

__global__ void around(float4* out, cudaSurfaceObject_t s, cudaSurfaceBoundaryMode mode) {
  const int x = threadIdx.x - 3, y = threadIdx.y - 3;
  float4* mine = out + (threadIdx.y * blockDim.x + threadIdx.x);
  if (mode == cudaBoundaryModeClamp)
    *mine = surf2Dread<float4>(s, x * 16, y, cudaBoundaryModeClamp);
  else
    surf2Dread(mine, s, x * 16, y, cudaBoundaryModeZero);
}

__global__ void write_around(cudaSurfaceObject_t s) {
  const int x = threadIdx.x - 3, y = threadIdx.y - 3;
  surf2Dwrite(make_float4(x, y, 1, 2), s, x * 16, y, cudaBoundaryModeZero);
}

__global__ void through_references(int width) {
  const int x = threadIdx.x, y = threadIdx.y;
  const uchar4 value = surf2Dread<uchar4>(plane, x * 4, y);
  uchar4 again;
  surf2Dread(&again, plane, x * 4, y);
  surf2Dwrite(make_uchar4(value.w, again.z, value.y, again.x), plane, x * 4, y);
  if (y == 0) surf1Dwrite(static_cast<short>(x * 3), line, x * 2);
}

__global__ void sample(float* out, cudaTextureObject_t t, int width) {
  out[threadIdx.y * width + threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}

__global__ void outside(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, 4 * threadIdx.x, 0); }

class Surface {
 public:
  explicit Surface(cudaArray_t array) {
    const cudaResourceDesc resource = resource_of(array);
    CUDA_OK(cudaCreateSurfaceObject(&handle_, &resource));
    cudaResourceDesc found{};
    CUDA_OK(cudaGetSurfaceObjectResourceDesc(&found, handle_));
    CHECK(found.res.array.array == array);
  }
  ~Surface() { CUDA_OK(cudaDestroySurfaceObject(handle_)); }
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;
  cudaSurfaceObject_t get() const { return handle_; }

 private:
  cudaSurfaceObject_t handle_ = 0;
};

template <class T>
std::vector<T> contents(cudaArray_t array, int width, int height, int depth) {
  std::vector<T> found(width * height * depth);
  cudaMemcpy3DParms copy{};
  copy.srcArray = array;
  copy.dstPtr = make_cudaPitchedPtr(found.data(), width * sizeof(T), width, height);
  copy.extent = make_cudaExtent(width, height, depth);
  copy.kind = cudaMemcpyDeviceToHost;
  CUDA_OK(cudaMemcpy3D(&copy));
  return found;
}

template <class T>
void shapes(check::Random& random, int shape) {
  const bool is_cube = shape >= 5;
  const int width = is_cube ? 6 : 13, height = shape == 0 || shape == 3 ? 1 : is_cube ? 6 : 5;
  const int depth = shape < 2 ? 1 : shape == 6 ? 12 : shape == 5 ? 6 : 4;
  const unsigned layered = shape == 3 || shape == 4 || shape == 6 ? cudaArrayLayered : 0;
  const unsigned flags = cudaArraySurfaceLoadStore | layered | (is_cube ? cudaArrayCubemap : 0);
  const auto values = random.integers<T>(width * height * depth, 0, 99);
  const DeviceImage<T> array(
      make_cudaExtent(width, height == 1 ? 0 : height, depth == 1 ? 0 : depth), flags, values);
  const Surface surface(array.get());
  update<T><<<4, 256>>>(surface.get(), shape, width, height, depth);
  std::vector<T> want(values);
  for (std::size_t i = 0; i < want.size(); ++i) want[i] = static_cast<T>(values[i] + i);
  KERNEL_OK();
  check::equal("surface of shape " + std::to_string(shape),
               contents<T>(array.get(), width, height, depth), want);
}

void boundaries(check::Random& random) {
  constexpr int width = 5, height = 4;
  std::vector<float4> values(width * height);
  for (float4& value : values) value = make_float4(random.real(1, 2), 2, 3, 4);
  const DeviceImage<float4> array(make_cudaExtent(width, height, 0), cudaArraySurfaceLoadStore,
                                  values);
  const Surface surface(array.get());
  const dim3 block(width + 6, height + 6);
  std::vector<float4> zero, clamped;
  for (int y = -3; y < height + 3; ++y)
    for (int x = -3; x < width + 3; ++x) {
      const bool inside = x >= 0 && x < width && y >= 0 && y < height;
      const int nx = std::min(std::max(x, 0), width - 1), ny = std::min(std::max(y, 0), height - 1);
      clamped.push_back(values[ny * width + nx]);
      zero.push_back(inside ? values[y * width + x] : make_float4(0, 0, 0, 0));
    }
  check::Array<float4> out(check::volume(block));
  around<<<1, block>>>(out.data(), surface.get(), cudaBoundaryModeZero);
  check::equal("zero outside", out.get(), zero);
  around<<<1, block>>>(out.data(), surface.get(), cudaBoundaryModeClamp);
  check::equal("clamped outside", out.get(), clamped);
  write_around<<<1, block>>>(surface.get());
  KERNEL_OK();
  std::vector<float4> want;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) want.push_back(make_float4(x, y, 1, 2));
  check::equal("writes outside are dropped", contents<float4>(array.get(), width, height, 1), want);
}

void references(check::Random& random) {
  constexpr int width = 9, height = 7;
  const auto bytes = random.integers<unsigned char>(width * height * 4, 0, 255);
  std::vector<uchar4> values(width * height), want(width * height);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  for (int i = 0; i < width * height; ++i)
    want[i] = make_uchar4(values[i].w, values[i].z, values[i].y, values[i].x);
  const DeviceImage<uchar4> array(make_cudaExtent(width, height, 0), cudaArraySurfaceLoadStore,
                                  values);
  const DeviceImage<short> row(make_cudaExtent(width, 0, 0), cudaArraySurfaceLoadStore,
                               std::vector<short>(width));
  CUDA_OK(cudaBindSurfaceToArray(plane, array.get()));
  CUDA_OK(cudaBindSurfaceToArray(line, row.get(), cudaCreateChannelDesc<short>()));
  const surfaceReference* found = nullptr;
  CUDA_OK(cudaGetSurfaceReference(&found, &plane));
  CHECK(found == &plane);
  through_references<<<1, dim3(width, height)>>>(width);
  KERNEL_OK();
  check::equal("surface reference", contents<uchar4>(array.get(), width, height, 1), want);
  std::vector<short> threes(width);
  for (int i = 0; i < width; ++i) threes[i] = static_cast<short>(3 * i);
  check::equal("surface reference, 1-D", contents<short>(row.get(), width, 1, 1), threes);
}

/// A texture of the array that a surface writes.
void written_then_sampled() {
  constexpr int width = 13, height = 5;
  const DeviceImage<float> array(make_cudaExtent(width, height, 0), cudaArraySurfaceLoadStore,
                                 std::vector<float>(width * height, 0.5F));
  const Surface surface(array.get());
  const Object object(resource_of(array.get()), describe({}));
  check::Array<float> out(width * height);
  std::vector<float> want(width * height, 0.5F);
  for (int round = 0; round < 3; ++round) {
    update<float><<<1, 256>>>(surface.get(), 1, width, height, 1);
    sample<<<1, dim3(width, height)>>>(out.data(), object.get(), width);
    for (int i = 0; i < width * height; ++i) want[i] += i;
    check::equal("written, then sampled", out.get(), want);
  }
}

/// The default mode ends a launch that goes outside.
int trap() {
  const DeviceImage<float>& array = *new DeviceImage<float>(
      make_cudaExtent(8, 2, 0), cudaArraySurfaceLoadStore, std::vector<float>(16));
  const cudaResourceDesc resource = resource_of(array.get());
  cudaSurfaceObject_t surface = 0;
  if (cudaCreateSurfaceObject(&surface, &resource) != cudaSuccess) return 2;
  outside<<<1, 8>>>(surface);
  if (cudaDeviceSynchronize() != cudaSuccess) return 3;
  outside<<<1, 9>>>(surface);
  return cudaDeviceSynchronize() != cudaSuccess ? 4 : 5;
}

int main() {
  CHECK_EQ(check::in_child(trap).exit_code, 4);
  check::Random random(505);
  for (int shape = 0; shape < 7; ++shape) {
    shapes<float>(random, shape);
    shapes<unsigned char>(random, shape);
    shapes<short>(random, shape);
    shapes<int>(random, shape);
  }
  boundaries(random);
  references(random);
  written_then_sampled();
  return check::finish();
}
