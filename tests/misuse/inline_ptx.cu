// Inline PTX, which the CPU does not know: our own error in clang's form.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -c %s -o %t.o => 1
// EXPECT: inline_ptx\.cu:9:\d+: error: .*(asm|PTX)
// STEP: test ! -e %t.o => 0

__global__ void kernel(unsigned* p) {
  unsigned lane;
  asm volatile("bfind.u32 %0, %1;" : "=r"(lane) : "r"(*p));
  *p = lane;
}
