// What kernels launch, copy and fill becomes entries of a list (abi/child_list.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "abi/child_list.h"
#include "gpu.h"

using namespace gridspan::abi;

namespace {

struct Dim {
  unsigned x, y, z;
};

constexpr unsigned most_threads = 1024;

/// The last error of each thread of the block; in kernels that ask for it only.
[[clang::loader_uninitialized]]
__attribute__((address_space(3))) unsigned short errors[most_threads];

auto& own_error() {
  const unsigned x = __nvvm_read_ptx_sreg_tid_x(), y = __nvvm_read_ptx_sreg_tid_y(),
                 z = __nvvm_read_ptx_sreg_tid_z();
  return errors[x + __nvvm_read_ptx_sreg_ntid_x() * (y + __nvvm_read_ptx_sreg_ntid_y() * z)];
}

}  // namespace

// Each module has its own (src/codegen/ptx/device_launches.h).
extern "C" ChildList* __attribute__((address_space(1))) gridspan_children;
extern "C" void* malloc(unsigned long long bytes);
extern "C" void free(void* memory);

/// Kernels that ask for errors call it first.
DEVICE_FUNCTION void gridspan_clear_device_error() { own_error() = 0; }

DEVICE_FUNCTION void gridspan_device_set_error(unsigned error) {
  own_error() = static_cast<unsigned short>(error);
}

DEVICE_FUNCTION unsigned gridspan_device_last_error(unsigned clear) {
  auto& own = own_error();
  const unsigned error = own;
  if (clear != 0) own = 0;
  return error;
}

/// 0: `made` has all of a launch but the kernel and its arguments. Else the launch is refused.
DEVICE_FUNCTION unsigned gridspan_configure_child(ChildRecord* made, const Dim* grid,
                                                  const Dim* block, unsigned long long shared_bytes,
                                                  unsigned long long stream) {
  const ChildList& list = *gridspan_children;
  const bool is_too_deep = list.depth + 1 >= most_nested;
  if (is_too_deep || !is_possible(*grid, *block, shared_bytes, list.most_shared)) {
    gridspan_device_set_error(is_too_deep ? child_depth_exceeded : child_invalid_configuration);
    return 1;
  }
  *made = {.bytes = 0,
           .kind = ChildKind::launch,
           .is_tail = stream == tail_stream,
           .reserved = 0,
           .shared_bytes = static_cast<unsigned>(shared_bytes),
           .argument_bytes = 0,
           .operands = {},
           .grid = {grid->x, grid->y, grid->z},
           .block = {block->x, block->y, block->z}};
  return 0;
}

using Word = unsigned long long;

static void add(ChildRecord record, const Word* arguments) {
  record.bytes = record_bytes(record.argument_bytes);
  ChildRecord* const place = take_record(*gridspan_children, record.bytes);
  if (place == nullptr) return gridspan_device_set_error(child_count_exceeded);
  *place = record;
  Word* const to = reinterpret_cast<Word*>(place + 1);
  for (unsigned i = 0; i < (record.argument_bytes + 7) / 8; ++i) to[i] = arguments[i];
}

/// As configured. `arguments`: whole words. `most`: threads of a block that the kernel was compiled
/// for; 0: any number.
DEVICE_FUNCTION void gridspan_launch_child(const ChildRecord* configured, unsigned long long kernel,
                                           const Word* arguments, unsigned argument_bytes,
                                           unsigned most) {
  ChildRecord record = *configured;
  // Its code takes __launch_bounds__ at its word.
  if (most != 0 && record.block[0] * record.block[1] * record.block[2] > most)
    return gridspan_device_set_error(child_out_of_resources);
  record.operands[0] = kernel;
  record.argument_bytes = argument_bytes;
  add(record, arguments);
}

static void add_operation(ChildKind kind, const void* to, unsigned long long what,
                          unsigned long long bytes, unsigned long long stream) {
  add({.bytes = 0,
       .kind = kind,
       .is_tail = stream == tail_stream,
       .reserved = 0,
       .shared_bytes = 0,
       .argument_bytes = 0,
       .operands = {reinterpret_cast<unsigned long long>(to), what, bytes},
       .grid = {},
       .block = {}},
      nullptr);
}

// What ../device_runtime.cpp calls.

DEVICE_FUNCTION void gridspan_device_copy(void* to, const void* from, unsigned long long bytes,
                                          unsigned long long stream) {
  add_operation(ChildKind::copy, to, reinterpret_cast<unsigned long long>(from), bytes, stream);
}
DEVICE_FUNCTION void gridspan_device_fill(void* to, unsigned value, unsigned long long bytes,
                                          unsigned long long stream) {
  add_operation(ChildKind::fill, to, value, bytes, stream);
}
// Kernels that do it, for addresses that only the GPU knows: the driver's copies take none of
// malloc's in kernels, and what is wrong has to be an error of the kernel's.

namespace {

struct alignas(16) Quad {
  Word words[2];
};

/// Of the grid; not so many that 32 bits are too few.
struct Threads {
  unsigned own =
      __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
  unsigned all = __nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_ntid_x();
};

bool are_quads(Word one, Word other, Word bytes) {
  return (one | other | bytes) % sizeof(Quad) == 0;
}

}  // namespace

DEVICE_FUNCTION void gridspan_copy_bytes(char* to, const char* from, Word bytes) {
  const Threads threads;
  if (are_quads(reinterpret_cast<Word>(to), reinterpret_cast<Word>(from), bytes)) {
    for (Word i = threads.own; i < bytes / sizeof(Quad); i += threads.all)
      reinterpret_cast<Quad*>(to)[i] = reinterpret_cast<const Quad*>(from)[i];
    return;
  }
  for (Word i = threads.own; i < bytes; i += threads.all) to[i] = from[i];
}

DEVICE_FUNCTION void gridspan_fill_bytes(char* to, Word value, Word bytes) {
  const Threads threads;
  const Word pattern = (value & 0xff) * 0x0101010101010101;
  if (are_quads(reinterpret_cast<Word>(to), 0, bytes)) {
    for (Word i = threads.own; i < bytes / sizeof(Quad); i += threads.all)
      reinterpret_cast<Quad*>(to)[i] = {{pattern, pattern}};
    return;
  }
  for (Word i = threads.own; i < bytes; i += threads.all) to[i] = static_cast<char>(value);
}

DEVICE_FUNCTION void* gridspan_device_malloc(unsigned long long bytes) { return malloc(bytes); }
DEVICE_FUNCTION void gridspan_device_free(void* memory) { free(memory); }
