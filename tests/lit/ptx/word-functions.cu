// Functions on the bytes of words are instructions.
// RUN: %gridcc -std=c++17 -O3 -c %s -o %t.o
// RUN: %gridspan ptx %t.o | FileCheck %s

// CHECK-LABEL: .visible .entry _Z5bytesPiPj(
// CHECK-DAG: dp4a.s32.s32
// CHECK-DAG: dp4a.u32.u32
// CHECK-DAG: dp2a.lo.s32.s32
// CHECK-DAG: dp2a.hi.u32.u32
// CHECK-DAG: prmt.b32
// CHECK-DAG: vabsdiff4.u32.u32.u32 %
// CHECK-DAG: vabsdiff4.u32.u32.u32.add %
// CHECK: ret;
__global__ void bytes(int* a, unsigned* b) {
  a[0] = __dp4a(a[1], a[2], a[3]);
  b[0] = __dp4a(b[1], b[2], b[3]);
  a[4] = __dp2a_lo(a[5], a[6], a[7]);
  b[4] = __dp2a_hi(b[5], b[6], b[7]);
  b[8] = __byte_perm(b[9], b[10], b[11]);
  b[12] = __vabsdiffu4(b[13], b[14]);
  b[15] = __vsadu4(b[16], b[17]);
}
