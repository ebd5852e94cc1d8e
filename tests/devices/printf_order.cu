// Text printed by kernels comes in the order of the launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

__global__ void say(const char tag, int* a, int n) {
  const int i = global_x();
  if (i >= n) return;
  a[i] += 1;
  if (i % 16 == 0) printf("%c %d %d\n", tag, i, a[i]);
}
__global__ void work(int* a, int n) {
  const int i = global_x();
  if (i < n) a[i] += 10;
}

int printing() {  // in a child
  constexpr int n = 160;
  Array<int> a(vector<int>(n, 0));
  for (char tag = 'a'; tag < 'f'; ++tag) {
    say<<<blocks(n, 16), 16>>>(tag, a.data(), n);
    work<<<blocks(n, 32), 32>>>(a.data(), n);
  }
  CUDA_OK(cudaDeviceSynchronize());
  std::printf("end\n");
  return check::failures;
}

int main() {
  const check::Outcome outcome = check::in_child(printing);
  CHECK_EQ(outcome.exit_code, 0);
  std::string tags;
  int lines = 0;
  for (size_t at = 0; at < outcome.output.size(); at = outcome.output.find('\n', at) + 1) {
    char tag = 0;
    int i = 0, value = 0;
    if (std::sscanf(outcome.output.c_str() + at, "%c %d %d\n", &tag, &i, &value) != 3) break;
    ++lines;
    if (tags.empty() || tags.back() != tag) tags += tag;
    CHECK_EQ(value, 11 * (tag - 'a') + 1);
  }
  CHECK_EQ(lines, 50);
  CHECK(tags == "abcde");
  CHECK(outcome.output.size() > 4 && outcome.output.substr(outcome.output.size() - 4) == "end\n");
  return finish();
}
