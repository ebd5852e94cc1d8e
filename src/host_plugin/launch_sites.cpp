// What clang makes of kernel<<<grid, block>>>(...):
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     if (!__cudaPushCallConfiguration(grid, block, bytes, stream)) __device_stub__kernel(...);
//
// and of which stub is which kernel's:
//
//     __cudaRegisterFunction(..., __device_stub__kernel, "kernel", ...)
#include "host_plugin/launch_sites.h"

#include "host_plugin/host_values.h"
#include "host_plugin/launched_call.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::host_plugin {

using namespace llvm;

namespace {

/// A launch, or one through the run time's own call.
struct Site {
  const CallBase* configuration;  // has the block among its arguments
  unsigned block;                 // the first argument that is part of it
  const Value* kernel;
};

class Finder {
 public:
  explicit Finder(const Module& module) : module_(module), values_(module) {}

  std::vector<LaunchShape> run() {
    find_kernels();
    if (kernels_.empty()) return {};
    for (const CallBase* call : calls_of("__cudaPushCallConfiguration"))
      if (const CallBase* launch = launched_after(*call))
        look_at(
            {call, static_cast<unsigned>((call->arg_size() - 2) / 2), launch->getCalledOperand()});
    for (const char* name : {"cudaLaunchKernel", "cudaLaunchKernel_ptsz",
                             "cudaLaunchCooperativeKernel", "cudaLaunchCooperativeKernel_ptsz"})
      for (const CallBase* call : calls_of(name))
        if (!kernels_.contains(call->getFunction()) && call->arg_size() >= 6)
          look_at({call, static_cast<unsigned>(1 + (call->arg_size() - 4) / 2),
                   call->getArgOperand(0)});
    return std::move(found_);
  }

 private:
  std::vector<const CallBase*> calls_of(StringRef name) const {
    std::vector<const CallBase*> calls;
    if (const Function* function = module_.getFunction(name))
      for (const User* user : function->users())
        if (auto* call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == function)
          calls.push_back(call);
    std::reverse(calls.begin(), calls.end());  // users are listed from the last to the first
    return calls;
  }

  void find_kernels() {
    for (const CallBase* call : calls_of("__cudaRegisterFunction")) {
      auto* stub = dyn_cast<Function>(call->getArgOperand(1)->stripPointerCasts());
      StringRef name;
      if (stub && getConstantStringInfo(call->getArgOperand(2), name)) kernels_[stub] = name.str();
    }
  }

  /// Callers of the function it is in are asked where its parameters matter.
  void look_at(const Site& site) {
    constexpr unsigned most_ways = 64, deepest = 6;
    struct Way {
      const Frame* frame;                  // of the function with the launch
      SmallVector<const CallBase*> calls;  // from it outwards
    };
    SmallVector<Way> open{{nullptr, {}}};
    for (unsigned ways = 0; !open.empty() && ways < most_ways; ++ways) {
      const Way way = open.pop_back_val();
      values_.ask_anew();
      if (add(site, way.frame) || !values_.wants_caller() || way.calls.size() >= deepest) continue;
      const Function* outermost =
          (way.calls.empty() ? site.configuration : way.calls.back())->getFunction();
      for (const User* user : outermost->users()) {
        auto* call = dyn_cast<CallBase>(user);
        if (!call || call->getCalledOperand() != outermost || is_contained(way.calls, call))
          continue;
        Way longer{nullptr, way.calls};
        longer.calls.push_back(call);
        for (const CallBase* one : reverse(longer.calls))
          longer.frame = values_.enter(*one, longer.frame);
        open.push_back(longer);
      }
    }
  }

  /// True if kernel and block are known.
  bool add(const Site& site, const Frame* frame) {
    const Function* stub = values_.function(*site.kernel, frame);
    const auto kernel = kernels_.find(stub);
    if (kernel == kernels_.end()) return false;
    auto* block = dyn_cast<LoadInst>(site.configuration->getArgOperand(site.block));
    if (!block) return false;
    LaunchShape shape{kernel->second, {}};
    std::uint64_t threads = 1;
    for (unsigned axis = 0; axis < 3; ++axis) {
      const auto size = values_.number(*block, 4 * axis, frame);
      if (!size) return false;
      shape.block[axis] = *size;
      threads *= std::min<std::uint64_t>(*size, 2048);
    }
    if (threads > 0 && threads <= 1024 && !is_contained(found_, shape)) found_.push_back(shape);
    return true;
  }

  const Module& module_;
  HostValues values_;
  DenseMap<const Function*, std::string> kernels_;
  std::vector<LaunchShape> found_;
};

}  // namespace

std::vector<LaunchShape> find_launch_shapes(const Module& module) { return Finder(module).run(); }

}  // namespace gridspan::host_plugin
