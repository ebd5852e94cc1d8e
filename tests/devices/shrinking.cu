// Grids that shrink or grow from launch to launch: elimination as in LU and Gauss, triangles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

constexpr long long prime = 10007;  // elimination modulo a prime is exact

__device__ __host__ long long inverse(long long a) {
  long long power = 1;
  for (long long e = prime - 2; e > 0; e /= 2, a = a * a % prime)
    if (e % 2) power = power * a % prime;
  return power;
}

__global__ void column(int* m, int n, int k) {  // factors below the diagonal
  const int y = k + 1 + global_x();
  if (y < n) m[y * n + k] = static_cast<int>(m[y * n + k] * inverse(m[k * n + k]) % prime);
}
__global__ void rest(int* m, int n, int k) {  // the square that is left
  const int x = k + 1 + global_x(), y = k + 1 + global_y();
  if (x < n && y < n) {
    const long long less = static_cast<long long>(m[y * n + k]) * m[k * n + x] % prime;
    m[y * n + x] = static_cast<int>((m[y * n + x] + prime - less) % prime);
  }
}
__global__ void triangle(int* m, int n, int k) {  // row k, from the diagonal on
  const int x = k + global_x();
  if (x < n) m[k * n + x] += k;
}
__global__ void grow(int* line, int k) {
  const int i = global_x();
  if (i < k) line[k + i] = line[i] + 1;
}

int main() {
  Random random(23);
  for (const int n : {2, 17, 61}) {
    vector<int> host = random.integers<int>(n * n, 1, prime - 1);
    Array<int> m(host);
    const dim3 block(8, 4);
    for (int k = 0; k < n - 1; ++k) {
      column<<<blocks(n - k - 1, 8), 8>>>(m.data(), n, k);
      rest<<<blocks(n - k - 1, n - k - 1, block), block>>>(m.data(), n, k);
      for (int y = k + 1; y < n; ++y) {
        host[y * n + k] = static_cast<int>(host[y * n + k] * inverse(host[k * n + k]) % prime);
        for (int x = k + 1; x < n; ++x) {
          const long long less = static_cast<long long>(host[y * n + k]) * host[k * n + x] % prime;
          host[y * n + x] = static_cast<int>((host[y * n + x] + prime - less) % prime);
        }
      }
    }
    result("eliminated", m, host);
    for (int k = 0; k < n; ++k) {
      triangle<<<blocks(n - k, 4), 4>>>(m.data(), n, k);
      for (int x = k; x < n; ++x) host[k * n + x] += k;
    }
    result("triangle", m, host);
  }
  vector<int> line(4096, 0);
  Array<int> a(line);
  for (int k = 1; k < 4096; k *= 2) {
    grow<<<blocks(k, 16), 16>>>(a.data(), k);
    for (int i = 0; i < k; ++i) line[k + i] = line[i] + 1;
  }
  result("grown", a, line);
  return finish();
}
