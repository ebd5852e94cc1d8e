// Switching between machine stacks, with the notes the sanitizers need to follow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

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

/// Prepares `context` to run entry(argument) on the given stack when first switched to. `entry` must
/// not return. May be repeated to abandon whatever the context was doing.
void make_context(SwitchContext& context, char* stack_low, std::size_t stack_size,
                  void (*entry)(void*), void* argument);

/// Saves the running context in `from` and continues `to`. Returns when someone switches to `from`.
void switch_context(SwitchContext& from, SwitchContext& to);

/// Releases what the sanitizers keep for a context that will not run again.
void destroy_context(SwitchContext& context);

}  // namespace gridspan::devices::cpu
