// The list on which a grid on a GPU notes what it asks for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels, copies and fills of device code.
// The run time makes the list, tells the kernel's module where it is (child_list_variable), and
// does what is on it when the grid has ended:
//
//     ChildList │ ChildRecord, arguments │ ChildRecord │ …          records: `capacity` bytes
//
// The device library for GPUs reads this, too, which has no standard library.
#pragma once

namespace gridspan::abi {

/// Of a module's code for GPUs: a pointer to the list.
inline constexpr char child_list_variable[] = "gridspan_children";

/// Kernels of such code that do copies and fills: (to, from or value, bytes), 64 bits each. Not in
/// modules that ask for none.
inline constexpr char copy_kernel[] = "gridspan_copy_bytes";
inline constexpr char fill_kernel[] = "gridspan_fill_bytes";

/// How deep kernels launch kernels, the host's included: CUDA's limit.
inline constexpr unsigned most_nested = 24;
/// cudaStreamTailLaunch.
inline constexpr unsigned long long tail_stream = 3;

/// What a launch in device code may be refused with, by its number in cudaError.
enum ChildError : unsigned {
  child_invalid_configuration = 9,
  child_depth_exceeded = 65,
  child_count_exceeded = 69,
  child_out_of_resources = 701,
  child_not_supported = 801,
};

enum class ChildKind : unsigned char { launch, copy, fill };

/// One piece of work. Arguments of a launch follow, packed as Parameter::offset says.
struct alignas(16) ChildRecord {
  unsigned bytes;  // of all of it, a multiple of 16
  ChildKind kind;
  bool is_tail;  // what is not comes first
  unsigned short reserved;
  unsigned shared_bytes;    // launches: dynamic
  unsigned argument_bytes;  // launches: to be copied from behind the record
  /// launches: identity_of; copies: to, from, bytes; fills: to, value, bytes
  unsigned long long operands[3];
  unsigned grid[3], block[3];  // launches
};
static_assert(sizeof(ChildRecord) == 64);

struct alignas(16) ChildList {
  unsigned long long used;      // bytes of records that were asked for
  unsigned long long end;       // where the first record would be that found no room
  unsigned long long capacity;  // bytes
  unsigned refused;             // records that found no room
  unsigned depth;               // how many kernels launched one another to launch this one
  unsigned most_shared;         // dynamic bytes that a block may ask for
  unsigned reserved[3];
};
static_assert(sizeof(ChildList) == 48);

/// How kernels are called in lists, by their mangled names (FNV-1a).
constexpr unsigned long long identity_of(const char* name, unsigned long long length) {
  unsigned long long hash = 0xcbf29ce484222325;
  for (unsigned long long i = 0; i < length; ++i)
    hash = (hash ^ static_cast<unsigned char>(name[i])) * 0x100000001b3;
  return hash;
}

constexpr unsigned record_bytes(unsigned argument_bytes) {
  return static_cast<unsigned>(sizeof(ChildRecord)) + (argument_bytes + 15) / 16 * 16;
}

/// CUDA launches such grids. `Dim`: abi::Dim, or the device library's.
template <class Dim>
constexpr bool is_possible(const Dim& grid, const Dim& block, unsigned long long shared_bytes,
                           unsigned long long most_shared) {
  const unsigned long long threads = 1ull * block.x * block.y * block.z;
  return block.x <= 1024 && block.y <= 1024 && block.z <= 64 && threads > 0 && threads <= 1024 &&
         grid.x > 0 && grid.y > 0 && grid.z > 0 && grid.x <= 0x7fff'ffff && grid.y <= 0xffff &&
         grid.z <= 0xffff && shared_bytes <= most_shared;
}

/// Room for a record, in the order in which it is asked for; null: there is none left. Any thread.
inline ChildRecord* take_record(ChildList& list, unsigned bytes) {
  const unsigned long long begin = __atomic_fetch_add(&list.used, bytes, __ATOMIC_RELAXED);
  if (begin + bytes <= list.capacity)
    return reinterpret_cast<ChildRecord*>(reinterpret_cast<char*>(&list + 1) + begin);
  // What comes later finds none either: records are there up to the first that did not.
  unsigned long long end = __atomic_load_n(&list.end, __ATOMIC_RELAXED);
  while (begin < end && !__atomic_compare_exchange_n(&list.end, &end, begin, false,
                                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  __atomic_fetch_add(&list.refused, 1u, __ATOMIC_RELAXED);
  return nullptr;
}

}  // namespace gridspan::abi
