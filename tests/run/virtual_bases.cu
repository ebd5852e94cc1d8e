// Classes with virtual base classes, made, called and destroyed on the device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Functions and classes | virtual base classes: diamonds, calls from constructors, conversions, covariant results, destruction through a base
#include "check.h"

#include <new>

#define BOTH __host__ __device__

// What happens to an object is noted in a number, step by step.
struct Log {
  unsigned value = 1;
  BOTH void note(unsigned step) { value = value * 31 + step; }
};

struct Root {
  Log* log;
  int seed;
  BOTH explicit Root(Log* l, int s) : log(l), seed(s) { log->note(100 + name()); }
  BOTH virtual ~Root() { log->note(200 + name()); }
  BOTH virtual int name() const { return 1; }
  BOTH virtual int eval(int x) const { return x + seed; }
  BOTH virtual const Root* self() const { return this; }
};
struct Left : virtual Root {
  double weight = 0.5;
  int left;
  BOTH Left(Log* l, int s) : Root(l, -s), left(s) { log->note(300 + name() * 10 + eval(3)); }
  BOTH ~Left() override { log->note(400 + name()); }
  BOTH int name() const override { return 2; }
  BOTH int eval(int x) const override { return x * 3 + left + seed; }
  BOTH const Left* self() const override { return this; }
};
struct Right : virtual Root {
  char right[5];
  BOTH Right(Log* l, int s) : Root(l, s * 7) {
    for (int i = 0; i < 5; ++i) right[i] = char(s + i);
    log->note(500 + name() * 10 + eval(2));
  }
  BOTH ~Right() override { log->note(600 + name()); }
  BOTH int name() const override { return 3; }
  BOTH virtual int sum() const {
    int all = seed;
    for (char c : right) all += c;
    return all;
  }
};
struct Plain {
  long long plain = 77;
  BOTH virtual int code() const { return 11; }
};
struct Bottom : Left, Plain, Right {
  int bottom;
  BOTH Bottom(Log* l, int s) : Root(l, s + 1000), Left(l, s), Right(l, s + 1), bottom(s) {
    log->note(700 + name() + eval(1));
  }
  BOTH ~Bottom() override { log->note(800 + name()); }
  BOTH int name() const override { return 4; }
  BOTH int eval(int x) const override { return Left::eval(x) * 2 + bottom; }
  BOTH int code() const override { return bottom + int(plain); }
  BOTH const Bottom* self() const override { return this; }
};
// A virtual base of which there are two, below a further one that is virtual itself.
struct Side : virtual Bottom {
  BOTH Side(Log* l, int s) : Root(l, s), Bottom(l, s * 2) { log->note(900 + sum()); }
  BOTH int sum() const override { return Right::sum() * 5; }
};
struct Other : virtual Root, virtual Bottom {
  short other = 9;
  BOTH Other(Log* l, int s) : Root(l, s), Bottom(l, s * 3) { log->note(1000 + code()); }
};
struct Lowest final : Side, Other {
  BOTH Lowest(Log* l, int s) : Root(l, s + 5), Bottom(l, s + 6), Side(l, s), Other(l, s) {}
  BOTH ~Lowest() override { log->note(1100 + other); }
  BOTH int name() const override { return 5; }
  BOTH int code() const override { return seed + other; }
};

BOTH unsigned ask(const Root& r, int x) {
  return r.name() + 10 * r.eval(x) + 1000 * r.self()->name();
}
BOTH unsigned ask(const Right& r) { return r.sum() + 100000 * r.name(); }
BOTH unsigned ask(const Plain& p) { return p.code(); }

/// All that is asked of objects of every class, on whichever side this runs.
BOTH unsigned story(int s) {
  Log log;
  {
    Left left(&log, s);
    Right right(&log, s + 2);
    log.note(ask(left, s) + ask(right, s + 1) + ask(right));
    Bottom bottom(&log, s);
    const Root* root = &bottom;
    const Right* middle = &bottom;
    log.note(ask(*root, s) + ask(*middle) + ask(static_cast<const Plain&>(bottom)));
    log.note(unsigned(static_cast<const Root*>(middle) == root));
    Lowest lowest(&log, s);
    Side& side = lowest;
    Other& other = lowest;
    log.note(ask(side, 4) + ask(other, 5) + ask(static_cast<Right&>(side)) +
             ask(static_cast<Plain&>(other)));
    log.note(unsigned(static_cast<Bottom*>(&side) == static_cast<Bottom*>(&other)));
    Lowest copy(lowest);
    copy.seed += 3;
    log.note(ask(copy, 1));
  }
  return log.value;
}

__global__ void stories(unsigned* out) {
  const int i = check::global_index();
  out[i] = story(i % 50);
}

// Objects that stay from one kernel to the next, made in memory of different kinds.
__global__ void make(Root** roots, Log* logs, char* storage, int n) {
  const int i = check::global_index();
  if (i >= n) return;
  logs[i] = Log();
  void* place = storage + i * 256;
  switch (i % 5) {
    case 0:
      roots[i] = new (place) Bottom(&logs[i], i % 19);
      break;
    case 1:
      roots[i] = new (place) Lowest(&logs[i], i % 11);
      break;
    case 2:
      roots[i] = new (place) Left(&logs[i], i % 7);
      break;
    case 3: {
      Right* right = new Lowest(&logs[i], i % 5);
      roots[i] = right;
      break;
    }
    default:
      roots[i] = new Bottom(&logs[i], i % 3);
  }
}
__global__ void use(Root* const* roots, int n) {
  const int i = check::global_index();
  if (i < n) roots[i]->log->note(ask(*roots[i], i % 4));
}
__global__ void destroy(Root** roots, int n) {
  const int i = check::global_index();
  if (i >= n) return;
  if (i % 5 < 3)
    roots[i]->~Root();
  else
    delete roots[i];
}
static unsigned want_object(int i) {
  Log log;
  Root* root = nullptr;
  switch (i % 5) {
    case 0:
      root = new Bottom(&log, i % 19);
      break;
    case 1:
      root = new Lowest(&log, i % 11);
      break;
    case 2:
      root = new Left(&log, i % 7);
      break;
    case 3:
      root = new Lowest(&log, i % 5);
      break;
    default:
      root = new Bottom(&log, i % 3);
  }
  log.note(ask(*root, i % 4));
  delete root;
  return log.value;
}

__global__ void in_shared(unsigned* out) {
  __shared__ __align__(16) char storage[sizeof(Lowest)];
  __shared__ __align__(4) char log_storage[sizeof(Log)];
  Log& log = *reinterpret_cast<Log*>(log_storage);
  __shared__ Root* root;
  if (check::thread_index() == 0) {
    log.value = 1;
    root = new (storage) Lowest(&log, blockIdx.x);
  }
  __syncthreads();
  const unsigned answer = ask(*root, check::thread_index());
  __syncthreads();
  if (check::thread_index() == 0) root->~Root();
  __syncthreads();
  out[check::global_index()] = answer + log.value;
}

int main() {
  static_assert(sizeof(Lowest) <= 256, "");
  for (dim3 block : {dim3(1), dim3(33), dim3(257), dim3(3, 5, 7)}) {
    const int threads = check::volume(block), blocks = 3, n = threads * blocks;
    check::Array<unsigned> out(n);
    std::vector<unsigned> want(n);
    stories<<<blocks, block>>>(out.data());
    for (int i = 0; i < n; ++i) want[i] = story(i % 50);
    check::equal(check::name("stories", block), out.get(), want);

    check::Array<Root*> roots(n);
    check::Array<Log> logs(n);
    check::Array<char> storage(n * 256);
    make<<<blocks, block>>>(roots.data(), logs.data(), storage.data(), n);
    use<<<blocks, block>>>(roots.data(), n);
    destroy<<<blocks, block>>>(roots.data(), n);
    std::vector<unsigned> got(n);
    const std::vector<Log> told = logs.get();
    for (int i = 0; i < n; ++i) {
      got[i] = told[i].value;
      want[i] = want_object(i);
    }
    check::equal(check::name("objects", block), got, want);

    in_shared<<<blocks, block>>>(out.data());
    for (int b = 0; b < blocks; ++b) {
      Log log;
      Lowest lowest(&log, b);
      std::vector<unsigned> answers(threads);
      for (int t = 0; t < threads; ++t) answers[t] = ask(lowest, t);
      lowest.~Lowest();
      const unsigned value = log.value;
      new (&lowest) Lowest(&log, b);
      for (int t = 0; t < threads; ++t) want[b * threads + t] = answers[t] + value;
    }
    check::equal(check::name("in_shared", block), out.get(), want);
  }
  return check::finish();
}
