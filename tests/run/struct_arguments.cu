// Structs passed to kernels by value.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Kernel arguments | structs by value: 1 to 4000 bytes, nested, with arrays indexed dynamically, modified in the kernel
// FEATURE: Kernel arguments | structs by value whose address goes to functions that are not inlined, or is one of several
// FEATURE: Kernel arguments | structs with pointers; many arguments of mixed size and alignment
// FEATURE: Kernel arguments | arguments alive and changed across barriers
#include "check.h"

struct One {
  unsigned char x;
};
struct Odd {
  char a;
  short b;
  char c[5];
};
struct Box {  // 32 bytes
  int x, y;
  double weight;
  float low, high;
  long long id;
};
struct Large {
  int values[1000];
};
struct Table {
  int length;
  int values[300];
};
struct View {
  const int* data;
  int* out;
  int n;
  struct {
    int stride;
    short offset[3];
  } inner;
};
struct alignas(16) Aligned {
  float v[4];
  char tag;
};

__global__ void small(One one, Odd odd, Box box, long long* out) {
  const int i = check::global_index();
  box.id += i;  // each thread has its own copy
  box.x *= i % 3 + 1;
  odd.c[i % 5] = static_cast<char>(i % 50);
  long long sum = one.x + odd.a * 2 + odd.b * 3;
  for (int k = 0; k < 5; ++k) sum += odd.c[k] * (k + 1);
  out[i] = sum + box.x + box.y + static_cast<long long>(box.weight * 4) +
           static_cast<long long>(box.low + box.high) + box.id;
}

__global__ void large(const Large table, const int* picks, int* out) {
  const int i = check::global_index();
  out[i] = table.values[picks[i]] + table.values[999 - picks[i]] * 3;
}

__global__ void large_modified(Large table, int* out) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), n = check::thread_count();
  table.values[t % 1000] += t + 1;
  cells[t] = table.values[(t + 1) % 1000];
  __syncthreads();
  table.values[(t * 7) % 1000] -= cells[(t + 1) % n];
  __syncthreads();
  out[t] = table.values[t % 1000] + table.values[(t * 7) % 1000];
}

__device__ int sum_of(Large& table, int from, int to) {
  int sum = 0;
  for (int i = from; i < to; ++i) sum += table.values[i]++;
  return sum;
}
__global__ void by_reference(Large table, int* out) {
  const int i = check::global_index();
  out[i] = sum_of(table, i % 900, i % 900 + 10);
  out[i] += sum_of(table, i % 900 + 5, i % 900 + 15);
}

__device__ __noinline__ int sum_from(const Table& table, int from) {
  int sum = 0;
  for (int i = 0; i < table.length; ++i) sum += table.values[(from + i) % 300] * (i + 1);
  return sum;
}
__global__ void handed_on(Table table, Table other, int* out) {
  const int i = check::global_index();
  const int* from = i % 3 == 0 ? table.values : other.values;
  int sum = sum_from(table, i) - sum_from(other, i + 7);
  for (int k = 0; k < other.length; ++k) sum += from[(i + k * k) % 300];
  out[i] = sum;
}

__global__ void view(View v) {
  const int i = check::global_index();
  if (i < v.n) v.out[i] = v.data[i * v.inner.stride % v.n] + v.inner.offset[i % 3];
}

__global__ void mixed(char a, double b, short c, float d, long long e, bool f, Aligned g, char h,
                      const double* i, unsigned short j, Odd k, int l, float3 m, double* out) {
  const int t = check::global_index();
  out[t] = a + 2 * b + 3 * c + 4 * d + 5.0 * e + 6 * f + 7 * g.v[t % 4] + 8 * g.tag + 9 * h +
           10 * i[t] + 11 * j + 12 * k.b + 13 * l + 14 * m.x + 15 * m.y + 16 * m.z;
}

int main() {
  for (dim3 block : check::few_block_shapes()) {
    const int threads = check::volume(block), n = threads * 2;
    {
      const One one{200};
      const Odd odd{-3, -3000, {1, 2, 3, 4, 5}};
      const Box box{10, -20, 2.25, 1.5f, 3.5f, 1ll << 40};
      check::Array<long long> out(n);
      small<<<2, block>>>(one, odd, box, out.data());
      std::vector<long long> want(n);
      for (int i = 0; i < n; ++i) {
        want[i] = 200 - 6 - 9000 + 10 * (i % 3 + 1) - 20 + 9 + 5 + (1ll << 40) + i;
        for (int k = 0; k < 5; ++k) want[i] += (i % 5 == k ? i % 50 : k + 1) * (k + 1);
      }
      check::equal(check::name("small", block), out.get(), want);
    }
    check::Random random(n);
    Large table;
    for (int& x : table.values) x = static_cast<int>(random.integer(-1000, 1000));
    {
      const auto picks = random.integers<int>(n, 0, 999);
      check::Array<int> device_picks(picks), out(n);
      large<<<2, block>>>(table, device_picks.data(), out.data());
      std::vector<int> want(n);
      for (int i = 0; i < n; ++i)
        want[i] = table.values[picks[i]] + table.values[999 - picks[i]] * 3;
      check::equal(check::name("large", block), out.get(), want);
    }
    {
      check::Array<int> out(threads);
      large_modified<<<1, block>>>(table, out.data());
      std::vector<int> want(threads), cells(threads);
      for (int t = 0; t < threads; ++t)
        cells[t] = table.values[(t + 1) % 1000] + ((t + 1) % 1000 == t % 1000 ? t + 1 : 0);
      for (int t = 0; t < threads; ++t) {
        const int minus = cells[(t + 1) % threads], p = t % 1000, q = t * 7 % 1000;
        const auto value = [&](int k) {
          return table.values[k] + (k == p ? t + 1 : 0) - (k == q ? minus : 0);
        };
        want[t] = value(p) + value(q);
      }
      check::equal(check::name("large_modified", block), out.get(), want);
    }
    {
      check::Array<int> out(n);
      by_reference<<<2, block>>>(table, out.data());
      std::vector<int> want(n, 0);
      for (int i = 0; i < n; ++i)
        for (int k = 0; k < 10; ++k)
          want[i] += table.values[i % 900 + k] + table.values[i % 900 + 5 + k] + (k < 5);
      check::equal(check::name("by_reference", block), out.get(), want);
    }
    {
      Table table{11, {}}, other{13, {}};
      for (int& x : table.values) x = static_cast<int>(random.integer(-1000, 1000));
      for (int& x : other.values) x = static_cast<int>(random.integer(-1000, 1000));
      check::Array<int> out(n);
      handed_on<<<2, block>>>(table, other, out.data());
      std::vector<int> want(n, 0);
      for (int i = 0; i < n; ++i) {
        for (int k = 0; k < 11; ++k) want[i] += table.values[(i + k) % 300] * (k + 1);
        for (int k = 0; k < 13; ++k) want[i] -= other.values[(i + 7 + k) % 300] * (k + 1);
        const Table& from = i % 3 == 0 ? table : other;
        for (int k = 0; k < 13; ++k) want[i] += from.values[(i + k * k) % 300];
      }
      check::equal(check::name("handed_on", block), out.get(), want);
    }
    {
      const auto in = random.integers<int>(n, -1000, 1000);
      check::Array<int> source(in), out(n);
      View v{source.data(), out.data(), n, {7, {100, -200, 300}}};
      view<<<2, block>>>(v);
      std::vector<int> want(n);
      for (int i = 0; i < n; ++i) want[i] = in[i * 7 % n] + v.inner.offset[i % 3];
      check::equal(check::name("view", block), out.get(), want);
    }
    {
      const auto in = random.integers<double>(n, -1000, 1000);
      check::Array<double> source(in), out(n);
      Aligned aligned{{1, 2, 3, 4}, 5};
      mixed<<<2, block>>>(1, 2.5, 3, 4.5f, 5, true, aligned, 8, source.data(), 10, Odd{1, 11, {}},
                          12, make_float3(13, 14, 15), out.data());
      std::vector<double> want(n);
      for (int t = 0; t < n; ++t)
        want[t] = 1 + 5 + 9 + 18 + 25 + 6 + 7.0 * (t % 4 + 1) + 40 + 72 + 10 * in[t] + 110 + 132 +
                  156 + 182 + 210 + 240;
      check::equal(check::name("mixed", block), out.get(), want);
    }
  }
  return check::finish();
}
