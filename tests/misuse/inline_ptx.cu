// Inline PTX that Gridspan does not know: our own error in clang's form, once for each statement.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -c %s -o %t.o => 1
// EXPECT: inline_ptx\.cu:14:\d+: error: inline PTX instruction 'wgmma\.fence\.sync\.aligned' is not supported: "wgmma
// EXPECT: inline_ptx\.cu:15:\d+: error: inline PTX instruction 'add\.sideways\.u32' is not supported: "add
// EXPECT: inline_ptx\.cu:16:\d+: error: inline PTX is not understood, near "\+;": "add
// EXPECT: inline_ptx\.cu:17:\d+: error: inline PTX instruction 'mov\.u32' is not supported: '%nothing' is no register
// EXPECT: inline_ptx\.cu:18:\d+: error: inline PTX instruction 'mma\.sync\.aligned\.m8n8k5\.row\.col\.f32\.f16\.f16\.f32' is not supported: no such product
// EXPECT: inline_ptx\.cu:19:\d+: error: inline PTX: no label 'nowhere'
// STEP: test ! -e %t.o => 0

__global__ void kernel(unsigned* p) {
  unsigned a, b = *p;
  asm volatile("wgmma.fence.sync.aligned;");
  asm volatile("add.sideways.u32 %0, %1, %1;" : "=r"(a) : "r"(b));
  asm volatile("add.u32 %0, %1, %1 +;" : "=r"(a) : "r"(b));
  asm volatile("mov.u32 %0, %%nothing;" : "=r"(a));
  asm volatile("mma.sync.aligned.m8n8k5.row.col.f32.f16.f16.f32 {%0}, {%0}, {%0}, {%0};" : "+r"(a));
  asm volatile("bra nowhere;");
  *p = a;
}
