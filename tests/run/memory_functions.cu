// memcpy, memset and friends in kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Device library | memcpy, memset in kernels between global, shared and local memory, sizes known or not
#include "check.h"

struct Blob {
  char bytes[77];
};

__global__ void copy(const char* in, char* out, int size) {
  __shared__ char stage[64 * 128];
  const int t = threadIdx.x;
  char local[128];
  char* mine = stage + t * 128;
  memset(local, t, sizeof local);
  memcpy(local, in + t * size, size);  // global to local, size at run time
  memcpy(mine, local, sizeof local);   // local to shared, constant size
  __syncthreads();
  const char* other = stage + (blockDim.x - 1 - t) * 128;
  memcpy(out + t * 128, other, 100);  // shared to global
  memset(out + t * 128 + 100, 0x5a, 28 - size % 3);
  for (int i = 28 - size % 3; i < 28; ++i) out[t * 128 + 100 + i] = 1;
}

__global__ void assign(const Blob* in, Blob* out, const int4* vectors, int4* vectors_out) {
  const int i = check::global_index();
  Blob b = in[i];
  b.bytes[i % 77] = 'x';
  out[i] = b;
  vectors_out[i] = vectors[i];
}

// Unaligned accesses through memcpy.
__global__ void unaligned(const unsigned char* in, unsigned* out) {
  const int i = check::global_index();
  unsigned word;
  memcpy(&word, in + i * 3 + 1, sizeof word);
  out[i] = word;
}

int main() {
  check::Random random(73);
  for (int size : {0, 1, 7, 64, 127, 128}) {
    const int threads = 63;
    const auto in = random.integers<char>(threads * 128, -128, 127);
    check::Array<char> source(in), out(threads * 128);
    copy<<<1, threads>>>(source.data(), out.data(), size);
    std::vector<char> want(threads * 128);
    for (int t = 0; t < threads; ++t) {
      const int o = threads - 1 - t;
      for (int i = 0; i < 100; ++i)
        want[t * 128 + i] = i < size ? in[o * size + i] : static_cast<char>(o);
      for (int i = 100; i < 128; ++i) want[t * 128 + i] = i < 128 - size % 3 ? 0x5a : 1;
    }
    check::equal("copy " + std::to_string(size), out.get(), want);
  }
  for (dim3 block : check::few_block_shapes()) {
    const int n = check::volume(block) * 2;
    std::vector<Blob> blobs(n), want(n);
    std::vector<int4> vectors(n);
    std::vector<unsigned char> bytes(n * 3 + 8);
    std::vector<unsigned> words(n);
    for (auto& b : bytes) b = static_cast<unsigned char>(random.bits());
    for (int i = 0; i < n; ++i) {
      for (char& c : blobs[i].bytes) c = static_cast<char>(random.bits());
      want[i] = blobs[i];
      want[i].bytes[i % 77] = 'x';
      vectors[i] = make_int4(i, -i, i * 7, 3);
      std::memcpy(&words[i], &bytes[i * 3 + 1], 4);
    }
    check::Array<Blob> source(blobs), out(n);
    check::Array<int4> vector_source(vectors), vector_out(n);
    assign<<<2, block>>>(source.data(), out.data(), vector_source.data(), vector_out.data());
    check::equal(check::name("assign", block), out.get(), want);
    check::equal(check::name("int4", block), vector_out.get(), vectors);
    check::Array<unsigned char> raw(bytes);
    check::Array<unsigned> word_out(n);
    unaligned<<<2, block>>>(raw.data(), word_out.data());
    check::equal(check::name("unaligned", block), word_out.get(), words);
  }
  return check::finish();
}
