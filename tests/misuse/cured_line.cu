// An error on a line that gridcc respells is told in terms of the line as it is written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -c %s -o %t.o => 1
// EXPECT: ^\S*cured_line\.cu:14:34: error: use of undeclared identifier 'unknown'
// EXPECT: ^ *14 \| template int twice\(int\); int a = unknown;$
// EXPECT: ^ *\| {34}\^~*$
// EXPECT: ^\S*cured_line\.cu:15:64: error: use of undeclared identifier 'other'
// REFUSE: explicit instantiation
// REFUSE: attribute

template <class T>
__device__ T twice(T x) { return 2 * x; }

template int twice(int); int a = unknown;
struct A { __device__ [[nodiscard]] int f() const { return 0 * other; } };
