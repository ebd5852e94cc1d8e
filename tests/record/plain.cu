// A program with kernels that makes no CUDA call.
__global__ void never(int* out) { *out = 1; }

int main() { return 3; }
