// The copies of isl, ours and the one in libLLVM, do not meet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/isl.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace {

TEST(IslBesideLlvm, BothCopiesAreThereAndOursIsCalled) {
  llvm::LLVMContext context;
  const llvm::Module module("m", context);
  EXPECT_EQ(module.getName(), "m");
  // Ours is not exported, so the dynamic linker finds Polly's.
  void* polly = dlsym(RTLD_DEFAULT, "isl_version");
  ASSERT_NE(polly, nullptr) << "libLLVM no longer exports isl: this test has lost its meaning";
  EXPECT_NE(polly, reinterpret_cast<void*>(&isl_version));
  EXPECT_STRNE(reinterpret_cast<const char* (*)()>(polly)(), isl_version());
  gridspan::model::check_isl_version();
}

}  // namespace
