// Lists of initial values that do not fit: clang's error, and nothing of ours falls over what is left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -std=c++17 -c %s -o %t.o => 1
// EXPECT: broken_initialisers\.cu:17:\d+: error: cannot initialize
// EXPECT: broken_initialisers\.cu:18:\d+: error: cannot initialize
// EXPECT: broken_initialisers\.cu:19:\d+: error: cannot initialize
// EXPECT: broken_initialisers\.cu:20:\d+: error: cannot initialize
// EXPECT: broken_initialisers\.cu:22:\d+: error: cannot initialize
// REFUSE: frontend command failed

struct Two {
  int first;
  int rest[2];
};

void on_the_host(double) {
  unsigned char byte{nullptr};
  Two two{1, {nullptr, 2}};
  Two some[2] = {{1, {2, 3}}, {nullptr}};
  Two* made = new Two{nullptr};
}
__device__ Two variable[3] = {{1, {nullptr}}};

int host_function(int x) { return x; }
template <class T>
__device__ int calls_it(T x) {
  return host_function(x);
}
__device__ __host__ int of_both(int x) { return calls_it(x); }
