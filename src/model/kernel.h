// The kernel model: what every kernel reads and writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nouns first.
//
// A *parameter* is a number fixed for a launch: gridDim, blockDim, an integer argument, or a
// *product*, *quotient* or *expression* of earlier ones. isl sees each as one opaque parameter, so
// products such as gridDim_x*blockDim_x stay affine; `Parameter` remembers what they mean.
//
// A *dimension* is a number that differs between dynamic instances of an access: a block index, a
// thread index, a loop counter (0, 1, 2, ... per loop), or a *product dimension* factor*base such
// as blockDim_x*blockIdx_x (written o in Mekong §4.1) or (gridDim_x*blockDim_x)*k of a grid-stride
// loop. Product dimensions are related to their base by linear facts only (model/facts.h): over one
// block they are exact, over a part of several blocks they are denser than the multiples they take.
//
// An *access* is one load, store or atomic in the kernel's code; its relation maps its dimensions
// to array subscripts. Accesses of one kind to one array form an *access set*, whose *image* is
// what a part touches. Facts about data (loaded values, conditions on them) are projected out: then
// the relation is not `exact`.
#pragma once

#include "model/isl.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gridspan::model {

struct SourcePoint {
  std::string file;
  unsigned line = 0;    // 0: unknown
  unsigned column = 0;  // 0: unknown
  friend bool operator==(const SourcePoint&, const SourcePoint&) = default;
};

struct Parameter {
  enum class Kind { grid_dim, block_dim, argument, product, quotient, expression };
  std::string
      name;  // an isl identifier: gridDim_x, blockDim_y, n, p_16 (field at byte 16 of p), ...
  Kind kind = Kind::argument;
  unsigned axis = 0;                             // grid_dim, block_dim: 0 = x
  unsigned argument = 0, offset = 0, bytes = 0;  // argument: sign-extended `bytes` at `offset`
  // product: earlier parameters, repeated for powers. quotient: dividend and divisor, rounded down;
  // 0 where the dividend is negative or the divisor less than 1.
  std::vector<std::string> factors;
  std::string expression;  // expression: isl pw_aff text over earlier parameters
};

struct Dimension {
  enum class Kind { block, thread, loop, product };
  std::string name;  // blockIdx_x, threadIdx_y, k0 (loop), product: blockIdx_x_blockDim_x, ...
  Kind kind = Kind::loop;
  unsigned axis = 0;         // block, thread
  SourcePoint where;         // loop: its header
  std::string factor, base;  // product: value = parameter `factor` * dimension `base`
};

enum class AccessKind { read, write, reduction, atomic };
/// What an atomic update does to an element, as a number of its type; its width is Access::bytes.
enum class ReductionOp {
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
/// Updates in two private copies can be put together without asking what they were. Not where the
/// limit of a count is not known.
constexpr bool combines(ReductionOp op) {
  return op != ReductionOp::none && op != ReductionOp::increment && op != ReductionOp::decrement;
}
enum class AddressSpace { global, constant, shared };

struct Access {
  AccessKind kind = AccessKind::read;
  ReductionOp op = ReductionOp::none;
  unsigned bytes = 0;       // touched by one instance
  bool exact = false;       // every instance in the domain happens and touches just its image
  bool unbounded = false;   // nothing known: `relation` is null, any element may be touched
  bool same_value = false;  // write: stores a launch-invariant value, the same in every block
  bool is_volatile = false;
  SourcePoint where;
  std::string reason;                 // why not exact / unbounded, for a person; empty when exact
  SourcePoint reason_where;           // the code the reason speaks of
  std::vector<unsigned> assumptions;  // indices into Kernel::assumptions the relation relies on
  // same_value: what is stored, as text; two accesses with equal texts (not empty) store the same.
  std::string stored_value;
  OrNull<isl::map>
      relation;  // { [dimensions...] -> A[i_0, ..., i_{d-1}] }, input dimensions named;
                 // subscripts count elements; includes the facts about its dimensions
};

enum class SetKind { read, must_write, may_write, write_same, reduction, atomic };

/// A loop that the footprint function runs natively, because products with its counter are not
/// affine: for (counter = 0; counter <= last; ++counter).
struct NativeLoop {
  std::string counter;  // a parameter of the image
  // Over parameters (and part parameters): last value, or more: turns whose products leave the
  // image touch nothing.
  OrNull<isl::pw_aff> last;
  std::vector<Dimension> products;  // parameters of the image: factor * counter
};

struct FootprintPiece {
  std::vector<NativeLoop> loops;  // outermost first
  OrNull<isl::set> image;  // { A[i...] }, parameters: launch, part (see part_first), loop counters
};

/// All accesses of one kind (and one reduction operation of one width) to one array.
struct AccessSet {
  SetKind kind = SetKind::read;
  ReductionOp op = ReductionOp::none;
  bool unbounded = false;     // then there are no pieces
  unsigned update_bytes = 0;  // reduction: the width of every update
  bool exact_block = false, exact_part = false;
  std::vector<unsigned> accesses;     // indices into Array::accesses
  std::vector<unsigned> assumptions;  // union of theirs, and of what the proofs needed
  std::vector<FootprintPiece>
      pieces;  // their union is the footprint; they, and their parts, may overlap
};

struct Array {
  std::string name;
  AddressSpace space = AddressSpace::global;
  int argument = -1;    // pointer argument (or struct argument), or -1
  unsigned offset = 0;  // byte offset of the pointer field in a struct argument
  std::string symbol;   // mangled name of the __device__/__constant__/__shared__ variable, or empty
  unsigned element_bytes = 1;
  std::string element_type;          // "float", "int", "double", ... as the accesses see it
  std::vector<isl::pw_aff> extents;  // inner extents e_1 .. e_{d-1}; rank = extents.size() + 1
  std::vector<Access> accesses;
  std::vector<AccessSet> sets;  // from `prove`; empty for shared arrays
  unsigned rank() const { return static_cast<unsigned>(extents.size()) + 1; }
};

/// A condition on the launch that some relations rely on.
struct Assumption {
  enum class Kind {
    holds,     // `condition`, a set over parameters only
    in_range,  // `value` over every point of `domain` lies in [minimum, maximum]; both may use
               // dimensions and data; checked by interval arithmetic at launch, so it may fail
               // where a finer look would not
  };
  Kind kind = Kind::holds;
  std::string text;  // "0 <= x < width" for a person
  SourcePoint where;
  OrNull<isl::set> condition;    // holds: { : ... }
  OrNull<isl::set> domain;       // in_range: dimensions are parameters by name
  OrNull<isl::pw_aff> value;     // in_range
  std::string minimum, maximum;  // in_range: decimal
};

enum class Obstacle {
  loaded_pointer,
  unknown_pointer,
  printf,
  device_malloc,
  grid_barrier,
  clock,
  call,
  fence,
  volatile_access,
  atomic_result,
  trap,
  assembly,
  too_complex,
  pointer_value,
};

/// Something a person should know, at a place.
struct Remark {
  Obstacle obstacle = Obstacle::too_complex;
  SourcePoint where;
  std::string text;
};

/// Whether parts cut along one grid axis are independent.
struct AxisSplit {
  OrNull<isl::set> legal;    // over parameters: launches where no two blocks apart along the axis
                             // write the same element; empty set = never, universe = always
  unsigned granularity = 1;  // blocks that must stay together
  std::string reason;        // when never: which two accesses collide, for a person
  SourcePoint reason_where;
  bool read_write_overlap = false;  // a block may read what another, apart along the axis, writes
  std::string race;                 // explains it
  SourcePoint race_where;
  /// Bytes two neighbouring halves both need, per array, and in all; text in the parameters.
  std::string cost;
};

enum class Rung { exact, may_write, reduction, scattered, one_device };

/// Whether a kernel can be split among devices, in words: "can be split; ...".
std::string rung_text(Rung rung);

struct Kernel {
  std::string name;      // mangled
  std::string readable;  // demangled
  SourcePoint where;
  std::vector<std::string> argument_names;
  std::vector<std::string> argument_types;
  std::vector<Parameter> parameters;  // in dependency order
  std::vector<Dimension> dimensions;  // every dimension any access uses, products after bases
  OrNull<isl::set> context;  // over parameters: what always holds (1 <= blockDim_x <= 1024, ...)
  std::vector<Array> arrays;
  std::vector<Assumption> assumptions;
  std::vector<Remark> remarks;
  unsigned barriers = 0;
  unsigned static_shared = 0;                // bytes
  unsigned max_threads = 0, min_blocks = 0;  // __launch_bounds__, 0 = not given
  // From `prove`:
  AxisSplit axes[3];
  int suggested_axis = -1;
  Rung rung = Rung::one_device;
  std::string rung_reason;
  double analysis_milliseconds = 0;
};

/// Names of the part's parameters in images: blockIdx_x_first, blockIdx_x_last (inclusive), and for
/// a product dimension of a block index likewise <product>_first, <product>_last.
std::string part_first(const std::string& dimension);
std::string part_last(const std::string& dimension);

}  // namespace gridspan::model
