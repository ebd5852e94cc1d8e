// Switching between machine stacks, with the notes the sanitizers need to follow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cpu/sanitizers.h"

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>

#ifdef GRIDSPAN_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef GRIDSPAN_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace gridspan::devices::cpu {

/// A place execution can return to. Default-constructed: the running thread, once it switches away.
struct SwitchContext {
  void* machine = nullptr;  // saved registers; null: nothing to return to
  void (*entry)(void* argument) = nullptr;
  void* argument = nullptr;
  // For the sanitizers only.
  void* fake_stack = nullptr;
  const void* stack_low = nullptr;
  std::size_t stack_size = 0;
  void* thread_sanitizer_fiber = nullptr;
};

/// Prepares `context` to run entry(argument) on the given stack when first switched to. `entry`
/// must not return. May be repeated to abandon whatever the context was doing.
void make_context(SwitchContext& context, char* stack_low, std::size_t stack_size,
                  void (*entry)(void*), void* argument);

/// Saves the running context in `from` and continues `to`. Returns when someone switches to `from`.
inline void switch_context(SwitchContext& from, SwitchContext& to);

/// Releases what the sanitizers keep for a context that will not run again.
void destroy_context(SwitchContext& context);

// What the sanitizers want to know around a switch. Always inline: ThreadSanitizer books a
// function's entry and exit, and between these two the fiber changes.
[[gnu::always_inline]] inline void before_switch([[maybe_unused]] SwitchContext& from,
                                                 [[maybe_unused]] SwitchContext& to) {
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

[[gnu::always_inline]] inline void after_switch([[maybe_unused]] SwitchContext& from,
                                                [[maybe_unused]] SwitchContext& to) {
#ifdef GRIDSPAN_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(to.fake_stack, &from.stack_low, &from.stack_size);
#endif
}

/// Travels with a switch; lives on the stack that is left until the other side has read it.
struct Handover {
  SwitchContext* from;
  SwitchContext* to;
};

/// Completes a switch on the side that now runs.
inline void arrive(boost::context::detail::transfer_t transfer) {
  const Handover handover = *static_cast<const Handover*>(transfer.data);
  handover.from->machine = transfer.fctx;
  after_switch(*handover.from, *handover.to);
}

// Inline, as every call between a switch and its caller costs a mispredicted return.
inline void switch_context(SwitchContext& from, SwitchContext& to) {
  Handover handover{&from, &to};
  before_switch(from, to);
  arrive(boost::context::detail::jump_fcontext(to.machine, &handover));
}

}  // namespace gridspan::devices::cpu
