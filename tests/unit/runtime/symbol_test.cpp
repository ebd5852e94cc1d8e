// Device variables: images, relocations, copies, addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"
#include "hand_program.h"

namespace gridspan::tests {

namespace {

/// table[i] = i-th int of the variable behind symbol 1, through the pointer stored in symbol 0.
void read_through_pointer(abi::ThreadContext* thread) {
  const int* behind = *symbol<const int*>(thread, 0);
  argument<int*>(thread, 0)[global_x(thread)] = behind[global_x(thread)];
}

void increment(abi::ThreadContext* thread) { *symbol<int>(thread, 2) += 1; }

class Symbols : public CudaTest {
 protected:
  void SetUp() override {
    CudaTest::SetUp();
    program_.load();
  }
  void TearDown() override {
    CudaTest::TearDown();
    program_.unload();
  }
  static constexpr int initial[7] = {10, 11, 12, 13, 14, 15, 16};
  HandProgram program_;
  // The pointer leads to the third int of the table.
  const void* pointer_ = program_.add_symbol("pointer", 8, nullptr, {{0, 1, 0, 8}});
  const void* table_ = program_.add_symbol("table", sizeof initial, initial, {}, 4);
  const void* counter_ = program_.add_symbol("counter", 4);
  const void* read_ = program_.add_kernel<read_through_pointer>("read", {pointer_parameter()});
  const void* increment_ = program_.add_kernel<increment>("increment", {});
};

TEST_F(Symbols, ImagesAreInitialisedAndRelocated) {
  DeviceMemory result(5 * sizeof(int));
  ASSERT_CUDA(launch(read_, dim3(1), dim3(5), result.get()));
  int got[5] = {};
  ASSERT_CUDA(cudaMemcpy(got, result.get(), sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(got[i], 12 + i);
  void *address = nullptr, *stored = nullptr;
  ASSERT_CUDA(cudaGetSymbolAddress(&address, table_));
  ASSERT_CUDA(cudaMemcpyFromSymbol(&stored, pointer_, sizeof stored, 0, cudaMemcpyDeviceToHost));
  EXPECT_EQ(stored, static_cast<char*>(address) + 8);
}

TEST_F(Symbols, VariablesKeepTheirValueBetweenLaunches) {
  int value = -1;
  ASSERT_CUDA(cudaMemcpyFromSymbol(&value, counter_, 4, 0, cudaMemcpyDeviceToHost));
  EXPECT_EQ(value, 0);
  value = 40;
  ASSERT_CUDA(cudaMemcpyToSymbol(counter_, &value, 4, 0, cudaMemcpyHostToDevice));
  ASSERT_CUDA(launch(increment_, dim3(1), dim3(1)));
  ASSERT_CUDA(launch(increment_, dim3(1), dim3(1)));
  ASSERT_CUDA(cudaMemcpyFromSymbolAsync(&value, counter_, 4, 0, cudaMemcpyDefault, nullptr));
  EXPECT_EQ(value, 42);
  // A reset brings the initial image back.
  ASSERT_CUDA(cudaDeviceReset());
  ASSERT_CUDA(cudaMemcpyFromSymbol(&value, counter_, 4, 0, cudaMemcpyDeviceToHost));
  EXPECT_EQ(value, 0);
}

TEST_F(Symbols, PartsAreCopiedElementByElement) {
  std::size_t size = 0;
  ASSERT_CUDA(cudaGetSymbolSize(&size, table_));
  EXPECT_EQ(size, sizeof initial);
  int want[7];
  std::memcpy(want, initial, sizeof want);
  const int values[2] = {-5, -6};
  ASSERT_CUDA(cudaMemcpyToSymbol(table_, values, 8, 12, cudaMemcpyHostToDevice));
  want[3] = -5;
  want[4] = -6;
  int got[7] = {};
  ASSERT_CUDA(cudaMemcpyFromSymbol(got, table_, sizeof got, 0, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 7; ++i) EXPECT_EQ(got[i], want[i]);
  void* address = nullptr;
  ASSERT_CUDA(cudaGetSymbolAddress(&address, table_));
  ASSERT_CUDA(cudaMemcpy(address, initial, sizeof initial, cudaMemcpyHostToDevice));
  DeviceMemory elsewhere(8);
  ASSERT_CUDA(cudaMemcpyFromSymbol(elsewhere.get(), table_, 8, 20, cudaMemcpyDeviceToDevice));
  ASSERT_CUDA(cudaMemcpy(got, elsewhere.get(), 8, cudaMemcpyDeviceToHost));
  EXPECT_EQ(got[0], 15);
  EXPECT_EQ(got[1], 16);
}

TEST_F(Symbols, WrongUsesAreRefused) {
  int value = 0;
  void* address = nullptr;
  std::size_t size = 0;
  expect_error(cudaGetSymbolAddress(&address, &value), cudaErrorInvalidSymbol);
  expect_error(cudaGetSymbolSize(&size, &value), cudaErrorInvalidSymbol);
  expect_error(cudaMemcpyToSymbol(&value, &value, 4, 0, cudaMemcpyHostToDevice),
               cudaErrorInvalidSymbol);
  expect_error(cudaMemcpyToSymbol(nullptr, &value, 4, 0, cudaMemcpyHostToDevice),
               cudaErrorInvalidSymbol);
  expect_error(cudaMemcpyToSymbol(counter_, &value, 5, 0, cudaMemcpyHostToDevice),
               cudaErrorInvalidValue);
  expect_error(cudaMemcpyToSymbol(counter_, &value, 4, 1, cudaMemcpyHostToDevice),
               cudaErrorInvalidValue);
  expect_error(cudaMemcpyToSymbol(counter_, &value, 1, ~std::size_t{0}, cudaMemcpyHostToDevice),
               cudaErrorInvalidValue);
  expect_error(cudaMemcpyToSymbol(counter_, &value, 4, 0, cudaMemcpyDeviceToHost),
               cudaErrorInvalidMemcpyDirection);
  expect_error(cudaMemcpyFromSymbol(&value, counter_, 4, 0, cudaMemcpyHostToDevice),
               cudaErrorInvalidMemcpyDirection);
  expect_error(cudaMemcpyToSymbol(counter_, nullptr, 4, 0, cudaMemcpyHostToDevice),
               cudaErrorInvalidValue);
  ASSERT_CUDA(cudaGetSymbolAddress(&address, counter_));
  expect_error(cudaFree(address), cudaErrorInvalidValue);
  // Neighbours in the image are other variables: a copy must not run into them.
  expect_error(cudaMemcpy(address, initial, 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
}

}  // namespace

}  // namespace gridspan::tests
