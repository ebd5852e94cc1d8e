// C++ that compiles a kernel while it runs, and loads another that was compiled to "PTX".
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <string>
#include <vector>

static const char source[] =
    "extern \"C\" __global__ void fill(int* out, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) out[i] = 3 * i + 1;\n"
    "}\n";

static int right_values(CUmodule module, const char* name, int n) {
  CUfunction function = nullptr;
  CUdeviceptr memory = 0;
  cuModuleGetFunction(&function, module, name);
  cuMemAlloc(&memory, n * sizeof(int));
  void* arguments[] = {&memory, &n};
  cuLaunchKernel(function, 9, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr);
  std::vector<int> values(n, -1);
  cuMemcpyDtoH(values.data(), memory, n * sizeof(int));
  int right = 0;
  for (int i = 0; i < n; ++i) right += values[i] == 3 * i + 1;
  return right;
}

int main(int, char** argv) {
  const int n = 1013;
  CUdevice device;
  CUcontext context;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuCtxCreate(&context, 0, device);
  nvrtcProgram program;
  std::size_t size = 0;
  nvrtcCreateProgram(&program, source, "fill.cu", 0, nullptr, nullptr);
  if (nvrtcCompileProgram(program, 0, nullptr) != NVRTC_SUCCESS) return 1;
  nvrtcGetPTXSize(program, &size);
  std::string text(size, '\0');
  nvrtcGetPTX(program, &text[0]);
  CUmodule compiled = nullptr, loaded = nullptr;
  cuModuleLoadData(&compiled, text.c_str());
  if (cuModuleLoad(&loaded, PTX_FILE) != CUDA_SUCCESS) return 2;
  std::printf("%s: %d of %d right\n", argv[0],
              right_values(compiled, "fill", n) + right_values(loaded, "fill_too", n), 2 * n);
}
