// cuRAND: numbers into arrays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/rand/api/checks.h"
#include "libraries/rand/api/poisson_table.h"

#include <cstddef>

namespace gridspan::libraries::rand {
namespace {

bool is_normal(Kind kind) { return kind >= Kind::normal && kind <= Kind::log_normal_double; }

std::size_t bytes_of(Kind kind) {
  switch (kind) {
    case Kind::long_bits:
    case Kind::uniform_double:
    case Kind::normal_double:
    case Kind::log_normal_double:
      return 8;
    default:
      return 4;
  }
}

/// Documented: whole numbers of 64 bits are of sequences of 64 bits, and those have no others.
bool has_kind(curandRngType_t type, Kind kind) {
  if (kind == Kind::bits) return !is_long(type);
  return kind != Kind::long_bits || is_long(type);
}

void check(Check& check, const curandGenerator_st& generator, const Request& request) {
  check.has(has_kind(generator.type, request.kind), "has numbers of another width")
      .that(request.kind != Kind::poisson || request.a > 0, "lambda", CURAND_STATUS_OUT_OF_RANGE,
            "is not more than 0");
  const bool is_paired = is_recurrence(generator.type) && is_normal(request.kind);
  const std::int64_t multiple = is_quasi(generator.type) ? generator.dimensions : is_paired ? 2 : 1;
  check
      .that(request.count % multiple == 0, "num", CURAND_STATUS_LENGTH_NOT_MULTIPLE,
            is_paired ? "is odd" : "is no multiple of the dimensions")
      .that(request.count <= 0 || request.numbers, "outputPtr", CURAND_STATUS_LAUNCH_FAILURE,
            "is null");
}

template <typename Word>
cudaError_t draw_sobol(curandGenerator_st& generator, const Request& request) {
  const SobolVectors<Word> sequence = {generator.vectors.as<const Word>(),
                                       generator.starts.as<const Word>()};
  const int dimensions = static_cast<int>(generator.dimensions);
  const cudaError_t error =
      launch_sobol(sequence, dimensions, generator.next_point, request, generator.stream);
  if (error == cudaSuccess)
    generator.next_point += static_cast<unsigned long long>(request.count / dimensions);
  return error;
}

cudaError_t draw(curandGenerator_st& generator, const Request& request) {
  if (is_quasi(generator.type))
    return is_long(generator.type) ? draw_sobol<unsigned long long>(generator, request)
                                   : draw_sobol<unsigned int>(generator, request);
  if (generator.type == CURAND_RNG_PSEUDO_MT19937)
    return mt19937::draw(generator.mt19937, request, generator.stream);
  if (!is_recurrence(generator.type))
    return launch_philox(generator.philox, request, generator.stream);
  const cudaError_t error =
      launch_recurrence(recurrence_of(generator.type), generator.states.as<void>(), generator.lanes,
                        generator.next_lane, request, generator.stream);
  if (error == cudaSuccess)
    generator.next_lane = static_cast<int>(
        (generator.next_lane + request.count / unit_of(request.kind)) % generator.lanes);
  return error;
}

/// Numbers for the host: drawn in device memory, waited for.
curandStatus_t draw_for_host(curandGenerator_st& generator, Request request) {
  void* const numbers = request.numbers;
  const std::size_t bytes = static_cast<std::size_t>(request.count) * bytes_of(request.kind);
  DeviceArray drawn;
  if (!drawn.make(bytes)) return CURAND_STATUS_ALLOCATION_FAILED;
  request.numbers = drawn.as<void>();
  cudaError_t error = draw(generator, request);
  if (error == cudaSuccess)
    error =
        cudaMemcpyAsync(numbers, request.numbers, bytes, cudaMemcpyDeviceToHost, generator.stream);
  const cudaError_t waited = cudaStreamSynchronize(generator.stream);
  return error == cudaSuccess && waited == cudaSuccess ? CURAND_STATUS_SUCCESS
                                                       : CURAND_STATUS_LAUNCH_FAILURE;
}

/// The table of the mean, kept for calls with the same one.
curandStatus_t find_table(curandGenerator_st& generator, Request& request) {
  if (request.a > largest_table_mean) return CURAND_STATUS_SUCCESS;
  if (request.a != generator.poisson_mean) {
    generator.poisson_mean = 0;
    if (!make_poisson_table(request.a, generator.poisson)) return CURAND_STATUS_ALLOCATION_FAILED;
    generator.poisson_mean = request.a;
  }
  request.table = generator.poisson.as<curandDiscreteDistribution_st>();
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t generate(Handle generator, Kind kind, void* numbers, std::size_t count, double a = 0,
                        double b = 0) {
  Check arguments(generator);
  if (arguments.failed()) return arguments.status();
  Request request = {kind, numbers, static_cast<std::int64_t>(count), a, b, nullptr};
  curandGenerator_st& drawing = *generator.handle();
  check(arguments, drawing, request);
  if (arguments.failed() || count == 0) return arguments.status();
  curandStatus_t status = make_ready(drawing);
  if (status == CURAND_STATUS_SUCCESS && kind == Kind::poisson)
    status = find_table(drawing, request);
  if (status != CURAND_STATUS_SUCCESS) return status;
  if (drawing.on_host) return draw_for_host(drawing, request);
  return draw(drawing, request) == cudaSuccess ? CURAND_STATUS_SUCCESS
                                               : CURAND_STATUS_LAUNCH_FAILURE;
}

}  // namespace
}  // namespace gridspan::libraries::rand

namespace numbers_of = gridspan::libraries::rand;
using Kind = numbers_of::Kind;

extern "C" {

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* output, size_t count) {
  return numbers_of::generate(generator, Kind::bits, output, count);
}

curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* output,
                                      size_t count) {
  return numbers_of::generate(generator, Kind::long_bits, output, count);
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* output, size_t count) {
  return numbers_of::generate(generator, Kind::uniform, output, count);
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* output,
                                           size_t count) {
  return numbers_of::generate(generator, Kind::uniform_double, output, count);
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* output, size_t count,
                                    float mean, float deviation) {
  return numbers_of::generate(generator, Kind::normal, output, count, mean, deviation);
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* output, size_t count,
                                          double mean, double deviation) {
  return numbers_of::generate(generator, Kind::normal_double, output, count, mean, deviation);
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* output, size_t count,
                                       float mean, float deviation) {
  return numbers_of::generate(generator, Kind::log_normal, output, count, mean, deviation);
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* output,
                                             size_t count, double mean, double deviation) {
  return numbers_of::generate(generator, Kind::log_normal_double, output, count, mean, deviation);
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* output,
                                     size_t count, double lambda) {
  return numbers_of::generate(generator, Kind::poisson, output, count, lambda);
}

// Whatever the method, the distribution is the same.
curandStatus_t curandGeneratePoissonMethod(curandGenerator_t generator, unsigned int* output,
                                           size_t count, double lambda, curandMethod_t) {
  return numbers_of::generate(generator, Kind::poisson, output, count, lambda);
}

}  // extern "C"
