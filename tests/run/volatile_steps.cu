// Lanes that count on each other's volatile accesses, in shared and in global memory, with nothing
// else between them, as programs of before 2017 do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Forward progress | warp-synchronous code with volatile shared or global memory, no barriers
#include "check.h"

template <int threads>
__device__ void finish_warp(volatile int* cells, int t) {
  if (threads >= 64) cells[t] += cells[t + 32];
  if (threads >= 32) cells[t] += cells[t + 16];
  if (threads >= 16) cells[t] += cells[t + 8];
  if (threads >= 8) cells[t] += cells[t + 4];
  if (threads >= 4) cells[t] += cells[t + 2];
  if (threads >= 2) cells[t] += cells[t + 1];
}

template <int threads>
__global__ void reduce(const int* in, int* out, int n) {
  extern __shared__ int cells[];
  const int t = threadIdx.x;
  cells[t] = 0;
  if (t < 32) cells[threads + t] = 0;
  for (int i = blockIdx.x * threads + t; i < n; i += threads * gridDim.x) cells[t] += in[i];
  __syncthreads();
  for (int s = threads / 2; s > 32; s /= 2) {
    if (t < s) cells[t] += cells[t + s];
    __syncthreads();
  }
  if (t < 32) finish_warp<threads>(cells, t);
  if (t == 0) out[blockIdx.x] = cells[0];
}

// In place, in global memory ("Professional CUDA C Programming", chapter 3, has this form).
__global__ void reduce_in_place(int* data, int* out) {
  int* cells = data + blockIdx.x * blockDim.x;
  const unsigned t = threadIdx.x;
  for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
    if (t < s) cells[t] += cells[t + s];
    __syncthreads();
  }
  if (t < 32) finish_warp<64>(cells, t);
  if (t == 0) out[blockIdx.x] = cells[0];
}

// The last block adds what the others left: each writes and reads volatile memory, in no loop that
// waits.
__device__ unsigned arrived;
__global__ void reduce_grid(const int* in, volatile int* partial, int* out) {
  __shared__ volatile int cells[96];
  __shared__ bool is_last;
  const int t = threadIdx.x;
  cells[t] = in[blockIdx.x * 64 + t];
  if (t < 32) cells[64 + t] = 0;
  __syncthreads();
  if (t < 32) finish_warp<64>(cells, t);
  if (t == 0) {
    partial[blockIdx.x] = cells[0];
    __threadfence();
    is_last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  int sum = 0;
  for (int i = t; i < int(gridDim.x); i += 64) sum += partial[i];
  cells[t] = sum;
  __syncthreads();
  if (t < 32) finish_warp<64>(cells, t);
  if (t == 0) *out = cells[0];
}

__global__ void scan(const int* in, int* out) {
  __shared__ volatile int cells[2 * 256];
  const int t = threadIdx.x, lane = t % 32, at = 64 * (t / 32) + 32 + lane;
  cells[at - 32] = 0;
  cells[at] = in[blockIdx.x * 256 + t];
  cells[at] += cells[at - 1];
  cells[at] += cells[at - 2];
  cells[at] += cells[at - 4];
  cells[at] += cells[at - 8];
  cells[at] += cells[at - 16];
  out[blockIdx.x * 256 + t] = cells[at];
}

// Lanes without a partner do nothing; in global memory, with a loop.
__global__ void scan_with_branches(volatile int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  if (i - lane + 31 >= n) return;
  for (int o = 1; o < 32; o *= 2)
    if (lane >= o) data[i] = data[i - o] + data[i];
}

// Rows of 2-dimensional blocks.
__global__ void rows(const int* in, int* out) {
  __shared__ volatile int cells[8][48];
  const int x = threadIdx.x, y = threadIdx.y;
  cells[y][x] = in[(blockIdx.x * 8 + y) * 32 + x];
  if (x < 16) cells[y][x + 32] = 0;
  for (int o = 16; o > 0; o /= 2) cells[y][x] += cells[y][x + o];
  if (x == 0) out[blockIdx.x * 8 + y] = cells[y][0];
}

// Of lanes that mean one place one is the last: which one is not told, but all agree.
__global__ void winners(const int* places, volatile int* table, int* won) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  volatile int* const mine = table + blockIdx.x * 64;
  mine[places[i]] = threadIdx.x;
  won[i] = mine[places[i]] == int(threadIdx.x);
}

// Warps turned round in place: launches may give both parameters one array.
__global__ void turn(int* to, const volatile int* from) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i ^ 31];
}
__device__ int cells_of_program[64];
__global__ void turn_variable(const volatile int* from) {
  const int i = threadIdx.x;
  cells_of_program[i] = from[i ^ 31];
}

// Through a variable of the program's.
__device__ volatile int board[64];
__global__ void over_board(const int* in, int* out) {
  const int t = threadIdx.x;
  board[t] = in[t];
  out[t] = board[t ^ 31];
}

// The one launch whose shape the compiler knows has nobody to exchange with.
__global__ void exchange(volatile int* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int other = (i ^ 1) % (gridDim.x * blockDim.x);
  data[i] = data[other] - 1;
}

static int sum(const std::vector<int>& of, int from, int to) {
  int result = 0;
  for (int i = from; i < to; ++i) result += of[i];
  return result;
}

template <int threads>
static void test_reduce(const std::vector<int>& in, int blocks) {
  const int n = in.size();
  check::Array<int> source(in), out(blocks);
  reduce<threads><<<blocks, threads, (threads + 32) * sizeof(int)>>>(source.data(), out.data(), n);
  KERNEL_OK();
  CHECK_EQ(sum(out.get(), 0, blocks), sum(in, 0, n));
}

static void test_scans(const std::vector<int>& in) {
  const int n = in.size();
  std::vector<int> want(n), of_rows(n / 32);
  for (int i = 0; i < n; ++i) want[i] = sum(in, i / 32 * 32, i + 1);
  for (int i = 0; i < n / 32; ++i) of_rows[i] = sum(in, i * 32, i * 32 + 32);
  check::Array<int> source(in), out(n), row_sums(n / 32);
  scan<<<n / 256, 256>>>(source.data(), out.data());
  check::equal("scan", out.get(), want);
  rows<<<n / 256, dim3(32, 8)>>>(source.data(), row_sums.data());
  check::equal("rows", row_sums.get(), of_rows);
  for (int threads : {32, 64, 96, 1024}) {
    check::Array<int> data(in);
    scan_with_branches<<<(n + threads - 1) / threads, threads>>>(data.data(), n);
    check::equal("scan_with_branches", data.get(), want);
  }
}

static void test_turns(const std::vector<int>& in) {
  const int n = in.size();
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = in[i ^ 31];
  for (int threads : {32, 64, 1024}) {
    check::Array<int> data(in), source(in), out(n);
    turn<<<n / threads, threads>>>(data.data(), data.data());
    check::equal("turn in place", data.get(), want);
    turn<<<n / threads, threads>>>(out.data(), source.data());
    check::equal("turn", out.get(), want);
  }
  void* cells = nullptr;
  CHECK_EQ(cudaGetSymbolAddress(&cells, cells_of_program), cudaSuccess);
  cudaMemcpy(cells, in.data(), 64 * sizeof(int), cudaMemcpyHostToDevice);
  turn_variable<<<1, 64>>>(static_cast<const int*>(cells));
  KERNEL_OK();
  std::vector<int> got(64);
  cudaMemcpy(got.data(), cells, 64 * sizeof(int), cudaMemcpyDeviceToHost);
  check::equal("turn a variable", got, std::vector<int>(want.begin(), want.begin() + 64));
}

static void test_board(const std::vector<int>& in) {
  check::Array<int> source(std::vector<int>(in.begin(), in.begin() + 64)), out(64);
  over_board<<<1, 64>>>(source.data(), out.data());
  std::vector<int> want(64);
  for (int i = 0; i < 64; ++i) want[i] = in[i ^ 31];
  check::equal("over a board", out.get(), want);
}

static void test_exchange(const std::vector<int>& in) {
  check::Array<int> one(std::vector<int>(1, 7));
  exchange<<<1, 1>>>(one.data());
  CHECK_EQ(one.get()[0], 6);
  for (volatile int threads : {2, 32, 64, 256}) {
    const int n = threads;
    std::vector<int> some(in.begin(), in.begin() + n), want(n);
    for (int i = 0; i < n; ++i) want[i] = some[i ^ 1] - 1;
    check::Array<int> data(some);
    exchange<<<1, n>>>(data.data());
    check::equal("exchange", data.get(), want);
  }
}

static void test_winners(check::Random& random) {
  constexpr int warps = 67;
  const auto places = random.integers<int>(warps * 32, 0, 63);
  check::Array<int> source(places), table(warps * 64), out(warps * 32);
  winners<<<warps, 32>>>(source.data(), table.data(), out.data());
  KERNEL_OK();
  const auto won = out.get();
  for (int w = 0; w < warps; ++w) {
    std::vector<int> winners_of(64, 0);
    for (int i = w * 32; i < w * 32 + 32; ++i) winners_of[places[i]] += won[i];
    for (int i = w * 32; i < w * 32 + 32; ++i) CHECK_EQ(winners_of[places[i]], 1);
  }
}

int main() {
  check::Random random(57);
  const auto in = random.integers<int>(2048, -1000, 1000);
  test_reduce<512>(in, 3);
  test_reduce<64>(in, 5);
  test_reduce<32>(in, 1);
  test_reduce<16>(in, 7);
  for (int threads : {64, 128, 1024}) {
    const int blocks = 2048 / threads;
    check::Array<int> data(in), out(blocks);
    reduce_in_place<<<blocks, threads>>>(data.data(), out.data());
    std::vector<int> want(blocks);
    for (int b = 0; b < blocks; ++b) want[b] = sum(in, b * threads, (b + 1) * threads);
    check::equal("reduce_in_place", out.get(), want);
  }
  check::Array<int> source(in), partial(32), out(1);
  for (int i = 0; i < 3; ++i) {
    reduce_grid<<<32, 64>>>(source.data(), partial.data(), out.data());
    CHECK_EQ(out.get()[0], sum(in, 0, 2048));
  }
  test_scans(in);
  test_turns(in);
  test_board(in);
  test_exchange(in);
  test_winners(random);
  return check::finish();
}
