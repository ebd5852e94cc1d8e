// What the host pass sees of the launches in a source, and what becomes of it.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %gridcc -c %s -o %t/o0.o -keep-dir %t && FileCheck %s --input-file=%t/launch-shapes.launches
// RUN: %gridcc -O3 -c %s -o %t/o3.o -keep-dir %t && FileCheck %s --input-file=%t/launch-shapes.launches
// RUN: %gridspan explain %t/o3.o | FileCheck %s --check-prefix=FORMS
// RUN: %gridcc -O3 -c --without=launch-shapes %s -o %t/off.o && %gridspan explain %t/off.o | FileCheck %s --check-prefix=OFF
// RUN: %gridcc -### -c %s --without=launch-shapes 2>&1 | FileCheck %s --check-prefix=PLAIN
// OFF-NOT: its launches
// PLAIN-NOT: -gridspan-launch-shapes

// FORMS: tree(
// FORMS: faster in blocks of 64 x 1, as its launches in this source have it
__global__ void tree(float* a) {
  __shared__ float s[1024];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  a[t] = s[0];
}

template <class T, int N>
__global__ void typed(T* a) {
  a[threadIdx.x] += N;
}
__global__ void by_name(float* a) { a[threadIdx.x] = 1; }
__global__ void handed_on(float* a) { a[threadIdx.x] = 2; }
__global__ void also_handed_on(float* a) { a[threadIdx.x] = 3; }
__global__ void unknown(float* a) { a[threadIdx.x] = 4; }

#define WIDTH 16
static const int height = 4;
static int threads() { return 32; }

template <class Work>
static void run(const Work& work) {
  work();
}

__global__ void guarded(float* a) { a[threadIdx.x] = 3; }

/// What is destroyed behind a launch, also if it throws.
struct Guard {
  float* memory;
  ~Guard();
};
static void launch_with_guard(float* a) {
  Guard guard{a};
  guarded<<<2, dim3(8, 4, 2)>>>(guard.memory);
}

/// The kernel is known by who calls this, the shape by what the lambda holds.
template <class Kernel>
static void launch(Kernel kernel, float* a, int width) {
  const dim3 size(width, height);
  run([&] { kernel<<<2, size>>>(a); });
}

// In the order of the launches by <<<>>>, then of those by name.
// CHECK-NOT: unknown
// CHECK-DAG: _Z4treePf 64 1 1
// CHECK-DAG: _Z5typedIfLi1EEvPT_ 16 4 1
// CHECK-DAG: _Z5typedIiLi2EEvPT_ 16 8 2
// CHECK-DAG: _Z7by_namePf 32 1 1
// CHECK-DAG: _Z9handed_onPf 8 4 1
// CHECK-DAG: _Z7guardedPf 8 4 2
// CHECK-DAG: _Z14also_handed_onPf 128 4 1
// CHECK-NOT: unknown
void launches(float* a, int* b, int n) {
  int block = 64;
  tree<<<n / block, block>>>(a);
  dim3 shape(WIDTH, height), other;
  typed<float, 1><<<n, shape>>>(a);
  other.x = WIDTH;
  other.y = 2 * height;
  other.z = 2;
  typed<int, 2><<<n, other, n ? 16 : 32>>>(b);
  void* arguments[] = {&a};
  cudaLaunchKernel(reinterpret_cast<const void*>(by_name), n, threads(), arguments, 0, nullptr);
  launch(handed_on, a, 8);
  launch_with_guard(a);
  launch(also_handed_on, a, 128);
  unknown<<<1, n>>>(a);
}
