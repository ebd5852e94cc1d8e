// What the blocks of a part ask their device to do: kernels, copies and fills of device code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It is done in the order it was asked for, after the part's blocks, or before them going on where
// they wait for it; a kernel with all it asks for itself before the next. So every order that
// streams and events ask for is kept.
#pragma once

#include "abi/module.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace gridspan::devices::cpu {

struct ChildWork {
  enum class Kind : unsigned char { launch, copy, fill };
  Kind kind;

  const abi::Kernel* kernel = nullptr;
  abi::Dim grid{}, block{};
  std::uint32_t shared_bytes = 0;
  std::vector<std::byte> arguments{};  // as Parameter::offset says

  void* to = nullptr;
  const void* from = nullptr;
  std::uint64_t bytes = 0;
  unsigned char value = 0;
};

/// Takes what kernels ask for in place of the device: of one that stands in for another.
class ChildTaker {
 public:
  virtual ~ChildTaker() = default;
  /// Of kernels that are run now, see Children::depth.
  virtual unsigned depth() const = 0;
  /// A cudaError: what the kernel is told.
  virtual std::uint32_t take(const ChildWork& work, bool at_the_end) = 0;
};

/// Of one part. Any worker may add, when it runs a block of the part.
class Children {
 public:
  explicit Children(unsigned depth, ChildTaker* taker = nullptr) : depth_(depth), taker_(taker) {}

  /// How many kernels there are above: 0 for one that the host launched.
  unsigned depth() const { return depth_; }
  /// A cudaError.
  std::uint32_t add(ChildWork work, bool at_the_end);
  /// The next piece of work; `with_tail`: also what waits for the end of everything else.
  std::optional<ChildWork> take(bool with_tail);

 private:
  const unsigned depth_;
  ChildTaker* const taker_;
  std::mutex mutex_;
  std::deque<ChildWork> waiting_;
  std::deque<ChildWork> tail_;
};

/// While one lives, the calling thread runs blocks of `kernel`.
class ChildScope {
 public:
  ChildScope(Children& children, const abi::Kernel& kernel);
  ~ChildScope();
  ChildScope(const ChildScope&) = delete;
  ChildScope& operator=(const ChildScope&) = delete;

 private:
  Children* outer_children_;
  const abi::Kernel* outer_kernel_;
};

}  // namespace gridspan::devices::cpu
