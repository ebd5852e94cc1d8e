// What we cannot compile is reported like clang's own errors, with the user's line.
// RUN: not %gridcc -c %s -o %t.o -DASSEMBLY 2>&1 | FileCheck %s --check-prefix=ASM
// RUN: not %gridcc -c %s -o %t.o -DUNDEFINED 2>&1 | FileCheck %s --check-prefix=UNDEFINED
// RUN: not %gridcc -c %s -o %t.o -DVARIABLE 2>&1 | FileCheck %s --check-prefix=VARIABLE

#ifdef ASSEMBLY
__global__ void kernel(unsigned* out) {
  // ASM: unsupported.cu:[[#@LINE+1]]:{{[0-9]+}}: error: inline PTX instruction 'wgmma.fence.sync.aligned' is not supported: "wgmma.fence.sync.aligned;"
  asm volatile("wgmma.fence.sync.aligned;");
  // ASM: unsupported.cu:[[#@LINE+1]]:{{[0-9]+}}: error: inline PTX instruction 'vadd4.f32.f32.f32' is not supported
  asm("vadd4.f32.f32.f32 %0, %0, %0, %0;" : "+r"(*out));
  // ASM: unsupported.cu:[[#@LINE+1]]:{{[0-9]+}}: error: inline PTX instruction 'vadd4.u32.u32.u32' is not supported
  asm("vadd4.u32.u32.u32 %0.b0, %0, %0, %0;" : "+r"(*out));
  *out = 1;
}
#endif
#ifdef UNDEFINED
__device__ int elsewhere(int x);
__global__ void kernel(int* out) {
  // UNDEFINED: unsupported.cu:[[#@LINE+1]]:{{[0-9]+}}: error: device function 'elsewhere(int)' is not defined in this file
  *out = elsewhere(1);
}
#endif
#ifdef VARIABLE
extern __device__ int variable;
// VARIABLE: error: device variable 'variable' is declared but not defined in this file
__global__ void kernel(int* out) { *out = variable; }
#endif
