// Warp shuffles with full masks: every kind, width and type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Warp operations | __shfl_sync, __shfl_up_sync, __shfl_down_sync, __shfl_xor_sync with every width
// FEATURE: Warp operations | shuffles of int, unsigned, long, long long, float, double
#include "check.h"

// Host model of PTX shfl: the lane read, or the own lane if it is out of the segment.
enum Kind { index_kind, up_kind, down_kind, xor_kind };
int source_lane(Kind kind, int lane, int operand, int width) {
  const int first = lane / width * width, last = first + width - 1;
  int source = lane;
  if (kind == index_kind) return first + (operand & (width - 1));
  if (kind == up_kind) source = lane - operand;
  if (kind == down_kind) source = lane + operand;
  if (kind == xor_kind) source = lane ^ operand;
  if (kind == up_kind) return source < first ? lane : source;
  return source > last ? lane : source;
}

template <class T>
__global__ void shuffle(const T* in, T* out, int kind, int operand, int width) {
  const int t = check::thread_index(), i = blockIdx.x * check::thread_count() + t;
  const T value = in[i];
  T result;
  switch (kind) {
    case index_kind:
      result = __shfl_sync(0xffffffffu, value, operand, width);
      break;
    case up_kind:
      result = __shfl_up_sync(0xffffffffu, value, operand, width);
      break;
    case down_kind:
      result = __shfl_down_sync(0xffffffffu, value, operand, width);
      break;
    default:
      result = __shfl_xor_sync(0xffffffffu, value, operand, width);
      break;
  }
  out[i] = result;
}

template <class T>
void test(const char* type, std::vector<T> in, dim3 block, int blocks) {
  const int n = check::volume(block);
  check::Array<T> source(in), out(in.size());
  for (int kind = 0; kind < 4; ++kind)
    for (int width : {1, 2, 4, 8, 16, 32})
      for (int operand : {0, 1, 2, 5, 15, 16, 31}) {
        if (width < 32 && operand > width && operand != 5) continue;
        shuffle<T><<<blocks, block>>>(source.data(), out.data(), kind, operand, width);
        std::vector<T> want(in.size());
        for (int i = 0; i < blocks * n; ++i) {
          const int lane = i % n % 32;
          want[i] = in[i - lane + source_lane(Kind(kind), lane, operand, width)];
        }
        check::equal(
            check::name((std::string("shuffle ") + type + " kind " + std::to_string(kind) +
                         " operand " + std::to_string(operand) + " width " + std::to_string(width))
                            .c_str(),
                        block),
            out.get(), want);
      }
}

// The source lane of __shfl_sync may differ per lane, be negative or too large (taken modulo
// width).
__global__ void gather(const int* in, const int* lanes, int* out, int width) {
  const int i = check::global_index();
  out[i] = __shfl_sync(0xffffffffu, in[i], lanes[i], width);
}

// Default width and literal operands.
__global__ void defaults(int* out) {
  const int lane = threadIdx.x % 32, value = lane * lane;
  out[threadIdx.x * 4 + 0] = __shfl_sync(0xffffffff, value, 3);
  out[threadIdx.x * 4 + 1] = __shfl_up_sync(0xffffffff, value, 2);
  out[threadIdx.x * 4 + 2] = __shfl_down_sync(0xffffffff, value, 7);
  out[threadIdx.x * 4 + 3] = __shfl_xor_sync(0xffffffff, value, 16);
}

int main() {
  check::Random random(17);
  const dim3 block(96), tall(8, 4, 3);  // full warps only
  test<int>("int", random.integers<int>(192, -1000000, 1000000), block, 2);
  test<int>("int", random.integers<int>(192, -1000000, 1000000), tall, 2);
  test<unsigned>("unsigned", random.integers<unsigned>(96, 0, 0xffffffffll), block, 1);
  test<long>("long", random.integers<long>(96, -1ll << 60, 1ll << 60), block, 1);
  test<unsigned long>("unsigned long", random.integers<unsigned long>(96, 0, 1ll << 62), block, 1);
  test<long long>("long long", random.integers<long long>(96, -1ll << 60, 1ll << 60), block, 1);
  test<unsigned long long>("unsigned long long",
                           random.integers<unsigned long long>(96, 0, 1ll << 62), block, 1);
  test<float>("float", random.reals<float>(96, -1, 1), block, 1);
  test<double>("double", random.reals<double>(96, -1, 1), block, 1);
  for (int width : {4, 32}) {
    const auto in = random.integers<int>(3 * 64, 0, 1000000);
    const auto lanes = random.integers<int>(3 * 64, -70, 70);
    check::Array<int> source(in), device_lanes(lanes), out(3 * 64);
    gather<<<3, 64>>>(source.data(), device_lanes.data(), out.data(), width);
    std::vector<int> want(3 * 64);
    for (int i = 0; i < 3 * 64; ++i) want[i] = in[i / width * width + (lanes[i] & (width - 1))];
    check::equal("gather", out.get(), want);
  }
  {
    check::Array<int> out(64 * 4);
    defaults<<<1, 64>>>(out.data());
    std::vector<int> want(64 * 4);
    for (int t = 0; t < 64; ++t) {
      const int lane = t % 32;
      const auto square = [](int x) { return x * x; };
      want[t * 4 + 0] = 9;
      want[t * 4 + 1] = square(lane < 2 ? lane : lane - 2);
      want[t * 4 + 2] = square(lane + 7 > 31 ? lane : lane + 7);
      want[t * 4 + 3] = square(lane ^ 16);
    }
    check::equal("defaults", out.get(), want);
  }
  return check::finish();
}
