/* Interface between C, C++ and CUDA.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifdef __cplusplus
extern "C" {
#endif
int square_all(int* host, int n);
int sum_all(const int* host, int n);
#ifdef __cplusplus
}
#endif
