// Arguments of API calls as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/call_arguments.h"

#include <gtest/gtest.h>

namespace gridspan::tests {
namespace {

using namespace runtime::record;

template <class... T>
std::string text(bool succeeded, const char* names, const T&... values) {
  CallArguments arguments(succeeded);
  arguments.add(names, values...);
  std::string line;
  for (const NamedText& one : arguments.take()) line += one.name + "=" + one.value + ";";
  return line;
}

TEST(CallArguments, ResultsAreShownOnlyIfThereAreAny) {
  void* pointer = reinterpret_cast<void*>(0x1000);
  void** result = &pointer;
  std::size_t size = 512;
  EXPECT_EQ(text(true, "pointer, size", result, size), "pointer=[0x1000];size=512;");
  char address[32];
  std::snprintf(address, sizeof address, "%p", static_cast<void*>(result));
  EXPECT_EQ(text(false, "pointer", result), "pointer=" + std::string(address) + ";");
  void** null = nullptr;
  EXPECT_EQ(text(true, "pointer", null), "pointer=null;");
}

TEST(CallArguments, WhatTheProgramPointsToIsLeftAlone) {
  const void* wild = reinterpret_cast<const void*>(8);
  void** arguments = reinterpret_cast<void**>(8);
  EXPECT_EQ(text(true, "source, record::address(arguments)", wild, address(arguments)),
            "source=0x8;arguments=0x8;");
  const auto* properties = reinterpret_cast<cudaDeviceProp*>(8);
  EXPECT_EQ(text(true, "properties", properties), "properties=0x8;");
}

TEST(CallArguments, TypesOfTheApi) {
  EXPECT_EQ(text(true, "grid, kind", dim3(4, 5, 6), cudaMemcpyHostToDevice),
            "grid=(4, 5, 6);kind=HostToDevice;");
  EXPECT_EQ(text(true, "kind", static_cast<cudaMemcpyKind>(77)), "kind=77;");
  float milliseconds = 0.5;
  EXPECT_EQ(text(true, "milliseconds", &milliseconds), "milliseconds=[0.500000];");
  const char* name = "k";
  EXPECT_EQ(text(true, "name", &name), "name=[\"k\"];");
  EXPECT_EQ(text(true, "extent", cudaExtent{1, 2, 3}), "extent=(1, 2, 3);");
  EXPECT_EQ(text(true, "value, stream", -1, static_cast<cudaStream_t>(nullptr)),
            "value=-1;stream=null;");
}

}  // namespace
}  // namespace gridspan::tests
