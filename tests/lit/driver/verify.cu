// GRIDSPAN_VERIFY=1 holds launches against the kernel model: right models pass, wrong ones are told.
//
// RUN: rm -rf %t.dir && mkdir -p %t.dir/other
// RUN: %gridcc -I %S/../../../src -std=c++20 -march=x86-64 %s -o %t.dir/a -ldl
// One thread: blocks of `last` write the same elements.
// RUN: env GRIDSPAN_THREADS=1 %t.dir/a | FileCheck %s --check-prefix=QUIET --implicit-check-not=verify
// QUIET: sums 4000 and 99
//
// RUN: env GRIDSPAN_VERIFY=1 %t.dir/a > %t.dir/out 2>&1
// RUN: FileCheck %s --check-prefix=RIGHT --implicit-check-not=error: < %t.dir/out
// RIGHT: gridspan verify: 2 launches, {{[0-9]+}} sets, 0 differences
//
// Interpreted, with details, to a file, with another seed: the same.
// RUN: env GRIDSPAN_VERIFY=1:5 GRIDSPAN_CPU=interpret GRIDSPAN_LOG=info:%t.dir/log %t.dir/a
// RUN: FileCheck %s --check-prefix=DETAIL < %t.dir/log
// DETAIL: gridspan verify: 2 launches, {{[0-9]+}} sets, 0 differences
// DETAIL-DAG: gridspan verify:   stencil({{.*}}): 1 launch, 8 blocks, {{[0-9]+}} sets, 0 differences
// DETAIL-DAG: gridspan verify:   last({{.*}}): 1 launch, 5 blocks
//
// RUN: env GRIDSPAN_VERIFY=1 WRONG=read sh -c '%t.dir/a; echo exit $?' > %t.dir/out 2>&1
// RUN: FileCheck %s --check-prefix=READ < %t.dir/out
// READ: verify.cu:[[# @LINE + 35]]:{{[0-9]+}}: error: kernel 'stencil({{.*}})' differs from its model: array {{.*}}: block (0,0,0) reads {{.*}}[128] (byte 512), 4 bytes in all, which no read set of the block holds; grid (8,1,1) block (128,1,1) arguments (0x{{[0-9a-f]+}}, 0x{{[0-9a-f]+}}, 1000)
// READ: gridspan verify: 2 launches, {{[0-9]+}} sets, {{[1-9][0-9]*}} differences
// READ: exit 3
//
// RUN: env GRIDSPAN_VERIFY=1 WRONG=write sh -c '%t.dir/a; echo exit $?' > %t.dir/out 2>&1
// RUN: FileCheck %s --check-prefix=WRITE < %t.dir/out
// WRITE: error: kernel 'stencil({{.*}})' differs from its model: array {{.*}}: the must-write set of block (0,0,0) holds {{.*}}[128], 4 bytes in all, which it does not write (a must-write)
// WRITE: exit 3
//
// RUN: env GRIDSPAN_VERIFY=1 WRONG=axis sh -c '%t.dir/a; echo exit $?' > %t.dir/out 2>&1
// RUN: FileCheck %s --check-prefix=AXIS < %t.dir/out
// AXIS: error: kernel 'last({{.*}})' differs from its model: {{.*}}blocks (0,0,0) and ({{[1-4]}},0,0) both write {{.*}}[0], but the model lets the grid be cut along axis x
// AXIS: exit 3
//
// RUN: env GRIDSPAN_VERIFY=1 WRONG=none %t.dir/a 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: gridspan verify: 2 launches, 0 sets, 0 differences, 2 launches not modelled
//
// The library without the gridcc that belongs to it.
// RUN: cp %libdir/libgridspan.so %t.dir/other
// RUN: env GRIDSPAN_VERIFY=1 LD_LIBRARY_PATH=%t.dir/other sh -c '%t.dir/a; echo exit $?' > %t.dir/out 2>&1
// RUN: FileCheck %s --check-prefix=ALONE < %t.dir/out
// ALONE: gridspan: error: GRIDSPAN_VERIFY: there is no gridcc for {{.*}}/other/libgridspan.so (looked for {{.*}}/bin/gridcc)
// ALONE-NEXT: exit 1
#include "abi/module.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <vector>

__global__ void stencil(const int* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = (i > 0 ? x[i - 1] : 0) +
           (i + 1 < n ? x[i + 1] : 0);
}

__global__ void last(int* out) { out[threadIdx.x] = blockIdx.x + threadIdx.x; }

using namespace gridspan;

/// Stands before the library's: gives the program's kernels another model than the compiler's.
extern "C" void gridspan_register_module(const abi::Module* module) {
  const char* wrong = std::getenv("WRONG") ? std::getenv("WRONG") : "";
  auto* kernels = new std::vector<abi::Kernel>(module->kernels, module->kernels + module->kernel_count);
  for (abi::Kernel& kernel : *kernels) {
    auto* model = new abi::KernelModel(*kernel.model);
    kernel.model = std::strcmp(wrong, "none") ? model : nullptr;
    auto* arrays = new std::vector<abi::ModelArray>(model->arrays, model->arrays + model->array_count);
    model->arrays = arrays->data();
    if (arrays->size() == 2) {
      abi::ModelArray& x = (*arrays)[(*arrays)[0].argument != 0];
      abi::ModelArray& y = (*arrays)[(*arrays)[0].argument == 0];
      auto* read = new abi::ModelSet(*x.sets);
      auto* write = new abi::ModelSet(*y.sets);
      if (!std::strcmp(wrong, "read")) read->footprint = y.sets->footprint;
      if (!std::strcmp(wrong, "write")) write->footprint = x.sets->footprint;
      x.sets = read;
      y.sets = write;
    } else if (!std::strcmp(wrong, "axis")) {
      model->axes[0].legal = [](const std::int64_t*) { return true; };
    }
  }
  auto* changed = new abi::Module(*module);
  changed->kernels = kernels->data();
  auto* original = dlsym(RTLD_NEXT, "gridspan_register_module");
  reinterpret_cast<void (*)(const abi::Module*)>(original)(changed);
}

int main() {
  const int n = 1000;
  int *x, *y, *z;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMalloc(&z, 11 * sizeof(int));
  std::vector<int> ones(n, 2);
  cudaMemcpy(x, ones.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  stencil<<<8, 128>>>(x, y, n);
  last<<<5, 11>>>(z);
  int sums[2] = {2 + 2, 0};
  cudaMemcpy(ones.data(), y, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) sums[0] += ones[i];
  cudaMemcpy(ones.data(), z, 11 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 11; ++i) sums[1] += ones[i];
  std::printf("sums %d and %d\n", sums[0], sums[1]);
}
