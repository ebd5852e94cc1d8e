// Sequences of launches whose bytes are known, for gridspan replay --fuse.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   fusion NAME N     runs the sequence of that name on arrays of N elements
#include <cstdio>
#include <cstdlib>
#include <cstring>

static int n;
static float* array(int elements) {
  float* memory = nullptr;
  cudaMalloc(&memory, sizeof(float) * static_cast<size_t>(elements));
  return memory;
}
static unsigned blocks(int elements, int of = 256) { return (elements + of - 1) / of; }

__global__ void axpy(float* z, const float* w, const float* v, float a, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) z[i] = w[i] - a * v[i];
}
__global__ void duplicate(float* to, const float* from, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) to[i] = from[i];
}
__global__ void axpy_in_place(float* z, const float* v, float a, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) z[i] -= a * v[i];
}
__global__ void add(float* z, const float* x, const float* y, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) z[i] = x[i] + y[i];
}
__global__ void add_in_place(float* z, const float* y, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) z[i] += y[i];
}
__global__ void dot(float* sum, const float* x, const float* y, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float part[256];
  part[threadIdx.x] = i < size ? x[i] * y[i] : 0;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, part[0]);
}
__global__ void relax(float* to, const float* from, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < size - 1) to[i] = 0.5f * from[i] + 0.25f * (from[i - 1] + from[i + 1]);
}
__global__ void gradient(float* c, const float* image, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size - 1) c[i] = image[i + 1] - image[i];
}
__global__ void diffuse(float* image, const float* c, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < size - 1) image[i] += 0.1f * (c[i] - c[i - 1]);
}
__global__ void print(const float* x) {
  if (threadIdx.x == 0) printf("%g\n", x[0]);
}
__global__ void row_sums(float* sums, const float* matrix, int size) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= size) return;
  float sum = 0;
  for (int k = 0; k < size; ++k) sum += matrix[row * size + k];
  sums[row] = sum;
}
__global__ void column_sums(float* sums, const float* matrix, int size) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= size) return;
  float sum = 0;
  for (int k = 0; k < size; ++k) sum += matrix[k * size + column];
  sums[column] = sum;
}
__global__ void most(float* z, const float* x, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size - 1) z[i] = x[i];
}

static void finish() { cudaDeviceSynchronize(); }

// z = w; z -= a v; b = z'u
static void axpydot(bool frees) {
  float *z = array(n), *w = array(n), *v = array(n), *u = array(n), *b = array(1);
  cudaMemset(b, 0, 4);
  finish();
  duplicate<<<blocks(n), 256>>>(z, w, n);
  axpy_in_place<<<blocks(n), 256>>>(z, v, 2.0f, n);
  dot<<<blocks(n), 256>>>(b, z, u, n);
  if (frees) cudaFree(z);
  finish();
}
// The same with a copy inside the device.
static void axpydot_copy() {
  float *z = array(n), *w = array(n), *v = array(n), *u = array(n), *b = array(1);
  cudaMemcpyAsync(z, w, sizeof(float) * n, cudaMemcpyDeviceToDevice);
  axpy_in_place<<<blocks(n), 256>>>(z, v, 2.0f, n);
  cudaMemsetAsync(b, 0, 4);
  dot<<<blocks(n), 256>>>(b, z, u, n);
  finish();
}
// x = w + y + z
static void vadd(bool frees) {
  float *x = array(n), *w = array(n), *y = array(n), *z = array(n), *t = array(n);
  add<<<blocks(n), 256>>>(t, w, y, n);
  add<<<blocks(n), 256>>>(x, t, z, n);
  if (frees) cudaFree(t);
  finish();
}
static void madd() {
  float *a = array(n), *b = array(n), *c = array(n);
  duplicate<<<blocks(n), 256>>>(c, a, n);
  add_in_place<<<blocks(n), 256>>>(c, b, n);
  finish();
}
static void jacobi() {
  float *a = array(n), *b = array(n);
  for (int step = 0; step < 5; ++step) {
    relax<<<blocks(n), 256>>>(b, a, n);
    relax<<<blocks(n), 256>>>(a, b, n);
  }
  finish();
}
static void srad() {
  float *image = array(n), *c = array(n);
  for (int step = 0; step < 3; ++step) {
    gradient<<<blocks(n), 256>>>(c, image, n);
    diffuse<<<blocks(n), 256>>>(image, c, n);
    finish();
  }
}
static void between() {
  float *x = array(n), *y = array(n), *host = static_cast<float*>(std::malloc(sizeof(float) * n));
  cudaStream_t other;
  cudaStreamCreate(&other);
  cudaEvent_t timed, untimed;
  cudaEventCreate(&timed);
  cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
  duplicate<<<blocks(n), 256>>>(y, x, n);
  cudaEventRecord(timed);
  duplicate<<<blocks(n), 256>>>(y, x, n);
  cudaEventRecord(untimed);
  duplicate<<<blocks(n), 256>>>(x, y, n);
  duplicate<<<blocks(n), 256, 0, other>>>(y, x, n);
  cudaLaunchHostFunc(other, [](void*) {}, nullptr);
  duplicate<<<blocks(n), 256, 0, other>>>(y, x, n);
  cudaStreamWaitEvent(other, timed, 0);
  duplicate<<<blocks(n), 256, 0, other>>>(y, x, n);
  cudaEventQuery(untimed);
  duplicate<<<blocks(n), 256, 0, other>>>(y, x, n);
  cudaGetLastError();
  float* unused = array(1);
  duplicate<<<blocks(n), 256, 0, other>>>(x, y, n);
  cudaStreamSynchronize(other);
  duplicate<<<blocks(n), 256>>>(y, x, n);
  cudaMemcpy(host, y, sizeof(float) * n, cudaMemcpyDeviceToHost);
  duplicate<<<blocks(n), 256>>>(y, x, n);
  cudaMemcpy(x, host, sizeof(float) * n, cudaMemcpyHostToDevice);
  print<<<1, 32>>>(x);
  duplicate<<<blocks(n), 256>>>(y, x, n);
  cudaFree(unused);
  for (int i = 0; i < 70; ++i) duplicate<<<blocks(n), 256>>>(y, x, n);
}
static void graph() {
  float *x = array(n), *y = array(n);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  duplicate<<<blocks(n), 256, 0, stream>>>(y, x, n);
  add_in_place<<<blocks(n), 256, 0, stream>>>(y, x, n);
  cudaGraph_t captured;
  cudaStreamEndCapture(stream, &captured);
  cudaGraphExec_t made;
  cudaGraphInstantiate(&made, captured, 0);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(made, stream);
  cudaStreamSynchronize(stream);
}
// The blocks of the first are a quarter of those of the second.
static void ratio() {
  float *x = array(n), *y = array(n), *z = array(n);
  duplicate<<<4 * blocks(n, 1024), 256>>>(y, x, n);
  add<<<blocks(n, 1024), 1024>>>(z, y, x, n);
  add<<<blocks(n, 96), 96>>>(x, y, z, n);
  finish();
}
static void sums() {
  float *matrix = array(n * n), *rows = array(n), *columns = array(n);
  row_sums<<<blocks(n), 256>>>(rows, matrix, n);
  column_sums<<<blocks(n), 256>>>(columns, matrix, n);
  finish();
}
// The last element is not made by the first launch: it comes from memory.
static void all_but_one() {
  float *x = array(n), *y = array(n), *z = array(n);
  most<<<blocks(n), 256>>>(y, x, n);
  duplicate<<<blocks(n), 256>>>(z, y, n);
  cudaFree(y);
  finish();
}
// The intermediate is written again before anybody reads it: all of it, or all but one element.
static void again(int left) {
  float *x = array(n), *y = array(n), *t = array(n);
  duplicate<<<blocks(n), 256>>>(t, x, n);
  add_in_place<<<blocks(n), 256>>>(t, y, n);
  duplicate<<<blocks(n), 128>>>(y, t, n);
  cudaMemsetAsync(t, 0, sizeof(float) * (n - left));
  finish();
}
// z = t between t = w + y and x = z + w; of `rows`: but for each second element
static void copy_between(bool rows) {
  float *t = array(n), *x = array(n), *w = array(n), *y = array(n), *z = array(n);
  add<<<blocks(n), 256>>>(t, w, y, n);
  if (rows)
    cudaMemcpy2DAsync(z, 8, t, 8, 4, n / 2, cudaMemcpyDeviceToDevice);
  else
    cudaMemcpyAsync(z, t, sizeof(float) * n, cudaMemcpyDeviceToDevice);
  add<<<blocks(n), 256>>>(x, z, w, n);
  finish();
}
static void stream_order() {
  float *x = array(n), *z = array(n), *t;
  cudaMallocAsync(reinterpret_cast<void**>(&t), sizeof(float) * n, nullptr);
  duplicate<<<blocks(n), 256>>>(t, x, n);
  duplicate<<<blocks(n), 256>>>(z, t, n);
  cudaFreeAsync(t, nullptr);
  duplicate<<<blocks(n), 256>>>(x, z, n);
  finish();
}

int main(int count, char** words) {
  if (count < 3) return 2;
  n = std::atoi(words[2]);
  const auto is = [&](const char* name) { return std::strcmp(words[1], name) == 0; };
  if (is("axpydot"))
    axpydot(false);
  else if (is("axpydot_freed"))
    axpydot(true);
  else if (is("axpydot_copy"))
    axpydot_copy();
  else if (is("vadd"))
    vadd(false);
  else if (is("vadd_freed"))
    vadd(true);
  else if (is("madd"))
    madd();
  else if (is("jacobi"))
    jacobi();
  else if (is("srad"))
    srad();
  else if (is("between"))
    between();
  else if (is("graph"))
    graph();
  else if (is("ratio"))
    ratio();
  else if (is("sums"))
    sums();
  else if (is("all_but_one"))
    all_but_one();
  else if (is("again"))
    again(0);
  else if (is("again_but_one"))
    again(1);
  else if (is("copy_between"))
    copy_between(false);
  else if (is("rows_between"))
    copy_between(true);
  else if (is("stream_order"))
    stream_order();
  else
    return 2;
  std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
