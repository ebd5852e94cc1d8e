// Switching between machine stacks, with the notes the sanitizers need to follow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/fiber_switch.h"

#ifdef GRIDSPAN_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef GRIDSPAN_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace gridspan::devices::cpu {
namespace {

void begin(boost::context::detail::transfer_t transfer) {
  const SwitchContext& self = *static_cast<const Handover*>(transfer.data)->to;
  arrive(transfer);
  self.entry(self.argument);
  __builtin_trap();
}

}  // namespace

#ifdef GRIDSPAN_FIBERS_SANITIZED
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

void after_switch([[maybe_unused]] SwitchContext& from, [[maybe_unused]] SwitchContext& to) {
#ifdef GRIDSPAN_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(to.fake_stack, &from.stack_low, &from.stack_size);
#endif
}
#endif

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
  context.machine =
      boost::context::detail::make_fcontext(stack_low + stack_size, stack_size, begin);
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
