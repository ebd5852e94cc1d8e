// The functions compiled kernels call (abi/services.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma GCC visibility push(default)
#include "abi/services.h"
#pragma GCC visibility pop

#include "devices/cpu/device_heap.h"
#include "devices/cpu/device_printf.h"
#include "devices/cpu/fiber_worker.h"
#include "devices/cpu/kernel_guard.h"
#include "devices/cpu/messages.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace cpu = gridspan::devices::cpu;
using gridspan::abi::CheckedAccess;
using gridspan::abi::SourcePoint;
using gridspan::abi::SyncKind;
using gridspan::abi::ThreadContext;
using gridspan::devices::Fault;

namespace {

/// The block on fibers that runs this thread; null when it runs as regions.
cpu::FiberBlock* fiber_block(const ThreadContext* thread) {
  return static_cast<cpu::FiberBlock*>(thread->block->executor);
}

cpu::FaultRecord fault_of_thread(Fault fault, const ThreadContext* thread) {
  cpu::FaultRecord record;
  record.fault = fault;
  record.has_thread = true;
  record.thread = thread->thread;
  return record;
}

cpu::Access access_at(const CheckedAccess& site, const void* address) {
  return {reinterpret_cast<std::uintptr_t>(address), site.size, site.kind, &site.where, site.slot};
}

/// Generated code never waits inside a function when the block runs as regions.
[[noreturn]] void wait_outside_fiber(const ThreadContext* thread, const char* what) {
  cpu::FaultRecord record = fault_of_thread(Fault::trap, thread);
  std::snprintf(record.text, sizeof record.text, "internal error: %s outside a fiber", what);
  cpu::abandon_kernel(record);
}

}  // namespace

extern "C" {

std::uint32_t gridspan_fiber_barrier(ThreadContext* thread, std::uint32_t kind,
                                     std::uint32_t predicate, const SourcePoint* where) {
  cpu::FiberBlock* block = fiber_block(thread);
  if (block == nullptr) wait_outside_fiber(thread, "barrier");
  return block->barrier(block->fiber(thread->thread), static_cast<SyncKind>(kind), predicate,
                        where);
}

void gridspan_fiber_phase_wait(ThreadContext* thread, std::uint64_t wait) {
  cpu::FiberBlock* block = fiber_block(thread);
  if (block == nullptr) wait_outside_fiber(thread, "barrier object");
  while (!gridspan::abi::PhaseWait{wait}.is_over()) gridspan_fiber_yield(thread);
  if (block->checks() == nullptr) return;
  block->checks()->release_some();
  block->checks()->release(thread->thread);
}

std::uint64_t gridspan_fiber_warp(ThreadContext* thread, std::uint32_t kind, std::uint32_t mask,
                                  std::uint64_t value, std::uint32_t lane, std::uint32_t clamp,
                                  std::uint32_t* flag, const SourcePoint* where) {
  cpu::FiberBlock* block = fiber_block(thread);
  if (block == nullptr) wait_outside_fiber(thread, "warp operation");
  return block->warp_operation(block->fiber(thread->thread), static_cast<SyncKind>(kind), mask,
                               value, lane, clamp, flag, where);
}

void gridspan_fiber_yield(ThreadContext* thread) {
  cpu::FiberBlock* block = fiber_block(thread);
  if (block == nullptr) return;
  block->worker().suspend(block->fiber(thread->thread));
  if (block->checks() != nullptr) block->checks()->synchronise(thread->thread);
}

void gridspan_check_shared(ThreadContext* thread, const void* address, std::uint64_t size,
                           std::uint32_t kind, const SourcePoint* where) {
  cpu::FiberBlock* block = fiber_block(thread);
  if (block == nullptr || block->checks() == nullptr) return;
  const cpu::Access access{reinterpret_cast<std::uintptr_t>(address), size, kind, where};
  if (!block->checks()->passes(access))
    block->checks()->access(block->fiber(thread->thread), access);
}

void gridspan_check_variable(ThreadContext* thread, const void* address, std::uint64_t size,
                             std::uint32_t kind, const SourcePoint* where, const void* base,
                             std::uint64_t bytes) {
  cpu::FiberBlock* block = fiber_block(thread);
  if (block == nullptr || block->checks() == nullptr) return;
  block->checks()->variable_access(block->fiber(thread->thread),
                                   {reinterpret_cast<std::uintptr_t>(address), size, kind, where},
                                   base, bytes);
}

void gridspan_check_access(ThreadContext* thread, const void* address, const CheckedAccess* site) {
  cpu::FiberBlock* block = fiber_block(thread);
  if (block == nullptr || block->checks() == nullptr) return;
  cpu::FiberChecks& checks = *block->checks();
  const cpu::Access access = access_at(*site, address);
  if (!checks.passes(access)) checks.access(block->fiber(thread->thread), access);
}

void gridspan_check_inside(ThreadContext* thread, const void* address, const CheckedAccess* site,
                           const void* base, std::uint64_t bytes) {
  cpu::FiberBlock* block = fiber_block(thread);
  if (block == nullptr || block->checks() == nullptr) return;
  block->checks()->variable_access(block->fiber(thread->thread), access_at(*site, address), base,
                                   bytes);
}

void gridspan_check_fence(ThreadContext* thread) {
  cpu::FiberBlock* block = fiber_block(thread);
  if (block == nullptr || block->checks() == nullptr) return;
  block->checks()->fence(thread->thread);
}

std::uint32_t gridspan_is_checked(const ThreadContext* thread) {
  cpu::FiberBlock* block = fiber_block(thread);
  return block != nullptr && block->checks() != nullptr;
}

int gridspan_device_vprintf(const char* format, const void* arguments) {
  if (format == nullptr) return -1;
  // Kept per thread: a bad %s pointer leaves from inside format_packed, and nothing may leak then.
  static thread_local std::string text;
  text.clear();
  const int count = cpu::format_packed(text, format, arguments);
  const cpu::HostCode host;
  std::fwrite(text.data(), 1, text.size(), stdout);
  return count;
}

void* gridspan_device_malloc(std::uint64_t size) {
  const cpu::HostCode host;
  void* const memory = std::malloc(size);
  gridspan::devices::MemoryMap* const map = cpu::heap_map.load(std::memory_order_relaxed);
  if (map != nullptr && memory != nullptr) map->heap_allocated(memory, size);
  cpu::GlobalRaces* const races = cpu::heap_races.load(std::memory_order_relaxed);
  if (races != nullptr && memory != nullptr)
    races->forget(reinterpret_cast<std::uintptr_t>(memory), size);
  return memory;
}

void gridspan_device_free(void* pointer) {
  const cpu::HostCode host;
  gridspan::devices::MemoryMap* const map = cpu::heap_map.load(std::memory_order_relaxed);
  if (map != nullptr && pointer != nullptr) map->heap_freed(pointer);
  std::free(pointer);
}

void gridspan_device_assertfail(ThreadContext* thread, const char* message, const char* file,
                                std::uint32_t line, const char* function) {
  cpu::FaultRecord record = fault_of_thread(Fault::assertion, thread);
  record.where = {file, line, 0};
  const auto text = [](const char* maybe) { return maybe != nullptr ? maybe : ""; };
  std::snprintf(record.text, sizeof record.text, "assertion `%s` failed", text(message));
  const auto& b = thread->block->block_index;
  const auto t = cpu::thread_index(thread->block->launch->block, thread->thread);
  {
    const cpu::HostCode host;
    std::fprintf(stderr,
                 "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
                 text(file), line, text(function), b.x, b.y, b.z, t.x, t.y, t.z, text(message));
  }
  cpu::abandon_kernel(record);
}

void gridspan_device_trap(ThreadContext* thread) {
  cpu::abandon_kernel(fault_of_thread(Fault::trap, thread));
}

void gridspan_device_bad_call(ThreadContext* thread, const void* target, const SourcePoint* where) {
  cpu::FaultRecord record = fault_of_thread(Fault::illegal_address, thread);
  record.where = *where;
  std::snprintf(record.text, sizeof record.text,
                "a call of %p, which is no device code (a virtual function of an object that the "
                "host made, or a pointer to a host function)",
                target);
  cpu::abandon_kernel(record);
}

std::uint64_t gridspan_device_globaltimer(void) {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

}  // extern "C"
