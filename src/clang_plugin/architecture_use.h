// Which values of __CUDA_ARCH__ make a difference to a source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `#if __CUDA_ARCH__ >= 800` says that code for sm_80 and later may differ from what there is for
// sm_75, and not that sm_80's differs from sm_90's. gridcc reads it where several architectures are
// named (driver/editions.h). In the file stands a number a line, of values from which on something
// may be different, or `any`, where the source does more with the value than compare it.
//
//     800
//     900
#pragma once

#include "clang_plugin/own_headers.h"

#include "clang/Frontend/CompilerInstance.h"

#include <memory>
#include <string>

namespace gridspan::clang_plugin {

class ArchitectureUse {
 public:
  /// Where to leave it; without a file nothing is looked for.
  void use_file(std::string file) { file_ = std::move(file); }

  /// Before the source is read. What headers of `own` ask for is whether functions are there.
  void begin(clang::CompilerInstance& compiler, OwnHeaders& own);

  /// At the source's end.
  void write() const;

 private:
  struct Found;

  std::string file_;
  std::shared_ptr<Found> found_;
};

}  // namespace gridspan::clang_plugin
