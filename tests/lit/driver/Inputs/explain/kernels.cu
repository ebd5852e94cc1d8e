// The kernels that models.py describes by hand.
__global__ void blur(const float* in, float* out, int rows, int cols) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= cols || y >= rows) return;
  float sum = in[y * cols + x];
  sum += in[max(y - 1, 0) * cols + x] + in[min(y + 1, rows - 1) * cols + x];
  sum += in[y * cols + max(x - 1, 0)] + in[y * cols + min(x + 1, cols - 1)];
  out[y * cols + x] = sum / 5;
}

__global__ void histogram(const unsigned char* data, int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[data[i]], 1);
}

__global__ void row_sums(const float* a, float* sums, int n) {
  int row = blockIdx.y;
  float sum = 0;
  for (int k = blockIdx.x; k < n; k += gridDim.x) sum += a[row * n + k];
  sums[row] = sum;
}

__global__ void scatter(const int* to, const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[to[i]] += in[i];
}

__global__ void fill(float* a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] = 1;
}

__global__ void positive(const float* in, float* out) {
  int i = blockIdx.x * 64 + threadIdx.x;
	if (in[2 * i] > 0) out[i] = 1;
}
