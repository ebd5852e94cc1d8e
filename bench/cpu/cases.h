// The sizes of the cases, the same in all forms, and what each of them computes and moves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "form.h"

namespace bench {

inline constexpr int vector = 1 << 24;          // saxpy, vector_add, histogram, sums
inline constexpr int block = 256;               // numbers in each block sum
inline constexpr int particles = 1 << 22;       // particles
inline constexpr int options = 1 << 20;         // black_scholes
inline constexpr int plate = 1024, steps = 20;  // stencils: cells along each side, in cache
inline constexpr int large_plate = 8192, few_steps = 2;  // in memory
inline constexpr int nodes = 512;                        // floyd_warshall
inline constexpr int bins = 256;                         // histogram
inline constexpr int matrix = 1024;                      // products, LU
inline constexpr int bodies = 8192;
inline constexpr int wide_matrix = 4096;                       // transpose
inline constexpr int batch_rows = 4096, batch_columns = 2048;  // softmax, layer_norm
inline constexpr int gemv_rows = 8192, gemv_columns = 4096;
inline constexpr int image = 1024, radius = 2;             // convolution, entropy
inline constexpr int shades = 16;                          // entropy
inline constexpr int odd_vector = (1 << 24) - 77;          // warp_sums
inline constexpr int picture = 1024, picture_limit = 256;  // mandelbrot
inline constexpr int graph = 1 << 17;                      // spmv, bfs: rows
inline constexpr int sequence = 2048;                      // needleman_wunsch: letters
inline constexpr int speckle_steps = 4;                    // srad
inline constexpr int points = 1 << 16, features = 16, clusters = 32, rounds = 4;  // kmeans
inline constexpr int scanned = 1 << 23;
inline constexpr int keys = 1 << 20;                // radix_sort
inline constexpr int batches = 1024, draws = 1024;  // monte_carlo

/// What is known of a case. Two results agree if |a - b| <= tolerance (|b| + mean of all |b|) but
/// for a share `outliers` of the elements; integers have tolerance 0.
struct Known {
  const char* name;
  Work work;
  double tolerance = 0, outliers = 0;
};

namespace detail {
inline constexpr bool cache = true;
inline constexpr double cells = double{plate} * plate, cubed = double{matrix} * matrix * matrix,
                        batch = double{batch_rows} * batch_columns, pixels = double{image} * image,
                        large_cells = double{large_plate} * large_plate,
                        entries = 16.0 * graph;  // on average
}  // namespace detail

inline constexpr Known known[] = {
    {"saxpy", {2.0 * vector, 12.0 * vector}, 1e-6},
    {"saxpy_strided", {2.0 * vector, 12.0 * vector}, 1e-6},
    {"particles", {6.0 * particles, 36.0 * particles}, 1e-6},
    {"vector_add", {1.0 * vector, 12.0 * vector}, 1e-6},
    {"black_scholes", {0, 20.0 * options}, 1e-4},
    {"fdtd2d", {11 * steps * detail::cells, 40 * steps* detail::cells, detail::cache}, 1e-4},
    {"floyd_warshall", {0, 8.0 * nodes* nodes* nodes, detail::cache}},
    {"histogram", {0, 4.0 * vector}},
    {"hotspot", {15 * steps * detail::cells, 12 * steps* detail::cells, detail::cache}, 1e-5},
    {"hotspot_tiled", {15 * steps * detail::cells, 12 * steps* detail::cells, detail::cache}, 1e-5},
    {"hotspot_large",
     {15 * few_steps * detail::large_cells, 12 * few_steps* detail::large_cells},
     1e-5},
    {"matmul", {2 * detail::cubed}, 1e-4},
    {"matmul_in_memory", {2 * detail::cubed}, 1e-4},
    {"tiled", {2 * detail::cubed}, 1e-4},
    {"register_tiles", {2 * detail::cubed}, 1e-4},
    {"nbody", {20.0 * bodies * bodies}, 1e-3},
    {"nbody_tiled", {20.0 * bodies * bodies}, 1e-3},
    {"reduction", {0, 4.0 * vector}},
    {"reduction_shuffle", {0, 4.0 * vector}},
    {"dot", {2.0 * vector, 8.0 * vector}, 1e-3},
    {"warp_sums", {0, 4.0 * odd_vector}},
    {"jacobi", {6 * steps * detail::cells, 8 * steps* detail::cells, detail::cache}, 1e-3},
    {"entropy", {0, 8 * detail::pixels, detail::cache}, 1e-5},
    {"transpose", {0, 8.0 * wide_matrix* wide_matrix}},
    {"softmax", {0, 8 * detail::batch}, 1e-4},
    {"layer_norm", {8 * detail::batch, 8 * detail::batch}, 1e-4},
    {"gemv", {2.0 * gemv_rows * gemv_columns, 4.0 * gemv_rows* gemv_columns}, 1e-4},
    {"convolution", {2 * 25 * detail::pixels, 8 * detail::pixels, detail::cache}, 1e-5},
    // Near the border of the set a rounding decides.
    {"mandelbrot", {}, 0, 0.02},
    {"bfs", {0, 8 * detail::entries, detail::cache}},
    {"spmv", {2 * detail::entries, 8 * detail::entries, detail::cache}, 1e-4},
    {"needleman_wunsch", {0, 8.0 * sequence* sequence, detail::cache}},
    {"lu", {2 * detail::cubed / 3}, 1e-3},
    {"srad", {0, 24 * speckle_steps* detail::cells, detail::cache}, 1e-3},
    {"kmeans", {3.0 * rounds * points * features * clusters}, 1e-3},
    {"scan", {0, 8.0 * scanned}},
    {"radix_sort", {0, 8.0 * keys, detail::cache}},
    {"monte_carlo", {}, 1e-3},
};

}  // namespace bench
