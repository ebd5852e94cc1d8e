// Calls and commands of a program, as its recording tells them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"
#include "hand_program.h"
#include "recording_of_this.h"
#include "runtime/record/log_file.h"
#include "support/hash.h"

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

namespace gridspan::tests {
namespace {

using namespace runtime::record;

/// What the recording holds of one kind, in order.
template <class Note>
std::vector<Note> notes() {
  std::vector<Note> found;
  auto reader = LogReader::open(recording_of_this());
  EXPECT_TRUE(reader);
  for (auto record = reader->next(); record && *record; record = reader->next()) {
    if (const auto* note = std::get_if<Note>(&**record)) found.push_back(*note);
  }
  return found;
}

/// The latest call of that name.
CallNote last_call(const std::string& name) {
  CallNote last;
  for (const CallNote& call : notes<CallNote>()) {
    if (call.name == name) last = call;
  }
  return last;
}

std::string argument_of(const CallNote& call, const std::string& name) {
  for (const NamedText& argument : call.arguments) {
    if (argument.name == name) return argument.value;
  }
  return "no such argument";
}

std::string hexadecimal(const void* address) {
  char text[32];
  std::snprintf(text, sizeof text, "%p", address);
  return text;
}

template <class Note>
Note note_of(std::uint64_t command) {
  for (const Note& note : notes<Note>()) {
    if (note.command == command) return note;
  }
  ADD_FAILURE() << "nothing about command " << command;
  return {};
}

class RecorderTest : public CudaTest {};
using Recorder = RecorderTest;

TEST_F(Recorder, CallsWithArgumentsAndResults) {
  void* pointer = nullptr;
  ASSERT_CUDA(cudaMalloc(&pointer, 5000));
  CallNote call = last_call("cudaMalloc");
  EXPECT_EQ(argument_of(call, "pointer"), "[" + hexadecimal(pointer) + "]");
  EXPECT_EQ(argument_of(call, "size"), "5000");
  EXPECT_EQ(call.result, "cudaSuccess");
  EXPECT_EQ(call.command, 0u);
  expect_error(cudaMemcpy(pointer, pointer, 5, static_cast<cudaMemcpyKind>(9)),
               cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(last_call("cudaMemcpy").result, "cudaErrorInvalidMemcpyDirection");
  EXPECT_EQ(last_call("cudaGetLastError").result, "cudaSuccess");
  ASSERT_CUDA(cudaFree(pointer));
}

TEST_F(Recorder, ThreadsAreTold) {
  ASSERT_CUDA(cudaGetDeviceCount(std::make_unique<int>().get()));
  const std::uint32_t mine = last_call("cudaGetDeviceCount").thread;
  std::thread([] { cudaGetDeviceCount(std::make_unique<int>().get()); }).join();
  EXPECT_NE(last_call("cudaGetDeviceCount").thread, mine);
}

TEST_F(Recorder, CopiesWithDataAndDigests) {
  const DeviceMemory memory(1000);
  const std::vector<char> data = random_bytes(1000, 3);
  std::vector<char> back(1000);
  ASSERT_CUDA(cudaMemcpy(memory.get(), data.data(), 1000, cudaMemcpyHostToDevice));
  const auto in = note_of<CopyNote>(last_call("cudaMemcpy").command);
  ASSERT_CUDA(cudaMemcpy2D(back.data(), 10, memory.get(), 20, 10, 50, cudaMemcpyDeviceToHost));
  const auto out = note_of<CopyNote>(last_call("cudaMemcpy2D").command);
  EXPECT_EQ(in.to.base, reinterpret_cast<std::uintptr_t>(memory.get()));
  EXPECT_TRUE(in.from.is_host);
  EXPECT_FALSE(in.to.is_host);
  auto reader = LogReader::open(recording_of_this());
  EXPECT_EQ(reader->bytes(in.data).value(), std::string(data.data(), data.size()));
  EXPECT_EQ(out.extent.width, 10u);
  EXPECT_EQ(out.extent.height, 50u);
  EXPECT_EQ(out.data.size, 0u);
  const auto digest = note_of<DigestNote>(out.command);
  ASSERT_EQ(digest.hashes.size(), 2u);  // 500 bytes
  EXPECT_EQ(digest.hashes[0], support::hash_bytes(back.data(), 256));
  EXPECT_EQ(digest.hashes[1], support::hash_bytes(back.data() + 256, 244));
}

TEST_F(Recorder, MemoryComesAndGoes) {
  std::uintptr_t base = 0;
  {
    const DeviceMemory memory(77777);
    base = reinterpret_cast<std::uintptr_t>(memory.get());
    ASSERT_CUDA(cudaMemset(memory.get(), 7, 700));
    ASSERT_CUDA(cudaDeviceSynchronize());
    const auto fill = note_of<FillNote>(last_call("cudaMemset").command);
    EXPECT_EQ(fill.to.base, base);
    EXPECT_EQ(fill.extent.bytes(), 700u);
    EXPECT_EQ(fill.value, 7);
  }
  const DeviceMemory next(100000);
  ASSERT_CUDA(cudaMemset(next.get(), 0, 1));
  ASSERT_CUDA(cudaDeviceSynchronize());
  std::vector<bool> held;
  for (const MemoryNote& memory : notes<MemoryNote>()) {
    if (memory.base == base && memory.size == 77824) held.push_back(memory.held);
  }
  EXPECT_EQ(held, (std::vector<bool>{true, false}));
}

void add_one(abi::ThreadContext* thread) {
  argument<float*>(thread, 0)[global_x(thread)] += symbol<float>(thread, 0)[0];
}

TEST_F(Recorder, LaunchesWithModuleVariablesAndArguments) {
  HandProgram program;
  const float one = 1;
  const void* stub = program.add_kernel<add_one>("add_one", {pointer_parameter()});
  program.add_symbol("one", sizeof one, &one);
  program.load();
  const DeviceMemory memory(256);
  ASSERT_CUDA(cudaMemset(memory.get(), 0, 256));
  ASSERT_CUDA(launch(stub, {2}, {32}, memory.as<float>()));
  ASSERT_CUDA(cudaDeviceSynchronize());
  const auto note = note_of<LaunchNote>(last_call("cudaLaunchKernel").command);
  const auto modules = notes<ModuleNote>();
  ASSERT_LT(note.module, modules.size());
  EXPECT_EQ(modules[note.module].kernels[note.kernel].name, "add_one");
  EXPECT_EQ(modules[note.module].variables[0].name, "one");
  EXPECT_EQ(note.grid, (Extents{2, 1, 1}));
  EXPECT_EQ(note.block, (Extents{32, 1, 1}));
  void* passed = nullptr;
  ASSERT_EQ(note.arguments.bytes.size(), sizeof passed);
  std::memcpy(&passed, note.arguments.bytes.data(), sizeof passed);
  EXPECT_EQ(passed, memory.get());
  EXPECT_TRUE(std::ranges::any_of(notes<ImageNote>(), [&](const ImageNote& image) {
    return image.module == note.module && image.addresses.size() == 1;
  }));
  const auto ended = note_of<PassedNote>(note.command);
  EXPECT_LE(ended.began, ended.ended);
  program.unload();
}

TEST_F(Recorder, LaunchesOnSeveralDevicesHaveAPlan) {
  if (notes<Header>().front().devices.size() < 2) GTEST_SKIP() << "one device plans nothing";
  HandProgram program;
  const float one = 1;
  const void* stub = program.add_kernel<add_one>("add_two", {pointer_parameter()});
  program.add_symbol("one", sizeof one, &one);
  program.load();
  const DeviceMemory memory(256);
  ASSERT_CUDA(cudaMemset(memory.get(), 0, 256));
  ASSERT_CUDA(launch(stub, {2}, {32}, memory.as<float>()));
  ASSERT_CUDA(cudaDeviceSynchronize());
  const auto planned = note_of<PlannedNote>(last_call("cudaLaunchKernel").command);
  const auto plans = notes<PlanNote>();
  ASSERT_LT(planned.plan, plans.size());
  EXPECT_EQ(plans[planned.plan].rung, "one_device");
  EXPECT_EQ(plans[planned.plan].why, "has no model");
  EXPECT_EQ(plans[planned.plan].parts.size(), 1u);
  program.unload();
}

TEST_F(Recorder, ManagedMemoryIsKeptBeforeEachLaunch) {
  HandProgram program;
  const float one = 1;
  const void* stub = program.add_kernel<add_one>("add_three", {pointer_parameter()});
  program.add_symbol("one", sizeof one, &one);
  program.load();
  void* memory = nullptr;
  ASSERT_CUDA(cudaMallocManaged(&memory, 4096, cudaMemAttachGlobal));
  auto* managed = static_cast<float*>(memory);
  for (int value = 1; value <= 2; ++value) {
    managed[0] = static_cast<float>(10 * value);
    ASSERT_CUDA(launch(stub, {1}, {32}, managed));
    ASSERT_CUDA(cudaDeviceSynchronize());
  }
  std::vector<float> seen;
  auto reader = LogReader::open(recording_of_this());
  for (const ContentsNote& contents : notes<ContentsNote>()) {
    if (contents.base != reinterpret_cast<std::uintptr_t>(managed)) continue;
    float first = 0;
    std::memcpy(&first, reader->bytes(contents.bytes).value().data(), sizeof first);
    seen.push_back(first);
  }
  EXPECT_EQ(seen, (std::vector<float>{10, 20}));
  ASSERT_CUDA(cudaFree(managed));
  program.unload();
}

TEST_F(Recorder, EventsAndTheStack) {
  cudaEvent_t event = nullptr;
  ASSERT_CUDA(cudaEventCreate(&event));
  ASSERT_CUDA(cudaEventRecord(event));
  ASSERT_CUDA(cudaEventSynchronize(event));
  EXPECT_NE(note_of<EventNote>(last_call("cudaEventRecord").command).event, 0u);
  ASSERT_CUDA(cudaEventDestroy(event));
  std::size_t stack = 0;
  ASSERT_CUDA(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
  ASSERT_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, stack));
  EXPECT_EQ(notes<StackNote>().back().bytes, stack);
}

}  // namespace
}  // namespace gridspan::tests
