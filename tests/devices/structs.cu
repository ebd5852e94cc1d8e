// Pointers inside structs passed by value, alone, nested, in arrays; one buffer in two of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

struct View {
  int n;
  float* data;
  int stride;
};
struct Pair {
  char tag;
  View in, out;
};
struct Many {
  const int* from[3];
  int weights[3];
  int* to;
};

struct Large {  // more than is kept in place
  int numbers[100];
  View view;
  int more[30];
};

__global__ void look_up(Large large) {
  const int i = global_x();
  if (i < large.view.n)
    large.view.data[i] += static_cast<float>(large.numbers[i % 100] - large.more[i % 30]);
}
__global__ void scale(View view, float factor) {
  const int i = global_x();
  if (i < view.n) view.data[i * view.stride] *= factor;
}
__global__ void move(Pair pair) {
  const int i = global_x();
  if (i < pair.in.n && i < pair.out.n)
    pair.out.data[i * pair.out.stride] = pair.in.data[i * pair.in.stride] + pair.tag;
}
__global__ void weigh(Many many, int n) {
  const int i = global_x();
  if (i >= n) return;
  many.to[i] = many.from[0][i] * many.weights[0] + many.from[1][i] * many.weights[1] +
               many.from[2][i] * many.weights[2];
}
__global__ void choose(Many many, int n, int which) {  // which pointer depends on a number
  const int i = global_x();
  if (i < n) many.to[i] = many.from[(which + i) % 3][i];
}

struct Matrix {
  float* data;
  int width, height, pitch;
  __device__ float& at(int x, int y) const { return data[y * pitch + x]; }
};
__global__ void smooth(Matrix in, Matrix out) {
  const int x = global_x(), y = global_y();
  if (x < 1 || y < 1 || x >= in.width - 1 || y >= in.height - 1) return;
  out.at(x, y) = in.at(x - 1, y) + in.at(x + 1, y) + in.at(x, y - 1) + in.at(x, y + 1);
}

int main() {
  Random random(19);
  for (const int n : {1, 13, 1009}) {
    vector<float> host = random.integers<float>(3 * n, -9, 9);
    Array<float> a(host);
    scale<<<blocks(n, 32), 32>>>({n, a.data(), 3}, 2);
    for (int i = 0; i < n; ++i) host[3 * i] *= 2;
    result("scaled", a, host);
    // Both views lie in the same buffer.
    move<<<blocks(n, 32), 32>>>({5, {n, a.data(), 3}, {n, a.data() + 1, 3}});
    for (int i = 0; i < n; ++i) host[3 * i + 1] = host[3 * i] + 5;
    result("moved", a, host);
    scale<<<blocks(n, 32), 32>>>({0, nullptr, 1}, 2);  // no pointer, no work
    result("nothing", a, host);

    Large large{};
    for (int i = 0; i < 100; ++i) large.numbers[i] = 3 * i;
    for (int i = 0; i < 30; ++i) large.more[i] = i;
    large.view = {3 * n, a.data(), 1};
    look_up<<<blocks(3 * n, 32), 32>>>(large);
    for (int i = 0; i < 3 * n; ++i) host[i] += static_cast<float>(i % 100 * 3 - i % 30);
    result("looked up", a, host);

    const vector<int> one = random.integers<int>(n, -99, 99),
                      two = random.integers<int>(n, -99, 99);
    Array<int> b(one), c(two), d(n);
    const Many many{{b.data(), c.data(), b.data()}, {1, 10, 100}, d.data()};
    weigh<<<blocks(n, 64), 64>>>(many, n);
    vector<int> want(n);
    for (int i = 0; i < n; ++i) want[i] = one[i] * 101 + two[i] * 10;
    result("weighed", d, want);
    choose<<<blocks(n, 64), 64>>>(many, n, 2);
    for (int i = 0; i < n; ++i) want[i] = (2 + i) % 3 == 1 ? two[i] : one[i];
    result("chosen", d, want);
  }
  constexpr int w = 61, h = 47, pitch = 67;
  vector<float> from = random.integers<float>(pitch * h, -4, 4), to = from;
  Array<float> in(from), out(to);
  const dim3 block(16, 4);
  for (int turn = 0; turn < 4; ++turn) {
    float* const p = turn % 2 ? out.data() : in.data();
    float* const q = turn % 2 ? in.data() : out.data();
    smooth<<<blocks(w, h, block), block>>>({p, w, h, pitch}, {q, w, h, pitch});
    vector<float>& source = turn % 2 ? to : from;
    vector<float>& target = turn % 2 ? from : to;
    for (int y = 1; y < h - 1; ++y)
      for (int x = 1; x < w - 1; ++x) {
        const int at = y * pitch + x;
        target[at] = source[at - 1] + source[at + 1] + source[at - pitch] + source[at + pitch];
      }
  }
  result("smoothed", in, from);
  result("smoothed twice", out, to);
  return finish();
}
