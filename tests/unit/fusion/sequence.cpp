// Building launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sequence.h"

#include <algorithm>

namespace gridspan::fusion::test {

using model::test::Emit;
using model::test::Index;
using Shape = model::test::Launch;

namespace {

long global(const Shape& shape, const Index& block, const Index& thread, unsigned axis) {
  return shape.block[axis] * block[axis] + thread[axis];
}

std::string signed_number(long number) {
  return (number < 0 ? " - " : " + ") + std::to_string(std::labs(number));
}

}  // namespace

TestLaunch::TestLaunch(isl::ctx context) : kernel_(context) {
  kernel_.argument("n", 1, 20).argument("m", 1, 20);
  kernel_.product("o_x", "blockDim_x", "blockIdx_x").product("o_y", "blockDim_y", "blockIdx_y");
  kernel_.loop("k");
  for (model::Parameter& parameter : kernel_.kernel.parameters) {
    if (parameter.name == "m") parameter.argument = 1;
    if (parameter.kind == model::Parameter::Kind::argument) parameter.bytes = 4;
  }
}

TestLaunch& TestLaunch::add(const std::string& array, AccessKind kind, const std::string& relation,
                            const Body& body, bool exact) {
  kernel_.access(array, kind, relation, body, exact);
  auto& arrays = kernel_.kernel.arrays;
  for (std::size_t i = 0; i < arrays.size(); ++i) arrays[i].argument = static_cast<int>(i) + 2;
  touching_.push_back({array, kind, body});
  return *this;
}

TestLaunch& TestLaunch::linear(const std::string& array, AccessKind kind, const Linear& form,
                               bool exact) {
  const std::string extent = form.of_m ? "m" : "n", x = "(o_x + threadIdx_x)";
  const std::string relation = "[o_x, threadIdx_x] -> A[" + std::to_string(form.factor) + "*" + x +
                               signed_number(form.shift) + "] : " + std::to_string(form.low) +
                               " <= " + x + " < " + extent + signed_number(-form.high);
  return add(
      array, kind, relation,
      [=](const Shape& shape, const Index& block, const Index& thread, const Emit& emit) {
        const long i = global(shape, block, thread, 0);
        if (i >= form.low && i < shape[extent] - form.high) emit({form.factor * i + form.shift});
      },
      exact);
}

TestLaunch& TestLaunch::plane(const std::string& array, AccessKind kind, long dy, long dx,
                              long border) {
  const std::string x = "o_x + threadIdx_x", y = "o_y + threadIdx_y",
                    low = std::to_string(border) + " <= ", high = signed_number(-border);
  const std::string relation = "[o_x, o_y, threadIdx_x, threadIdx_y] -> A[" + y +
                               signed_number(dy) + ", " + x + signed_number(dx) + "] : " + low + x +
                               " < m" + high + " and " + low + y + " < n" + high;
  return add(
      array, kind, relation,
      [=](const Shape& shape, const Index& block, const Index& thread, const Emit& emit) {
        const long i = global(shape, block, thread, 0), j = global(shape, block, thread, 1);
        if (i >= border && i < shape["m"] - border && j >= border && j < shape["n"] - border)
          emit({j + dy, i + dx});
      },
      true);
}

TestLaunch& TestLaunch::transposed(const std::string& array, AccessKind kind) {
  return add(
      array, kind,
      "[o_x, o_y, threadIdx_x, threadIdx_y] -> A[o_x + threadIdx_x, o_y + threadIdx_y] : "
      "o_x + threadIdx_x < n and o_y + threadIdx_y < n",
      [](const Shape& shape, const Index& block, const Index& thread, const Emit& emit) {
        const long i = global(shape, block, thread, 0), j = global(shape, block, thread, 1);
        if (i < shape["n"] && j < shape["n"]) emit({i, j});
      },
      true);
}

TestLaunch& TestLaunch::mirrored(const std::string& array, AccessKind kind) {
  return add(
      array, kind,
      "[o_x, threadIdx_x] -> A[o_x + blockDim_x - 1 - threadIdx_x] : o_x + blockDim_x - 1 - "
      "threadIdx_x < n",
      [](const Shape& shape, const Index& block, const Index& thread, const Emit& emit) {
        const long i = shape.block[0] * block[0] + shape.block[0] - 1 - thread[0];
        if (i < shape["n"]) emit({i});
      },
      true);
}

TestLaunch& TestLaunch::of_block(const std::string& array, AccessKind kind) {
  return add(
      array, kind, "[blockIdx_x, threadIdx_x] -> A[blockIdx_x] : threadIdx_x = 0",
      [](const Shape&, const Index& block, const Index& thread, const Emit& emit) {
        if (thread[0] == 0) emit({block[0]});
      },
      true);
}

TestLaunch& TestLaunch::all(const std::string& array, AccessKind kind) {
  return add(
      array, kind, "[blockIdx_x, k] -> A[k] : 0 <= k < n",
      [](const Shape& shape, const Index&, const Index& thread, const Emit& emit) {
        for (long k = 0; thread == Index{} && k < shape["n"]; ++k) emit({k});
      },
      true);
}

Launch TestLaunch::launch() const {
  Launch launch;
  launch.kernel = &kernel_.kernel;
  launch.arguments = {'n', m_value};
  for (const model::Array& array : kernel_.kernel.arrays)
    launch.arguments.push_back(array.name.front());
  launch.grid = grid_shape;
  launch.block = block_shape;
  return launch;
}

Elements TestLaunch::touched(char array, AccessKind kind, const Shape& shape, const Index& block,
                             const Index& thread) const {
  Elements elements;
  for (const Touching& one : touching_) {
    if (one.array.front() != array || one.kind != kind) continue;
    one.body(shape, block, thread, [&](Element element) { elements.insert(std::move(element)); });
  }
  return elements;
}

Elements TestLaunch::touched(char array, AccessKind kind, const Shape& shape,
                             const Index& block) const {
  Elements elements;
  for_each_thread(shape, [&](const Index& thread) {
    elements.merge(touched(array, kind, shape, block, thread));
  });
  return elements;
}

std::vector<Launch> launches(const Sequence& sequence) {
  std::vector<Launch> all;
  for (const TestLaunch& one : sequence) all.push_back(one.launch());
  return all;
}

namespace {

void for_each(const Index& extents, const std::function<void(const Index&)>& visit) {
  Index i;
  for (i[2] = 0; i[2] < extents[2]; ++i[2])
    for (i[1] = 0; i[1] < extents[1]; ++i[1])
      for (i[0] = 0; i[0] < extents[0]; ++i[0]) visit(i);
}

}  // namespace

void for_each_block(const Shape& shape, const std::function<void(const Index&)>& visit) {
  for_each(shape.grid, visit);
}

void for_each_thread(const Shape& shape, const std::function<void(const Index&)>& visit) {
  for_each(shape.block, visit);
}

}  // namespace gridspan::fusion::test
