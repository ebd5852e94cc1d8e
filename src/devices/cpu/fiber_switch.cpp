// Switching between machine stacks, with the notes the sanitizers need to follow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/fiber_switch.h"

namespace gridspan::devices::cpu {
namespace {

void begin(boost::context::detail::transfer_t transfer) {
  const SwitchContext& self = *static_cast<const Handover*>(transfer.data)->to;
  arrive(transfer);
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
