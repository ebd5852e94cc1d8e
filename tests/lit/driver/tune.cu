// Settings of kernels from a tune file, and gridcc --tune, which writes it.
//
// The file beside the output is read; the kernel is as it says.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: echo '{"gridspan_tune": 1}' > app.o.tune
// RUN: echo '{"kernel": "_Z5scalePKfPfi", "source": "tune.cu", "settings": {"joined_width": 96, "without": ["prefetches"]}}' >> app.o.tune
// RUN: %gridcc -c %s -o app.o && %gridspan explain app.o | FileCheck %s --check-prefix=TUNED
// TUNED-LABEL: scale(
// TUNED: tuned: blocks joined to rows of 96 threads, without prefetches
// TUNED-LABEL: other(
// TUNED-NOT: tuned
// RUN: %gridspan explain app.o --json | FileCheck %s --check-prefix=JSON
// JSON: "tuned": "blocks joined to rows of 96 threads, without prefetches"
// RUN: %gridcc -### -c %s -o app.o 2>&1 | FileCheck %s --check-prefix=STEP
// STEP: "--compile-device={{.*}}" {{.*}} "--tune-file=app.o.tune"
//
// It makes a difference: blocks are not joined.
// RUN: echo '{"kernel": "_Z5scalePKfPfi", "settings": {"without": ["joins"]}}' > app.o.tune
// RUN: %gridcc -c %s -o app.o && %gridspan explain app.o | FileCheck %s --check-prefix=JOINS
// JOINS-LABEL: scale(
// JOINS-NOT: run as one
// JOINS-LABEL: other(
// JOINS: neighbouring blocks along x run as one
//
// Forgotten with the file, and by a kernel whose code has changed, or whose source is another.
// RUN: echo '{"kernel": "_Z5scalePKfPfi", "code": "0123456789abcdef", "settings": {"without": ["joins"]}}' > app.o.tune
// RUN: %gridcc -c %s -o app.o && %gridspan explain app.o | FileCheck %s --check-prefix=STALE
// STALE-LABEL: scale(
// STALE: neighbouring blocks along x run as one
// STALE-NOT: tuned:
// STALE: was tuned before it changed
// RUN: echo '{"kernel": "_Z5scalePKfPfi", "source": "else.cu", "settings": {"without": ["joins"]}}' > app.o.tune
// RUN: %gridcc -c %s -o app.o && %gridspan explain app.o | FileCheck %s --check-prefix=NONE
// RUN: rm app.o.tune && %gridcc -c %s -o app.o && %gridspan explain app.o | FileCheck %s --check-prefix=NONE
// NONE-NOT: tuned
//
// Errors name file and line.
// RUN: echo '{"gridspan_tune": 1}' > bad.tune
// RUN: echo '{"kernel": "a", ' >> bad.tune
// RUN: not %gridcc -c %s -o app.o --tune-file=bad.tune 2>&1 | FileCheck %s --check-prefix=JSONERROR
// JSONERROR: gridcc: error: bad.tune:2: {{.*}}settings of kernels
// RUN: echo '{"kernel": "a", "settings": {"colour": 3}}' > bad.tune
// RUN: not %gridcc -c %s -o app.o --tune-file bad.tune 2>&1 | FileCheck %s --check-prefix=SETTING
// SETTING: gridcc: error: bad.tune:1: no setting 'colour'
// RUN: echo '{"kernel": "a", "settings": {"rows": 9}}' > bad.tune
// RUN: not %gridcc -c %s -o app.o --tune-file bad.tune 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: gridcc: error: bad.tune:1: 'rows' is a number from 1 to 8
// RUN: echo '{"kernel": "a", "settings": {"without": ["haste"]}}' > bad.tune
// RUN: not %gridcc -c %s -o app.o --tune-file bad.tune 2>&1 | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: gridcc: error: bad.tune:1: no optimisation 'haste'
// RUN: echo '{"gridspan_tune": 2}' > bad.tune
// RUN: not %gridcc -c %s -o app.o --tune-file bad.tune 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: gridcc: error: bad.tune:1: written by another version of gridcc
// RUN: not %gridcc -c %s -o app.o --tune-file=missing.tune 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: gridcc: error: missing.tune: No such file or directory
// RUN: ls | FileCheck %s --check-prefix=LEFT
// LEFT: app.o
// LEFT-NOT: tune-
//
// A search runs the command, shows none of its output, and leaves program and settings. A command
// that fails is one error; the program is there as without a search.
// RUN: %gridcc -O3 %s -o app --tune=./app > out.txt 2> progress.txt
// RUN: test ! -s out.txt && FileCheck %s --input-file progress.txt --check-prefix=SEARCH
// SEARCH: gridcc: tuning: ./app
// SEARCH-NOT: sum is
// SEARCH: gridcc: tuning: {{(scale|other)[(].*[)]: [13]}} launches,
// SEARCH: gridcc: tuning: kept in app.tune
// RUN: FileCheck %s --input-file app.tune --check-prefix=FILE
// FILE: {"gridspan_tune":1}
// RUN: ./app | FileCheck %s --check-prefix=APP
// APP: sum is 1998
// RUN: rm app.tune && not %gridcc %s -o app --tune='./app bad' 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS: gridcc: error: --tune: the command to tune with failed: exit status 7: ./app bad
// FAILS-NEXT: it wrote:
// FAILS-NEXT: no such input
// FAILS-NOT: error
// RUN: ./app | FileCheck %s --check-prefix=APP
// RUN: not ls app.tune
// RUN: not %gridcc %s -o app --tune=true 2>&1 | FileCheck %s --check-prefix=IDLE
// IDLE: gridcc: error: --tune: the command ran no kernel that is compiled here
//
// RUN: not %gridcc -E %s --tune=./app 2>&1 | FileCheck %s --check-prefix=GOAL
// GOAL: gridcc: error: '--tune' needs something that can be run, not '-E'
// RUN: not %gridcc -G %s --tune=./app 2>&1 | FileCheck %s --check-prefix=DEBUG
// DEBUG: gridcc: error: '--tune': with -G, kernels are not optimised
// RUN: not %gridcc -dc %s --tune=./app 2>&1 | FileCheck %s --check-prefix=LINK
// LINK: gridcc: error: '--tune': kernels of -rdc=true are compiled, and tuned, at the link
// RUN: not %gridcc app.o -o app --tune=./app 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: gridcc: error: --tune: no kernels are compiled here
#include <cstdio>

__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * 2;
}

__global__ void other(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1;
}

int main(int argc, char**) {
  if (argc > 1) {
    std::fprintf(stderr, "no such input\n");
    return 7;
  }
  constexpr int n = 999;
  float *in, *out, sum = 0;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, n * sizeof(float));
  other<<<32, 32>>>(in, n);
  for (int i = 0; i < 3; ++i) scale<<<32, 32>>>(in, out, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) sum += out[i];
  std::printf("sum is %g\n", sum);
}
