// Launches: arguments, shapes, limits, function attributes, occupancy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"
#include "hand_program.h"

#include <atomic>

namespace gridspan::tests {

namespace {

struct Wide {
  double values[40];  // 320 bytes: more than a command holds inline
  char tail;
};

void sum_arguments(abi::ThreadContext* thread) {
  const auto wide = argument<Wide>(thread, 2);
  double sum = argument<char>(thread, 1) + argument<float>(thread, 3) + wide.tail;
  for (const double value : wide.values) sum += value;
  *argument<double*>(thread, 0) = sum;
}

/// Element (x, y, z) of the launch counts how often its thread ran.
void count_threads(abi::ThreadContext* thread) {
  const abi::LaunchContext& launch = *thread->block->launch;
  const abi::Dim &block = thread->block->block_index, &in = thread->thread_index;
  const std::uint64_t x = std::uint64_t{block.x} * launch.block.x + in.x;
  const std::uint64_t y = std::uint64_t{block.y} * launch.block.y + in.y;
  const std::uint64_t z = std::uint64_t{block.z} * launch.block.z + in.z;
  const std::uint64_t width = std::uint64_t{launch.grid.x} * launch.block.x;
  const std::uint64_t height = std::uint64_t{launch.grid.y} * launch.block.y;
  std::atomic_ref(argument<int*>(thread, 0)[(z * height + y) * width + x]).fetch_add(1);
}

void use_shared(abi::ThreadContext* thread) {
  const abi::BlockContext& block = *thread->block;
  std::memset(block.shared + block.dynamic_shared_offset, 1, block.launch->dynamic_shared);
  std::atomic_ref(*argument<std::uint32_t*>(thread, 0)).store(block.launch->dynamic_shared);
}

void nothing(abi::ThreadContext*) {}

class Launch : public CudaTest {
 protected:
  void SetUp() override {
    CudaTest::SetUp();
    program_.load();
  }
  void TearDown() override {
    CudaTest::TearDown();
    program_.unload();
  }
  HandProgram program_;
  const void* sum_ = program_.add_kernel<sum_arguments>(
      "sum", {pointer_parameter(), value_parameter<char>(), value_parameter<Wide>(),
              value_parameter<float>()});
  const void* count_ = program_.add_kernel<count_threads>("count", {pointer_parameter()});
  const void* shared_ = program_.add_kernel<use_shared>("shared", {pointer_parameter()});
  const void* nothing_ = program_.add_kernel<nothing>("nothing", {});
  const void* bounded_ = program_.add_kernel<nothing>("bounded", {}, [](abi::Kernel& kernel) {
    kernel.max_threads = 96;
    kernel.static_shared = 1000;
    kernel.private_bytes = 77;
  });
};

TEST_F(Launch, ArgumentsAreCopiedAtTheLaunch) {
  DeviceMemory result(sizeof(double));
  Wide wide{};
  wide.tail = 3;
  for (int i = 0; i < 40; ++i) wide.values[i] = i * 0.5;
  char small = 2;
  float fraction = 0.25f;
  void* pointer = result.get();
  void* arguments[] = {&pointer, &small, &wide, &fraction};
  ASSERT_CUDA(cudaLaunchKernel(sum_, dim3(1), dim3(1), arguments, 0, nullptr));
  std::memset(&wide, -1, sizeof wide);
  small = 100;
  fraction = 100;
  pointer = nullptr;
  double sum = 0;
  ASSERT_CUDA(cudaMemcpy(&sum, result.get(), sizeof sum, cudaMemcpyDeviceToHost));
  EXPECT_EQ(sum, 2 + 3 + 0.25 + 0.5 * (39 * 40 / 2));
}

TEST_F(Launch, EveryThreadRunsOnce) {
  const std::pair<dim3, dim3> shapes[] = {{{1, 1, 1}, {1, 1, 1}},   {{7, 3, 2}, {5, 3, 2}},
                                          {{1, 1, 1}, {32, 32, 1}}, {{1, 65, 1}, {1, 1, 64}},
                                          {{1, 1, 37}, {3, 7, 11}}, {{129, 1, 1}, {1024, 1, 1}}};
  for (const auto& [grid, block] : shapes) {
    const std::size_t count = std::size_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z;
    DeviceMemory counters(count * sizeof(int));
    ASSERT_CUDA(cudaMemset(counters.get(), 0, count * sizeof(int)));
    ASSERT_CUDA(launch(count_, grid, block, counters.get()));
    std::vector<int> got(count, -1);
    ASSERT_CUDA(cudaMemcpy(got.data(), counters.get(), count * sizeof(int), cudaMemcpyDefault));
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(got[i], 1) << "element " << i;
  }
}

TEST_F(Launch, BadShapesAreRefused) {
  const std::pair<dim3, dim3> shapes[] = {
      {{0, 1, 1}, {1, 1, 1}},     {{1, 0, 1}, {1, 1, 1}},     {{1, 1, 0}, {1, 1, 1}},
      {{1, 1, 1}, {0, 1, 1}},     {{1, 1, 1}, {1, 0, 1}},     {{1, 1, 1}, {1, 1, 0}},
      {{1, 65536, 1}, {1, 1, 1}}, {{1, 1, 65536}, {1, 1, 1}}, {{0x80000000u, 1, 1}, {1, 1, 1}},
      {{1, 1, 1}, {1025, 1, 1}},  {{1, 1, 1}, {1, 1025, 1}},  {{1, 1, 1}, {1, 1, 65}},
      {{1, 1, 1}, {32, 33, 1}},   {{1, 1, 1}, {32, 32, 2}},   {{1, 1, 1}, {~0u, ~0u, 1}}};
  for (const auto& [grid, block] : shapes) {
    SCOPED_TRACE(testing::Message() << grid.x << "," << grid.y << "," << grid.z << " x " << block.x
                                    << "," << block.y << "," << block.z);
    expect_error(launch(nothing_, grid, block), cudaErrorInvalidConfiguration);
  }
}

TEST_F(Launch, LaunchBoundsLimitTheBlock) {
  EXPECT_CUDA(launch(bounded_, dim3(1), dim3(96)));
  expect_error(launch(bounded_, dim3(1), dim3(97)), cudaErrorLaunchOutOfResources);
}

TEST_F(Launch, DynamicSharedMemoryIsLimitedUntilAskedFor) {
  DeviceMemory result(4);
  const auto launch_with = [&](std::size_t bytes) {
    return launch_in(nullptr, shared_, dim3(3), dim3(1), bytes, result.get());
  };
  std::uint32_t seen = 0;
  EXPECT_CUDA(launch_with(48 * 1024));
  EXPECT_CUDA(cudaMemcpy(&seen, result.get(), 4, cudaMemcpyDeviceToHost));
  EXPECT_EQ(seen, 48u * 1024);
  expect_error(launch_with(48 * 1024 + 1), cudaErrorInvalidValue);
  int most = 0;
  EXPECT_CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  const auto attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
  expect_error(cudaFuncSetAttribute(shared_, attribute, most + 1), cudaErrorInvalidValue);
  expect_error(cudaFuncSetAttribute(shared_, attribute, -1), cudaErrorInvalidValue);
  EXPECT_CUDA(cudaFuncSetAttribute(shared_, attribute, most));
  EXPECT_CUDA(launch_with(static_cast<std::size_t>(most)));
  EXPECT_CUDA(cudaMemcpy(&seen, result.get(), 4, cudaMemcpyDeviceToHost));
  EXPECT_EQ(seen, static_cast<std::uint32_t>(most));
  expect_error(launch_with(static_cast<std::size_t>(most) + 1), cudaErrorInvalidValue);
  expect_error(launch_with(std::size_t{1} << 40), cudaErrorInvalidValue);
}

TEST_F(Launch, UnknownKernelsAndStreamsAreRefused) {
  int not_a_kernel = 0;
  expect_error(launch(&not_a_kernel, dim3(1), dim3(1)), cudaErrorInvalidDeviceFunction);
  expect_error(launch(nullptr, dim3(1), dim3(1)), cudaErrorInvalidDeviceFunction);
  const auto wild = reinterpret_cast<cudaStream_t>(&not_a_kernel);
  expect_error(launch_in(wild, nothing_, dim3(1), dim3(1), 0), cudaErrorInvalidResourceHandle);
  expect_error(cudaLaunchKernel(count_, dim3(1), dim3(1), nullptr, 0, nullptr),
               cudaErrorInvalidValue);
}

TEST_F(Launch, ConfigurationsWithAttributes) {
  DeviceMemory counters(6 * sizeof(int));
  ASSERT_CUDA(cudaMemset(counters.get(), 0, 6 * sizeof(int)));
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributePriority;
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim = {1, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(2);
  config.blockDim = dim3(3);
  config.attrs = attributes;
  config.numAttrs = 2;
  void* pointer = counters.get();
  void* arguments[] = {&pointer};
  ASSERT_CUDA(cudaLaunchKernelExC(&config, count_, arguments));
  int got[6] = {};
  ASSERT_CUDA(cudaMemcpy(got, counters.get(), sizeof got, cudaMemcpyDeviceToHost));
  for (const int count : got) EXPECT_EQ(count, 1);
  attributes[1].val.clusterDim.x = 2;
  expect_error(cudaLaunchKernelExC(&config, count_, arguments), cudaErrorNotSupported);
  expect_error(cudaLaunchKernelExC(nullptr, count_, arguments), cudaErrorInvalidValue);
}

TEST_F(Launch, CallConfigurationsNest) {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
  EXPECT_EQ(__cudaPushCallConfiguration(dim3(1, 2, 3), dim3(4, 5, 6), 7, cudaStreamPerThread), 0u);
  EXPECT_EQ(__cudaPushCallConfiguration(dim3(9), dim3(8), 0, nullptr), 0u);
  EXPECT_CUDA(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
  EXPECT_EQ(grid.x, 9u);
  EXPECT_EQ(stream, nullptr);
  EXPECT_CUDA(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
  EXPECT_EQ(grid.z, 3u);
  EXPECT_EQ(block.y, 5u);
  EXPECT_EQ(shared, 7u);
  EXPECT_EQ(stream, cudaStreamPerThread);
  expect_error(__cudaPopCallConfiguration(&grid, &block, &shared, &stream),
               cudaErrorMissingConfiguration);
}

TEST_F(Launch, FunctionAttributesDescribeTheKernel) {
  cudaFuncAttributes attributes;
  ASSERT_CUDA(cudaFuncGetAttributes(&attributes, bounded_));
  EXPECT_EQ(attributes.sharedSizeBytes, 1000u);
  EXPECT_EQ(attributes.localSizeBytes, 77u);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 96);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 48 * 1024 - 1000);
  EXPECT_GT(attributes.numRegs, 0);
  expect_error(cudaFuncGetAttributes(nullptr, bounded_), cudaErrorInvalidValue);
  expect_error(cudaFuncGetAttributes(&attributes, &attributes), cudaErrorInvalidDeviceFunction);
  const char* name = nullptr;
  ASSERT_CUDA(cudaFuncGetName(&name, bounded_));
  EXPECT_STREQ(name, "bounded");
}

TEST_F(Launch, HintsAreAcceptedForKernelsOnly) {
  EXPECT_CUDA(cudaFuncSetCacheConfig(nothing_, cudaFuncCachePreferL1));
  EXPECT_CUDA(cudaFuncSetSharedMemConfig(nothing_, cudaSharedMemBankSizeEightByte));
  EXPECT_CUDA(cudaFuncSetAttribute(nothing_, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  expect_error(cudaFuncSetCacheConfig(this, cudaFuncCachePreferL1), cudaErrorInvalidDeviceFunction);
  expect_error(cudaFuncSetCacheConfig(nothing_, static_cast<cudaFuncCache>(9)),
               cudaErrorInvalidValue);
}

TEST_F(Launch, OccupancyCountsResidentBlocks) {
  const auto blocks_of = [&](const void* stub, int threads, std::size_t shared) {
    int blocks = -1;
    EXPECT_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, stub, threads, shared));
    return blocks;
  };
  int resident = 0, most_blocks = 0, optin = 0;
  ASSERT_CUDA(cudaDeviceGetAttribute(&resident, cudaDevAttrMaxThreadsPerMultiProcessor, 0));
  ASSERT_CUDA(cudaDeviceGetAttribute(&most_blocks, cudaDevAttrMaxBlocksPerMultiprocessor, 0));
  ASSERT_CUDA(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  EXPECT_EQ(blocks_of(nothing_, 1024, 0), resident / 1024);
  EXPECT_EQ(blocks_of(nothing_, 1, 0), most_blocks);
  EXPECT_EQ(blocks_of(nothing_, 128, static_cast<std::size_t>(optin)), 1);
  EXPECT_EQ(blocks_of(nothing_, 128, static_cast<std::size_t>(optin) + 1), 0);
  EXPECT_EQ(blocks_of(bounded_, 97, 0), 0);
  expect_error(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, nothing_, 1, 0),
               cudaErrorInvalidValue);
  int blocks = 0;
  expect_error(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing_, 0, 0),
               cudaErrorInvalidValue);
  std::size_t bytes = 0;
  EXPECT_CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, bounded_, 2, 64));
  EXPECT_EQ(bytes, static_cast<std::size_t>(optin) / 2 - 1000);
}

}  // namespace

}  // namespace gridspan::tests
