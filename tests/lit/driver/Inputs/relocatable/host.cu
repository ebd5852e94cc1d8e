// Only host code leads to this file; its device code needs another one.
#ifdef WHOLE_PROGRAM
static __device__ int twice(int x) { return 3 * x; }
#else
__device__ int twice(int x);
#endif
static __global__ void kernel(int* out) { *out = twice(50); }
int host_of_library() {
  int *out, value = -1;
  cudaMalloc(&out, sizeof *out);
  kernel<<<1, 1>>>(out);
  cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}
