// Arrays as programs lay them out: pitched rows, structs, vectors over scalars, planes of a volume.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

__global__ void blur_pitched(const char* in, char* out, size_t pitch, int w, int h) {
  const int x = global_x(), y = global_y();
  if (x >= w || y >= h) return;
  const auto row = [&](int line) {
    return reinterpret_cast<const float*>(in + min(max(line, 0), h - 1) * pitch);
  };
  reinterpret_cast<float*>(out + y * pitch)[x] = row(y - 1)[x] + row(y)[x] + row(y + 1)[x];
}

struct Particle {
  float x, y, z;
  int cell;
};
__global__ void push(Particle* all, const float* force, int n) {  // some fields only
  const int i = global_x();
  if (i >= n) return;
  all[i].x += force[i];
  all[i].cell = static_cast<int>(all[i].x) & 7;
}
__global__ void couple(const Particle* all, float* out, int n) {
  const int i = global_x();
  if (i < n) out[i] = all[i].x - all[(i + 1) % n].y;
}

__global__ void add_vectors(float* a, int quads, int n) {
  const int i = global_x();
  if (i < quads) {
    float4 four = reinterpret_cast<float4*>(a)[i];
    four.x += 1, four.y += 2, four.z += 3, four.w += 4;
    reinterpret_cast<float4*>(a)[i] = four;
  } else if (i < quads + n % 4) {
    a[4 * quads + i - quads] -= 1;  // the rest, one by one
  }
}

__global__ void volume(const int* in, int* out, int nx, int ny, int nz) {
  const int x = global_x(), y = global_y();
  if (x >= nx || y >= ny) return;
  const int plane = nx * ny;
  int below = 0, here = in[y * nx + x];
  for (int z = 0; z < nz; ++z) {  // a thread walks through all planes
    const int above = z + 1 < nz ? in[(z + 1) * plane + y * nx + x] : 0;
    const int beside = y + 1 < ny ? in[z * plane + (y + 1) * nx + x] : 0;
    out[z * plane + y * nx + x] = below + here * 2 + above + beside;
    below = here, here = above;
  }
}
__global__ void one_plane(int* a, int nx, int ny, int z, int value) {
  const int x = global_x(), y = global_y();
  if (x < nx && y < ny) a[(z * ny + y) * nx + x] += value * x;
}

void pitched(Random& random, int w, int h) {
  char *a = nullptr, *b = nullptr;
  size_t pitch = 0, other = 0;
  CUDA_OK(cudaMallocPitch(&a, &pitch, w * sizeof(float), h));
  CUDA_OK(cudaMallocPitch(&b, &other, w * sizeof(float), h));
  CHECK_EQ(pitch, other);
  vector<float> host = random.integers<float>(w * h, -4, 4), next(w * h);
  const size_t row = w * sizeof(float);
  CUDA_OK(cudaMemcpy2D(a, pitch, host.data(), row, row, h, cudaMemcpyHostToDevice));
  const dim3 block(16, 4);
  for (int turn = 0; turn < 5; ++turn) {
    blur_pitched<<<blocks(w, h, block), block>>>(a, b, pitch, w, h);
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x)
        next[y * w + x] = host[std::max(y - 1, 0) * w + x] + host[y * w + x] +
                          host[std::min(y + 1, h - 1) * w + x];
    std::swap(a, b), std::swap(host, next);
  }
  vector<float> got(w * h);
  CUDA_OK(cudaMemcpy2D(got.data(), row, a, pitch, row, h, cudaMemcpyDeviceToHost));
  result("pitched", got, host);
  CUDA_OK(cudaFree(a));
  CUDA_OK(cudaFree(b));
}

void particles(Random& random, int n) {
  vector<Particle> all(n);
  for (Particle& p : all)
    p = {float(random.integer(0, 99)), float(random.integer(0, 99)), 3, int(random.integer(0, 9))};
  const vector<float> force = random.integers<float>(n, -3, 3);
  Array<Particle> particles(all);
  Array<float> forces(force), out(n);
  vector<float> want(n);
  for (int turn = 0; turn < 3; ++turn) {
    push<<<blocks(n, 32), 32>>>(particles.data(), forces.data(), n);
    couple<<<blocks(n, 48), 48>>>(particles.data(), out.data(), n);
    for (int i = 0; i < n; ++i) {
      all[i].x += force[i];
      all[i].cell = static_cast<int>(all[i].x) & 7;
    }
    for (int i = 0; i < n; ++i) want[i] = all[i].x - all[(i + 1) % n].y;
    result("coupled", out, want);
  }
  result("particles", particles, all);
}

void vectors(Random& random, int n) {
  vector<float> host = random.integers<float>(n, -9, 9);
  Array<float> a(host);
  for (int turn = 0; turn < 3; ++turn) {
    add_vectors<<<blocks(n / 4 + n % 4, 32), 32>>>(a.data(), n / 4, n);
    for (int i = 0; i < n / 4 * 4; ++i) host[i] += static_cast<float>(i % 4 + 1);
    for (int i = n / 4 * 4; i < n; ++i) host[i] -= 1;
  }
  result("vectors", a, host);
}

void volumes(Random& random, int nx, int ny, int nz) {
  vector<int> host = random.integers<int>(nx * ny * nz, 0, 9), next(host.size());
  Array<int> a(host), b(host.size());
  const dim3 block(16, 2);
  const auto at = [&](int x, int y, int z) { return (z * ny + y) * nx + x; };
  for (int turn = 0; turn < 4; ++turn) {
    int *from = turn % 2 ? b.data() : a.data(), *to = turn % 2 ? a.data() : b.data();
    one_plane<<<blocks(nx, ny, block), block>>>(from, nx, ny, turn % nz, turn + 1);
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) host[at(x, y, turn % nz)] += (turn + 1) * x;
    volume<<<blocks(nx, ny, block), block>>>(from, to, nx, ny, nz);
    for (int z = 0; z < nz; ++z)
      for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x)
          next[at(x, y, z)] = (z > 0 ? host[at(x, y, z - 1)] : 0) + 2 * host[at(x, y, z)] +
                              (z + 1 < nz ? host[at(x, y, z + 1)] : 0) +
                              (y + 1 < ny ? host[at(x, y + 1, z)] : 0);
    host = next;
  }
  result("volume", a, host);
}

int main() {
  Random random(35);
  pitched(random, 61, 47), pitched(random, 130, 9), pitched(random, 1, 33);
  for (const int n : {1, 3, 97, 1009}) particles(random, n), vectors(random, n);
  volumes(random, 37, 29, 7), volumes(random, 5, 61, 3), volumes(random, 64, 1, 1);
  return finish();
}
