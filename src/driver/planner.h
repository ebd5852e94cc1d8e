// Shared by the files that plan: what every step needs to know.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/host_search.h"
#include "driver/plan.h"

namespace gridspan::driver {

struct Planner {
  const Invocation& invocation;
  const Installation& installation;
  const std::string& workspace;
  bool color;

  std::vector<codegen::TunedKernel> tuned = {};  // what a search found earlier
  std::string tuned_from = {};                   // file; empty: nowhere
  std::string header_overlay = {};               // file that hides an SDK's headers from clang
  HostCompilerWords host_compiler_words = {};    // what -ccbin's compiler adds by itself

  std::string temporary(const std::string& name) const { return workspace + "/" + name; }
};

/// A list of words built by appending.
class Words {
 public:
  Words& add(std::string word) {
    if (!word.empty()) words_.push_back(std::move(word));
    return *this;
  }
  Words& add(std::initializer_list<std::string> words) {
    for (const std::string& word : words) add(word);
    return *this;
  }
  Words& add(const std::vector<std::string>& words) {
    words_.insert(words_.end(), words.begin(), words.end());
    return *this;
  }
  std::vector<std::string> take() { return std::move(words_); }

 private:
  std::vector<std::string> words_;
};

/// What hides an SDK's headers from clang; nothing if there are none.
inline std::vector<std::string> header_overlay_words(const Planner& planner) {
  if (planner.header_overlay.empty()) return {};
  return {"-ivfsoverlay", planner.header_overlay};
}

/// -ccbin's compiler; as with nvcc it may be given as the directory it is in.
std::string host_compiler(const Invocation& invocation);

/// Where an input's result goes: -o, or its base name with `suffix` in the current or -odir
/// directory.
std::string output_of(const Planner& planner, const Input& input, const std::string& suffix);

/// Words that make clang write the dependency file of -MD; `output` is the rule's target.
std::vector<std::string> dependency_words(const Planner& planner, const Input& input,
                                          const std::string& output);

/// Compiles a CUDA source to `object`, or only checks it when `object` is empty.
/// `stem`: unique base name of the unit's intermediate files.
Result<CudaUnit> plan_cuda_unit(const Planner& planner, const Input& input,
                                const std::string& object, const std::string& stem);

/// The rule of a CUDA source: -M, -MM. `stem` as above.
RuleUnit plan_cuda_rule(const Planner& planner, const Input& input, const std::string& stem);

/// One clang command over a CUDA source: -E, -emit-llvm, one-sided -fsyntax-only.
PlainUnit plan_cuda_command(const Planner& planner, const Input& input);

/// One compiler command over a C, C++ or assembler source.
PlainUnit plan_plain_unit(const Planner& planner, const Input& input, const std::string& output);

/// -r: the link makes another object, not a program or library.
bool links_partially(const Invocation& invocation);

/// -ccbin's compiler links too, except that code clang compiled with -fopenmp needs LLVM's OpenMP
/// library (which also serves gcc's code); clang knows where that is.
bool links_with_clang(const Invocation& invocation);

/// The link. `objects[i]` stands for input i; `device_code`: what the device link makes, or empty.
Command plan_link(const Planner& planner, const std::vector<std::string>& objects,
                  const std::string& device_code, const std::string& product);

/// What device code of objects and libraries of the link line must be compiled before the link;
/// nothing if there is none. `product`: of the link.
std::optional<DeviceLink> plan_device_link(const Planner& planner,
                                           const std::vector<std::string>& objects,
                                           const std::string& product);

/// LLVM's name of the CPU behind -march=.
std::string cpu_name(const std::string& cpu);

}  // namespace gridspan::driver
