// A type error inside a template kernel, reported with the place of the instantiation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -c %s -o %t.o => 1
// EXPECT: type_error\.cu:9:\d+: error: 
// EXPECT: type_error\.cu:12:\d+: note: in instantiation of

template <class T>
__global__ void store(T* p) {
  *p = T("text");
}

void launch(float* p) { store<float><<<1, 1>>>(p); }
