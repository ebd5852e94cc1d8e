// Modules and host halves meet in any order; names are private to their object.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"
#include "hand_program.h"

namespace gridspan::tests {

namespace {

void store_one(abi::ThreadContext* thread) { *argument<int*>(thread, 0) = 1; }
void store_two(abi::ThreadContext* thread) { *argument<int*>(thread, 0) = 2; }

class Registration : public CudaTest {
 protected:
  int run(const void* stub) {
    int value = -1;
    EXPECT_CUDA(cudaMemcpy(memory_.get(), &value, sizeof value, cudaMemcpyHostToDevice));
    EXPECT_CUDA(launch(stub, dim3(1), dim3(1), memory_.get()));
    EXPECT_CUDA(cudaMemcpy(&value, memory_.get(), sizeof value, cudaMemcpyDeviceToHost));
    return value;
  }
  DeviceMemory memory_{sizeof(int)};
};

TEST_F(Registration, BothOrdersWork) {
  for (const auto order : {HandProgram::Order::module_first, HandProgram::Order::host_first}) {
    HandProgram program;
    const void* stub = program.add_kernel<store_one>("k", {pointer_parameter()});
    program.load(order);
    EXPECT_EQ(run(stub), 1);
    program.unload();
  }
}

TEST_F(Registration, SameNamesInTwoObjectsAreTwoKernels) {
  HandProgram first, second;
  const void* one = first.add_kernel<store_one>("k", {pointer_parameter()});
  const void* two = second.add_kernel<store_two>("k", {pointer_parameter()});
  first.load();
  second.load();
  EXPECT_EQ(run(one), 1);
  EXPECT_EQ(run(two), 2);
  first.unload();
  EXPECT_EQ(run(two), 2);
  second.unload();
}

TEST_F(Registration, ModulesMayComeAndGo) {
  HandProgram program;
  const void* stub = program.add_kernel<store_one>("k", {pointer_parameter()});
  program.register_host();
  expect_error(launch(stub, dim3(1), dim3(1), memory_.get()), cudaErrorInvalidDeviceFunction);
  program.register_module();
  EXPECT_EQ(run(stub), 1);
  program.unload();
  expect_error(launch(stub, dim3(1), dim3(1), memory_.get()), cudaErrorInvalidDeviceFunction);
  program.load();
  EXPECT_EQ(run(stub), 1);
  program.unload();
}

TEST_F(Registration, UnloadingWaitsForQueuedKernels) {
  auto program = std::make_unique<HandProgram>();
  const void* stub = program->add_kernel<store_two>("k", {pointer_parameter()});
  program->load();
  for (int i = 0; i < 300; ++i) EXPECT_CUDA(launch(stub, dim3(1), dim3(1), memory_.get()));
  program->unload();
  program.reset();  // its descriptors are gone; nothing may read them now
  int value = 0;
  EXPECT_CUDA(cudaMemcpy(&value, memory_.get(), sizeof value, cudaMemcpyDeviceToHost));
  EXPECT_EQ(value, 2);
}

// A static archive linked into two shared libraries: equal ids, but two modules and two handles.
TEST_F(Registration, TwinsOfOneModuleHaveTheirOwnVariables) {
  HandProgram first, second;
  const int initial = 5;
  const void* a = first.add_symbol("v", sizeof(int), &initial);
  const void* b = second.add_symbol("v", sizeof(int), &initial);
  second.module().id = first.module().id;
  second.reference().id = first.reference().id;
  first.load();
  second.load();
  void *at_a = nullptr, *at_b = nullptr;
  EXPECT_CUDA(cudaGetSymbolAddress(&at_a, a));
  EXPECT_CUDA(cudaGetSymbolAddress(&at_b, b));
  EXPECT_NE(at_a, at_b);
  first.unload();
  second.unload();
}

// The linker merges the host stubs of an inline kernel in two objects; each object registers it.
TEST_F(Registration, MergedStubsOutliveEitherObject) {
  for (const bool first_goes : {true, false}) {
    HandProgram first, second;
    const void* stub = first.add_kernel<store_one>("k", {pointer_parameter()});
    second.add_kernel<store_one>("k", {pointer_parameter()});
    second.use_stub(0, stub);
    first.load();
    second.load();
    EXPECT_EQ(run(stub), 1);
    (first_goes ? first : second).unload();
    EXPECT_EQ(run(stub), 1);
    (first_goes ? second : first).unload();
    expect_error(launch(stub, dim3(1), dim3(1), memory_.get()), cudaErrorInvalidDeviceFunction);
  }
}

// Two objects whose device code was linked to one module: each names what its host code uses.
const char first_stub = 0, second_stub = 0;
void register_first(void** handle) {
  __cudaRegisterFunction(handle, &first_stub, nullptr, "one", -1, nullptr, nullptr, nullptr,
                         nullptr, nullptr);
}
void register_second(void** handle) {
  __cudaRegisterFunction(handle, &second_stub, nullptr, "two", -1, nullptr, nullptr, nullptr,
                         nullptr, nullptr);
}

TEST_F(Registration, LinkedUnitsShareOneModule) {
  HandProgram program;
  program.add_kernel<store_one>("one", {pointer_parameter()});
  program.add_kernel<store_two>("two", {pointer_parameter()});
  program.register_linked_unit(register_first);
  EXPECT_EQ(run(&first_stub), 1);  // the unit's constructor ran first, and may launch already
  program.register_module();
  program.register_linked_unit(register_second);
  EXPECT_EQ(run(&first_stub), 1);
  EXPECT_EQ(run(&second_stub), 2);
  program.unload();
  expect_error(launch(&first_stub, dim3(1), dim3(1), memory_.get()),
               cudaErrorInvalidDeviceFunction);
  expect_error(launch(&second_stub, dim3(1), dim3(1), memory_.get()),
               cudaErrorInvalidDeviceFunction);
}

// Two libraries with the product of one device link: equal ids, each unit has its own module.
TEST_F(Registration, LinkedUnitsKeepToTheirOwnModule) {
  HandProgram first, second;
  first.add_kernel<store_one>("one", {pointer_parameter()});
  second.add_kernel<store_two>("two", {pointer_parameter()});
  second.module().id = first.module().id;
  first.register_linked_unit(register_first);
  second.register_linked_unit(register_second);
  EXPECT_EQ(run(&first_stub), 1);
  EXPECT_EQ(run(&second_stub), 2);
  first.unload();
  EXPECT_EQ(run(&second_stub), 2);
  second.unload();
}

// Both units know a kernel "one"; one of them has its own.
TEST_F(Registration, PrivateNamesOfLinkedUnitsComeFirst) {
  HandProgram program;
  program.add_kernel<store_two>("one.4", {pointer_parameter()});
  program.add_kernel<store_one>("one", {pointer_parameter()});
  program.add_kernel<store_two>("two", {pointer_parameter()});
  program.register_linked_unit(register_first, ".4");
  program.register_linked_unit(register_second, ".5");
  EXPECT_EQ(run(&first_stub), 2);
  EXPECT_EQ(run(&second_stub), 2);
  program.unload();
  program.register_linked_unit(register_first, ".5");
  EXPECT_EQ(run(&first_stub), 1);
  program.unload();
}

TEST_F(Registration, ForeignFatBinariesAreRefusedAtLaunch) {
  struct {
    int magic = 0x466243b1, version = 1;
    const void* data = "\x50\xed\x55\xba not ours";
    void* unused = nullptr;
  } wrapper;
  void** handle = __cudaRegisterFatBinary(&wrapper);
  const char stub = 0;
  __cudaRegisterFunction(handle, &stub, nullptr, "k", -1, nullptr, nullptr, nullptr, nullptr,
                         nullptr);
  __cudaRegisterFatBinaryEnd(handle);
  expect_error(launch(&stub, dim3(1), dim3(1)), cudaErrorInvalidDeviceFunction);
  __cudaUnregisterFatBinary(handle);
}

TEST(RegistrationDeathTest, OtherLayoutsAreRefusedWithOneLine) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  HandProgram program;
  program.module().version = abi::version + 1;
  EXPECT_DEATH(program.register_module(), "another version of gridcc");
}

}  // namespace

}  // namespace gridspan::tests
