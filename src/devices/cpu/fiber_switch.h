// Switching between machine stacks, with the notes the sanitizers need to follow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>

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
#if defined(GRIDSPAN_ADDRESS_SANITIZER) || defined(GRIDSPAN_THREAD_SANITIZER)
#define GRIDSPAN_FIBERS_SANITIZED 1
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

/// What the sanitizers want to know around a switch; nothing in other builds.
#ifdef GRIDSPAN_FIBERS_SANITIZED
void before_switch(SwitchContext& from, SwitchContext& to);
void after_switch(SwitchContext& from, SwitchContext& to);
#else
inline void before_switch(SwitchContext&, SwitchContext&) {}
inline void after_switch(SwitchContext&, SwitchContext&) {}
#endif

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
