// __device__ variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Device variables | __device__ scalars, arrays, arrays of structs; zero and constant initialisers; kept between launches
// FEATURE: Device variables | initialisers with addresses of other variables, of functions and of strings
// FEATURE: Device variables | static variables in device functions, static members of classes, const tables, namespaces
#include "check.h"

struct Entry {
  const char* name;
  int code;
  float values[3];
};

__device__ int zeroed[100];
__device__ int counter = 5;
__device__ double matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
__device__ Entry entries[] = {
    {"alpha", 1, {0.5f, 1, 2}}, {"be", 22, {3, 4, 5}}, {"", -3, {6, 7, 8}}};
__device__ int target[8] = {0, 1, 2, 3, 4, 5, 6, 7};
__device__ int* pointer = target + 3;
__device__ int** pointer_to_pointer = &pointer;
struct List {
  int value;
  const List* next;
};
__device__ const List third = {3, nullptr};
__device__ const List second = {2, &third};
__device__ const List first = {1, &second};
__device__ const char* message = "hello device";
__device__ const int primes[] = {2, 3, 5, 7, 11, 13, 17};
__device__ float uninitialised;
__device__ volatile int vflag;
static __device__ long long wide = 1ll << 40;
namespace deep {
__device__ short shorts[3] = {-1, -2, -3};
}
struct Holder {
  static constexpr int size = 4;
  static __device__ int entry(int i) { return size - i; }
};
template <class T>
__device__ T per_type = T(7);

__device__ int length(const char* s) {
  int n = 0;
  while (s[n] != 0) ++n;
  return n;
}

__device__ int next_ticket() {
  static __device__ int ticket = 100;
  return atomicAdd(&ticket, 1);
}

__global__ void use(double* out) {
  const int i = check::global_index();
  double* o = out + i * 12;
  o[0] = zeroed[i % 100];
  o[1] = matrix[i % 2][i % 3];
  const Entry& e = entries[i % 3];
  o[2] = length(e.name) * 100 + e.code + e.values[i % 3];
  o[3] = *pointer + (*pointer_to_pointer)[2];
  int sum = 0;
  for (const List* p = &first; p; p = p->next) sum = sum * 10 + p->value;
  o[4] = sum;
  o[5] = message[i % 12];
  o[6] = primes[i % 7];
  o[7] = static_cast<double>(wide);
  o[8] = deep::shorts[i % 3];
  o[9] = Holder::entry(i % Holder::size);
  o[10] = per_type<int> + per_type<double> * 0.5;
  static const int local_table[5] = {9, 8, 7, 6, 5};
  o[11] = local_table[i % 5] + "literal"[i % 7];
}

__global__ void change() {
  const int i = check::global_index();
  atomicAdd(&counter, 1);
  if (i < 100) zeroed[i] = i * i;
  if (i == 0) {
    pointer = &target[5];
    entries[1].code = 33;
    uninitialised = 2.5f;
    vflag = 3;
    wide += 1;
  }
}

__global__ void tickets(int* seen) { seen[next_ticket() - 100] += 1; }

std::vector<double> expected(int n, bool changed) {
  std::vector<double> want(n * 12);
  const char* names[3] = {"alpha", "be", ""};
  for (int i = 0; i < n; ++i) {
    double* o = &want[i * 12];
    const int codes[3] = {1, changed ? 33 : 22, -3};
    const float values[3] = {0.5f, 4, 8};  // values[i % 3] of entries[i % 3]
    o[0] = changed ? (i % 100) * (i % 100) : 0;
    o[1] = i % 2 * 3 + i % 3 + 1;
    o[2] = std::strlen(names[i % 3]) * 100.0 + codes[i % 3] + values[i % 3];
    o[3] = changed ? 5 + 7 : 3 + 5;
    o[4] = 123;
    o[5] = "hello device"[i % 12];
    o[6] = "\2\3\5\7\13\15\21"[i % 7];
    o[7] = static_cast<double>((1ll << 40) + changed);
    o[8] = -1 - i % 3;
    o[9] = 4 - i % 4;
    o[10] = 10.5;
    o[11] = 9 - i % 5 + "literal"[i % 7];
  }
  return want;
}

int main() {
  const int n = 3 * 97;
  check::Array<double> out(n * 12);
  use<<<3, 97>>>(out.data());
  check::equal("initial values", out.get(), expected(n, false));
  change<<<3, 97>>>();
  use<<<3, 97>>>(out.data());
  check::equal("changed values", out.get(), expected(n, true));
  int count = 0;
  float real = 0;
  CUDA_OK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  CUDA_OK(cudaMemcpyFromSymbol(&real, uninitialised, sizeof real));
  CHECK_EQ(count, 5 + n);
  CHECK_EQ(real, 2.5f);
  int* inside = nullptr;
  void* base = nullptr;
  CUDA_OK(cudaMemcpyFromSymbol(&inside, pointer, sizeof inside));
  CUDA_OK(cudaGetSymbolAddress(&base, target));
  CHECK(inside == static_cast<int*>(base) + 5);
  // A pointer put into a symbol by the host.
  check::Array<int> heap(std::vector<int>{70, 71, 72});
  int* address = heap.data();
  CUDA_OK(cudaMemcpyToSymbol(pointer, &address, sizeof address));
  use<<<1, 1>>>(out.data());
  CHECK_EQ(out.get()[3], 70.0 + 72.0);
  check::Array<int> seen(std::vector<int>(n, 0));
  tickets<<<3, 97>>>(seen.data());
  check::equal("static in function", seen.get(), std::vector<int>(n, 1));
  return check::finish();
}
