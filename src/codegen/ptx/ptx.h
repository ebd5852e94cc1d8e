// PTX of a module's kernels, for NVIDIA's driver to load.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   canonical module ─► library linked ─► optimised once ─┬─► PTX for the oldest GPU it is for
//                                                         └─► PTX for the newest LLVM knows
//
// A kernel K is there twice: as it is, and as K$part for a part of the grid (part_kernels.h); if it
// has arrays with rows, also as K$packed (packed_kernels.h). What a GPU cannot run yet is left out,
// with a reason: that is never an error.
#pragma once

#include "codegen/kernel_code.h"
#include "codegen/pipeline.h"
#include "codegen/ptx/packed_kernels.h"
#include "codegen/stage_times.h"
#include "support/fused_launches.h"
#include "transforms/warp_steps/warp_steps.h"

#include "llvm/ADT/StringRef.h"

#include <functional>
#include <list>
#include <map>
#include <string>
#include <vector>

namespace gridspan::codegen {

struct PtxOptions {
  unsigned level = 0;           // 75: the source was compiled for sm_75; 0: no PTX is wanted
  unsigned below = 0;           // GPUs from this one on have other code; 0: none has
  bool follows_others = false;  // GPUs before `level` have other code
  bool contracts = true;        // a * b + c may become one operation (-fmad)
  unsigned max_registers = 0;   // of a thread (-maxrregcount); 0: no limit
  unsigned opt_level = 3;
  std::string libdevice = {};  // a file of NVIDIA's to take math functions from; empty: ours
  std::vector<unsigned> machine = {};  // architectures that are to have machine code, too
  std::string assembler = {};          // ptxas, which makes it; empty: nothing does
};

/// What others found out about kernels, by their mangled names.
struct KernelKnowledge {
  ptx::PackableArrays packable;
  /// Whether parts of its grid may run by themselves.
  std::function<bool(const std::string&)> may_be_cut;
  /// Blocks that the source launches it with.
  std::function<transforms::StepShapes(llvm::StringRef)> shapes;
  /// Nowhere does the program count on lanes of a warp being in step.
  bool has_no_steps = false;
  /// Launches whose kernels are to be one, and nothing else is wanted; null: all kernels are.
  const support::FusedLaunches* fused = nullptr;
  /// Those that are made of several beside these; waits until they are known. None: no such.
  std::function<const std::list<FusedAhead>&()> fused_ahead = {};
};

struct PtxText {
  unsigned architecture;  // 70: for sm_70 and later
  std::string text;
};

/// For GPUs of this architecture, and later ones of the same generation: 80 also for 86, not 90.
struct MachineCode {
  unsigned architecture;
  std::string bytes;
};

/// The reasons are by mangled names: "file:line: why".
struct PtxCode {
  std::vector<PtxText> texts;        // ascending
  std::vector<MachineCode> machine;  // of the texts
  std::vector<PtxText> fused_texts;  // the same of kernels of KernelKnowledge::fused_ahead
  std::map<std::string, std::string> left_out;   // kernels that are in no text
  std::map<std::string, std::string> earlier;    // kernels that GPUs of earlier editions lack
  std::map<std::string, std::string> undivided;  // kernels that have no K$part
  std::map<std::string, std::string> unpacked;   // kernels that should have K$packed and have not
  std::map<std::string, std::vector<std::string>> packed;  // names of K$packed's arrays
};

/// `bitcode` is the module as clang wrote it; `stages` are for each attempt. Needs no more than the
/// calling thread, once prepare_for_ptx has run.
PtxCode make_ptx(llvm::StringRef bitcode, const PtxOptions& options, const KernelKnowledge& known,
                 Stages stages = inner_stages("ptx"), StageTimes* times = nullptr);

/// What make_ptx needs of the whole process.
void prepare_for_ptx();

}  // namespace gridspan::codegen
