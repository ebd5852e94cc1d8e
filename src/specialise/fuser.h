// Finds, makes and keeps kernels that do what several do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/specialise.h"
#include "specialise/cache.h"
#include "specialise/compiler.h"
#include "specialise/keys.h"
#include "specialise/worker.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace gridspan::specialise {

class Fuser {
 public:
  Fuser(const abi::SpecialiserSetup& setup, std::string gridcc, std::string cache)
      : setup_(setup), compiler_(std::move(gridcc)), cache_(std::move(cache)) {}

  /// See abi::Specialiser.
  abi::FuseAnswer fuse(const abi::FuseRequest& request);
  void forget(const abi::Module& module);
  void stop();

 private:
  /// What is known of one text of launches of one module.
  struct Entry {
    abi::FuseState state = abi::FuseState::absent;
    const abi::Kernel* kernel = nullptr;
    bool is_asked_for = false;
  };
  using Key = std::pair<std::string, std::string>;  // of the module, and the launches

  std::optional<Entry> find(const Key& key) const;
  std::string make(const Key& key, const Build& build, bool aside);
  void get(const Key& key, const Build& build, abi::SpecialiseMode mode);
  void settle(const Key& key, const std::optional<Entry>& found, const std::string& problem);
  void say(abi::SpecialiserSays level, const std::string& launches, const std::string& what) const;

  abi::SpecialiserSetup setup_;
  Compiler compiler_;
  Cache cache_;
  Worker worker_, loader_;  // what is there need not wait for what is being made
  std::mutex mutex_;        // guards what follows
  std::map<const abi::Module*, std::string> modules_;  // what stands for them in the cache
  std::map<Key, Entry> entries_;
  std::set<std::string> told_;  // troubles, each once: they are seldom those of some launches only
  std::condition_variable settled_;  // another entry is known
  bool stopped_ = false;
};

}  // namespace gridspan::specialise
