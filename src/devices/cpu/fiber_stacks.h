// Fibers and their stacks, kept by a worker and lent to the blocks it runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/launch.h"
#include "abi/module.h"
#include "devices/cpu/fiber_switch.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace gridspan::devices::cpu {

class FiberWorker;

enum class FiberState : std::uint8_t { ready, at_warp_operation, at_block_barrier, left };

/// One CUDA thread on its own stack.
struct Fiber {
  SwitchContext context;
  char* stack_low = nullptr;
  std::size_t stack_size = 0;
  FiberWorker* worker = nullptr;
  const abi::Kernel* kernel = nullptr;
  abi::ThreadContext thread = {};
  FiberState state = FiberState::left;
  bool is_abandoned = false;                // it left in the middle, and will not be resumed
  abi::SyncKind kind = {};                  // valid while it waits
  const abi::SourcePoint* where = nullptr;  // last sync point reached
  // Interpret mode: the access announced last, to name the line of a fault.
  const abi::SourcePoint* access_where = nullptr;
  std::uintptr_t access_begin = 0;
  std::uintptr_t access_size = 0;
};

/// Stack room below a fiber's stack that is never mapped; overflow is recognised by it. Wide, so
/// that a function with a large frame does not step over it.
inline constexpr std::size_t fiber_guard_bytes = 64 << 10;

/// Stacks are address space first and memory only where touched. They are released when the pool is
/// destroyed or asked for another stack size.
class FiberPool {
 public:
  explicit FiberPool(FiberWorker& worker) : worker_(worker) {}
  ~FiberPool() { release_all(); }
  FiberPool(const FiberPool&) = delete;
  FiberPool& operator=(const FiberPool&) = delete;

  /// Only while no fiber is lent.
  void set_stack_bytes(std::size_t bytes);
  /// `count` fibers, ready to run their thread from the start.
  void take(std::uint32_t count, std::vector<Fiber*>& fibers);
  /// Empties `fibers`. Those that did not finish are abandoned where they stand.
  void give_back(std::vector<Fiber*>& fibers);

  /// Some fiber's stack, lent or not, holds `address`.
  bool has_stack_at(std::uintptr_t address) const;

 private:
  struct Slab {
    char* memory;
    std::size_t size;
  };
  void grow();
  void release_all();

  FiberWorker& worker_;
  std::size_t stack_bytes_ = 64 << 10;
  std::vector<Slab> slabs_;
  std::deque<Fiber> fibers_;
  std::vector<Fiber*> free_;
};

}  // namespace gridspan::devices::cpu
