// Access to private members is judged in the instances of a template, as by nvcc, and in plain functions at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -c %s -o %t.o => 0
// STEP: %gridcc -DINSTANCE -c %s -o %t.o => 1
// EXPECT: private_in_template\.cu:17:\d+: error: 'count' is a private member of 'Box'
// REFUSE: gridspan_x
// STEP: %gridcc -DPLAIN -c %s -o %t.o => 1
// EXPECT: private_in_template\.cu:21:\d+: error: 'count' is a private member of 'Box'
class Box {
  int count;
  __host__ __device__ void grow() { ++count; }
};

template <class T>
__host__ __device__ int reach(Box& box, Box* boxes) {
  boxes[1].grow();
  return box.count + boxes->count;
}
int here(Box& box) {
#ifdef PLAIN
  return box.count;
#endif
#ifdef INSTANCE
  return reach<int>(box, &box);
#endif
  return sizeof box;
}
