// Each thread's stack of contexts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/contexts.h"

#include "runtime/api/runtime_state.h"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

namespace gridspan::runtime::driver {

namespace {

constinit std::atomic<bool> initialised{false};

/// Never destroyed: destructors of the program may still call us.
HandleTable<CUctx_st>& contexts() {
  static auto& table = *new HandleTable<CUctx_st>;
  return table;
}

/// A context that another thread destroys is still there for those that have it on their stack.
using Stack = std::vector<std::shared_ptr<CUctx_st>>;

Stack& stack() {
  thread_local Stack current;
  return current;
}

/// The top of the stack chooses the device.
void follow_stack() {
  if (!stack().empty()) choose_device(stack().back()->device);
}

bool is_primary(const CUctx_st* context) {
  const std::less<> before;
  return !before(context, primary_context(0)) &&
         !before(primary_context(most_devices - 1), context);
}

}  // namespace

void set_initialised() { initialised = true; }

bool is_initialised() {
  if (initialised) return true;
  const Runtime* state = runtime_if_started();
  return state && !state->options.no_device;
}

CUcontext primary_context(int device) {
  static auto& primary = *[] {
    auto* contexts = new std::array<CUctx_st, most_devices>;
    for (int i = 0; i < most_devices; ++i) {
      CUctx_st& context = (*contexts)[static_cast<std::size_t>(i)];
      context.device = i;
      context.is_primary = true;
      context.id = static_cast<unsigned long long>(i) + 1;
    }
    return contexts;
  }();
  return &primary[static_cast<std::size_t>(device)];
}

CUcontext create_context(int device, unsigned flags) {
  auto context = std::make_shared<CUctx_st>();
  context->device = device;
  context->flags = flags;
  static constinit std::atomic<unsigned long long> last_id{most_devices};
  context->id = ++last_id;
  return contexts().add(std::move(context));
}

bool destroy_context(CUcontext context) {
  if (!contexts().remove(context)) return false;
  std::erase_if(stack(), [&](const auto& entry) { return entry.get() == context; });
  follow_stack();
  return true;
}

bool is_live(CUcontext context) {
  return is_primary(context) || contexts().find(context) != nullptr;
}

CUcontext current_context() {
  const int device = current_device();
  if (!stack().empty()) {
    const CUcontext top = stack().back().get();
    return top->device == device ? top : primary_context(device);
  }
  return runtime_if_started() ? primary_context(device) : nullptr;
}

void push_context(CUcontext context) {
  auto owned = contexts().find(context);
  stack().push_back(owned ? std::move(owned)
                          : std::shared_ptr<CUctx_st>(Stack::value_type(), context));
  follow_stack();
}

CUcontext context_on(int device) {
  const CUcontext current = current_context();
  return current && current->device == device ? current : primary_context(device);
}

CUcontext pop_context() {
  if (stack().empty()) return nullptr;
  const CUcontext top = current_context();
  stack().pop_back();
  follow_stack();
  return top;
}

}  // namespace gridspan::runtime::driver
