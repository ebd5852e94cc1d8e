// Clang's messages about the other side's functions, told as nvcc does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/host_calls.h"

#include <gtest/gtest.h>

namespace gridspan::driver {
namespace {

constexpr char candidates[] =
    "h.h:5:5: note: candidate function not viable: call to __host__ function from __global__ "
    "function\n"
    "    5 | int answer();\n"
    "h.h:6:5: note: candidate function not viable: requires 1 argument, but 0 were provided\n";

TEST(HostCalls, AnOverloadSetOfTheHostIsOneLineAndItsPlace) {
  const std::string first = "a.cu:9:38: error: no matching function for call to 'answer'\n";
  const std::string place = "    9 |   *p = answer();\n      |        ^~~~~~\n";
  EXPECT_EQ(tell_host_calls(first + place + candidates),
            "a.cu:9:38: error: calling a __host__ function(\"answer\") from a __global__ function "
            "is not allowed\n" +
                place + "1 error generated.\n");
}

TEST(HostCalls, ReferencesMembersConstructorsOperatorsAndConversions) {
  const std::string note =
      "a.h:1:1: note: candidate constructor not viable: call to __host__ function from __device__ "
      "function\n";
  const auto told = [&](const std::string& said) {
    const std::string text = tell_host_calls("a.cu:1:2: error: " + said + "\n" + note);
    return text.substr(0, text.find('\n'));
  };
  const auto refusal = [](const std::string& name) {
    return "a.cu:1:2: error: calling a __host__ function(\"" + name +
           "\") from a __device__ function is not allowed";
  };
  EXPECT_EQ(told("reference to __host__ function 'f' in __device__ function"), refusal("f"));
  EXPECT_EQ(told("no matching member function for call to 'push'"), refusal("push"));
  EXPECT_EQ(told("no matching constructor for initialization of 'S'"), refusal("constructor of S"));
  EXPECT_EQ(told("no viable overloaded operator[] for type 'V<int>'"), refusal("operator[]"));
  EXPECT_EQ(told("no viable overloaded '+='"), refusal("operator+="));
  EXPECT_EQ(
      told("no viable conversion from 'const char[4]' to 'std::string' (aka 'basic_string<char>')"),
      refusal("conversion to std::string"));
  EXPECT_EQ(
      told("reference to __device__ function 'g' in __host__ __device__ function"),
      "a.cu:1:2: error: calling a __device__ function(\"g\") from a __host__ __device__ function "
      "is not allowed");
}

TEST(HostCalls, AStreamIsToldOnceForALine) {
  const std::string host_operator =
      "/usr/include/ostream:9:7: note: candidate function not viable: call to __host__ function "
      "from __global__ "
      "function\n/usr/include/ostream:5:5: note: candidate function template not viable: no known "
      "conversion "
      "from 'int' to 'char' for 2nd argument\n";
  EXPECT_EQ(tell_host_calls(
                "a.cu:3:4: error: reference to __host__ variable 'cout' in __global__ function\n"
                "iostream:61:18: note: host variable declared here\n"
                "a.cu:3:9: error: invalid operands to binary expression ('ostream' and 'int')\n" +
                host_operator + "a.cu:30:1: error: something else\n"),
            "a.cu:3:4: error: 'cout' is a variable of the host and cannot be used in a __global__ "
            "function; printf can\na.cu:30:1: error: something else\n2 errors generated.\n");
}

TEST(HostCalls, TheVariableIsToldAlsoIfItsOperatorComesFirst) {
  EXPECT_EQ(
      tell_host_calls(
          "a.cu:3:9: error: invalid operands to binary expression ('ostream' and 'int')\n"
          "a.h:9:7: note: candidate function not viable: call to __host__ function from __global__ "
          "function\na.cu:3:4: error: reference to __host__ variable 'cout' in __global__ "
          "function\n"),
      "a.cu:3:4: error: 'cout' is a variable of the host and cannot be used in a __global__ "
      "function; printf can\n1 error generated.\n");
}

TEST(HostCalls, HowTheCodeIsReachedStays) {
  const std::string called = "a.cu:7:9: note: called by 'k'\n    7 | f();\n";
  EXPECT_EQ(
      tell_host_calls(
          "a.cu:2:1: error: reference to __host__ function 'f' in __host__ __device__ function\n" +
          called + "a.cu:1:5: note: 'f' declared here\n    1 | int f();\n"),
      "a.cu:2:1: error: calling a __host__ function(\"f\") from a __host__ __device__ function is "
      "not "
      "allowed\n" +
          called + "1 error generated.\n");
}

TEST(HostCalls, OtherMessagesStayAsTheyAre) {
  // A candidate of the user's would do with other parameters.
  const std::string near_miss =
      "a.cu:1:1: error: no matching function for call to 'f'\n"
      "a.cu:2:1: note: candidate function not viable: no known conversion from 'int' to 'S' for "
      "1st argument\n" +
      std::string(candidates) + "a.cu:8:1: warning: w\n";
  EXPECT_EQ(tell_host_calls(near_miss), near_miss + "1 warning and 1 error generated.\n");
  const std::string launch =
      "a.cu:1:1: error: reference to __global__ function 'k' in __device__ function\n";
  EXPECT_EQ(tell_host_calls(launch), launch + "1 error generated.\n");
  EXPECT_EQ(tell_host_calls(""), "");
}

TEST(HostCalls, ColoursAreKept) {
  const std::string coloured =
      "\033[1ma.cu:1:2: \033[0m\033[0;1;31merror: \033[0m\033[1mreference to __host__ function 'f' "
      "in "
      "__device__ function\033[0m\n";
  EXPECT_EQ(
      tell_host_calls(coloured),
      "\033[1ma.cu:1:2: \033[0m\033[0;1;31merror: \033[0m\033[1mcalling a __host__ function(\"f\") "
      "from a __device__ function is not allowed\033[0m\n1 error generated.\n");
}

}  // namespace
}  // namespace gridspan::driver
