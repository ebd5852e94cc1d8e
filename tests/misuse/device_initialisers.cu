// Arrays of device variables whose elements only a constructor, or a destructor, could make or end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -std=c++17 -c %s -o %t.o => 1
// EXPECT: device_initialisers\.cu:42:\d+: error: dynamic initialization is not supp
// EXPECT: device_initialisers\.cu:43:\d+: error: dynamic initialization is not supp
// EXPECT: device_initialisers\.cu:44:\d+: error: dynamic initialization is not supp
// EXPECT: device_initialisers\.cu:45:\d+: error: dynamic initialization is not supp
// EXPECT: device_initialisers\.cu:46:\d+: error: dynamic initialization is not supp
// EXPECT: device_initialisers\.cu:48:\d+: error: dynamic initialization is not supp
// EXPECT: device_initialisers\.cu:54:\d+: error: dynamic initialization is not supp
// EXPECT: device_initialisers\.cu:55:\d+: error: dynamic initialization is not supp
// EXPECT: device_initialisers\.cu:58:\d+: error: dynamic initialization is not supp
// EXPECT: device_initialisers\.cu:56:\d+: error: dynamic initialization is not supp
// STEP: %gridcc -std=c++17 -DALL_RIGHT %s -o %t && %t => 0

struct Seven {
  int x;
  __host__ __device__ Seven() : x(7) {}
};
struct Constant {
  int x;
  constexpr __host__ __device__ Constant() : x(7) {}
};
struct Empty {
  int x;
  __host__ __device__ Empty() {}
};
struct Ends {
  int x;
  __host__ __device__ ~Ends() { x = 1; }
};
struct Given {
  int x = 7;
};
template <class T>
struct Two {
  int first;
  T rest[2];
};

#ifndef ALL_RIGHT
__device__ Seven one_row[2] = {};
__constant__ Seven two_rows[2][2] = {};
__managed__ Seven managed[2]{};
__device__ Two<Seven> member = {1};
static __device__ const Two<Seven> members[2] = {};
template <class T>
__device__ T in_template[3] = {};
template <class T>
struct Holder {
  static __device__ T of_class[3];
};
template <class T>
__device__ T Holder<T>::of_class[3] = {};
__device__ Ends ended[2];
__device__ Two<Empty> with_value[2] = {{3}};
__global__ void kernel(int* out) {
  static __device__ Seven local[2] = {};
  *out = in_template<Seven>[1].x + Holder<Seven>::of_class[2].x + local[1].x;
}
#else
__device__ Constant constants[2][2] = {};
__constant__ Given given[3] = {};
__device__ Two<Constant> member = {1};
__device__ Empty empty[2] = {};
__device__ Two<Empty> empty_members[2] = {};
template <class T>
__device__ T in_template[3] = {};
__global__ void kernel(int* out) {
  out[0] = constants[1][1].x;
  out[1] = given[2].x;
  out[2] = member.first * 10 + member.rest[1].x;
  out[3] = empty[1].x;
  out[4] = empty_members[0].first + empty_members[1].rest[1].x;
  out[5] = in_template<Constant>[2].x;
}
int main() {
  constexpr int want[] = {7, 7, 17, 0, 0, 7};
  int* out;
  cudaMallocManaged(&out, sizeof want);
  kernel<<<1, 1>>>(out);
  int wrong = cudaDeviceSynchronize();
  for (int i = 0; i < 6; ++i) wrong += out[i] != want[i];
  return wrong;
}
#endif
