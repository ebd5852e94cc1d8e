// Kernels for the tests of what gridspan explain says and draws.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

namespace gridspan::tools {

/// A kernel over a 2-D grid with one array `A`, of these inner extents, and one set with this
/// image. Integer arguments are n and m; blocks are blockDim.x by blockDim.y.
inline model::Kernel kernel_with(isl::ctx context, const std::vector<std::string>& extents,
                                 model::SetKind kind, const std::string& image) {
  using model::Dimension;
  using model::Parameter;
  model::Kernel kernel;
  for (unsigned axis = 0; axis < 2; ++axis) {
    const std::string letter(1, "xy"[axis]);
    Parameter grid, block;
    grid.name = "gridDim_" + letter;
    grid.kind = Parameter::Kind::grid_dim;
    block.name = "blockDim_" + letter;
    block.kind = Parameter::Kind::block_dim;
    grid.axis = block.axis = axis;
    kernel.parameters.push_back(grid);
    kernel.parameters.push_back(block);
    const std::string index = "blockIdx_" + letter;
    kernel.dimensions.push_back({index, Dimension::Kind::block, axis, {}, "", ""});
    kernel.dimensions.push_back({"threadIdx_" + letter, Dimension::Kind::thread, axis, {}, "", ""});
    kernel.dimensions.push_back({index + "_blockDim_" + letter,
                                 Dimension::Kind::product,
                                 0,
                                 {},
                                 "blockDim_" + letter,
                                 index});
  }
  for (const char* name : {"n", "m"}) {
    Parameter argument;
    argument.name = name;
    argument.argument = static_cast<unsigned>(kernel.parameters.size());
    argument.bytes = 4;
    kernel.parameters.push_back(argument);
  }
  kernel.context = isl::set(context,
                            "[blockDim_x, blockDim_y] -> { : 1 <= blockDim_x <= 1024 and "
                            "1 <= blockDim_y <= 1024 }");
  model::Array array;
  array.name = "A";
  array.element_type = "float";
  for (const std::string& extent : extents) array.extents.push_back(isl::pw_aff(context, extent));
  model::AccessSet set;
  set.kind = kind;
  set.exact_block = set.exact_part = true;
  model::FootprintPiece piece;
  piece.image = isl::set(context, image);
  set.pieces.push_back(piece);
  array.sets.push_back(set);
  model::Access access;
  access.bytes = 4;
  std::string subscripts = "i0";
  for (std::size_t i = 1; i < array.rank(); ++i) subscripts += ", i" + std::to_string(i);
  access.relation = isl::map(
      context, "{ [blockIdx_x, blockIdx_y, threadIdx_x, threadIdx_y] -> A[" + subscripts + "] }");
  array.accesses.push_back(access);
  kernel.arrays.push_back(array);
  for (model::AxisSplit& axis : kernel.axes) axis.legal = isl::set(context, "{ : }");
  kernel.rung = model::Rung::exact;
  return kernel;
}

/// Part bounds in images, spelt short.
inline std::string parts(std::string image) {
  for (const auto& [brief, name] : {std::pair("$x", "blockIdx_x_blockDim_x_first"),
                                    {"$X", "blockIdx_x_blockDim_x_last"},
                                    {"$y", "blockIdx_y_blockDim_y_first"},
                                    {"$Y", "blockIdx_y_blockDim_y_last"}})
    for (std::size_t at; (at = image.find(brief)) != std::string::npos;) image.replace(at, 2, name);
  return "[n, m, blockDim_x, blockDim_y, blockIdx_x_blockDim_x_first, blockIdx_x_blockDim_x_last, "
         "blockIdx_y_blockDim_y_first, blockIdx_y_blockDim_y_last] -> " +
         image;
}

}  // namespace gridspan::tools
