// Vector types, structures, symbols, struct arguments, bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.h"

using namespace model;

__global__ void vector_float4(const float4* in, float4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 v = in[i];
  v.x += v.w;
  out[n - 1 - i] = v;
}

// One component of each vector is written.
__global__ void vector_component(float4* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i].z = p[i].x + p[i].y;
}

// float arrays through float4 pointers; the last few elements one by one.
__global__ void vector_cast(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) {
    float4 v = reinterpret_cast<const float4*>(in)[i];
    v.x += 1;
    v.w += 2;
    reinterpret_cast<float4*>(out)[i] = v;
  }
  if (i < n % 4) out[n / 4 * 4 + i] = in[n / 4 * 4 + i];
}

__global__ void vector_two(const double2* in, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i].x * in[i].y;
}

struct Particle {
  float x, y, z;
  int cell;
  double mass;
};

__global__ void struct_field(Particle* p, float dx, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  p[i].x += dx;
  p[i].cell = i / 2;
}

__global__ void struct_read(const Particle* p, double* mass, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) mass[i] = p[i].mass + p[i].y;
}

__global__ void struct_copy(const Particle* in, Particle* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[n - 1 - i];
}

struct Cell {
  float value[5];
  int count;
};

__global__ void struct_array(Cell* cells, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < 5; ++k) cells[i].value[k] = i + k;
}

// A view passed by value, as programs pass images and tensors.
struct Image {
  float* data;
  int width, height;
  __device__ float& at(int x, int y) const { return data[y * width + x]; }
};

__global__ void view_argument(Image in, Image out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= out.width || y >= out.height) return;
  out.at(x, y) = in.at(x, y) + in.at(out.width - 1 - x, y);
}

template <class T, int Rank>
struct Tensor {
  T* data;
  long extent[Rank];
  long stride[Rank];
};

__global__ void tensor_argument(Tensor<int, 2> t, int value) {
  const long x = blockIdx.x * blockDim.x + threadIdx.x;
  const long y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < t.extent[1] && y < t.extent[0]) t.data[y * t.extent[1] + x] = value;
}

__constant__ float coefficients[7];
__device__ int table[40][30];
__device__ int total;

__global__ void symbol_constant(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 7; ++k)
    if (i + k - 3 >= 0 && i + k - 3 < n) sum += coefficients[k] * in[i + k - 3];
  out[i] = sum;
}

__global__ void symbol_table(int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) table[y][x] = 100 * y + x;
}

__global__ void symbol_scalar(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = total + i;
}

__global__ void bytes(const unsigned char* in, unsigned short* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[2 * i] | in[2 * i + 1] << 8;
}

__global__ void set_memory(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) memset(out + 8 * i, 0, 7 * sizeof(int));
}

// A local array, indexed in a loop, is nobody's memory but the thread's.
__global__ void local_array(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int mine[8];
  for (int k = 0; k < 8; ++k) mine[k] = in[8 * i + k];
  int sum = 0;
  for (int k = 0; k < 8; ++k) sum += mine[(mine[k] & 7)];
  out[i] = sum;
}

static void test_vectors(Random& random, int n, unsigned block) {
  const unsigned grid = blocks(n, block);
  vector<float4> in(n), reversed(n), component(n);
  for (auto& v : in)
    v = make_float4(random.integer(0, 9), random.integer(0, 9), random.integer(0, 9),
                    random.integer(0, 9));
  Array<float4> d_in(in), d_reversed(n), d_component(in);
  vector_float4<<<grid, block>>>(d_in.data(), d_reversed.data(), n);
  vector_component<<<grid, block>>>(d_component.data(), n);
  for (int i = 0; i < n; ++i) {
    reversed[n - 1 - i] = make_float4(in[i].x + in[i].w, in[i].y, in[i].z, in[i].w);
    component[i] = make_float4(in[i].x, in[i].y, in[i].x + in[i].y, in[i].w);
  }
  equal("vector_float4", d_reversed.get(), reversed);
  equal("vector_component", d_component.get(), component);

  const auto floats = small<float>(random, n);
  auto want = floats;
  for (int i = 0; i < n / 4; ++i) want[4 * i] += 1, want[4 * i + 3] += 2;
  Array<float> d_floats(floats), d_cast(n);
  vector_cast<<<blocks(n / 4 + 3, block), block>>>(d_floats.data(), d_cast.data(), n);
  equal("vector_cast", d_cast.get(), want);

  const auto pairs = random.reals<double>(2 * n, 0, 1);
  Array<double> d_pairs(pairs), d_products(n);
  vector<double> products(n);
  for (int i = 0; i < n; ++i) products[i] = pairs[2 * i] * pairs[2 * i + 1];
  vector_two<<<grid, block>>>(reinterpret_cast<double2*>(d_pairs.data()), d_products.data(), n);
  equal("vector_two", d_products.get(), products);
}

static void test_structs(Random& random, int n, unsigned block) {
  const unsigned grid = blocks(n, block);
  vector<Particle> particles(n);
  for (auto& p : particles)
    p = {float(random.integer(0, 9)), float(random.integer(0, 9)), float(random.integer(0, 9)),
         int(random.integer(0, 9)), double(random.integer(0, 9))};
  auto moved = particles, copied = particles;
  vector<double> mass(n);
  for (int i = 0; i < n; ++i) {
    moved[i].x += 2;
    moved[i].cell = i / 2;
    copied[n - 1 - i] = particles[i];
    mass[i] = particles[i].mass + particles[i].y;
  }
  Array<Particle> d_particles(particles), d_moved(particles), d_copied(n);
  Array<double> d_mass(n);
  struct_field<<<grid, block>>>(d_moved.data(), 2, n);
  struct_read<<<grid, block>>>(d_particles.data(), d_mass.data(), n);
  struct_copy<<<grid, block>>>(d_particles.data(), d_copied.data(), n);
  equal("struct_field", d_moved.get(), moved);
  equal("struct_read", d_mass.get(), mass);
  equal("struct_copy", d_copied.get(), copied);

  Array<Cell> d_cells(n);
  auto cells = poisoned<Cell>(n);
  struct_array<<<grid, block>>>(d_cells.data(), n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 5; ++k) cells[i].value[k] = i + k;
  equal("struct_array", d_cells.get(), cells);
}

static void test_views(Random& random, int w, int h, dim3 block) {
  const auto in = small<float>(random, w * h);
  auto want = in;
  Array<float> d_in(in), d_out(w * h);
  view_argument<<<blocks(w, h, block), block>>>(Image{d_in.data(), w, h},
                                                Image{d_out.data(), w, h});
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) want[y * w + x] = in[y * w + x] + in[y * w + w - 1 - x];
  equal("view_argument", d_out.get(), want);

  Array<int> d_tensor(w * h);
  tensor_argument<<<blocks(w, h, block), block>>>(Tensor<int, 2>{d_tensor.data(), {h, w}, {w, 1}},
                                                  9);
  equal("tensor_argument", d_tensor.get(), vector<int>(w * h, 9));
}

static void test_symbols(Random& random, int n, unsigned block) {
  const auto factors = small<float>(random, 7), in = small<float>(random, n);
  CUDA_OK(cudaMemcpyToSymbol(coefficients, factors.data(), sizeof coefficients));
  Array<float> d_in(in), d_out(n);
  symbol_constant<<<blocks(n, block), block>>>(d_in.data(), d_out.data(), n);
  vector<float> want(n);
  for (int i = 0; i < n; ++i)
    for (int j = std::max(0, i - 3); j < std::min(n, i + 4); ++j)
      want[i] += factors[j - i + 3] * in[j];
  equal("symbol_constant", d_out.get(), want);

  vector<int> cells(40 * 30, -1), filled = cells;
  CUDA_OK(cudaMemcpyToSymbol(table, cells.data(), sizeof table));
  symbol_table<<<dim3(4, 5), dim3(8, 8)>>>(29, 37);
  KERNEL_OK();
  CUDA_OK(cudaMemcpyFromSymbol(cells.data(), table, sizeof table));
  for (int y = 0; y < 37; ++y)
    for (int x = 0; x < 29; ++x) filled[y * 30 + x] = 100 * y + x;
  equal("symbol_table", cells, filled);

  const int base = 1000;
  CUDA_OK(cudaMemcpyToSymbol(total, &base, sizeof base));
  Array<int> d_sums(n);
  symbol_scalar<<<blocks(n, block), block>>>(d_sums.data(), n);
  vector<int> sums(n);
  for (int i = 0; i < n; ++i) sums[i] = base + i;
  equal("symbol_scalar", d_sums.get(), sums);
}

static void test_bytes(Random& random, int n, unsigned block) {
  const unsigned grid = blocks(n, block);
  const auto in = random.integers<unsigned char>(2 * n, 0, 255);
  Array<unsigned char> d_in(in);
  Array<unsigned short> d_out(n);
  bytes<<<grid, block>>>(d_in.data(), d_out.data(), n);
  vector<unsigned short> want(n);
  for (int i = 0; i < n; ++i) want[i] = in[2 * i] + 256 * in[2 * i + 1];
  equal("bytes", d_out.get(), want);

  Array<int> d_set(8 * n), d_local_out(n);
  auto set = poisoned<int>(8 * n);
  set_memory<<<grid, block>>>(d_set.data(), n);
  const auto values = small<int>(random, 8 * n, 0, 100);
  Array<int> d_values(values);
  local_array<<<grid, block>>>(d_values.data(), d_local_out.data(), n);
  vector<int> sums(n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 8; ++k) {
      if (k < 7) set[8 * i + k] = 0;
      sums[i] += values[8 * i + values[8 * i + k] % 8];
    }
  equal("set_memory", d_set.get(), set);
  equal("local_array", d_local_out.get(), sums);
}

int main() {
  Random random(9);
  for (int n : {103, 1, 6}) {
    test_vectors(random, n, 16);
    test_structs(random, n, 16);
    test_symbols(random, n, 16);
    test_bytes(random, n, 16);
  }
  test_views(random, 37, 11, dim3(8, 4));
  test_views(random, 1, 1, dim3(8, 4));
  return check::finish();
}
