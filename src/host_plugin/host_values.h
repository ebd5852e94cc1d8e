// What variables of host code hold, as far as that can be read off before anything is optimised.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     const int size = 16;
//     dim3 threads(size, 8);                      the 4 bytes at threads + 4 are 8
//     auto launch = [&] { k<<<n, threads>>>(); }; also where `threads` is reached through a capture
//
// These are guesses: of what is stored on several ways, the last in the source counts, and nobody
// looks who else may change a variable. A wrong guess costs code that never runs.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace gridspan::host_plugin {

/// A function as entered by one call.
struct Frame {
  const llvm::CallBase* call;
  const Frame* up;  // of the function that has the call; null: not known
};

/// Bytes of a variable.
struct Place {
  const llvm::Value* base;
  std::int64_t offset;
  const Frame* frame;  // of the function that `base` belongs to
};

class HostValues {
 public:
  explicit HostValues(const llvm::Module& module) : layout_(module.getDataLayout()) {}

  /// 32 bits of a number, from byte `offset` on.
  std::optional<std::uint32_t> number(const llvm::Value& value, std::int64_t offset,
                                      const Frame* frame);
  const llvm::Function* function(const llvm::Value& pointer, const Frame* frame);

  const Frame* enter(const llvm::CallBase& call, const Frame* up) {
    return &frames_.emplace_back(Frame{&call, up});
  }
  /// An answer since `ask_anew` would have needed to know who calls the outermost function.
  bool wants_caller() const { return wants_caller_; }
  void ask_anew() { wants_caller_ = false, steps_ = 0; }

 private:
  struct Writer {
    const llvm::Instruction* instruction;
    std::int64_t offset;  // where it begins to write
    unsigned argument;    // for calls: which one points there
  };
  using Attempt = llvm::function_ref<bool(const llvm::Value&, std::int64_t, const Frame*)>;

  std::optional<Place> place(const llvm::Value& pointer, const Frame* frame);
  bool try_written(const Place& place, const llvm::Instruction* reader, Attempt attempt);
  bool try_writer(const Writer& writer, const Place& place, Attempt attempt);
  bool try_caller(const llvm::Argument& argument, const Frame* frame, Attempt attempt);
  std::optional<std::uint32_t> binary(const llvm::BinaryOperator& operation, const Frame* frame);
  std::optional<std::uint32_t> returned(const llvm::CallBase& call, const Frame* frame);
  unsigned order_of(const llvm::Instruction& one);
  bool may_go_on() { return ++steps_ < most_steps; }

  static constexpr unsigned most_steps = 400;

  const llvm::DataLayout& layout_;
  std::deque<Frame> frames_;
  llvm::DenseMap<const llvm::Instruction*, unsigned> order_;  // within functions
  bool wants_caller_ = false;
  unsigned steps_ = 0;
};

}  // namespace gridspan::host_plugin
