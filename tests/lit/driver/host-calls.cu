// What kernels cannot call or use of the host is told in one line and its place.
//
// RUN: not %gridcc -c %s -o %t.o -ferror-limit=0 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=note:
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

int answer();
int answer(int);
struct Host {
  Host(int);
  int value() const;
};
namespace mine {
template <class T>
struct List {
  T operator[](int) const;
};
}  // namespace mine

__global__ void prints() {
  // CHECK-DAG: host-calls.cu:[[@LINE+1]]:{{.*}}: error: 'cout' is a variable of the host and cannot be used in a __global__ function; printf can
  std::cout << "a" << 3 << std::endl;
}
__global__ void calls(int* p, const Host* h, const mine::List<int>* l) {
  // CHECK-DAG: host-calls.cu:[[@LINE+1]]:{{.*}}: error: calling a __host__ function("answer") from a __global__ function is not allowed
  *p = answer();
  // CHECK-DAG: host-calls.cu:[[@LINE+1]]:{{.*}}: error: calling a __host__ function("value") from a __global__ function is not allowed
  *p = h->value();
  // CHECK-DAG: host-calls.cu:[[@LINE+1]]:{{.*}}: error: calling a __host__ function("operator[]") from a __global__ function is not allowed
  *p = (*l)[1];
  // CHECK-DAG: host-calls.cu:[[@LINE+1]]:{{.*}}: error: calling a __host__ function("constructor of Host") from a __global__ function is not allowed
  Host made(3);
  // CHECK-DAG: host-calls.cu:[[@LINE+1]]:{{.*}}: error: calling a __host__ function("constructor of std::vector<int>") from a __global__ function is not allowed
  std::vector<int> v(3);
  // CHECK-DAG: host-calls.cu:[[@LINE+1]]:{{.*}}: error: calling a __host__ function("conversion to std::string") from a __global__ function is not allowed
  std::string s = "abc";
  // CHECK-DAG: host-calls.cu:[[@LINE+1]]:{{.*}}: error: calling a __host__ function("rand") from a __global__ function is not allowed
  *p = rand();
}
// CHECK-DAG: host-calls.cu:[[@LINE+1]]:{{.*}}: error: calling a __host__ function("answer") from a __device__ function is not allowed
__device__ int asks() { return answer(1); }
__device__ int only_there() { return 1; }
// CHECK-DAG: host-calls.cu:[[@LINE+1]]:{{.*}}: error: calling a __device__ function("only_there") from a __host__ function is not allowed
int asks_too() { return only_there(); }
// CHECK: 10 errors generated.
