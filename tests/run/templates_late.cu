// What nvcc leaves to a template's instances: members of classes that are complete only further
// down, and which names are templates. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | templates that reach into classes which are complete only further down
// FEATURE: Language | member templates of dependent objects without the word template: p.send<-1>(x)
#include "check.h"

struct Packet;
struct Table;

// Nobody asks for this one.
template <int Level>
__device__ int never(Packet* p) {
  return p->payload + p->inner.deep[Level];
}

template <int Level>
__host__ __device__ int sum(const Packet* p, const Packet& r, Packet* all) {
  int total = p->payload * Level + (*p).payload + r.payload;
  for (int i = 0; i < 3; ++i) total += all[i].payload;
  total += p->inner.deep[1] + r.scaled(Level) + p->scaled(2);
  all->payload += 1000;  // a member that is written, not a copy of it
  return total;
}

template <class T>
struct Holder {
  Table* table;
  __host__ __device__ int size(T extra) const { return table->rows * table->columns + extra; }
  __host__ __device__ T first() const { return static_cast<T>(this->table->cells[0]); }
};

struct Packet {
  struct Inner {
    int deep[2];
  };
  int payload;
  Inner inner;
  __host__ __device__ int scaled(int by) const { return payload * by; }
};

struct Table {
  int rows, columns;
  double cells[4];
};

template <class Real>
struct Prim {
  template <int Sign>
  __host__ __device__ int send(int x) const {
    return Sign * x;
  }
  template <class T, int N>
  __host__ __device__ static T times(T x) {
    return x * N;
  }
  template <class T>
  struct rebind {
    typedef T other;
  };
};

template <class P>
__host__ __device__ int drive(const P& p, const P* q, int x) {
  typename P::rebind<long>::other wide = x;
  return p.send<-1>(x) + q->send<3>(x) + static_cast<const P*>(&p)->send<5>(x) +
         P::times<int, 7>(x) + static_cast<int>(wide);
}

__global__ void fill(int* out, Packet* packets, Table* table, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Packet mine[3] = {packets[i], packets[(i + 1) % n], packets[(i + 2) % n]};
  Prim<float> prim;
  const int first = sum<4>(&packets[i], mine[1], mine);
  out[i] = first + (mine[0].payload - packets[i].payload) + drive(prim, &prim, i) +
           Holder<int>{table}.size(i) + static_cast<int>(Holder<float>{table}.first());
}

int main() {
  const int n = 333;
  std::vector<Packet> packets(n);
  for (int i = 0; i < n; ++i) packets[i] = {i * 3 + 1, {{i, 2 * i}}};
  Table table{3, 5, {42.5}};
  check::Array<int> out(n);
  check::Array<Packet> there(packets);
  check::Array<Table> tables(std::vector<Table>{table});
  fill<<<3, 128>>>(out.data(), there.data(), tables.data(), n);
  KERNEL_OK();
  std::vector<int> want;
  for (int i = 0; i < n; ++i) {
    const int a = packets[i].payload, b = packets[(i + 1) % n].payload,
              c = packets[(i + 2) % n].payload;
    const int sums = a * 4 + a + b + (a + b + c) + 2 * i + b * 4 + a * 2;
    want.push_back(sums + 1000 + (-1 + 3 + 5 + 7 + 1) * i + 15 + i + 42);
  }
  check::equal("kernel", out.get(), want);
  Packet mine[3] = {packets[0], packets[1], packets[2]};
  CHECK_EQ(sum<4>(&packets[0], mine[1], mine), 1 * 5 + 4 + (1 + 4 + 7) + 0 + 16 + 2);
  CHECK_EQ(mine[0].payload, 1001);
  CHECK_EQ(drive(Prim<int>(), static_cast<const Prim<int>*>(nullptr), 2), 30);
  CHECK_EQ(Holder<int>{&table}.size(1), 16);
  return check::finish();
}
