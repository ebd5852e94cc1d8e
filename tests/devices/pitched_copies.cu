// 2-D and 3-D copies and fills with pitches in all directions, into the middle of boxes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;
using Bytes = vector<unsigned char>;

/// Rows of `pitch` bytes, slices of `rows` rows.
struct Layout {
  size_t pitch, rows, slices;
  size_t bytes() const { return pitch * rows * slices; }
};
struct Corner {
  size_t x, y, z;
};
struct Box {
  size_t w, h, d;
};

void copy_reference(Bytes& to, const Layout& to_layout, Corner tc, const Bytes& from,
                    const Layout& from_layout, Corner fc, Box box) {
  for (size_t z = 0; z < box.d; ++z)
    for (size_t y = 0; y < box.h; ++y)
      for (size_t x = 0; x < box.w; ++x)
        to[((tc.z + z) * to_layout.rows + tc.y + y) * to_layout.pitch + tc.x + x] =
            from[((fc.z + z) * from_layout.rows + fc.y + y) * from_layout.pitch + fc.x + x];
}

__global__ void stir(unsigned char* a, int pitch, int rows, int salt) {  // cut along rows or x
  const int x = global_x(), y = global_y();
  if (x < pitch && y < rows)
    a[y * pitch + x] = static_cast<unsigned char>(a[y * pitch + x] * 7 + x + salt);
}

void stir_both(Array<unsigned char>& device, Bytes& host, const Layout& layout, int salt) {
  const auto pitch = static_cast<int>(layout.pitch);
  const auto rows = static_cast<int>(layout.rows * layout.slices);
  const dim3 block = salt % 2 ? dim3(32, 1) : dim3(4, 16);
  stir<<<blocks(pitch, rows, block), block>>>(device.data(), pitch, rows, salt);
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < pitch; ++x) {
      unsigned char& byte = host[size_t(y) * pitch + x];
      byte = static_cast<unsigned char>(byte * 7 + x + salt);
    }
}

size_t pick(Random& random, size_t most) {
  return static_cast<size_t>(random.integer(0, static_cast<long long>(most)));
}
Corner corner(Random& random, const Layout& layout, Box box) {
  return {pick(random, layout.pitch - box.w), pick(random, layout.rows - box.h),
          pick(random, layout.slices - box.d)};
}

cudaMemcpy3DParms parameters(void* to, const Layout& tl, Corner tc, void* from, const Layout& fl,
                             Corner fc, Box box, cudaMemcpyKind kind) {
  cudaMemcpy3DParms p{};
  p.srcPtr = make_cudaPitchedPtr(from, fl.pitch, fl.pitch, fl.rows);
  p.dstPtr = make_cudaPitchedPtr(to, tl.pitch, tl.pitch, tl.rows);
  p.srcPos = make_cudaPos(fc.x, fc.y, fc.z);
  p.dstPos = make_cudaPos(tc.x, tc.y, tc.z);
  p.extent = make_cudaExtent(box.w, box.h, box.d);
  p.kind = kind;
  return p;
}

unsigned char* at(unsigned char* base, const Layout& layout, Corner c) {
  return base + (c.z * layout.rows + c.y) * layout.pitch + c.x;
}

int main() {
  Random random(17);
  const Layout la{61, 23, 5}, lb{97, 31, 7};
  Bytes ha(la.bytes(), 0xA5), hb(lb.bytes(), 0xA5);
  Array<unsigned char> a(ha), b(hb);
  for (int turn = 0; turn < 120; ++turn) {
    const bool flat = turn % 2 == 0;
    const Box box{1 + pick(random, 60), 1 + pick(random, 22), flat ? 1 : 1 + pick(random, 4)};
    const Corner ca = corner(random, la, box), cb = corner(random, lb, box);
    if (turn % 3 == 0) stir_both(a, ha, la, turn);
    if (turn % 4 == 0) stir_both(b, hb, lb, turn + 1);
    switch (random.integer(0, 3)) {
      case 0: {  // from the host
        Bytes from = random.integers<unsigned char>(lb.bytes(), 0, 255);
        if (flat)
          CUDA_OK(cudaMemcpy2D(at(a.data(), la, ca), la.pitch, at(from.data(), lb, cb), lb.pitch,
                               box.w, box.h, cudaMemcpyHostToDevice));
        else {
          const auto p =
              parameters(a.data(), la, ca, from.data(), lb, cb, box, cudaMemcpyHostToDevice);
          CUDA_OK(cudaMemcpy3D(&p));
        }
        copy_reference(ha, la, ca, from, lb, cb, box);
        break;
      }
      case 1: {  // to the host
        Bytes to(la.bytes(), 0x5A), want = to;
        if (flat)
          CUDA_OK(cudaMemcpy2D(at(to.data(), la, ca), la.pitch, at(b.data(), lb, cb), lb.pitch,
                               box.w, box.h, cudaMemcpyDeviceToHost));
        else {
          const auto p = parameters(to.data(), la, ca, b.data(), lb, cb, box, cudaMemcpyDefault);
          CUDA_OK(cudaMemcpy3D(&p));
        }
        copy_reference(want, la, ca, hb, lb, cb, box);
        result("to host", to, want);
        break;
      }
      case 2: {  // between buffers
        if (flat)
          CUDA_OK(cudaMemcpy2DAsync(at(b.data(), lb, cb), lb.pitch, at(a.data(), la, ca), la.pitch,
                                    box.w, box.h, cudaMemcpyDeviceToDevice));
        else {
          const auto p =
              parameters(b.data(), lb, cb, a.data(), la, ca, box, cudaMemcpyDeviceToDevice);
          CUDA_OK(cudaMemcpy3DAsync(&p));
        }
        copy_reference(hb, lb, cb, ha, la, ca, box);
        break;
      }
      default: {  // fills
        const int value = static_cast<int>(random.integer(0, 255));
        if (flat) {
          CUDA_OK(cudaMemset2D(at(a.data(), la, ca), la.pitch, value, box.w, box.h));
        } else {
          auto pointer = make_cudaPitchedPtr(at(a.data(), la, ca), la.pitch, la.pitch, la.rows);
          CUDA_OK(cudaMemset3D(pointer, value, make_cudaExtent(box.w, box.h, box.d)));
        }
        const Bytes filled(la.bytes(), static_cast<unsigned char>(value));
        copy_reference(ha, la, ca, filled, la, ca, box);
      }
    }
  }
  result("a", a, ha);
  result("b", b, hb);
  return finish();
}
