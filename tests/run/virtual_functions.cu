// Classes with virtual functions made and used on the device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Functions and classes | virtual functions, abstract classes, multiple inheritance, virtual destructors
#include "check.h"

#include <new>

struct Shape {
  __device__ __noinline__ Shape() {}  // stores the address of a table with a pure virtual function
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const = 0;
  __device__ virtual int corners() const { return 0; }
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
  __device__ int corners() const override { return 4; }
};
struct Box : Square {
  int height;
  __device__ Box(int s, int h) : Square(s), height(h) {}
  __device__ int area() const override { return 2 * Square::area() + 4 * side * height; }
  __device__ int corners() const final { return 8; }
};
struct Dot final : Shape {
  __device__ int area() const override { return 0; }
};

struct Named {
  int id;
  __device__ explicit Named(int i) : id(i) {}
  __device__ virtual int name() const { return id; }
};
struct NamedBox : Box, Named {
  __device__ NamedBox(int s, int h, int i) : Box(s, h), Named(i) {}
  __device__ int name() const override { return id * 100 + height; }
};

// Objects on the thread's stack, chosen by the thread.
__global__ void on_stack(int* out) {
  const int i = check::global_index();
  Square square(i % 10);
  Box box(i % 7, 3);
  Dot dot;
  const Shape* shapes[3] = {&square, &box, &dot};
  const Shape* shape = shapes[i % 3];
  out[i] = shape->area() * 10 + shape->corners();
}

// Objects on the device heap that live from one kernel to the next.
__global__ void make(Shape** shapes, Named** names) {
  const int i = check::global_index();
  names[i] = nullptr;
  if (i % 4 == 0) shapes[i] = new Square(i % 13);
  if (i % 4 == 1) shapes[i] = new Box(i % 5, i % 3);
  if (i % 4 == 2) shapes[i] = new Dot;
  if (i % 4 == 3) {
    NamedBox* both = new NamedBox(2, i % 9, i);
    shapes[i] = both;
    names[i] = both;  // the pointer is adjusted
  }
}
__global__ void use(Shape* const* shapes, Named* const* names, int* out) {
  const int i = check::global_index();
  out[i] = shapes[i]->area() * 10 + shapes[i]->corners() + (names[i] ? names[i]->name() : 0);
}
__global__ void destroy(Shape** shapes) { delete shapes[check::global_index()]; }

// Placement new in shared memory.
__global__ void in_shared(int* out) {
  __shared__ __align__(16) char storage[sizeof(Box)];
  __shared__ Shape* shape;
  if (check::thread_index() == 0) {
    if (blockIdx.x % 2 == 0)
      shape = new (storage) Square(blockIdx.x + 1);
    else
      shape = new (storage) Box(blockIdx.x, 2);
  }
  __syncthreads();
  out[check::global_index()] = shape->area() + check::thread_index();
}

int main() {
  for (dim3 block : {dim3(1), dim3(33), dim3(257), dim3(3, 5, 7)}) {
    const int threads = check::volume(block), blocks = 3, n = threads * blocks;
    check::Array<int> out(n);
    std::vector<int> want(n);
    on_stack<<<blocks, block>>>(out.data());
    const auto box_area = [](int s, int h) { return 2 * s * s + 4 * s * h; };
    for (int i = 0; i < n; ++i)
      want[i] = i % 3 == 0   ? (i % 10) * (i % 10) * 10 + 4
                : i % 3 == 1 ? box_area(i % 7, 3) * 10 + 8
                             : 0;
    check::equal(check::name("on_stack", block), out.get(), want);

    check::Array<Shape*> shapes(n);
    check::Array<Named*> names(n);
    make<<<blocks, block>>>(shapes.data(), names.data());
    use<<<blocks, block>>>(shapes.data(), names.data(), out.data());
    for (int i = 0; i < n; ++i) {
      if (i % 4 == 0) want[i] = (i % 13) * (i % 13) * 10 + 4;
      if (i % 4 == 1) want[i] = box_area(i % 5, i % 3) * 10 + 8;
      if (i % 4 == 2) want[i] = 0;
      if (i % 4 == 3) want[i] = box_area(2, i % 9) * 10 + 8 + i * 100 + i % 9;
    }
    check::equal(check::name("heap", block), out.get(), want);
    destroy<<<blocks, block>>>(shapes.data());
    KERNEL_OK();

    in_shared<<<blocks, block>>>(out.data());
    for (int i = 0; i < n; ++i) {
      const int b = i / threads;
      want[i] = (b % 2 == 0 ? (b + 1) * (b + 1) : box_area(b, 2)) + i % threads;
    }
    check::equal(check::name("in_shared", block), out.get(), want);
  }
  return check::finish();
}
