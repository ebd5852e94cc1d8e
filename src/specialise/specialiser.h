// Chooses, makes and keeps specialised kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/specialise.h"
#include "specialise/cache.h"
#include "specialise/compiler.h"
#include "specialise/observed.h"
#include "specialise/worker.h"

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace gridspan::specialise {

class Specialiser {
 public:
  Specialiser(const abi::SpecialiserSetup& setup, std::string gridcc, std::string cache)
      : setup_(setup), compiler_(std::move(gridcc)), cache_(std::move(cache)) {}

  // See abi::Specialiser.
  const abi::Kernel* choose(const abi::Kernel& kernel, const abi::LaunchContext& launch);
  void ran(const abi::Kernel& kernel, const abi::LaunchContext& launch, const abi::Kernel& used,
           std::uint64_t nanoseconds);
  void forget(const abi::Module& module);
  void stop();

 private:
  /// A build that was asked for.
  struct Request {
    const abi::Kernel* kernel;
    std::uint64_t number;  // Observed::number
    std::string module_key, kernel_key;
    Build build;
  };

  // These expect the lock.
  Observed* observe(const abi::Kernel& kernel);
  const std::string& key_of(const abi::Module& module);
  /// For this launch, loaded or refused; null: there is none.
  Form* find_form(const abi::Kernel& kernel, Observed& observed, const abi::LaunchContext& launch);
  void try_form(const abi::Kernel& kernel, Form& form, const abi::LaunchContext& launch,
                bool with_form, std::uint64_t nanoseconds);
  bool load_form(const abi::Kernel& kernel, const Observed& observed, Form& form);
  Request request(const abi::Kernel& kernel, const Observed& observed, const LaunchGroup& group);
  Form* make_now(const abi::Kernel& kernel, Observed& observed, const abi::LaunchContext& launch);
  LaunchGroup* group_of(const abi::Kernel& kernel, Observed& observed,
                        const abi::LaunchContext& launch);

  void begin(Request request);
  /// Without the lock: takes long. The error is worth one line.
  support::Result<void> make(const Request& request, bool aside);
  void finish(const Request& request, const support::Result<void>& made);
  void say(abi::SpecialiserSays level, const abi::Kernel& kernel,
           const support::LaunchCondition& condition, const std::string& what) const;

  abi::SpecialiserSetup setup_;
  Compiler compiler_;
  Cache cache_;
  std::mutex mutex_;  // guards what follows
  std::unordered_map<const abi::Kernel*, std::unique_ptr<Observed>> kernels_;  // null: never
  std::unordered_map<const abi::Module*, std::string> keys_;
  std::uint64_t next_number_ = 0, launches_ = 0;
  unsigned loaded_ = 0, made_ = 0;
  bool stopped_ = false;
  Worker worker_;
};

}  // namespace gridspan::specialise
