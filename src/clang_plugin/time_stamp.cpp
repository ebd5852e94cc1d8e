// The name __rdtsc, which programs may give to a function of their own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/time_stamp.h"

#include "clang/Basic/Builtins.h"

namespace gridspan::clang_plugin {

namespace {

using namespace clang;

class GiveBack : public PPCallbacks {
 public:
  GiveBack(const SourceManager& sources, IdentifierInfo& name)
      : sources_(sources), name_(name), builtin_(name.getBuiltinID()) {
    name_.clearBuiltinID();
  }

  void FileChanged(SourceLocation place, FileChangeReason reason, SrcMgr::CharacteristicKind,
                   FileID) override {
    if (reason == EnterFile && sources_.getFilename(place).ends_with("ia32intrin.h"))
      name_.setBuiltinID(builtin_);
  }

 private:
  const SourceManager& sources_;
  IdentifierInfo& name_;
  unsigned builtin_;
};

}  // namespace

void free_time_stamp(Preprocessor& preprocessor) {
  IdentifierInfo& name = preprocessor.getIdentifierTable().get("__rdtsc");
  if (name.getBuiltinID() == Builtin::NotBuiltin) return;
  preprocessor.addPPCallbacks(std::make_unique<GiveBack>(preprocessor.getSourceManager(), name));
}

}  // namespace gridspan::clang_plugin
