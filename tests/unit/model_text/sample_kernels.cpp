// Models made by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sample_kernels.h"

namespace gridspan::model {
namespace {

Parameter parameter(const char* name, Parameter::Kind kind) {
  Parameter parameter;
  parameter.name = name;
  parameter.kind = kind;
  return parameter;
}

std::vector<Parameter> parameters() {
  Parameter grid = parameter("gridDim_y", Parameter::Kind::grid_dim);
  grid.axis = 1;
  Parameter block = parameter("blockDim_x", Parameter::Kind::block_dim);
  Parameter n = parameter("p_16", Parameter::Kind::argument);
  n.argument = 1;
  n.offset = 16;
  n.bytes = 8;
  Parameter product = parameter("gridDim_y_p_16", Parameter::Kind::product);
  product.factors = {"gridDim_y", "p_16", "p_16"};
  Parameter half = parameter("e0", Parameter::Kind::expression);
  half.expression = "[p_16] -> { [(floor((p_16)/2))] }";
  Parameter quotient = parameter("q", Parameter::Kind::quotient);
  quotient.factors = {"p_16", "gridDim_y"};
  return {grid, block, n, product, half, quotient};
}

Dimension product(const char* name, const char* factor, const char* base) {
  return {name, Dimension::Kind::product, 0, {}, factor, base};
}

std::vector<Dimension> dimensions() {
  return {{"blockIdx_x", Dimension::Kind::block, 0, {}, "", ""},
          {"threadIdx_z", Dimension::Kind::thread, 2, {}, "", ""},
          {"k0", Dimension::Kind::loop, 0, {"dir/a:b.cu", 12, 3}, "", ""},
          product("blockIdx_x_blockDim_x", "blockDim_x", "blockIdx_x")};
}

Access write(isl::ctx context) {
  Access access;
  access.kind = AccessKind::reduction;
  access.op = ReductionOp::bit_xor;
  access.bytes = 4;
  access.exact = true;
  access.same_value = true;
  access.is_volatile = true;
  access.where = {"a.cu", 41, 9};
  access.reason = "depends on \"loaded\" data";
  access.reason_where = {"a.cu", 40, 0};
  access.assumptions = {1, 0};
  access.relation = isl::map(
      context,
      "[p_16, blockDim_x] -> { [blockIdx_x, blockIdx_x_blockDim_x, k0] -> "
      "A[blockIdx_x_blockDim_x + 2k0, i1] : 0 <= i1 < blockDim_x and 0 <= k0 and 2k0 < p_16; "
      "[blockIdx_x, blockIdx_x_blockDim_x, k0] -> A[0, 7] : blockIdx_x = 3 and k0 mod 4 = 1 }");
  return access;
}

AccessSet set(isl::ctx context) {
  AccessSet set;
  set.kind = SetKind::reduction;
  set.op = ReductionOp::bit_xor;
  set.update_bytes = 8;
  set.exact_block = set.exact_part = true;
  set.accesses = {0};
  set.assumptions = {0, 1};
  NativeLoop loop;
  loop.counter = "k0";
  loop.last = isl::pw_aff(context, "[p_16] -> { [(-1 + p_16)] : p_16 > 0 }");
  loop.products = {product("S_k0", "gridDim_y_p_16", "k0")};
  FootprintPiece piece;
  piece.loops = {loop};
  piece.image = isl::set(context,
                         "[blockIdx_x_blockDim_x_first, blockIdx_x_blockDim_x_last, S_k0] -> "
                         "{ A[i0, i1] : blockIdx_x_blockDim_x_first <= i0 - S_k0 <= "
                         "blockIdx_x_blockDim_x_last and 0 <= i1 < 8 and i1 mod 2 = 0 }");
  set.pieces = {piece};
  return set;
}

std::vector<Array> arrays(isl::ctx context) {
  Array a;
  a.name = "a";
  a.argument = 1;
  a.offset = 8;
  a.element_bytes = 16;
  a.element_type = "float4";
  a.extents = {isl::pw_aff(context, "[p_16] -> { [(p_16)] : p_16 > 3; [(4)] : p_16 <= 3 }")};
  a.accesses = {write(context), Access()};
  a.accesses[1].unbounded = true;
  a.sets = {set(context), AccessSet()};
  a.sets[1].unbounded = true;
  Array shared;
  shared.name = "tile";
  shared.space = AddressSpace::shared;
  shared.symbol = "_ZZ1kPfE4tile";
  return {a, shared};
}

std::vector<Assumption> assumptions(isl::ctx context) {
  Assumption holds;
  holds.text = "0 <= x < width";
  holds.where = {"a.cu", 7, 1};
  holds.condition = isl::set(context, "[blockDim_x, p_16] -> { : blockDim_x < p_16 }");
  Assumption range;
  range.kind = Assumption::Kind::in_range;
  range.text = "i * n fits into int";
  range.domain = isl::set(context, "[k0, p_16] -> { : 0 <= k0 < p_16 }");
  range.value = isl::pw_aff(context, "[k0] -> { [(3*k0)] }");
  range.minimum = "-2147483648";
  range.maximum = "2147483647";
  return {holds, range};
}

}  // namespace

Kernel every_field(isl::ctx context) {
  Kernel kernel;
  kernel.name = "_Z1kIfEvPT_1p";
  kernel.readable = "void k<float>(float*, p)";
  kernel.where = {"a.cu", 5, 17};
  kernel.argument_names = {"out", "p"};
  kernel.argument_types = {"float*", "struct p"};
  kernel.parameters = parameters();
  kernel.dimensions = dimensions();
  kernel.context = isl::set(context, "[blockDim_x] -> { : 1 <= blockDim_x <= 1024 }");
  kernel.assumptions = assumptions(context);
  kernel.arrays = arrays(context);
  kernel.remarks = {{Obstacle::device_malloc, {"b.cuh", 3, 2}, "malloc on the device"}};
  kernel.barriers = 2;
  kernel.static_shared = 1024;
  kernel.max_threads = 256;
  kernel.min_blocks = 2;
  kernel.axes[0] = {isl::set(context, "[gridDim_y] -> { : gridDim_y = 1 }"),
                    4,
                    "two writes collide",
                    {"a.cu", 41, 9},
                    true,
                    "reads what a neighbour writes",
                    {"a.cu", 42, 1},
                    "8*p_16"};
  kernel.axes[1].legal = isl::set(context, "{ : false }");
  kernel.suggested_axis = 0;
  kernel.rung = Rung::reduction;
  kernel.rung_reason = "an atomic";
  return kernel;
}

Kernel nothing_known() {
  Kernel kernel;
  kernel.name = "k";
  kernel.readable = "k()";
  return kernel;
}

}  // namespace gridspan::model
