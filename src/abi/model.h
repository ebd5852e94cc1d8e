// What compiled code tells the run time about the memory a kernel touches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words: a *value vector* holds the launch's scalars, all 64 bits wide:
//   values[0..2] gridDim x,y,z · values[3..5] blockDim x,y,z · values[6 + i] scalars[i].
// A *part* is a box of blocks: part[0..2] first block x,y,z, part[3..5] last block x,y,z
// (inclusive). A *strided box* of an array of rank d is 3·d numbers: first, last (inclusive),
// stride (>= 1) of subscript 0, then of subscript 1, ...; it holds first, first+stride, ..., <=
// last. Subscripts count elements; element (i_0, ..., i_{d-1}) lies at byte
//   ((i_0 * e_1 + i_1) * e_2 + ...) * element_bytes   from the argument's address, with the inner
// extents e_1..e_{d-1} from `extents`.
#pragma once

#include "abi/sync.h"

#include <cstdint>

namespace gridspan::abi {

/// Where values[6 + i] comes from: `bytes` (1, 2, 4, 8) at `offset` of kernel argument `argument`,
/// sign-extended.
struct ModelScalar {
  std::uint32_t argument;
  std::uint32_t offset;
  std::uint32_t bytes;
  std::uint32_t reserved;
};

inline constexpr std::uint32_t first_scalar = 6;  // index of scalars[0] in the value vector

/// Takes the boxes of a footprint one by one; `box` is valid during the call only.
struct BoxSink {
  void (*take)(BoxSink* sink, const std::int64_t* box);
};

/// Computes with numbers up to 2^48; where a launch may have larger ones, an assumption of the set
/// says that it has not. Calls sink->take for each strided box a part touches; the boxes are
/// disjoint unless the set says set_boxes_overlap. An empty footprint, or part (last < first),
/// calls nothing. A part lies within the grid. Closed form: O(boxes), not O(elements).
using FootprintFunction = void (*)(const std::int64_t* values, const std::int64_t* part,
                                   BoxSink* sink);

/// A condition on the launch.
using PredicateFunction = bool (*)(const std::int64_t* values);

enum class SetKind : std::uint32_t {
  read = 0,
  /// Every element of the footprint is written; without set_exact_part this holds for parts of one
  /// block only, and it is a may-write over others.
  must_write = 1,
  /// A superset of what is written.
  may_write = 2,
  /// Every block stores the same launch-invariant value; a superset of what is written.
  write_same = 3,
  /// Commutative atomic updates whose result is not used.
  reduction = 4,
  /// Other atomic operations: read and written in an order that matters.
  atomic = 5,
};

/// In the order of model::ReductionOp.
enum class ReductionOp : std::uint32_t {
  none,
  add,  // of integers, signed or not
  float_add,
  min,
  unsigned_min,
  float_min,
  max,
  unsigned_max,
  float_max,
  bit_and,
  bit_or,
  bit_xor,
  increment,  // up to a limit, then 0
  decrement,  // down to 0, then a limit
};
inline constexpr std::uint32_t reduction_op_count = 14;

enum AccessSetFlags : std::uint32_t {
  set_exact_block = 1u << 0,    // of a part of one block, the footprint is exactly what is touched
  set_exact_part = 1u << 1,     // of every part
  set_boxes_overlap = 1u << 2,  // boxes of one call may have elements in common
  set_moved = 1u << 3,          // its footprint depends on scalars of KernelModel::read_movers
};

/// All accesses of one kind to one array.
struct ModelSet {
  FootprintFunction footprint;  // null: unbounded, anything in the allocation
  SetKind kind;
  ReductionOp op;
  std::uint32_t update_bytes;      // reduction: the width of every update
  std::uint32_t flags;             // AccessSetFlags
  std::uint32_t assumption_count;  // what the footprint relies on; if one of them does not hold,
  const std::uint32_t*
      assumptions;    // the set is unbounded at this launch; indices into assumptions
  SourcePoint where;  // first access of the set
};

struct ModelArray {
  const char* name;       // as in the source where known
  std::int32_t argument;  // index of the kernel argument that holds the pointer, or -1
  std::uint32_t offset;   // bytes: where the pointer lies in that argument
  std::int32_t symbol;    // index of the module's symbol, or -1
  std::uint32_t element_bytes;
  std::uint32_t rank;  // >= 1
  std::uint32_t set_count;
  void (*extents)(const std::int64_t* values,
                  std::int64_t* inner);  // e_1 .. e_{rank-1}; null: none
  const ModelSet* sets;
};

struct ModelAssumption {
  PredicateFunction holds;
  const char* text;  // for a person
  SourcePoint where;
};

/// May the grid be cut along this axis? `legal` looks at one array of writes after the other under
/// the sets' assumptions; parts are cut at multiples of `granularity` blocks.
struct ModelAxis {
  PredicateFunction legal;  // null: never
  std::uint32_t granularity;
  std::uint32_t reserved;
};

/// What keeps the kernel's memory from being fully described by its arrays.
enum ModelObstacle : std::uint32_t {
  obstacle_loaded_pointer = 1u << 0,   // goes through a pointer loaded from memory
  obstacle_unknown_pointer = 1u << 1,  // a pointer whose array could not be told
  obstacle_printf = 1u << 2,
  obstacle_device_malloc = 1u << 3,
  obstacle_grid_barrier = 1u << 4,
  obstacle_clock = 1u << 5,
  obstacle_call = 1u << 6,   // recursion or indirect call: not analysed
  obstacle_fence = 1u << 7,  // __threadfence and stronger
  obstacle_volatile = 1u << 8,
  obstacle_atomic_result = 1u << 9,  // the result of an atomic operation on global memory is used
  obstacle_trap = 1u << 10,          // __trap, assert
  obstacle_assembly = 1u << 11,
  obstacle_too_complex = 1u << 12,    // analysis gave up within its limits
  obstacle_pointer_value = 1u << 13,  // an address is stored, compared or made a number
};
/// With one of these, memory is reached that no array of the model describes. Nobody asks then what
/// the arrays' sets are: they have no footprint functions, and no axis may be cut.
inline constexpr std::uint32_t hides_memory = obstacle_loaded_pointer | obstacle_unknown_pointer |
                                              obstacle_device_malloc | obstacle_call |
                                              obstacle_assembly | obstacle_too_complex;

struct KernelModel {
  const ModelScalar* scalars;
  const ModelArray* arrays;
  const ModelAssumption* assumptions;
  std::uint32_t scalar_count;
  std::uint32_t array_count;
  std::uint32_t assumption_count;
  std::uint32_t obstacles;      // ModelObstacle bits
  ModelAxis axes[3];            // x, y, z
  std::int32_t suggested_axis;  // -1: none
  /// Bit i: only footprints with set_moved depend on scalars[i], and nothing else does: reads of
  /// arrays that the kernel does not write by that pointer.
  std::uint32_t read_movers;
};

}  // namespace gridspan::abi
