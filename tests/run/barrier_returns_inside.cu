// Threads return from inside other code, and what those that stay share is theirs alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Barriers | early return from branches and loops between barriers; uniform values behind it
// FEATURE: Barriers | `__syncthreads_count`, `_and`, `_or` of the threads that are still there
#include "check.h"

#include <algorithm>

// In the midst of what only some threads do, with work on the way out; a value lives across.
__global__ void inside_branches(const int* in, int* out, int n) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), i = blockIdx.x * n + t;
  int value = in[i];
  if (value % 3 != 0) {
    if (value % 5 == 0) {
      for (int k = 0; k < t % 4; ++k) value += k * in[i];
      out[i] = -value;
      return;
    }
    value = value * 7 + t;
  }
  cells[t] = value;
  __syncthreads();
  out[i] = value * 2 + (in[blockIdx.x * n + (t + 1) % n] % 15 == 0 ? cells[(t + 1) % n] : 1);
}

// Before two loops around barriers, the inner of which may have no rounds: the code behind it leads
// to the next round of the outer one, which has its own number.
__global__ void before_nested_loops(unsigned* cells, unsigned length) {
  const unsigned t = check::thread_index();
  if (t >= length) return;
  for (unsigned size = 2; size <= length; size *= 2)
    for (unsigned step = size >> 1; step > 0; step >>= 1) {
      const unsigned other = t ^ step;
      if (other > t) {
        const unsigned mine = cells[t], its = cells[other];
        if ((t & size) == 0 ? mine > its : mine < its) {
          cells[t] = its;
          cells[other] = mine;
        }
      }
      __syncthreads();
    }
}

// From loops whose rounds differ between threads, twice.
__global__ void inside_loops(const int* in, int* out, int n) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), i = blockIdx.x * n + t;
  int sum = 0;
  for (int k = 0; k < in[i] % 7 + 1; ++k) {
    sum += in[i] >> k;
    if (sum % 11 == 3) {
      out[i] = 1000 + k;
      return;
    }
  }
  cells[t] = sum;
  __syncthreads();
  for (int k = 0; k < in[i] % 5; ++k) {
    if ((cells[t] + k) % 13 == 5) return;
    sum += cells[t] ^ k;
  }
  __syncthreads();
  cells[t] = sum + 1;
  __syncthreads();
  out[i] = cells[t] + sum;
}

// The first threads go. `rounds` is found by a load that must come after a store, and steers the
// block's loops; blocks without threads must not even look.
__global__ void first_go(const int* const* tables, int* out, int gone) {
  __shared__ int cells[1024], rounds;
  const int t = check::thread_index(), n = check::thread_count();
  if (t < gone + static_cast<int>(blockIdx.x)) return;
  const int* table = tables[blockIdx.x];
  if (t == n - 1) rounds = table[0];
  cells[t] = t;
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < rounds; ++k) {
    const int next = cells[n - 1];
    __syncthreads();
    cells[t] = next + table[1] + t;
    __syncthreads();
    sum += cells[n - 1] * (k + 1);
  }
  out[blockIdx.x * n + t] = sum;
}

// A loop that only returns end; the rest votes in each round.
__global__ void votes(const int* in, int* out, int n) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), i = blockIdx.x * n + t;
  cells[t] = in[i] % 17;
  int seen = 0;
  for (int round = 1;; ++round) {
    const int here = __syncthreads_count(cells[t] > round / 2);
    seen = seen * 3 + here;
    if (__syncthreads_and(cells[t] % 2 == 0)) seen += 100000;
    if (__syncthreads_or(cells[t] == round)) seen += 10000;
    if (cells[t] < round) {
      out[i] = seen;
      return;
    }
  }
}

// On one way of the whole block only; and ways of the whole block that only some come to.
__global__ void on_one_way(const int* in, int* out, int n, int mode) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), i = blockIdx.x * n + t;
  int value = in[i];
  if (mode & 1) {
    if (value % 4 == 1) return;
    cells[t] = value;
    __syncthreads();
    value += cells[t] * 2;
  } else {
    if (value % 4 == 2) {
      value += 3;
      if (mode & 2) {
        out[i] = 5;
        return;
      }
    }
    cells[t] = value - 1;
  }
  value += __syncthreads_count(value > 40);
  if (mode & 4) {
    out[i] = value;
    return;
  }
  __syncthreads();
  switch (value % 5) {
    case 0:
      return;
    case 1:
      value += 10;
      break;
    case 3:
      out[i] = -3;
      return;
    default:
      value -= 2;
  }
  out[i] = value + __syncthreads_count(value % 2);
}

struct Block {
  const int* in;
  int* out;
  int n;
};

static void inside_branches_host(Block b) {
  std::vector<int> cells(b.n), values(b.n);
  std::vector<bool> there(b.n, true);
  for (int t = 0; t < b.n; ++t) {
    int value = b.in[t];
    if (value % 3 != 0) {
      if (value % 5 == 0) {
        for (int k = 0; k < t % 4; ++k) value += k * b.in[t];
        b.out[t] = -value;
        there[t] = false;
        continue;
      }
      value = value * 7 + t;
    }
    values[t] = cells[t] = value;
  }
  for (int t = 0; t < b.n; ++t)
    if (there[t])
      b.out[t] = values[t] * 2 + (b.in[(t + 1) % b.n] % 15 == 0 ? cells[(t + 1) % b.n] : 1);
}

static void inside_loops_host(Block b) {
  for (int t = 0; t < b.n; ++t) {
    int sum = 0;
    bool gone = false;
    for (int k = 0; k < b.in[t] % 7 + 1 && !gone; ++k) {
      sum += b.in[t] >> k;
      if (sum % 11 == 3) {
        b.out[t] = 1000 + k;
        gone = true;
      }
    }
    const int cell = sum;
    for (int k = 0; k < b.in[t] % 5 && !gone; ++k) {
      gone = (cell + k) % 13 == 5;
      if (!gone) sum += cell ^ k;
    }
    if (!gone) b.out[t] = sum + 1 + sum;
  }
}

static void votes_host(Block b) {
  std::vector<bool> there(b.n, true);
  std::vector<int> cells(b.n);
  for (int t = 0; t < b.n; ++t) cells[t] = b.in[t] % 17;
  int seen = 0;
  for (int round = 1; round < 19; ++round) {
    int count = 0;
    bool all = true, any = false;
    for (int t = 0; t < b.n; ++t) {
      if (!there[t]) continue;
      count += cells[t] > round / 2;
      all = all && cells[t] % 2 == 0;
      any = any || cells[t] == round;
    }
    seen = seen * 3 + count + 100000 * all + 10000 * any;
    for (int t = 0; t < b.n; ++t)
      if (there[t] && cells[t] < round) {
        b.out[t] = seen;
        there[t] = false;
      }
  }
}

static void on_one_way_host(Block b, int mode) {
  std::vector<bool> there(b.n, true);
  std::vector<int> values(b.in, b.in + b.n);
  auto all = [&](auto body) {
    for (int t = 0; t < b.n; ++t)
      if (there[t]) body(t, values[t]);
  };
  auto leave = [&](int t) { there[t] = false; };
  all([&](int t, int& value) {
    if (mode & 1) {
      if (value % 4 == 1) return leave(t);
      value += value * 2;
    } else if (value % 4 == 2) {
      value += 3;
      if (mode & 2) b.out[t] = 5, leave(t);
    }
  });
  int count = 0;
  all([&](int, int& value) { count += value > 40; });
  all([&](int t, int& value) {
    value += count;
    if (mode & 4) b.out[t] = value;
  });
  if (mode & 4) return;
  all([&](int t, int& value) {
    if (value % 5 == 0)
      leave(t);
    else if (value % 5 == 1)
      value += 10;
    else if (value % 5 == 3)
      b.out[t] = -3, leave(t);
    else
      value -= 2;
  });
  int odd = 0;
  all([&](int, int& value) { odd += value % 2 != 0; });
  all([&](int t, int& value) { b.out[t] = value + odd; });
}

int main() {
  check::Random random(17);
  for (dim3 block : check::block_shapes()) {
    const int n = check::volume(block), blocks = 5;
    const auto in = random.integers<int>(blocks * n, 0, 90);
    check::Array<int> source(in);
    auto compare = [&](const char* what, auto launch, auto host) {
      const std::vector<int> before(blocks * n, -7);
      check::Array<int> out(before);
      launch(out.data());
      auto want = before;
      for (int b = 0; b < blocks; ++b) host(Block{in.data() + b * n, want.data() + b * n, n});
      check::equal(check::name(what, block), out.get(), want);
    };
    compare(
        "inside_branches",
        [&](int* out) { inside_branches<<<blocks, block>>>(source.data(), out, n); },
        inside_branches_host);
    compare(
        "inside_loops", [&](int* out) { inside_loops<<<blocks, block>>>(source.data(), out, n); },
        inside_loops_host);
    compare(
        "votes", [&](int* out) { votes<<<blocks, block>>>(source.data(), out, n); }, votes_host);
    for (int mode = 0; mode < 8; ++mode)
      compare(
          "on_one_way",
          [&](int* out) { on_one_way<<<blocks, block>>>(source.data(), out, n, mode); },
          [&](Block b) { on_one_way_host(b, mode); });
    {
      const int gone = std::max(0, n - 3);  // of the five blocks, the last two are empty
      const std::vector<int> numbers{3, 11};
      check::Array<int> table(numbers);
      const std::vector<const int*> pointers{table.data(), table.data(), table.data(), nullptr,
                                             nullptr};
      check::Array<const int*> tables(pointers);
      const std::vector<int> before(blocks * n, -7);
      check::Array<int> out(before);
      first_go<<<blocks, block>>>(tables.data(), out.data(), gone);
      auto want = before;
      for (int b = 0; b < blocks; ++b)
        for (int t = gone + b; t < n; ++t) {
          int last = n - 1, sum = 0;
          for (int k = 0; k < 3; ++k) {
            last += 11 + n - 1;
            sum += last * (k + 1);
          }
          want[b * n + t] = sum;
        }
      if (n >= 3) check::equal(check::name("first_go", block), out.get(), want);
    }
  }
  for (const dim3 block : {dim3(1), dim3(33), dim3(16, 5), dim3(128), dim3(1024)})
    for (unsigned length : {1u, 2u, 8u, 64u, 1024u}) {
      if (length > block.x * block.y) continue;
      std::vector<unsigned> want(length + 3);
      for (unsigned i = 0; i < want.size(); ++i) want[i] = i * 2654435761u ^ 77u;
      check::Array<unsigned> cells(want);
      before_nested_loops<<<1, block>>>(cells.data(), length);
      KERNEL_OK();
      std::sort(want.begin(), want.begin() + length);
      check::equal(check::name("before_nested_loops", block), cells.get(), want);
    }
  return check::finish();
}
