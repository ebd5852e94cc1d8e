// Switching between machine stacks, with the notes the sanitizers need to follow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/fiber_switch.h"

#include <boost/context/detail/fcontext.hpp>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GRIDSPAN_ADDRESS_SANITIZER 1
#endif
#if __has_feature(thread_sanitizer)
#define GRIDSPAN_THREAD_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define GRIDSPAN_ADDRESS_SANITIZER 1
#endif
#if defined(__SANITIZE_THREAD__)
#define GRIDSPAN_THREAD_SANITIZER 1
#endif

#ifdef GRIDSPAN_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef GRIDSPAN_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace gridspan::devices::cpu {
namespace {

namespace machine = boost::context::detail;

/// Lives on the stack of the context that switches away, until the other has read it.
struct Handover {
  SwitchContext* from;
  SwitchContext* to;
};

void before_switch([[maybe_unused]] SwitchContext& from, [[maybe_unused]] SwitchContext& to) {
#ifdef GRIDSPAN_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(&from.fake_stack, to.stack_low, to.stack_size);
#endif
#ifdef GRIDSPAN_THREAD_SANITIZER
  if (from.thread_sanitizer_fiber == nullptr) {
    from.thread_sanitizer_fiber = __tsan_get_current_fiber();
  }
  __tsan_switch_to_fiber(to.thread_sanitizer_fiber, 0);
#endif
}

/// Completes a switch on the side that now runs.
void after_switch(machine::transfer_t transfer) {
  const Handover handover = *static_cast<const Handover*>(transfer.data);
  handover.from->machine = transfer.fctx;
#ifdef GRIDSPAN_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(handover.to->fake_stack, &handover.from->stack_low,
                                  &handover.from->stack_size);
#endif
}

void begin(machine::transfer_t transfer) {
  const SwitchContext& self = *static_cast<const Handover*>(transfer.data)->to;
  after_switch(transfer);
  self.entry(self.argument);
  __builtin_trap();
}

}  // namespace

void make_context(SwitchContext& context, char* stack_low, std::size_t stack_size,
                  void (*entry)(void*), void* argument) {
  destroy_context(context);
  context.entry = entry;
  context.argument = argument;
  context.fake_stack = nullptr;
  context.stack_low = stack_low;
  context.stack_size = stack_size;
#ifdef GRIDSPAN_ADDRESS_SANITIZER
  __asan_unpoison_memory_region(stack_low, stack_size);
#endif
#ifdef GRIDSPAN_THREAD_SANITIZER
  context.thread_sanitizer_fiber = __tsan_create_fiber(0);
#endif
  context.machine = machine::make_fcontext(stack_low + stack_size, stack_size, begin);
}

void switch_context(SwitchContext& from, SwitchContext& to) {
  Handover handover{&from, &to};
  before_switch(from, to);
  after_switch(machine::jump_fcontext(to.machine, &handover));
}

void destroy_context([[maybe_unused]] SwitchContext& context) {
#ifdef GRIDSPAN_THREAD_SANITIZER
  if (context.thread_sanitizer_fiber != nullptr) {
    __tsan_destroy_fiber(context.thread_sanitizer_fiber);
    context.thread_sanitizer_fiber = nullptr;
  }
#endif
  context.machine = nullptr;
}

}  // namespace gridspan::devices::cpu
