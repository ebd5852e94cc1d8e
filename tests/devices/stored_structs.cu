// Structs with pointers that kernels copy whole: what is stored must be the program's addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

struct View {
  int* data;
  int n, pad;
};
struct Holder {
  long long before;
  View views[2];
  int after;
};

__global__ void keep(View view, View* out, int* read) {
  const int i = global_x();
  if (i >= view.n) return;
  view.data[i] = i;
  out[i] = view;
  read[i] = view.data[i];
}
__global__ void keep_nested(Holder holder, Holder* out) {
  const int i = global_x();
  if (i >= holder.views[1].n) return;
  holder.views[1].data[i] += i;
  Holder changed = holder;
  changed.after = i;
  out[i] = changed;
}
// Through bytes, and through memory of the block.
__global__ void keep_bytes(View view, View* out) {
  const int i = global_x();
  if (i >= view.n) return;
  char bytes[sizeof(View)];
  memcpy(bytes, &view, sizeof view);
  bytes[sizeof(View) - 1 - i % 4] = char(0);
  ++view.data[i];
  memcpy(out + i, bytes, sizeof view);
}
__global__ void keep_shared(View view, View* out) {
  __shared__ View kept[2];
  const int i = global_x();
  if (threadIdx.x < 2) kept[threadIdx.x] = view;
  __syncthreads();
  if (i >= view.n) return;
  --view.data[i];
  out[i] = kept[i % 2];
}
__global__ void follow(const View* views, const Holder* holders, int* out, int n) {
  const int i = global_x();
  if (i < n) out[i] = views[i].data[i] + holders[n - 1 - i].views[1].data[i] + holders[i].after;
}

int main() {
  for (const int n : {1, 64, 1009}) {
    Array<int> data(n), read(n), out(n);
    Array<View> views(n);
    Array<Holder> holders(n);
    const View view{data.data(), n, 0};
    const Holder holder{7, {View{nullptr, 3, 0}, view}, 0};
    keep<<<blocks(n, 32), 32>>>(view, views.data(), read.data());
    keep_nested<<<blocks(n, 32), 32>>>(holder, holders.data());
    Array<View> others(n), shared(n);
    keep_bytes<<<blocks(n, 32), 32>>>(view, others.data());
    keep_shared<<<blocks(n, 32), 32>>>(view, shared.data());
    follow<<<blocks(n, 32), 32>>>(views.data(), holders.data(), out.data(), n);
    vector<int> kept(n), followed(n);
    for (int i = 0; i < n; ++i) {
      kept[i] = i;
      followed[i] = 2 * i + 2 * i + i;
    }
    result("read", read.get(), kept);
    result("followed", out.get(), followed);
    int wrong = 0;
    for (const View& v : views.get()) wrong += v.data != data.data();
    for (const View& v : others.get()) wrong += v.data != data.data();
    for (const View& v : shared.get()) wrong += v.data != data.data();
    for (const Holder& h : holders.get()) wrong += h.views[1].data != data.data();
    result("wrong addresses", vector<int>{wrong}, vector<int>{0});
  }
  return devices::finish();
}
