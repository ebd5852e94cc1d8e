// Arguments of more than 4 KiB.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Kernel arguments | up to 32764 bytes of them
#include "check.h"

template <int n>
struct Table {
  int values[n];
};

// What a launch may have and no more leaves no room for a part's place, on GPUs.
template <int n>
__global__ void look_up(const Table<n> table, const int* picks, int* out, int count) {
  const int i = check::global_index();
  if (i < count) out[i] = table.values[picks[i]] - gridDim.x;
}

template <int n>
void test() {
  check::Random random(n);
  Table<n> table;
  for (int& x : table.values) x = static_cast<int>(random.integer(-1000, 1000));
  for (const int count : {1, 77, 4001}) {
    const auto picks = random.integers<int>(count, 0, n - 1);
    check::Array<int> device_picks(picks), out(count);
    const int blocks = (count + 95) / 96;
    look_up<<<blocks, 96>>>(table, device_picks.data(), out.data(), count);
    std::vector<int> want(count);
    for (int i = 0; i < count; ++i) want[i] = table.values[picks[i]] - blocks;
    check::equal("look_up of " + std::to_string(n), out.get(), want);
  }
}

int main() {
  test<1024>();
  test<1081>();
  test<1089>();
  test<8176>();
  test<8184>();
  return check::finish();
}
