// How launches follow one another, as the host pass sees it (support/launch_sequences.h).
// RUN: rm -rf %t && mkdir -p %t/o0 %t/o3 %t/g
// RUN: cp %s %t/a.cu && cd %t
// RUN: %gridcc -w -c a.cu -o o3.o -keep-dir o3 && FileCheck %s --input-file=o3/a.sequences
// RUN: %gridcc -w -O0 -c a.cu -o o0.o -keep-dir o0 && diff o0/a.sequences o3/a.sequences
// RUN: %gridcc -w -G -g -c a.cu -o g.o -keep-dir g && diff g/a.sequences o3/a.sequences
// RUN: %gridcc -w -c a.cu -o off.o --without=fusion -keep-dir g -### 2>&1 | FileCheck %s --check-prefix=OFF
// OFF-NOT: sequences
#include <cstdio>
#include <utility>

__global__ void one(float* a, const float* b, int n) { a[threadIdx.x] = b[threadIdx.x] + n; }
__global__ void two(float* a, const float* b, float f) { a[threadIdx.x] = b[threadIdx.x] * f; }
struct Pair {
  float* p;
  long n;
};
struct Wide {
  float* p[3];
  char c;
  double d;
};
__global__ void by_struct(Pair pair, Wide wide, float2 two) { pair.p[0] = wide.d; }
template <class T, int N>
__global__ void typed(T* a) {
  a[threadIdx.x] += N;
}
namespace {
__global__ void hidden(float* a) { a[threadIdx.x] = 0; }
}  // namespace

#define CHECK(call)                                  \
  do {                                               \
    cudaError_t error = (call);                      \
    if (error != cudaSuccess) {                      \
      printf("%s\n", cudaGetErrorString(error));     \
      exit(1);                                       \
    }                                                \
  } while (0)

float *global_a, *global_b;
void elsewhere(float*);

// Nothing between but what waits for nothing. Globals, constants and sizes are the same.
// CHECK-LABEL: sequence {{[0-9]+}} _Z13straight_linei a.cu
void straight_line(int n) {
  one<<<(n + 255) / 256, 256>>>(global_a, global_b, n);
  CHECK(cudaGetLastError());
  printf("one of %d\n", n);
  two<<<dim3((n + 255) / 256), dim3(256, 1, 1)>>>(global_b, global_a, 1.5f);
}
// CHECK-NEXT: step launch -1 always [[#@LINE-5]] a.cu
// CHECK-NEXT: kernel _Z3onePfPKfi
// CHECK-NEXT: grid [[GRID:v[0-9]+]] #1 #1
// CHECK-NEXT: block #256 #1 #1
// CHECK-NEXT: shared #0
// CHECK-NEXT: stream #0
// CHECK-NEXT: arguments [[A:v[0-9]+]] [[B:v[0-9]+]] [[N:v[0-9]+]]
// CHECK-NEXT: step launch -1 always [[#@LINE-9]] a.cu
// CHECK-NEXT: kernel _Z3twoPfPKff
// CHECK-NEXT: grid [[GRID]] #1 #1
// CHECK-NEXT: block #256 #1 #1
// CHECK-NEXT: shared #0
// CHECK-NEXT: stream #0
// CHECK-NEXT: arguments
// CHECK-NEXT: pair 0 1 -1 always
// CHECK-NEXT: same grid block shared stream
// CHECK-NEXT: end 2

// What is between them, in its order, once each.
// CHECK-LABEL: sequence {{[0-9]+}} _Z7betweenPfS_i a.cu
void between(float* a, float* b, int n) {
  cudaEvent_t event;
  cudaEventCreate(&event);
  one<<<n, 64>>>(a, b, n);
  cudaEventRecord(event);
  cudaDeviceSynchronize();
  two<<<n, 64>>>(a, b, 1);
  float first;
  cudaMemcpy(&first, a, sizeof first, cudaMemcpyDeviceToHost);
  elsewhere(a);
  one<<<n, 64>>>(a, b, n);
  cudaFree(b);
  two<<<n, 64, 8>>>(a, b, first);
  cudaSetDevice(0);
  while (cudaEventQuery(event) != cudaSuccess) {
  }
  two<<<n, 32>>>(b, a, first);
}
// CHECK: pair 0 1 -1 always
// CHECK-NEXT: equal 0 0
// CHECK-NEXT: equal 1 1
// CHECK-NEXT: same grid block shared stream
// CHECK-NEXT: between event [[#@LINE-18]] cudaEventRecord a.cu
// CHECK-NEXT: between wait [[#@LINE-18]] cudaDeviceSynchronize a.cu
// CHECK-NEXT: pair 1 2 -1 always closed
// CHECK-NEXT: equal 0 0
// CHECK-NEXT: equal 1 1
// CHECK-NEXT: same grid block shared stream
// CHECK-NEXT: between host_copy [[#@LINE-20]] cudaMemcpy a.cu
// CHECK-NEXT: between call [[#@LINE-20]] _Z9elsewherePf a.cu
// CHECK-NEXT: pair 2 3 -1 always
// CHECK-NEXT: equal 0 0
// CHECK-NEXT: equal 1 1
// CHECK-NEXT: same grid block stream
// CHECK-NEXT: between free [[#@LINE-23]] cudaFree a.cu
// CHECK-NEXT: pair 3 4 -1 always
// CHECK-NEXT: equal 0 1
// CHECK-NEXT: equal 1 0
// CHECK-NEXT: equal 2 2
// CHECK-NEXT: same grid stream
// CHECK-NEXT: between stream [[#@LINE-27]] cudaSetDevice a.cu
// CHECK-NEXT: between query [[#@LINE-27]] cudaEventQuery a.cu
// CHECK-NEXT: end 5

// Pointers change places each turn; the number of the turn is another each time.
// CHECK-LABEL: sequence {{[0-9]+}} _Z6parityii a.cu
void parity(int n, int steps) {
  float *a, *b;
  CHECK(cudaMalloc(&a, n));
  CHECK(cudaMalloc(&b, n));
  for (int i = 0; i < steps; ++i) {
    one<<<n, 64>>>(a, b, i);
    std::swap(a, b);
  }
  for (int i = 0; i < steps; ++i) {
    float* old = a;
    two<<<n, 64>>>(a, b, 2);
    a = b;
    b = old;
  }
}
// CHECK-NEXT: loop -1 [[#@LINE-11]] a.cu
// CHECK-NEXT: loop -1 [[#@LINE-8]] a.cu
// CHECK: pair 0 0 0 always
// CHECK-NEXT: equal 0 1
// CHECK-NEXT: equal 1 0
// CHECK-NEXT: same grid block shared stream
// CHECK-NEXT: pair 0 1 -1 sometimes
// CHECK-NEXT: equal 0 1
// CHECK-NEXT: equal 1 0
// CHECK-NEXT: same grid block shared stream
// CHECK-NEXT: pair 1 1 1 always
// CHECK-NEXT: equal 0 1
// CHECK-NEXT: equal 1 0
// CHECK-NEXT: equal 2 2
// CHECK-NEXT: same grid block shared stream
// CHECK-NEXT: end 2

// Loops in loops, and steps that are there only sometimes.
// CHECK-LABEL: sequence {{[0-9]+}} _Z8branchesPfS_i a.cu
void branches(float* a, float* b, int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) one<<<n, 64>>>(a, b, j);
    if (i % 3 == 0) two<<<n, 64>>>(b, a, i);
    if (i % 5 == 0) cudaDeviceSynchronize();
  }
}
// CHECK-NEXT: loop -1 [[#@LINE-6]] a.cu
// CHECK-NEXT: loop 0 [[#@LINE-6]] a.cu
// CHECK-NEXT: step launch 1 always [[#@LINE-7]] a.cu
// CHECK: step launch 0 sometimes [[#@LINE-7]] a.cu
// CHECK: pair 0 0 0 sometimes open
// CHECK-NEXT: equal 0 0
// CHECK-NEXT: equal 1 1
// CHECK: pair 0 0 1 always open
// CHECK: pair 0 1 -1 sometimes open
// CHECK-NEXT: equal 0 1
// CHECK-NEXT: equal 1 0
// CHECK: pair 1 0 0 sometimes
// CHECK: pair 1 1 0 sometimes
// CHECK-NEXT: equal 0 0
// CHECK-NEXT: equal 1 1
// CHECK-NEXT: same
// CHECK-NEXT: between wait [[#@LINE-19]] cudaDeviceSynchronize
// CHECK-NEXT: end 2

// What was changed between them is not equal.
// CHECK-LABEL: sequence {{[0-9]+}} _Z7changedPPfi a.cu
void changed(float** arrays, int n) {
  float* a = arrays[0];
  one<<<n, 64>>>(a, global_b, n);
  a += n;
  elsewhere(a);
  n /= 2;
  one<<<n, 64>>>(a, global_b, n);
  one<<<n, 64>>>(arrays[0], arrays[1], n);
  global_b = arrays[1];
  one<<<n, 64>>>(arrays[0], global_b, n);
}
// CHECK: pair 0 1 -1 always
// CHECK-NEXT: same block shared stream
// CHECK: pair 1 2 -1 always
// CHECK-NEXT: equal 2 2
// CHECK-NEXT: same grid block shared stream
// CHECK-NEXT: pair 2 3 -1 always
// CHECK-NEXT: equal 1 1
// CHECK-NEXT: equal 2 2
// CHECK-NEXT: same grid block shared stream
// CHECK-NEXT: end 4

// Wrappers: the sequence is the caller's.
template <class Kernel, class... Arguments>
static void launch(Kernel kernel, int n, Arguments... arguments) {
  const int threads = 128;
  kernel<<<(n + threads - 1) / threads, threads>>>(arguments...);
  if (cudaGetLastError() != cudaSuccess) throw n;
}
struct Solver {
  float *a, *b;
  int n;
  cudaStream_t stream;
  Solver(int size) : n(size) {
    cudaMalloc(&a, n);
    cudaMalloc(&b, n);
    cudaStreamCreate(&stream);
  }
  ~Solver() { cudaFree(a), cudaFree(b); }
  void step();
};
void Solver::step() {
  one<<<n, 64, 0, stream>>>(a, b, n);
  typed<float, 3><<<n, 64, 0, stream>>>(a);
  std::swap(a, b);
}
// CHECK-LABEL: sequence {{[0-9]+}} _Z8wrappersi a.cu
void wrappers(int n) {
  launch(one, n, global_a, global_b, n);
  launch(hidden, n, global_a);
  Solver solver(n);
  for (int i = 0; i < n; ++i) solver.step();
}
// CHECK-NEXT: loop -1 [[#@LINE-2]] a.cu
// CHECK-NEXT: step launch -1 always {{[0-9]+}} a.cu
// CHECK-NEXT: from [[#@LINE-7]] a.cu
// CHECK-NEXT: kernel _Z3onePfPKfi
// CHECK-NEXT: grid [[GRID:v[0-9]+]] #1 #1
// CHECK: from [[#@LINE-9]] a.cu
// CHECK-NEXT: kernel {{.*}}hidden
// CHECK-NEXT: grid [[GRID]] #1 #1
// CHECK: step launch 0 always {{[0-9]+}} a.cu
// CHECK-NEXT: from [[#@LINE-11]] a.cu
// CHECK: stream [[STREAM:v[0-9]+]]
// CHECK: kernel _Z5typedIfLi3EEvPT_
// CHECK: stream [[STREAM]]
// CHECK: pair 0 1 -1 always
// CHECK-NEXT: equal 0 0
// CHECK-NEXT: same grid block shared stream
// CHECK-NEXT: pair 1 2 -1 sometimes
// CHECK-NEXT: same shared
// CHECK-NEXT: pair 2 3 -1 always
// CHECK-NEXT: equal 0 0
// CHECK-NEXT: same grid block shared stream
// CHECK-NEXT: pair 3 2 0 always
// CHECK-NEXT: equal 0 1
// CHECK-NEXT: same grid block shared stream
// CHECK-NEXT: end 4

// Copies and fills inside a device are steps.
// CHECK-LABEL: sequence {{[0-9]+}} _Z6copiesPfi a.cu
void copies(float* a, int n) {
  float *b, *c;
  cudaMalloc(&b, n);
  cudaMalloc((void**)&c, n);
  cudaMemset(b, 0, n);
  cudaMemcpyAsync(c, b, n, cudaMemcpyDeviceToDevice, 0);
  one<<<n, 64>>>(a, c, n);
  cudaMemcpyAsync(c, a, n, cudaMemcpyDefault);
  one<<<n, 64>>>(c, a, n);
}
// CHECK-NEXT: step fill -1 always [[#@LINE-6]] a.cu
// CHECK-NEXT: stream #0
// CHECK-NEXT: arguments [[B:v[0-9]+]] #0 [[SIZE:v[0-9]+]]
// CHECK-NEXT: step copy -1 always [[#@LINE-8]] a.cu
// CHECK-NEXT: stream #0
// CHECK-NEXT: arguments [[C:v[0-9]+]] [[B]] [[SIZE]]
// CHECK-NEXT: step launch -1 always
// CHECK: arguments {{v[0-9]+}} [[C]] {{v[0-9]+}}
// CHECK: fresh [[B]]
// CHECK-NEXT: fresh [[C]]
// CHECK: pair 0 1 -1 always
// CHECK-NEXT: equal 0 1
// CHECK-NEXT: equal 2 2
// CHECK-NEXT: same stream
// CHECK-NEXT: pair 1 2 -1 always
// CHECK-NEXT: equal 0 1
// CHECK-NEXT: same stream
// CHECK-NEXT: pair 2 3 -1 always
// CHECK-NEXT: equal 0 1
// CHECK-NEXT: equal 1 0
// CHECK-NEXT: equal 2 2
// CHECK-NEXT: same grid block shared stream
// CHECK-NEXT: between host_copy [[#@LINE-25]] cudaMemcpyAsync a.cu
// CHECK-NEXT: end 4

// Structs are equal if all their members are. Launches by name say as much.
// CHECK-LABEL: sequence {{[0-9]+}} _Z7structsPfl a.cu
void structs(float* a, long n) {
  Wide wide{{a, a + n, nullptr}, 'c', 1.5};
  const float2 constant{1, 2};
  by_struct<<<n, 64>>>(Pair{a, n}, wide, constant);
  Pair pair{a, n};
  void* arguments[] = {&pair, &wide, (void*)&constant};
  cudaLaunchKernel((const void*)by_struct, dim3(n), dim3(64), arguments, 0, 0);
  wide.d = n;
  cudaLaunchCooperativeKernel((const void*)by_struct, dim3(n), dim3(64), arguments, 0, 0);
}
// CHECK: step cooperative
// CHECK: pair 0 1 -1 always
// CHECK-NEXT: equal 0 0
// CHECK-NEXT: equal 1 1
// CHECK-NEXT: equal 2 2
// CHECK-NEXT: same grid block shared stream
// CHECK-NEXT: pair 1 2 -1 always
// CHECK-NEXT: equal 0 0
// CHECK-NEXT: equal 2 2
// CHECK-NEXT: same grid block shared stream
// CHECK-NEXT: end 3

// A function that waits is a wait; one that may be anything is a call. Small ones are looked into.
static void small_wait() { cudaDeviceSynchronize(); }
#define MORE sum = (sum + what[0]) * what[1] / (1 + sum) - what[2] * sum;
static void large_wait(const char* what) {
  double sum = 0;
  MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE
  if (sum > 1) printf("%s %f %d\n", what, sum, (int)cudaStreamSynchronize(0));
}
static void large_work(const char* what) {
  double sum = 0;
  MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE
  if (sum > 1) printf("%s %f %d\n", what, sum, (int)cudaGetLastError());
}
// CHECK-LABEL: sequence {{[0-9]+}} _Z5callsPfS_iPFvvE a.cu
void calls(float* a, float* b, int n, void (*anything)()) {
  one<<<n, 64>>>(a, b, n);
  small_wait();
  one<<<n, 64>>>(a, b, n);
  large_wait("abc");
  one<<<n, 64>>>(a, b, n);
  large_work("abc");
  one<<<n, 64>>>(a, b, n);
  anything();
  one<<<n, 64>>>(a, b, n);
}
// CHECK: pair 0 1
// CHECK: between wait {{[0-9]+}} cudaDeviceSynchronize a.cu
// CHECK-NEXT: pair 1 2
// CHECK: between wait [[#@LINE-10]] _ZL10large_waitPKc a.cu
// CHECK-NEXT: pair 2 3
// CHECK: same grid block shared stream
// CHECK-NEXT: pair 3 4
// CHECK: between call [[#@LINE-10]] ? a.cu
// CHECK-NEXT: end 5

// Functions that call themselves, and kernels that nobody knows.
// CHECK-LABEL: sequence {{[0-9]+}} _Z9recursivePfi a.cu
void recursive(float* a, int n) {
  one<<<n, 64>>>(a, a, n);
  if (n > 1) recursive(a, n / 2);
  two<<<n, 64>>>(a, a, 1);
}
// CHECK: pair 0 1 -1 always
// CHECK-NEXT: equal 0 0
// CHECK-NEXT: equal 0 1
// CHECK-NEXT: equal 1 0
// CHECK-NEXT: equal 1 1
// CHECK-NEXT: same grid block shared stream
// CHECK-NEXT: between call [[#@LINE-9]] _Z9recursivePfi a.cu
// CHECK-LABEL: sequence {{[0-9]+}} _Z7unknownPFvPfEi a.cu
void unknown(void (*kernel)(float*), int n) { kernel<<<n, 64>>>(global_a); }
// CHECK-NEXT: step launch -1 always [[#@LINE-1]] a.cu
// CHECK-NEXT: kernel ?
// CHECK-NEXT: grid v{{[0-9]+}} #1 #1
// CHECK-NEXT: block #64 #1 #1
// CHECK-NEXT: shared #0
// CHECK-NEXT: stream #0
// CHECK-NEXT: end 1

// Steps are listed in the order of the source, whatever LLVM makes of the branches.
// CHECK-LABEL: sequence {{[0-9]+}} _Z8switchesPfi a.cu
void switches(float* a, int n) {
  switch (n) {
    case 0:
      one<<<1, 2>>>(a, a, n);
      break;
    case 1:
      one<<<1, 3>>>(a, a, n);
    case 2:
      one<<<1, 4>>>(a, a, n);
    default:
      return;
  }
  one<<<1, 5>>>(a, a, n);
}
// CHECK: block #2 #1 #1
// CHECK: block #3 #1 #1
// CHECK: block #4 #1 #1
// CHECK: block #5 #1 #1
// CHECK: pair 0 3 -1 always
// CHECK: pair 1 2 -1 always
// CHECK: end 4

// CHECK-NOT: sequence
