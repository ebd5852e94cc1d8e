// RUN: rm -f %t.csv
// RUN: %gridcc --time=%t.csv -c %s -o %t.o
// RUN: FileCheck %s --input-file %t.csv --match-full-lines
// RUN: %gridcc -time %t.csv -std=c++17 -c %s -o %t.o
// RUN: FileCheck %s --input-file %t.csv --check-prefix TWICE
// RUN: %gridcc --time - %t.o -o %t.exe | FileCheck %s --check-prefix LINK
// RUN: not %gridcc --time=%t.csv/none -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix NOWHERE
// Phases of compiling with elapsed times, in nvcc's form.

__global__ void fill(int* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i;
}

int main() {
  fill<<<1, 1>>>(nullptr, 0);
}

// CHECK: source file name , phase name , phase input files , phase output file , arch , tool, metric , unit
// CHECK-NEXT: {{.*}}time.cu , clang (host) , {{.*}}time.cu , {{.*}}.o , sm_75 , gridcc , {{[0-9]+\.[0-9]+}} , ms
// CHECK-NEXT: {{.*}}time.cu , clang (device) , {{.*}}time.cu , {{.*}}.bc , sm_75 , gridcc , {{[0-9]+\.[0-9]+}} , ms
// CHECK: {{.*}}time.cu , kernel models , {{.*}}.bc , {{.*}}.o , , gridcc , {{[0-9]+\.[0-9]+}} , ms
// CHECK: {{.*}}time.cu , optimising , {{.*}}
// CHECK-NEXT: {{.*}}time.cu , code generation , {{.*}}

// One heading, two runs.
// TWICE: source file name
// TWICE-NOT: source file name
// TWICE: clang (host)
// TWICE: clang (host)

// LINK: source file name
// LINK-NEXT: , link , , {{.*}}.exe , sm_75 , gridcc ,

// NOWHERE: error: cannot write '{{.*}}none': Not a directory
