// A syntax error in a kernel: clang's message, once, with the user's file and line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -c %s -o %t.o => 1
// EXPECT: syntax_error\.cu:10:\d+: error: expected ';'
// REFUSE: (?s)expected ';'.*expected ';'
// REFUSE: cuda_runtime\.h
// STEP: test ! -e %t.o => 0

__global__ void broken(int* p) {
  *p = 1
}
