// Kernels that launch kernels: forms of launches, order, errors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Launches | kernels launch kernels (dynamic parallelism): templates, overloads, any place in device code
// FEATURE: Launches | order of what a kernel launches; cudaStreamTailLaunch, cudaStreamFireAndForget
// FEATURE: Launches | cudaMalloc, cudaMemcpyAsync, cudaMemsetAsync, streams, events and errors in kernels
#include "check.h"

namespace {

using check::Array;

#define CHECK_ON_DEVICE(condition) \
  do {                             \
    if (!(condition)) __trap();    \
  } while (0)

struct Shape {
  short rows;
  double scale;
  int offset[3];
};

// ---- what travels

template <class F>
__global__ void call(F f) {
  f(blockIdx);
}
__global__ void send(unsigned* out) {
  if (check::thread_index() != 0) return;
  const auto where = blockIdx;
  const auto& size = gridDim;
  call<<<3, 1>>>([=](uint3 child) {
    out[where.x * 3 + child.x] = where.x * 100 + size.x * 10 + child.x + 1000 * gridDim.x;
  });
}
void travellers() {
  Array<unsigned> out(5 * 3);
  send<<<5, 40>>>(out.data());
  std::vector<unsigned> want(15);
  for (unsigned i = 0; i < 15; ++i) want[i] = i / 3 * 100 + 50 + i % 3 + 3000;
  check::equal("copies of the parent's variables", out.get(), want);
}

// ---- forms of launches

__global__ void scaled(int* out, Shape shape, int n) {
  const int i = check::global_index();
  if (i < n) out[i] = int(i % shape.rows * shape.scale) + shape.offset[i % 3];
}

namespace inner {
template <class T, int Step>
__global__ void stepped(T* out, T first, int n) {
  const int i = check::global_index();
  if (i < n) out[i] = first + T(Step) * T(i);
}
template <class T>
__global__ void deduced(T* out, const T* in, int n) {
  const int i = check::global_index();
  if (i < n) out[i] = in[n - 1 - i];
}
__global__ void overloaded(int* out) { out[threadIdx.x] = 1000 + threadIdx.x; }
__global__ void overloaded(float* out, float value) { out[threadIdx.x] = value; }
}  // namespace inner

__global__ void shared_sum(const int* in, int* out, int n) {
  extern __shared__ int sums[];
  const int t = threadIdx.x;
  sums[t] = t < n ? in[t] : 0;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) sums[t] += sums[t + half];
  }
  if (t == 0) *out = sums[0];
}

__device__ int blocks_of(int n, int threads) { return (n + threads - 1) / threads; }

__device__ void from_a_function(int* out, int n) {
  inner::stepped<int, 3><<<blocks_of(n, 33), 33>>>(out, -5, n);
}

/// Also called by the host.
__host__ __device__ void from_both_sides(int* out, const int* in, int n) {
  inner::deduced<<<dim3(2, 2, (n + 27) / 28), dim3(7)>>>(out, in, n);
}

struct Launcher {
  int* out;
  int n;
  __device__ void launch(int step) const {
    if (step == 7) ::inner::stepped<int, 7><<<(n + 63) / 64, 64>>>(out, n, n);
  }
};

#define LAUNCH_BY_MACRO(kernel, ...) kernel<<<1, 17>>>(__VA_ARGS__)

constexpr int n = 333, parts = 8;

__global__ void launch_in_all_forms(int* out, float* floats, int* sum) {
  if (threadIdx.x != 0) return;
  const Shape shape = {5, 2.5, {10, 20, 30}};
  scaled<<<dim3{6, 1}, {8, 4, 2}>>>(out, shape, n);
  from_a_function(out + n, n);
  from_both_sides(out + 2 * n, out, n);
  Launcher{out + 3 * n, n}.launch(7);
  inner::overloaded<<<1, 31>>>(out + 4 * n);
  inner::overloaded<<<1, 9>>>(floats, 1.5f);
  LAUNCH_BY_MACRO(inner::overloaded, out + 5 * n);
  auto lambda = [=](int first) { inner::stepped<int, 1><<<1, n>>>(out + 6 * n, first, n); };
  lambda(40);
  shared_sum<<<1, 512, 512 * sizeof(int)>>>(out + 6 * n, sum, n);
  {
    inner::stepped<float, -2><<<1, 20>>>(floats + 9, 100.f, 20);
  }
}

void forms() {
  Array<int> out(parts * n), sum(1);
  Array<float> floats(29);
  launch_in_all_forms<<<1, 40>>>(out.data(), floats.data(), sum.data());
  KERNEL_OK();
  const auto got = out.get();
  const auto part = [&](int number, int size) {
    return std::vector<int>(got.begin() + number * n, got.begin() + number * n + size);
  };
  std::vector<int> first(n), second(n), third(n), fourth(n), seventh(n);
  const int offset[3] = {10, 20, 30};
  int total = 0;
  for (int i = 0; i < n; ++i) {
    first[i] = int(i % 5 * 2.5) + offset[i % 3];
    second[i] = -5 + 3 * i;
    fourth[i] = n + 7 * i;
    seventh[i] = 40 + i;
    total += 40 + i;
  }
  for (int i = 0; i < n; ++i) third[i] = first[n - 1 - i];
  check::equal("a class as argument", part(0, n), first);
  check::equal("from a function", part(1, n), second);
  check::equal("from a function of both sides", part(2, n), third);
  check::equal("from a member function", part(3, n), fourth);
  std::vector<int> thousands(31);
  for (int i = 0; i < 31; ++i) thousands[i] = 1000 + i;
  check::equal("one of two", part(4, 31), thousands);
  thousands.resize(17);
  check::equal("from a macro", part(5, 17), thousands);
  check::equal("from a lambda", part(6, n), seventh);
  CHECK_EQ(sum.get()[0], total);
  std::vector<float> want(29, 1.5f);
  for (int i = 0; i < 20; ++i) want[9 + i] = 100.f - 2.f * i;
  check::equal("the other of two", floats.get(), want);
  // The host's side of the same function.
  Array<int> again(n);
  from_both_sides(again.data(), out.data(), n);
  KERNEL_OK();
  check::equal("from the host", again.get(), third);
}

// ---- trees

__device__ unsigned long long visits[24];

/// Each block has two children in the next generation.
__global__ void grow(int* parents, int node, int generation, int last) {
  if (threadIdx.x == 0) atomicAdd(&visits[generation], 1ull);
  if (threadIdx.x == 5) parents[node + blockIdx.x] = (node + int(blockIdx.x) - 1) / 2;
  if (generation == last || threadIdx.x != 5) return;
  grow<<<2, 6>>>(parents, 2 * (node + blockIdx.x) + 1, generation + 1, last);
}

void trees() {
  constexpr int last = 6, nodes = (1 << (last + 1)) - 1;
  Array<int> parents(nodes);
  grow<<<1, 6>>>(parents.data(), 0, 0, last);
  KERNEL_OK();
  std::vector<int> want(nodes);
  for (int i = 0; i < nodes; ++i) want[i] = (i - 1) / 2;
  check::equal("a tree", parents.get(), want);
  unsigned long long seen[24];
  CUDA_OK(cudaMemcpyFromSymbol(seen, visits, sizeof seen));
  for (int i = 0; i <= last; ++i) CHECK_EQ(seen[i], 1ull << i);
}

__global__ void descend(int* deepest, int* error, int depth) {
  atomicMax(deepest, depth);
  descend<<<1, 1>>>(deepest, error, depth + 1);
  if (const cudaError_t failed = cudaGetLastError()) *error = failed;
  CHECK_ON_DEVICE(cudaGetLastError() == cudaSuccess);
}

void deepest_launch() {
  Array<int> deepest(std::vector<int>{-1}), error(std::vector<int>{0});
  descend<<<1, 1>>>(deepest.data(), error.data(), 1);
  KERNEL_OK();
  CHECK_EQ(deepest.get()[0], 24);
  CHECK_EQ(error.get()[0], int(cudaErrorLaunchMaxDepthExceeded));
}

// ---- order

__global__ void append(int* list, int* count, int value) { list[(*count)++] = value; }

__global__ void append_with_child(int* list, int* count, int value) {
  append<<<1, 1>>>(list, count, value + 1);
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(list, count, value + 2);
  list[(*count)++] = value;
}

__global__ void launch_in_order(int* list, int* count, int* copy, int* fill) {
  cudaStream_t stream;
  cudaEvent_t event;
  CHECK_ON_DEVICE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  CHECK_ON_DEVICE(cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess);
  *count = 0;  // children see what was written before they were launched
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(list, count, 99);
  append<<<1, 1, 0, stream>>>(list, count, 1);
  append_with_child<<<1, 1, 0, stream>>>(list, count, 10);
  append<<<1, 1, 0, stream>>>(list, count, 2);
  cudaMemcpyAsync(copy, list, 5 * sizeof(int), cudaMemcpyDeviceToDevice, stream);
  cudaMemsetAsync(fill, 0x11, 3 * sizeof(int), stream);
  cudaEventRecord(event, stream);
  cudaStreamWaitEvent(stream, event, 0);
  append<<<1, 1, 0, stream>>>(list, count, 3);
  cudaStreamDestroy(stream);
  cudaEventDestroy(event);
}

void order() {
  Array<int> list(7), count(1), copy(5), fill(3);
  launch_in_order<<<1, 1>>>(list.data(), count.data(), copy.data(), fill.data());
  KERNEL_OK();
  CHECK_EQ(count.get()[0], 7);
  // A kernel is done when those are that it launched; tail launches come last.
  check::equal("order", list.get(), std::vector<int>{1, 10, 11, 12, 2, 3, 99});
  check::equal("a copy between", copy.get(), std::vector<int>{1, 10, 11, 12, 2});
  check::equal("a fill", fill.get(), std::vector<int>(3, 0x11111111));
}

// ---- memory of kernels, which only the device knows; arguments as large as all GPUs take them

__global__ void copy_on(const int* from, int* to, int n) {
  cudaMemcpyAsync(to, from, n * sizeof(int), cudaMemcpyDeviceToDevice, 0);
}

__global__ void give_back(char* heap) { cudaFree(heap); }

__global__ void use_heap(const int* in, int* out, int n) {
  char* heap = nullptr;
  CHECK_ON_DEVICE(cudaMalloc(&heap, (n + 1) * sizeof(int)) == cudaSuccess);
  int* own = reinterpret_cast<int*>(heap) + 1;  // not aligned to more than an int
  cudaMemsetAsync(own, 0x22, n * sizeof(int), 0);
  cudaMemcpyAsync(own, in, (n - 5) * sizeof(int), cudaMemcpyDeviceToDevice, 0);
  give_back<<<1, 1, 0, cudaStreamTailLaunch>>>(heap);
  copy_on<<<1, 1>>>(own, out, n);
}

struct Large {
  int values[1022];
};
__global__ void sum_of(Large large, int* out) {
  int sum = 0;
  for (int value : large.values) sum += value;
  *out = sum;
}
__global__ void send_large(int* out) {
  Large large;
  for (int i = 0; i < 1022; ++i) large.values[i] = i * (int(blockIdx.x) + 1);
  sum_of<<<1, 1>>>(large, out + blockIdx.x);
}

void memory() {
  constexpr int n = 1003;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i * 3 - 7;
  Array<int> in(values), out(n), sums(3);
  use_heap<<<1, 1>>>(in.data(), out.data(), n);
  KERNEL_OK();
  for (int i = n - 5; i < n; ++i) values[i] = 0x22222222;
  check::equal("through memory of the kernel", out.get(), values);
  send_large<<<3, 1>>>(sums.data());
  KERNEL_OK();
  constexpr int sum = 1021 * 1022 / 2;
  check::equal("large arguments", sums.get(), std::vector<int>{sum, 2 * sum, 3 * sum});
}

// ---- among other work of the host

__global__ void add_to_all(int* values, int count, int amount) {
  const int i = check::global_index();
  if (i < count) values[i] += amount;
}
__global__ void launch_add(int* values, int count, int amount) {
  if (check::global_index() == 0) add_to_all<<<(count + 31) / 32, 32>>>(values, count, amount);
}

void in_streams() {
  constexpr int count = 1000;
  Array<int> first(std::vector<int>(count, 1)), second(std::vector<int>(count, 1));
  cudaStream_t one, other;
  cudaEvent_t done;
  CUDA_OK(cudaStreamCreate(&one));
  CUDA_OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CUDA_OK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  for (int i = 0; i < 10; ++i) {
    add_to_all<<<(count + 31) / 32, 32, 0, one>>>(first.data(), count, 1);
    launch_add<<<2, 32, 0, one>>>(first.data(), count, 10);
    CUDA_OK(cudaEventRecord(done, one));
    CUDA_OK(cudaStreamWaitEvent(other, done, 0));
    CUDA_OK(cudaMemcpyAsync(second.data(), first.data(), count * sizeof(int),
                            cudaMemcpyDeviceToDevice, other));
    launch_add<<<2, 32, 0, other>>>(second.data(), count, 1000);
    CUDA_OK(cudaEventRecord(done, other));
    CUDA_OK(cudaStreamWaitEvent(one, done, 0));
  }
  CUDA_OK(cudaDeviceSynchronize());
  check::equal("of one stream", first.get(), std::vector<int>(count, 111));
  check::equal("of another", second.get(), std::vector<int>(count, 1111));
  CUDA_OK(cudaEventDestroy(done));
  CUDA_OK(cudaStreamDestroy(other));
  CUDA_OK(cudaStreamDestroy(one));
}

void in_a_graph() {
  constexpr int count = 100;
  Array<int> values(std::vector<int>(count, 1));
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add_to_all<<<4, 32, 0, stream>>>(values.data(), count, 1);
  add_to_all<<<4, 32, 0, stream>>>(values.data(), count, 1);
  launch_add<<<1, 1, 0, stream>>>(values.data(), count, 10);
  add_to_all<<<4, 32, 0, stream>>>(values.data(), count, 1);
  add_to_all<<<4, 32, 0, stream>>>(values.data(), count, 1);
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 5; ++i) CUDA_OK(cudaGraphLaunch(executable, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  check::equal("five times", values.get(), std::vector<int>(count, 71));
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}

// ---- many

__global__ void one_each(unsigned* out, int index) { out[index] = check::mix(index); }
__global__ void launch_many(unsigned* out, int count) {
  const int i = check::global_index();
  if (i < count) one_each<<<1, 1>>>(out, i);
}

void many() {
  constexpr int count = 5003;
  Array<unsigned> out(count);
  launch_many<<<(count + 127) / 128, 128>>>(out.data(), count);
  KERNEL_OK();
  std::vector<unsigned> want(count);
  for (int i = 0; i < count; ++i) want[i] = check::mix(i);
  check::equal("a child of each thread", out.get(), want);
}

// ---- errors

__global__ void refused(int* errors, int* out) {
  inner::overloaded<<<1, 1025>>>(out);
  errors[0] = cudaPeekAtLastError();
  errors[1] = cudaGetLastError();
  errors[2] = cudaGetLastError();
  inner::overloaded<<<0, 1>>>(out);
  errors[3] = cudaGetLastError();
  int device = 7, count = 0, threads = 0;
  cudaGetDevice(&device);
  cudaGetDeviceCount(&count);
  errors[4] = cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, device);
  errors[5] = device * 1000000 + count * 10000 + threads;
}

void errors() {
  Array<int> codes(6), out(std::vector<int>{-1});
  refused<<<1, 1>>>(codes.data(), out.data());
  KERNEL_OK();
  constexpr int wrong = cudaErrorInvalidConfiguration;
  check::equal("codes", codes.get(), std::vector<int>{wrong, wrong, 0, wrong, 0, 11024});
  CHECK_EQ(out.get()[0], -1);
}

__global__ void fail() { *(volatile int*)8 = 1; }
__global__ void launch_a_failure() { fail<<<1, 1>>>(); }

}  // namespace

int main() {
  const check::Outcome failed = check::in_child([] {
    launch_a_failure<<<1, 1>>>();
    return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 17 : 1;
  });
  CHECK_EQ(failed.exit_code, 17);
  travellers();
  forms();
  trees();
  deepest_launch();
  order();
  memory();
  in_streams();
  in_a_graph();
  many();
  errors();
  return check::finish();
}
