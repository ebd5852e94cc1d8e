// Which kernels of an object serve launches that were seen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/carried_kernels.h"

#include <gtest/gtest.h>

#include <array>

namespace gridspan::runtime::fuse {
namespace {

using abi::FuseState;
using support::FusedLaunches;

FusedLaunches launches(const char* text) {
  const auto parsed = support::parse_fused_launches(text);
  EXPECT_TRUE(parsed) << text;
  return *parsed;
}

constexpr abi::Parameter pointer{8, 8, 0, 1}, number{4, 4, 0, 0};

/// f(pointer, pointer, number) and g(pointer, number).
struct Program {
  std::array<abi::Parameter, 3> of_f{pointer, pointer, number};
  std::array<abi::Parameter, 2> of_g{pointer, number};
  std::array<abi::Kernel, 2> kernels{};
  abi::Module module{};

  Program() {
    kernels[0].name = "f";
    kernels[0].parameters = of_f.data();
    kernels[0].parameter_count = of_f.size();
    kernels[1].name = "g";
    kernels[1].parameters = of_g.data();
    kernels[1].parameter_count = of_g.size();
    module.kernels = kernels.data();
    module.kernel_count = kernels.size();
  }
  bool serves(const char* made, const char* asked) const {
    return fuse::serves(launches(made), launches(asked), module);
  }
};

/// Answers always the same.
struct Others final : KernelFuser {
  explicit Others(FuseState state_) : state(state_) {}
  bool may_fuse(const abi::Module&) override { return state != FuseState::refused; }
  FusedAnswer fuse(const abi::Module&, const FusedLaunches& asked) override {
    ++questions;
    return {state, state == FuseState::made ? &kernel : nullptr, asked};
  }
  FuseState state;
  abi::Kernel kernel{};
  int questions = 0;
};

TEST(CarriedKernels, ServeEqualLaunches) {
  const Program program;
  EXPECT_TRUE(program.serves("f(0,1,2)+g(0,2)/blocks=yz/threads=yz/dead=",
                             "f(0,1,2)+g(0,2)/blocks=yz/threads=yz/dead="));
}

TEST(CarriedKernels, NumbersMayBeEqualByChance) {
  const Program program;
  const char* const any = "f(0,1,2)+g(0,3)/blocks=/threads=/dead=";
  const char* const equal = "f(0,1,2)+g(0,2)/blocks=/threads=/dead=";
  EXPECT_TRUE(program.serves(any, equal));
  EXPECT_FALSE(program.serves(equal, any));
}

TEST(CarriedKernels, PointersMustBeEqualWhereTheirsAreAndNowhereElse) {
  const Program program;
  const char* const same = "f(0,1,2)+g(0,2)/blocks=/threads=/dead=";
  const char* const other = "f(0,1,2)+g(3,2)/blocks=/threads=/dead=";
  const char* const in_place = "f(0,0,1)+g(0,1)/blocks=/threads=/dead=";
  const char* const second = "f(0,1,2)+g(1,2)/blocks=/threads=/dead=";
  for (const char* made : {same, other, in_place, second})
    for (const char* asked : {same, other, in_place, second})
      EXPECT_EQ(program.serves(made, asked), made == asked) << made << ", " << asked;
}

TEST(CarriedKernels, KnowNoMoreThanIsSo) {
  const Program program;
  const auto with = [](const char* end) { return std::string("f(0,1,2)+g(3,2)") + end; };
  const auto serves = [&](const char* made, const char* asked) {
    return program.serves(with(made).c_str(), with(asked).c_str());
  };
  EXPECT_TRUE(serves("/blocks=y/threads=/dead=", "/blocks=yz/threads=z/dead=0"));
  EXPECT_FALSE(serves("/blocks=yz/threads=/dead=", "/blocks=y/threads=/dead="));
  EXPECT_FALSE(serves("/blocks=/threads=x/dead=", "/blocks=/threads=/dead="));
  EXPECT_FALSE(serves("/blocks=/threads=/dead=0", "/blocks=/threads=/dead="));
  EXPECT_FALSE(serves("/blocks=/threads=/dead=0", "/blocks=/threads=/dead=3"));
  EXPECT_TRUE(serves("/blocks=/threads=/dead=0", "/blocks=/threads=/dead=0,3"));
}

TEST(CarriedKernels, DeadArraysGoByTheirOwnNumbers) {
  const Program program;
  // Its number 4 is the pointer that the launches call 3.
  EXPECT_TRUE(program.serves("f(0,1,2)+g(0,3)+g(4,3)/blocks=/threads=/dead=4",
                             "f(0,1,2)+g(0,2)+g(3,2)/blocks=/threads=/dead=3"));
  EXPECT_FALSE(program.serves("f(0,1,2)+g(0,3)+g(4,3)/blocks=/threads=/dead=4",
                              "f(0,1,2)+g(0,2)+g(3,2)/blocks=/threads=/dead=0"));
}

TEST(CarriedKernels, AreOfTheseKernels) {
  const Program program;
  const char* const asked = "f(0,1,2)+g(0,2)/blocks=/threads=/dead=";
  EXPECT_FALSE(program.serves("g(0,1)+f(0,2,1)/blocks=/threads=/dead=", asked));
  EXPECT_FALSE(program.serves("f(0,1,2)+g(0,2)+g(0,2)/blocks=/threads=/dead=", asked));
  EXPECT_FALSE(program.serves("f(0,1,2)+h(0,2)/blocks=/threads=/dead=", asked));
  EXPECT_FALSE(program.serves("f(0,1)+g(0,1)/blocks=/threads=/dead=", asked));
}

/// Two kernels: of the second, one array is not written.
struct Carrying : Program {
  std::array<abi::Kernel, 2> made{};
  std::array<const char*, 2> texts{"f(0,1,2)+g(0,2)/blocks=/threads=/dead=",
                                   "f(0,1,2)+g(0,2)/blocks=/threads=/dead=0"};
  abi::Module fused{};

  Carrying() {
    fused.kernels = made.data();
    fused.kernel_count = made.size();
    fused.launches = texts.data();
    module.fused = &fused;
  }
};

TEST(CarriedKernels, WriteAsLittleAsTheyMay) {
  const Carrying program;
  CarriedKernels carried(nullptr);
  EXPECT_TRUE(carried.may_fuse(program.module));
  EXPECT_EQ(carried.fuse(program.module, launches(program.texts[0])).kernel, &program.made[0]);
  const FusedAnswer answer = carried.fuse(program.module, launches(program.texts[1]));
  EXPECT_EQ(answer.state, FuseState::made);
  EXPECT_EQ(answer.kernel, &program.made[1]);
  EXPECT_EQ(answer.launches, launches(program.texts[1]));
  const auto others = launches("f(0,1,2)+g(1,2)/blocks=/threads=/dead=");
  EXPECT_EQ(carried.fuse(program.module, others).state, FuseState::refused);
}

TEST(CarriedKernels, OthersAreAskedForWhatWritesLess) {
  const Carrying program;
  const auto asked = launches("f(0,1,2)+g(0,2)/blocks=/threads=/dead=0,1");
  Others none(FuseState::refused), coming(FuseState::absent), there(FuseState::made);
  EXPECT_EQ(CarriedKernels(&none).fuse(program.module, asked).kernel, &program.made[1]);
  EXPECT_EQ(CarriedKernels(&coming).fuse(program.module, asked).state, FuseState::absent);
  EXPECT_EQ(CarriedKernels(&there).fuse(program.module, asked).kernel, &there.kernel);
  EXPECT_EQ(CarriedKernels(&there).fuse(program.module, launches(program.texts[1])).kernel,
            &program.made[1]);
  EXPECT_EQ(there.questions, 1);
}

}  // namespace
}  // namespace gridspan::runtime::fuse
