// Which words of a pass a precompiled header depends on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/header_words.h"

#include <gtest/gtest.h>

namespace gridspan::driver {
namespace {

using Texts = std::vector<std::string>;

Installation installation() {
  Installation found;
  found.include_directory = "/gridspan/cuda";
  found.clang_plugin = "/lib/front.so";
  found.host_plugin = "/lib/host.so";
  return found;
}

std::optional<HeaderWords> read(const Texts& pass) {
  return header_words(pass, installation(), {"", "ours.yaml"});
}

Texts words_of(const std::vector<MacroWord>& macros) {
  Texts words;
  for (const MacroWord& macro : macros) words.push_back(macro.word);
  return words;
}

TEST(HeaderWords, TakesAPassApart) {
  const auto words = read({"-x",
                           "cuda",
                           "-isystem",
                           "/gridspan/cuda",
                           "-ivfsoverlay",
                           "ours.yaml",
                           "-include",
                           "cuda_runtime.h",
                           "-Xclang",
                           "-target-sdk-version=12.5",
                           "-D__NVCC__",
                           "-std=c++17",
                           "-Xclang",
                           "-target-feature",
                           "-Xclang",
                           "+ptx83",
                           "-O3",
                           "-march=native",
                           "-Wall",
                           "-DTILE=16",
                           "-D",
                           "f(x)=x",
                           "-UNDEBUG",
                           "-Imine",
                           "-I",
                           "yours",
                           "-isystem",
                           "theirs",
                           "-iquote.",
                           "-include",
                           "other.h",
                           "-fplugin=/lib/front.so",
                           "-fplugin-arg-gridspan-headers=/gridspan/cuda",
                           "-fplugin-arg-gridspan-late=/tmp/x",
                           "-fplugin=/lib/host.so",
                           "-fpass-plugin=/lib/host.so",
                           "-Xclang",
                           "-fcuda-include-gpubinary",
                           "-Xclang",
                           "/tmp/module",
                           "-Xclang",
                           "-cuid=12",
                           "-mllvm",
                           "-gridspan-launch-shapes=/tmp/y",
                           "-MD",
                           "-MF",
                           "x.d",
                           "-MP",
                           "-MT",
                           "x",
                           "-c",
                           "-o",
                           "x.o",
                           "-gline-tables-only",
                           "-fcolor-diagnostics",
                           "x.cu"});
  ASSERT_TRUE(words);
  EXPECT_EQ(words->language,
            (Texts{"-x", "cuda", "-Xclang", "-target-sdk-version=12.5", "-std=c++17", "-Xclang",
                   "-target-feature", "-Xclang", "+ptx83", "-O3", "-march=native", "-Wall",
                   "-fplugin=/lib/front.so", "-fplugin-arg-gridspan-headers=/gridspan/cuda", "-c",
                   "-gline-tables-only"}));
  EXPECT_EQ(words->folders, (Texts{"mine", "yours", "theirs", "."}));
  EXPECT_EQ(words_of(words->macros), (Texts{"-D__NVCC__", "-DTILE=16", "-Df(x)=x", "-UNDEBUG"}));
}

TEST(HeaderWords, MacrosMatterByTheirNames) {
  const auto words = read({"-D__NVCC__", "-DTILE=16", "-Df(x)=x", "-DN", "-UN", "-U__AVX__"});
  ASSERT_TRUE(words);
  EXPECT_EQ(words_of(macros_that_matter(*words, {})), (Texts{"-D__NVCC__", "-U__AVX__"}));
  EXPECT_EQ(words_of(macros_that_matter(*words, {"N", "f"})),
            (Texts{"-D__NVCC__", "-Df(x)=x", "-DN", "-UN", "-U__AVX__"}));
}

TEST(HeaderWords, WordsThatAreNotKnownLeaveClangAtTheHeaders) {
  for (const Texts& pass : {Texts{"-g"},
                            {"-ggdb"},
                            {"-g3"},
                            {"-imacros", "x.h"},
                            {"-Wp,-DX"},
                            {"-H"},
                            {"-Xclang", "-fno-builtin"},
                            {"-Xclang"},
                            {"-fplugin=/mine.so"},
                            {"-MG"},
                            {"-ivfsoverlay", "users.yaml"},
                            {"-fmodules"},
                            {"-nostdinc"},
                            {"-undef"},
                            {"-ftime-trace"},
                            {"-fsanitize-ignorelist=x"},
                            {"-isysroot", "/x"},
                            {"-Xpreprocessor", "-DX"},
                            {"-save-temps"},
                            {"-o"},
                            {"-D"},
                            {"-I"},
                            {"-E"}})
    EXPECT_FALSE(read(pass)) << pass.front();
  for (const Texts& pass :
       {Texts{"-g0"}, {"-w"}, {"-pthread"}, {"-fopenmp"}, {"-fsanitize=address"}})
    EXPECT_TRUE(read(pass)) << pass.front();
}

}  // namespace
}  // namespace gridspan::driver
