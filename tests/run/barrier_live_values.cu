// Values of every type that live across barriers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Barriers | values of every type alive across them (bool, 8 to 64 bit, double, vectors, structs, pointers)
// FEATURE: Barriers | local arrays with dynamic indices alive across them
// FEATURE: Barriers | very many values alive across them
#include "check.h"

struct Particle {
  double mass;
  float3 position;
  unsigned char tag;
  short kind;
  int history[5];
};

// All values are made before the barrier from the thread index and folded after it; a neighbour's
// value read through shared memory makes sure that the barrier is really there.
__global__ void every_type(unsigned long long* out, const int* in) {
  __shared__ unsigned cells[1024];
  const unsigned t = check::thread_index(), n = check::thread_count();
  const unsigned seed = check::mix(t + 1000u * blockIdx.x);
  const bool flag = seed & 1, other_flag = seed & 2;
  const signed char small = static_cast<signed char>(seed >> 3);
  const unsigned char byte = static_cast<unsigned char>(seed >> 5);
  const short half = static_cast<short>(seed >> 7);
  const unsigned short uhalf = static_cast<unsigned short>(seed >> 9);
  const int word = static_cast<int>(seed ^ 0x5555u);
  const long long wide = static_cast<long long>(seed) * 1234567891011ll;
  const float real = static_cast<float>(seed >> 12);
  const double precise = static_cast<double>(seed) * 1048577.0;
  float4 four = make_float4(seed % 101, seed % 103, seed % 107, seed % 109);
  const double2 two = make_double2(seed % 1009, seed % 1013);
  const uchar4 bytes = make_uchar4(seed, seed >> 8, seed >> 16, seed >> 24);
  Particle particle{double(seed % 997),
                    make_float3(seed % 11, seed % 13, seed % 17),
                    static_cast<unsigned char>(seed >> 4),
                    static_cast<short>(seed >> 6),
                    {}};
  for (int i = 0; i < 5; ++i) particle.history[i] = static_cast<int>(seed % (100 + i));
  const int* pointer = in + seed % 64;
  unsigned long long* target = out + blockIdx.x * n + t;
  cells[t] = seed;
  __syncthreads();
  const unsigned neighbour = cells[(t + 1) % n];
  four.y += 1.0f;
  particle.history[neighbour % 5] += 7;
  unsigned long long hash = neighbour;
  auto fold = [&hash](unsigned long long x) { hash = hash * 6364136223846793005ull + x; };
  __syncthreads();
  fold(flag);
  fold(other_flag);
  fold(static_cast<unsigned long long>(small));
  fold(byte);
  fold(static_cast<unsigned long long>(half));
  fold(uhalf);
  fold(static_cast<unsigned long long>(word));
  fold(static_cast<unsigned long long>(wide));
  fold(static_cast<unsigned long long>(real));
  fold(static_cast<unsigned long long>(precise));
  fold(static_cast<unsigned long long>(four.x + 2 * four.y + 4 * four.z + 8 * four.w));
  fold(static_cast<unsigned long long>(two.x * 4 + two.y));
  fold(bytes.x + 2u * bytes.y + 4u * bytes.z + 8u * bytes.w);
  fold(static_cast<unsigned long long>(particle.mass + particle.position.x +
                                       particle.position.y * 2 + particle.position.z * 4));
  fold(particle.tag);
  fold(static_cast<unsigned long long>(particle.kind));
  for (int i = 0; i < 5; ++i) fold(static_cast<unsigned long long>(particle.history[i]));
  fold(static_cast<unsigned long long>(*pointer));
  *target = hash;
}

unsigned long long every_type_reference(unsigned seed, unsigned neighbour, const int* in) {
  unsigned long long hash = neighbour;
  auto fold = [&hash](unsigned long long x) { hash = hash * 6364136223846793005ull + x; };
  fold(seed & 1);
  fold(seed >> 1 & 1);
  fold(static_cast<unsigned long long>(static_cast<signed char>(seed >> 3)));
  fold(static_cast<unsigned char>(seed >> 5));
  fold(static_cast<unsigned long long>(static_cast<short>(seed >> 7)));
  fold(static_cast<unsigned short>(seed >> 9));
  fold(static_cast<unsigned long long>(static_cast<int>(seed ^ 0x5555u)));
  fold(static_cast<unsigned long long>(static_cast<long long>(seed) * 1234567891011ll));
  fold(seed >> 12);
  fold(seed * 1048577ull);
  fold(seed % 101 + 2 * (seed % 103 + 1) + 4 * (seed % 107) + 8 * (seed % 109));
  fold(seed % 1009 * 4 + seed % 1013);
  fold((seed & 255) + 2 * (seed >> 8 & 255) + 4 * (seed >> 16 & 255) + 8 * (seed >> 24));
  fold(seed % 997 + seed % 11 + seed % 13 * 2 + seed % 17 * 4);
  fold(static_cast<unsigned char>(seed >> 4));
  fold(static_cast<unsigned long long>(static_cast<short>(seed >> 6)));
  for (unsigned i = 0; i < 5; ++i) fold(seed % (100 + i) + (neighbour % 5 == i ? 7 : 0));
  fold(static_cast<unsigned long long>(in[seed % 64]));
  return hash;
}

__global__ void local_arrays(int* out, const int* picks, int rounds) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), n = check::thread_count();
  int stack[12];
  for (int i = 0; i < 12; ++i) stack[i] = t * 12 + i;
  char flags[7] = {0, 0, 0, 0, 0, 0, 0};
  int* cursor = stack + t % 12;
  for (int r = 0; r < rounds; ++r) {
    const int pick = picks[(t + r) % n];
    cells[t] = stack[pick % 12];
    __syncthreads();
    stack[(pick + r) % 12] = cells[(t + 1) % n];
    flags[pick % 7] += 1;
    *cursor += 1;
    __syncthreads();
  }
  unsigned sum = 0;
  for (int i = 0; i < 12; ++i) sum = sum * 31 + static_cast<unsigned>(stack[i] % 1009);
  for (int i = 0; i < 7; ++i) sum = (sum & 0xfffff) * 3 + static_cast<unsigned>(flags[i]);
  out[t] = static_cast<int>(sum);
}

// More values than registers: 64 doubles stay alive across a loop of barriers.
__global__ void many_values(double* out, int rounds) {
  __shared__ double cells[1024];
  const int t = check::thread_index(), n = check::thread_count();
  double v[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) v[i] = t + i;
  for (int r = 0; r < rounds; ++r) {
    cells[t] = v[(r * 5) % 64 == 0 ? 0 : 63];
    __syncthreads();
    const double c = cells[(t + r + 1) % n];
#pragma unroll
    for (int i = 0; i < 64; ++i) v[i] = v[(i + 1) % 64] + (i == 7 ? c : 1.0);
    __syncthreads();
  }
  double sum = 0;
#pragma unroll
  for (int i = 0; i < 64; ++i) sum += v[i] * (i + 1);
  out[t] = sum;
}

// Values carried through barriers on both sides of a loop, changed conditionally.
__global__ void phi_values(unsigned* out) {
  __shared__ unsigned cells[1024];
  const unsigned t = check::thread_index(), n = check::thread_count();
  unsigned a = t, b = 1, c = 0;
  for (int i = 0; i < 6; ++i) {
    cells[t] = a;
    __syncthreads();
    const unsigned old = a;
    if (cells[(t + 1) % n] % 3 == 0) {
      a = b + 1;
      b = old;
    } else {
      a = c ^ old;
      c += b;
    }
    __syncthreads();
  }
  out[t] = a + 10 * b + 100 * c;
}

int main() {
  check::Random random(11);
  for (dim3 block : check::block_shapes()) {
    const int n = check::volume(block);
    if (check::fits(every_type, block)) {
      const int blocks = 2;
      const auto in = random.integers<int>(64, -1000, 1000);
      check::Array<int> source(in);
      check::Array<unsigned long long> out(blocks * n);
      every_type<<<blocks, block>>>(out.data(), source.data());
      std::vector<unsigned long long> want(blocks * n);
      for (int b = 0; b < blocks; ++b)
        for (int t = 0; t < n; ++t)
          want[b * n + t] = every_type_reference(check::mix(t + 1000u * b),
                                                 check::mix((t + 1) % n + 1000u * b), in.data());
      check::equal(check::name("every_type", block), out.get(), want);
    }
    if (check::fits(local_arrays, block)) {
      const auto picks = random.integers<int>(n, 0, 1000);
      check::Array<int> device_picks(picks), out(n);
      local_arrays<<<1, block>>>(out.data(), device_picks.data(), 5);
      std::vector<std::vector<int>> stack(n, std::vector<int>(12)), flags(n, std::vector<int>(7));
      std::vector<int> cells(n), want(n);
      for (int t = 0; t < n; ++t)
        for (int i = 0; i < 12; ++i) stack[t][i] = t * 12 + i;
      for (int r = 0; r < 5; ++r) {
        for (int t = 0; t < n; ++t) cells[t] = stack[t][picks[(t + r) % n] % 12];
        for (int t = 0; t < n; ++t) {
          const int pick = picks[(t + r) % n];
          stack[t][(pick + r) % 12] = cells[(t + 1) % n];
          flags[t][pick % 7] += 1;
          stack[t][t % 12] += 1;
        }
      }
      for (int t = 0; t < n; ++t) {
        unsigned sum = 0;
        for (int x : stack[t]) sum = sum * 31 + static_cast<unsigned>(x % 1009);
        for (int x : flags[t]) sum = (sum & 0xfffff) * 3 + static_cast<unsigned>(x);
        want[t] = static_cast<int>(sum);
      }
      check::equal(check::name("local_arrays", block), out.get(), want);
    }
    if (check::fits(many_values, block)) {
      check::Array<double> out(n);
      many_values<<<1, block>>>(out.data(), 4);
      std::vector<std::vector<double>> v(n, std::vector<double>(64));
      std::vector<double> cells(n), want(n, 0.0);
      for (int t = 0; t < n; ++t)
        for (int i = 0; i < 64; ++i) v[t][i] = t + i;
      for (int r = 0; r < 4; ++r) {
        for (int t = 0; t < n; ++t) cells[t] = v[t][(r * 5) % 64 == 0 ? 0 : 63];
        for (int t = 0; t < n; ++t)
          for (int i = 0; i < 64; ++i)  // in order: element 63 sees the new element 0, as above
            v[t][i] = v[t][(i + 1) % 64] + (i == 7 ? cells[(t + r + 1) % n] : 1.0);
      }
      for (int t = 0; t < n; ++t)
        for (int i = 0; i < 64; ++i) want[t] += v[t][i] * (i + 1);
      check::equal(check::name("many_values", block), out.get(), want);
    }
    if (check::fits(phi_values, block)) {
      check::Array<unsigned> out(n);
      phi_values<<<1, block>>>(out.data());
      std::vector<unsigned> a(n), b(n, 1), c(n, 0), cells(n), want(n);
      for (int t = 0; t < n; ++t) a[t] = t;
      for (int i = 0; i < 6; ++i) {
        cells = a;
        for (int t = 0; t < n; ++t) {
          const unsigned old = a[t];
          if (cells[(t + 1) % n] % 3 == 0) {
            a[t] = b[t] + 1;
            b[t] = old;
          } else {
            a[t] = c[t] ^ old;
            c[t] += b[t];
          }
        }
      }
      for (int t = 0; t < n; ++t) want[t] = a[t] + 10 * b[t] + 100 * c[t];
      check::equal(check::name("phi_values", block), out.get(), want);
    }
  }
  return check::finish();
}
