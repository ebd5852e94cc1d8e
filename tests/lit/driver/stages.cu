// RUN: %gridcc --stages | FileCheck %s --strict-whitespace --check-prefix TABLE
// RUN: %gridcc --stages -c %s -o %t.o | FileCheck %s --strict-whitespace --check-prefix TIMES
// RUN: %gridcc --stages --without=joins -O2 --no-ptx -c %s -o %t.o | FileCheck %s --strict-whitespace --check-prefix WITHOUT
// RUN: not %gridcc --without=nothing -c %s -o %t.o 2>&1 | FileCheck %s --strict-whitespace --check-prefix WRONG
// The device compiler's table of contents, alone and with the times of a source.

__global__ void fill(int* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i;
}

int main() {
  fill<<<1, 1>>>(nullptr, 0);
}

// TABLE: reading device code: the module as clang wrote it
// TABLE-NEXT: {{^}}  read {{ +}}reads the bitcode {{.*}}(for all; gives bitcode, module)
// TABLE: {{^}}PTX: code for GPUs
// TABLE: {{^}}    warp-barriers
// TABLE: {{^}}      part-kernels {{.*}}explain: 'on GPUs only in one piece: ...'
// TABLE: {{^}}lowering to the CPU:
// TABLE: {{^}}  record-accesses {{.*}}(for recording;
// TABLE: {{^}}  each-kernel
// TABLE: {{^}}    distinct {{.*}}--without=distinct
// TABLE: {{^}}    each-form
// TABLE: {{^}}      joins {{.*}}not at -O0; --without=joins; explain: 'neighbouring blocks along x
// TABLE: {{^}}    vectors
// TABLE: {{^}}      vectorise
// TABLE: {{^}}        rows
// TABLE: {{^}}code generation: machine code
// TABLE-NEXT: {{^}}  emit

// TIMES: {{^ +[0-9]+\.[0-9]+ }}  read
// TIMES: {{^ +[0-9]+\.[0-9]+ }}  ptx
// TIMES: {{^ +[0-9]+\.[0-9]+ }}    ptx-text
// TIMES: {{^           }} record-accesses
// TIMES: {{^ +[0-9]+\.[0-9]+ }}      joins
// TIMES: {{^ +[0-9]+\.[0-9]+ }}      vectorise
// TIMES: {{^ +[0-9]+\.[0-9]+ }}  emit

// WITHOUT: {{^           }} ptx
// WITHOUT: {{^ +}}joins
// WITHOUT: {{^ +[0-9]+\.[0-9]+ }}  emit

// WRONG: '--without': no optimisation 'nothing'; there are {{.*}}, distinct, {{.*}}, rows, {{[a-z, -]+$}}
