// The eleven programs of Mekong's and BBMM's papers, to be measured.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   programs NAME SIZE STEPS [RUNS]
//
// SIZE is the side of the matrix or cube, or the number of elements. Each run uploads its arrays
// anew. The digest is that of the results: it must not depend on the devices.
#include "job.h"
#include "kernels.h"
#include "values.h"

namespace bench {

constexpr unsigned bodies_a_block = 128, rows_a_block = 64, options_a_block = 256;
const dim3 flat(32, 8), cube(32, 4, 4);

static void set_up_hotspot(Job& job, int n, int steps) {
  const std::size_t cells = std::size_t(n) * n;
  float* const power = job.given<float>(cells, numbers(0, 1));
  float* const a = job.given<float>(cells, numbers(20, 90));
  float* const b = job.empty<float>(cells);
  job.result(steps % 2 ? b : a);
  job.steps = [=] {
    for (int step = 0; step < steps; ++step) {
      hotspot<<<blocks(n, n, flat), flat>>>(power, step % 2 ? b : a, step % 2 ? a : b, n, n, 0.5f,
                                            0.1f, 0.1f, 0.01f);
    }
  };
}

static void set_up_nbody(Job& job, int n, int steps) {
  const auto value = numbers(-1, 1);
  const auto body = [&](std::size_t i) {
    return make_float4(value(4 * i), value(4 * i + 1), value(4 * i + 2), 1.0f / float(n));
  };
  float4* const a = job.given<float4>(n, body);
  float4* const velocity =
      job.given<float4>(n, [](std::size_t) { return make_float4(0, 0, 0, 0); });
  float4* const b = job.empty<float4>(n);
  job.result(steps % 2 ? b : a);
  job.result(velocity);
  job.steps = [=] {
    for (int step = 0; step < steps; ++step) {
      nbody<<<blocks(n, bodies_a_block), bodies_a_block>>>(step % 2 ? b : a, velocity,
                                                           step % 2 ? a : b, n, 0.001f);
    }
  };
}

static void set_up_matmul(Job& job, int n, int steps) {
  const std::size_t cells = std::size_t(n) * n;
  const float* const a = job.given<float>(cells, numbers(-1, 1));
  const float* const b = job.given<float>(cells, numbers(-1, 1));
  float* const c = job.empty<float>(cells);
  job.result(c);
  const dim3 block(tile_size, tile_size);
  job.steps = [=] {
    for (int step = 0; step < steps; ++step) {
      matmul_tiled<<<blocks(n, n, block), block>>>(a, b, c, n, n, n);
    }
  };
}

static void set_up_floyd(Job& job, int n, int steps) {
  const auto distance = [n](std::size_t i) {
    return i / n == i % n ? 0 : 1 + int(numbers(0, 1000)(i));
  };
  int* const d = job.given<int>(std::size_t(n) * n, distance);
  job.result(d);
  job.steps = [=] {
    for (int k = 0; k < steps; ++k) floyd<<<blocks(n, n, flat), flat>>>(d, n, k);
  };
}

static void set_up_heat2d(Job& job, int n, int steps) {
  const std::size_t cells = std::size_t(n) * n;
  float* const a = job.given<float>(cells, numbers(0, 64));
  float* const b = job.given<float>(cells, numbers(0, 64));
  job.result(steps % 2 ? b : a);
  job.steps = [=] {
    for (int step = 0; step < steps; ++step) {
      heat2d<<<blocks(n, n, flat), flat>>>(step % 2 ? b : a, step % 2 ? a : b, n, n, 0.125f);
    }
  };
}

static void set_up_fdtd2d(Job& job, int n, int steps) {
  const std::size_t cells = std::size_t(n) * n;
  float* const ex = job.given<float>(cells + n, numbers(-1, 1));
  float* const ey = job.given<float>(cells + n, numbers(-1, 1));
  float* const hz = job.given<float>(cells, numbers(-1, 1));
  for (const float* field : {ex, ey, hz}) job.result(field);
  job.steps = [=] {
    for (int step = 0; step < steps; ++step) {
      fdtd2d_e<<<blocks(n, n, flat), flat>>>(ex, ey, hz, n, n);
      fdtd2d_h<<<blocks(n, n, flat), flat>>>(ex, ey, hz, n, n);
    }
  };
}

static void set_up_heat3d(Job& job, int n, int steps) {
  const std::size_t cells = std::size_t(n) * n * n;
  float* const a = job.given<float>(cells, numbers(0, 64));
  float* const b = job.given<float>(cells, numbers(0, 64));
  job.result(steps % 2 ? b : a);
  job.steps = [=] {
    for (int step = 0; step < steps; ++step) {
      heat3d<<<blocks(n, n, n, cube), cube>>>(step % 2 ? b : a, step % 2 ? a : b, n, n, n);
    }
  };
}

static void set_up_lu(Job& job, int n, int steps) {
  const auto dominant = [n](std::size_t i) {
    return numbers(-1, 1)(i) + (i / n == i % n ? 2.0f * float(n) : 0.0f);
  };
  float* const a = job.given<float>(std::size_t(n) * n, dominant);
  job.result(a);
  job.steps = [=] {
    for (int k = 0; k < steps; ++k) {
      const int left = n - k - 1;
      lu_column<<<blocks(left, rows_a_block), rows_a_block>>>(a, n, k);
      lu_update<<<blocks(left, left, flat), flat>>>(a, n, k);
    }
  };
}

static void set_up_adi(Job& job, int n, int steps) {
  const std::size_t cells = std::size_t(n) * n;
  float* const u = job.given<float>(cells, numbers(0, 1));
  float* const v = job.empty<float>(cells);
  float* const p = job.empty<float>(cells);
  float* const q = job.empty<float>(cells);
  job.result(u);
  const unsigned grid = blocks(n - 2, rows_a_block);
  job.steps = [=] {
    for (int step = 0; step < steps; ++step) {
      adi_columns<<<grid, rows_a_block>>>(u, v, p, q, n);
      adi_rows<<<grid, rows_a_block>>>(v, u, p, q, n);
    }
  };
}

static void set_up_mvt(Job& job, int n, int steps) {
  const float* const a = job.given<float>(std::size_t(n) * n, numbers(-1, 1));
  const float* const x = job.given<float>(n, numbers(-1, 1));
  float* const y = job.empty<float>(n);
  job.result(y);
  job.steps = [=] {
    for (int step = 0; step < steps; ++step) {
      mvt<<<blocks(n, rows_a_block), rows_a_block>>>(a, x, y, n, n);
    }
  };
}

static void set_up_black_scholes(Job& job, int n, int steps) {
  const float* const price = job.given<float>(n, numbers(5, 30));
  const float* const strike = job.given<float>(n, numbers(1, 100));
  const float* const years = job.given<float>(n, numbers(0.25f, 10));
  float* const call = job.empty<float>(n);
  float* const put = job.empty<float>(n);
  job.result(call);
  job.result(put);
  job.steps = [=] {
    for (int step = 0; step < steps; ++step) {
      black_scholes<<<blocks(n, options_a_block), options_a_block>>>(call, put, price, strike,
                                                                     years, 0.02f, 0.3f, n);
    }
  };
}

struct Program {
  const char* name;
  void (*set_up)(Job& job, int size, int steps);
};
constexpr Program programs[] = {
    {"hotspot", set_up_hotspot},
    {"nbody", set_up_nbody},
    {"matmul", set_up_matmul},
    {"floyd", set_up_floyd},
    {"heat2d", set_up_heat2d},
    {"fdtd2d", set_up_fdtd2d},
    {"heat3d", set_up_heat3d},
    {"lu", set_up_lu},
    {"adi", set_up_adi},
    {"mvt", set_up_mvt},
    {"black_scholes", set_up_black_scholes},
};

}  // namespace bench

int main(int argc, char** argv) {
  const int size = argc > 2 ? std::atoi(argv[2]) : 0, steps = argc > 3 ? std::atoi(argv[3]) : 0;
  for (const bench::Program& program : bench::programs) {
    if (argc < 4 || std::strcmp(program.name, argv[1]) != 0 || size < 4 || steps < 1) continue;
    bench::Job job;
    program.set_up(job, size, steps);
    job.run(argc > 4 ? std::atoi(argv[4]) : 1);
    return 0;
  }
  std::fprintf(stderr, "usage: programs NAME SIZE STEPS [RUNS], NAME one of");
  for (const bench::Program& program : bench::programs) {
    std::fprintf(stderr, " %s", program.name);
  }
  std::fprintf(stderr, "\n");
  return 1;
}
