// The kernel all footprint tests share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hand_kernel.h"

namespace gridspan::tests {

using model::Dimension;
using model::Parameter;

namespace {

const std::string axes = "xyz";

Parameter extent(const std::string& name, Parameter::Kind kind, unsigned axis) {
  Parameter parameter;
  parameter.name = name + axes[axis];
  parameter.kind = kind;
  parameter.axis = axis;
  return parameter;
}

Parameter scalar(const std::string& name, unsigned index, unsigned bytes) {
  Parameter parameter;
  parameter.name = name;
  parameter.kind = Parameter::Kind::argument;
  parameter.argument = index;
  parameter.bytes = bytes;
  return parameter;
}

Parameter product(const std::string& name, std::vector<std::string> factors) {
  Parameter parameter;
  parameter.name = name;
  parameter.kind = Parameter::Kind::product;
  parameter.factors = std::move(factors);
  return parameter;
}

Dimension dimension(const std::string& name, Dimension::Kind kind, unsigned axis) {
  Dimension result;
  result.name = name;
  result.kind = kind;
  result.axis = axis;
  return result;
}

Dimension product_dimension(const std::string& name, const std::string& factor,
                            const std::string& base) {
  Dimension result = dimension(name, Dimension::Kind::product, 0);
  result.factor = factor;
  result.base = base;
  return result;
}

}  // namespace

std::string with_parameters(const std::string& text) {
  std::string names = "n, m, s, l, nm, k, zk";
  for (char w : axes)
    for (const char* stem : {"gridDim_", "blockDim_", "G_"}) names += ", " + std::string(stem) + w;
  for (char w : axes)
    for (const char* stem : {"blockIdx_", "o_"})
      for (auto end : {model::part_first, model::part_last})
        names += ", " + end(std::string(stem) + w);
  for (char w : axes)
    for (const char* stem : {"blockIdx_", "threadIdx_", "o_"})
      names += ", " + std::string(stem) + w;
  return "[" + names + "] -> " + text;
}

model::Kernel make_kernel(isl::ctx context) {
  model::Kernel kernel;
  kernel.name = "kernel";
  for (unsigned axis = 0; axis < 3; ++axis) {
    kernel.parameters.push_back(extent("gridDim_", Parameter::Kind::grid_dim, axis));
    kernel.parameters.push_back(extent("blockDim_", Parameter::Kind::block_dim, axis));
  }
  kernel.parameters.push_back(scalar("n", 1, 4));
  kernel.parameters.push_back(scalar("m", 2, 4));
  kernel.parameters.push_back(scalar("s", 3, 4));
  kernel.parameters.push_back(scalar("l", 4, 8));
  for (char w : axes) {
    const std::string end(1, w);
    kernel.parameters.push_back(product("G_" + end, {"gridDim_" + end, "blockDim_" + end}));
  }
  kernel.parameters.push_back(product("nm", {"n", "m"}));
  for (unsigned axis = 0; axis < 3; ++axis) {
    const std::string end(1, axes[axis]);
    kernel.dimensions.push_back(dimension("blockIdx_" + end, Dimension::Kind::block, axis));
    kernel.dimensions.push_back(dimension("threadIdx_" + end, Dimension::Kind::thread, axis));
    kernel.dimensions.push_back(
        product_dimension("o_" + end, "blockDim_" + end, "blockIdx_" + end));
  }
  kernel.dimensions.push_back(dimension("k", Dimension::Kind::loop, 0));
  kernel.dimensions.push_back(product_dimension("zk", "G_x", "k"));
  kernel.context = isl::set(
      context,
      "[gridDim_x, gridDim_y, gridDim_z, blockDim_x, blockDim_y, blockDim_z, G_x, G_y, G_z] -> { : "
      "1 <= gridDim_x <= 2147483647 and 1 <= gridDim_y <= 65535 and 1 <= gridDim_z <= 65535 and "
      "1 <= blockDim_x <= 1024 and 1 <= blockDim_y <= 1024 and 1 <= blockDim_z <= 64 and "
      "G_x >= gridDim_x and G_x >= blockDim_x and G_y >= gridDim_y and G_y >= blockDim_y and "
      "G_z >= gridDim_z and G_z >= blockDim_z }");
  return kernel;
}

model::AccessSet& add_set(model::Kernel& kernel, unsigned rank, model::SetKind kind) {
  model::Array array;
  array.name = "A";
  array.argument = 0;
  array.element_bytes = 4;
  for (unsigned i = 1; i < rank; ++i)
    array.extents.push_back(isl::pw_aff(kernel.context.ctx(), "[m] -> { [(m + 1)] }"));
  model::AccessSet set;
  set.kind = kind;
  set.exact_block = set.exact_part = true;
  array.sets.push_back(std::move(set));
  kernel.arrays.push_back(std::move(array));
  return kernel.arrays.back().sets.back();
}

isl::set image_of(isl::ctx context, const std::string& text) {
  if (text.find("->") == std::string::npos) return isl::set(context, with_parameters(text));
  return isl::map(context, with_parameters(text)).range();
}

model::AccessSet& add_set(model::Kernel& kernel, unsigned rank, model::SetKind kind,
                          const std::string& image) {
  model::AccessSet& set = add_set(kernel, rank, kind);
  set.pieces.push_back({{}, image_of(kernel.context.ctx(), image)});
  return set;
}

std::vector<std::int64_t> Launch::values() const {
  return {grid[0], grid[1], grid[2], block[0], block[1], block[2], n, m, s, l};
}

std::vector<std::int64_t> Launch::part() const {
  return {first[0], first[1], first[2], last[0], last[1], last[2]};
}

std::map<std::string, std::int64_t> Launch::names() const {
  std::map<std::string, std::int64_t> names{{"n", n}, {"m", m}, {"s", s}, {"l", l}, {"nm", n * m}};
  for (unsigned axis = 0; axis < 3; ++axis) {
    const std::string end(1, axes[axis]), b = "blockIdx_" + end, o = "o_" + end;
    names["gridDim_" + end] = grid[axis];
    names["blockDim_" + end] = block[axis];
    names["G_" + end] = grid[axis] * block[axis];
    names[model::part_first(b)] = first[axis];
    names[model::part_last(b)] = last[axis];
    names[model::part_first(o)] = first[axis] * block[axis];
    names[model::part_last(o)] = last[axis] * block[axis];
  }
  return names;
}

Launch random_launch(std::mt19937& random) {
  auto between = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  Launch launch;
  for (unsigned axis = 0; axis < 3; ++axis) {
    launch.grid[axis] = between(1, axis == 0 ? 6 : 3);
    launch.block[axis] = between(1, axis == 0 ? 7 : 3);
    const std::int64_t end = launch.grid[axis] - 1;
    launch.first[axis] = between(0, 3) == 0 ? 0 : between(0, end);
    launch.last[axis] = between(0, 3) == 0 ? end : between(launch.first[axis], end);
    if (between(0, 30) == 0) launch.last[axis] = launch.first[axis] - 1;
  }
  launch.n = between(-4, 24);
  launch.m = between(-3, 17);
  launch.s = between(-5, 9);
  launch.l = between(-6, 30);
  return launch;
}

}  // namespace gridspan::tests
