// Files in, files out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/machine_code.h"

#include "support/run_child.h"
#include "support/scratch_folder.h"

#include "llvm/Support/FileUtilities.h"

#include <fstream>
#include <set>
#include <string>

using llvm::FileRemover;

namespace gridspan::codegen::ptx {
namespace {

const PtxText* text_for(unsigned architecture, const std::vector<PtxText>& texts) {
  const PtxText* best = nullptr;
  for (const PtxText& text : texts)
    if (text.architecture <= architecture) best = &text;
  return best;
}

/// Empty if the assembler refuses.
std::string assemble(const PtxText& text, unsigned architecture, const PtxOptions& options,
                     const std::string& product) {
  const std::string stem = product + ".sm_" + std::to_string(architecture);
  const FileRemover source(stem + ".ptx"), machine(stem + ".cubin"), said(stem + ".said");
  std::ofstream(stem + ".ptx") << text.text;
  std::vector<std::string> command = {options.assembler, "-arch=sm_" + std::to_string(architecture),
                                      stem + ".ptx", "-o", stem + ".cubin"};
  if (options.opt_level == 0) command.emplace_back("-O0");
  const auto done = support::run_child(command, stem + ".said");
  return done && *done ? support::read_file(stem + ".cubin") : std::string();
}

}  // namespace

std::vector<MachineCode> assemble(const std::vector<PtxText>& texts, const PtxOptions& options,
                                  const std::string& product) {
  std::vector<MachineCode> made;
  if (options.assembler.empty()) return made;
  for (const unsigned architecture : std::set(options.machine.begin(), options.machine.end())) {
    const PtxText* const text = text_for(architecture, texts);
    std::string bytes = text ? assemble(*text, architecture, options, product) : std::string();
    if (!bytes.empty()) made.push_back({architecture, std::move(bytes)});
  }
  return made;
}

}  // namespace gridspan::codegen::ptx
