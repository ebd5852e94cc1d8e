// Sobol's sequences: a thread for each number, from its place alone; a row of blocks for each
// dimension. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/rand/kernels/draws.h"
#include "libraries/support/start_kernel.h"

#include <type_traits>

namespace gridspan::libraries::rand {
namespace {

/// A state that gives one number.
template <typename Word>
using Given = std::conditional_t<sizeof(Word) == 4, curandStateSobol32_t, curandStateSobol64_t>;

template <typename Word, typename Source, typename Made>
__global__ void draw(const Word* vectors, const Word* starts, unsigned long long offset,
                     long long points, typename Made::Number* numbers, Made made) {
  const long long point = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (point >= points) return;
  constexpr int width = sizeof(Word) * 8;
  const long long dimension = blockIdx.y;
  Given<Word> state;
  state.i = 0;
  state.direction_vectors[0] = 0;
  state.x =
      gridspan_rand::sobol<width>(vectors + dimension * width, static_cast<Word>(offset + point),
                                  starts ? starts[dimension] : Word{0});
  numbers[dimension * points + point] = made.of(Source::one(&state));
}

}  // namespace

template <typename Word>
cudaError_t launch_sobol(SobolVectors<Word> sequence, int dimensions, std::uint64_t offset,
                         const Request& request, cudaStream_t stream) {
  const std::int64_t points = request.count / dimensions;
  return with_draw(request, [&](auto source, auto made) {
    using Made = decltype(made);
    return start_kernel(draw<Word, decltype(source), Made>,
                        dim3(blocks_of(points), static_cast<unsigned>(dimensions)), dim3(block),
                        stream, sequence.vectors, sequence.starts, offset, points,
                        static_cast<typename Made::Number*>(request.numbers), made);
  });
}

template cudaError_t launch_sobol<unsigned int>(SobolVectors<unsigned int>, int, std::uint64_t,
                                                const Request&, cudaStream_t);
template cudaError_t launch_sobol<unsigned long long>(SobolVectors<unsigned long long>, int,
                                                      std::uint64_t, const Request&, cudaStream_t);

}  // namespace gridspan::libraries::rand
