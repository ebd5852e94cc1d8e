// Of host code an object has the lines of calls that may allocate, and how a program gets there, unless it is compiled with -g.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %gridcc -O0 -c %s -o %t/few.o && llvm-dwarfdump --debug-line %t/few.o | FileCheck %s
// RUN: %gridcc -O2 -c %s -o %t/few2.o && llvm-dwarfdump --debug-line %t/few2.o | FileCheck %s --check-prefix=FAST
// RUN: %gridcc -O0 -g -c %s -o %t/all.o && llvm-dwarfdump --debug-line %t/all.o | FileCheck %s --check-prefix=ALL
// RUN: %gridcc -O0 -gline-tables-only -c %s -o %t/lines.o && llvm-dwarfdump --debug-line %t/lines.o | FileCheck %s --check-prefix=ALL
// RUN: %gridcc -### -c %s 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: %gridcc -### -g -c %s 2>&1 | FileCheck %s --check-prefix=WITH-G
// PLAIN: "-gridspan-few-lines"
// WITH-G-NOT: -gridspan-few-lines
#include <cstdio>
#include <vector>

using Work = void (*)(float**);

#line 100
__attribute__((noinline)) void add(std::vector<int>& v, int x) {
  v.push_back(x);
  std::printf("%d\n", x);
}
#line 200
__attribute__((noinline)) void allocate(float** p, int n) {
  cudaMalloc(p, n * sizeof(float));
  cudaMemset(*p, 0, n);
}
#line 300
int main(int count, char**) {
  std::vector<int> v;
  float* p = nullptr;
  add(v, count);
  allocate(&p, count);
  Work work = count > 1000 ? nullptr : [](float** q) { cudaFree(*q); };
  add(v, 7);
  work(&p);
  return int(v.size());
}
// CHECK-NOT: {{^0x[0-9a-f]+ +101 }}
// CHECK-NOT: {{^0x[0-9a-f]+ +102 }}
// CHECK: {{^0x[0-9a-f]+ +201 }}
// CHECK-NOT: {{^0x[0-9a-f]+ +202 }}
// CHECK-NOT: {{^0x[0-9a-f]+ +301 }}
// CHECK-NOT: {{^0x[0-9a-f]+ +303 }}
// CHECK: {{^0x[0-9a-f]+ +304 }}
// CHECK-NOT: {{^0x[0-9a-f]+ +306 }}
// CHECK: {{^0x[0-9a-f]+ +307 }}

// FAST-NOT: {{^0x[0-9a-f]+ +10[12] }}
// FAST: {{^0x[0-9a-f]+ +304 }}
// FAST-NOT: {{^0x[0-9a-f]+ +30[136] }}

// ALL: {{^0x[0-9a-f]+ +101 }}
// ALL: {{^0x[0-9a-f]+ +202 }}
// ALL: {{^0x[0-9a-f]+ +306 }}
