// Functions of the other side that a side names, or that members nobody wrote would call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | host code names `__device__` functions; classes with parts for the host and parts for the device
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>

// The host passes device functions about, compares them, has tables of them.
__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
static __device__ int own(int a, int b) { return a - b; }
template <class T>
__device__ T twice(T a, T b) {
  return a + a + b;
}
struct Maker {
  int base;
  __device__ int member(int a) const { return base + a; }
  __device__ static int stat(int a, int b) { return a * 10 + b; }
  __device__ int overloaded(int a) { return a; }
  __device__ int overloaded(float a) { return static_cast<int>(a); }
};
namespace {
__device__ int nameless(int a, int b) { return b - a; }
}  // namespace

using Binary = int (*)(int, int);
Binary at_start = add;
Binary table[] = {add, multiply, own, twice<int>, Maker::stat, nameless};
int (Maker::*member_at_start)(int) const = &Maker::member;
struct Row {
  const char* name;
  Binary function;
};
const Row rows[] = {{"add", add}, {"multiply", multiply}};

template <class F>
int count_of(F f, F* all, int n) {
  int count = 0;
  for (int i = 0; i < n; ++i) count += all[i] == f;
  return count;
}

template <Binary F>
__global__ void apply(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = F(i, 3);
}

// Functors of the device in templates of the host: whoever calls one there ends the program.
struct DeviceOnly {
  __device__ int operator()(int x) const { return x + 5; }
};
template <class F>
int call_on_host(F f, int x) {
  return f(x);
}
template <class T>
int call_by_name(T x) {
  return twice(x, x);
}
__device__ int at_namespace_scope(int x) { return x; }
struct Late {
  static int value(bool call) { return call ? call_by_name(3) : 1; }
};

// Parts of different sides.
struct HostPart {
  int x;
  HostPart() : x(1) {}
  HostPart(const HostPart& other) : x(other.x + 1) {}
  HostPart& operator=(const HostPart& other) {
    x = other.x + 10;
    return *this;
  }
  ~HostPart() { ++ended; }
  static int ended;
};
int HostPart::ended = 0;
struct BothPart {
  int x;
  __host__ __device__ BothPart() : x(4) {}
  __host__ __device__ BothPart(const BothPart& other) : x(other.x + 1) {}
  __host__ __device__ ~BothPart() { x = -1; }
  BothPart& operator=(const BothPart&) = default;
};
struct DevicePart {
  int x;
  __device__ DevicePart() : x(7) {}
  __device__ DevicePart(const DevicePart& other) : x(other.x + 3) {}
  __device__ ~DevicePart() { x = 0; }
};
struct OfHost {
  HostPart a;
  BothPart b;
  int c = 9;
};
struct OfDevice {
  DevicePart a;
  BothPart b;
};
template <class A, class B>
struct Pair : A {
  B second;
};

// The host runs their initialisers, and destroys their parts.
struct Counted {
  int x;
  __host__ __device__ explicit Counted(int given) : x(given) {}
  __host__ __device__ ~Counted() {
#ifndef __CUDA_ARCH__
    ++ended;
#endif
  }
  static int ended;
};
int Counted::ended = 0;
template <class T>
struct InTemplate {
  T x = 5, y = 6;
  __device__ InTemplate() : y(8) {
    __shared__ int shared;
    shared = x = threadIdx.x;
    __syncthreads();
  }
  __device__ InTemplate(const InTemplate& other) : y(other.y + 1) { x = clock(); }
};
struct PlainParts : BothPart {
  int y = 3;
  int& first;
  Counted counted;
  InTemplate<long> last;
  __device__ PlainParts() : y(11), first(y), counted(12) { y = threadIdx.x; }
  __device__ explicit PlainParts(int);
  __device__ ~PlainParts();
};
__device__ PlainParts::PlainParts(int given) : y(given), first(x), counted(given) { x = add(x, 1); }
__device__ PlainParts::~PlainParts() { y = add(x, 2); }
struct HoldsParts {
  PlainParts parts;
  InTemplate<float> more;
  int z = 14;
};
// Constructors of the host that make such parts in place.
struct MakesParts {
  PlainParts parts[2];
  InTemplate<int> by_default;
  DevicePart copied, given = DevicePart();
  int z;
  MakesParts(int number, const DevicePart& from) : copied(from), z(1) {}
  MakesParts() : z(2) {}
  ~MakesParts() {}
};
struct Delegates : virtual DevicePart {
  int y;
  Delegates() : Delegates(21) {}
  __host__ __device__ Delegates(int given, int) : DevicePart(), y(given) {}
  __device__ Delegates(int given) : y(given) {}
};
struct FromNumber {
  int x;
  __device__ FromNumber(int given) : x(given) {}
};
struct Aggregate {
  FromNumber first[2];
  int z;
};
Aggregate aggregate() { return {{3, 4}, 5}; }
// Conversions that nobody wrote.
struct Guarded {
  FromNumber kept;
  __device__ Guarded(int given, int more = 2) : kept(given * more) {}
  __device__ Guarded(const Guarded& other) : kept(other.kept) {}
  __device__ ~Guarded() { kept.x = 0; }
};
struct Queue {
  int front;
  FromNumber semaphore;
  static constexpr int no_value = 5;
  void reset() {
    front = 0;
    semaphore = no_value;
  }
};
int of_value(FromNumber given) { return given.x; }
int of_guarded(const Guarded& given) { return given.kept.x; }
int of_copy(Guarded given) { return given.kept.x; }
int by_default(FromNumber given = 8) { return given.x; }
FromNumber result(int given) { return given; }
Guarded listed(int given) { return {given, 3}; }
template <class T>
__host__ __device__ int number_of() {
  T made(6);
  return made.x;
}

struct HoldsByNumber : PlainParts {
  using PlainParts::PlainParts;
  virtual int number() const { return first; }
};

// Device functions that nobody uses may call the host's.
int on_host(int x) { return x; }
int on_host(float x) { return static_cast<int>(x); }
static int one_on_host() { return 3; }
inline __device__ int unused(int x) { return on_host(x) + one_on_host(); }
static __device__ int even(int x);
static __device__ int odd(int x) { return x ? even(x - 1) : one_on_host(); }
static __device__ int even(int x) { return x ? odd(x - 1) : on_host(2.5f); }
struct PartlyUsed {
  int x;
  __device__ PartlyUsed() : x(6) {}
  __device__ explicit PartlyUsed(int given) : x(on_host(given)) {}
  __device__ int used() const { return x; }
  __device__ int unused() const { return on_host(x) + HostPart().x; }
  __device__ operator int() const { return one_on_host(); }
};

__global__ void make_parts(int* out) {
  {
    OfHost one;
    OfHost two(one);
    two = one;
    out[0] = one.b.x;
    out[1] = one.c;
    out[2] = two.b.x;
  }
  OfDevice three, four(three);
  out[3] = three.a.x;
  out[4] = four.a.x;
  out[5] = four.b.x;
  Pair<BothPart, HostPart> five;
  out[6] = static_cast<BothPart&>(five).x;
  Pair<DevicePart, BothPart> six;
  out[7] = static_cast<DevicePart&>(six).x * 10 + six.second.x;
  out[8] = PartlyUsed().used();
}

// A kernel's parameter, copied by the host.
struct Parameter {
  HostPart kept;
  int n;
  Parameter(int of) : n(of) {}
};
__global__ void read_parameter(Parameter p, int* out) {
  Parameter copy(p);
  out[threadIdx.x] = copy.n + threadIdx.x;
}

// What ray tracers have: a destructor without specifiers, objects of the device.
struct Shape {
  virtual ~Shape() {}
  virtual __device__ int area() const = 0;
};
struct Square : Shape {
  int side;
  __device__ Square(int of) : side(of) {}
  __device__ int area() const override { return side * side; }
};
struct Circle : Shape {
  int r;
  BothPart part;
  __device__ Circle(int of) : r(of) {}
  __device__ int area() const override { return 3 * r * r + part.x; }
};
__global__ void make_shapes(Shape** shapes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) shapes[i] = i % 2 ? static_cast<Shape*>(new Square(i)) : new Circle(i);
}
__global__ void areas(Shape** shapes, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = shapes[i]->area();
}
__global__ void end_shapes(Shape** shapes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) delete shapes[i];
}
__global__ void local_shape(int* out) {
  Square square(static_cast<int>(threadIdx.x));
  out[threadIdx.x] = square.area();
}

template <class Do>
bool ends_program(Do act) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    freopen("/dev/null", "w", stderr);
    act();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

void test_names() {
  Binary local = multiply;
  CHECK(at_start == add && at_start != nullptr);
  CHECK(local == table[1] && local != table[0]);
  CHECK(rows[1].function == multiply && rows[0].function == at_start);
  CHECK(count_of<Binary>(own, table, 6) == 1);
  CHECK(count_of<Binary>(nameless, table, 6) == 1);
  CHECK(count_of<Binary>(&twice<int>, table, 6) == 1);
  CHECK(member_at_start == &Maker::member);
  int (Maker::*chosen)(float) = &Maker::overloaded;
  CHECK(chosen != nullptr);
}

void test_kernels(int* out) {
  constexpr int n = 77;
  const auto expect = [&](auto value) {
    for (int i = 0; i < n; ++i) CHECK(out[i] == value(i));
  };
  apply<multiply><<<3, 32>>>(out, n);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  expect([](int i) { return i * 3; });
  apply<own><<<3, 32>>>(out, n);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  expect([](int i) { return i - 3; });
}

void test_ends() {
  CHECK(!ends_program([] { Late::value(false); }));
  CHECK(ends_program([] { Late::value(true); }));
  CHECK(ends_program([] { call_on_host(DeviceOnly(), 3); }));
  CHECK(ends_program([] { at_start(1, 2); }));
}

void test_parts(int* out) {
  {
    OfHost one, two(one);
    two = one;
    CHECK(one.a.x == 1 && two.a.x == 11 && two.b.x == 4 && one.c == 9);
  }
  CHECK(HostPart::ended == 2);
  {
    Pair<BothPart, HostPart> pair;
    CHECK(pair.second.x == 1);
  }
  {
    OfDevice one, two(one);
    CHECK(one.a.x == 7 && one.b.x == 4 && two.a.x == 10 && two.b.x == 5);
    HoldsParts whole;
    CHECK(whole.parts.x == 4 && whole.parts.y == 11 && &whole.parts.first == &whole.parts.y);
    CHECK(whole.parts.counted.x == 12 && whole.parts.last.x == 5 && whole.parts.last.y == 8);
    InTemplate<float>& more = whole.more;
    CHECK(more.x == 5 && more.y == 8 && whole.z == 14);
    Queue queue{1, {2}};
    queue.reset();
    CHECK(queue.front == 0 && queue.semaphore.x == 5);
    CHECK(of_value(6) == 6 && by_default() == 8);
    CHECK(of_guarded(9) == 18 && of_guarded({9, 4}) == 36 && of_copy(10) == 20);
    CHECK(result(11).x == 11 && of_guarded(listed(12)) == 36);
    const FromNumber& bound = 13;
    CHECK(bound.x == 13);
    HoldsByNumber numbered(33);
    CHECK(numbered.y == 33 && numbered.number() == 4 && numbered.counted.x == 33);
  }
  CHECK(Counted::ended == 2);
  {
    OfDevice from;
    MakesParts made(3, from.a), other;
    CHECK(made.parts[1].y == 11 && &made.parts[1].first == &made.parts[1].y && made.z == 1);
    CHECK(made.by_default.y == 8 && made.copied.x == from.a.x + 3 && other.given.x == 7);
    CHECK(other.parts[0].counted.x == 12 && other.copied.x == 7 && other.z == 2);
    Delegates delegated, both(22, 1);
    CHECK(delegated.x == 7 && delegated.y == 21 && both.x == 7 && both.y == 22);
    Aggregate of = aggregate(), same{{6, 7}, 8};
    CHECK(of.first[1].x == 4 && of.z == 5 && same.first[0].x == 6);
    CHECK(number_of<FromNumber>() == 6);
  }
  CHECK(Counted::ended == 6);
  for (int i = 0; i < 9; ++i) out[i] = -99;
  make_parts<<<1, 1>>>(out);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  const int expected[] = {4, 9, 4, 7, 10, 5, 4, 74, 6};
  for (int i = 0; i < 9; ++i) CHECK(out[i] == expected[i]);
  Parameter parameter(40), copy(parameter);
  CHECK(copy.kept.x == 2);
  read_parameter<<<1, 33>>>(parameter, out);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 33; ++i) CHECK(out[i] == 40 + i);
}

void test_shapes(int* out) {
  constexpr int n = 45;
  Shape** shapes = nullptr;
  CHECK(cudaMalloc(&shapes, n * sizeof(Shape*)) == cudaSuccess);
  for (int i = 0; i < n; ++i) out[i] = -99;
  make_shapes<<<2, 32>>>(shapes, n);
  areas<<<2, 32>>>(shapes, out, n);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < n; ++i) CHECK(out[i] == (i % 2 ? i * i : 3 * i * i + 4));
  end_shapes<<<2, 32>>>(shapes, n);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  local_shape<<<1, 19>>>(out);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 19; ++i) CHECK(out[i] == i * i);
  CHECK(cudaFree(shapes) == cudaSuccess);
}

int main() {
  test_names();
  test_ends();
  int* out = nullptr;
  CHECK(cudaMallocManaged(&out, 128 * sizeof(int)) == cudaSuccess);
  test_kernels(out);
  test_parts(out);
  test_shapes(out);
  CHECK(cudaFree(out) == cudaSuccess);
  return check::finish();
}
