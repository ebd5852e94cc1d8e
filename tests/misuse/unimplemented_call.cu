// A call we do not have is refused by its name when compiling or linking, never silently accepted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 1
// EXPECT: cudaImportExternalMemory
// STEP: test ! -e %t => 0
#include <cuda_runtime.h>

int main() {
  void* memory = nullptr;
  return cudaImportExternalMemory(&memory, nullptr);
}
