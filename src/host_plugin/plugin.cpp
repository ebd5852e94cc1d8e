// A plug-in of clang, for the host pass.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It leaves a file with the launches' shapes, a line for each:
//
//     _Z9transposePKfPfi 32 8 1
//
// and one with the order of launches, launch_sequences.h. For both it looks at the module before
// any optimisation, so that -O0 tells as much as -O3. It has kernels registered early
// (early_registration.h). Where code is optimised, it takes part twice: constant_logarithms.h and
// unroll_hints.h. Calls of device functions end the program: other_side_calls.h. At the end it
// refuses what host code must not do, device_reads.h, and forgets lines, call_lines.h.
#include "host_plugin/call_lines.h"
#include "host_plugin/constant_logarithms.h"
#include "host_plugin/device_reads.h"
#include "host_plugin/early_registration.h"
#include "host_plugin/launch_sequences.h"
#include "host_plugin/launch_sites.h"
#include "host_plugin/other_side_calls.h"
#include "host_plugin/unroll_hints.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace {

using namespace llvm;

cl::opt<std::string> shapes_file("gridspan-launch-shapes", cl::Hidden,
                                 cl::desc("File for the shapes of blocks in launches"));

cl::opt<std::string> sequences_file("gridspan-sequences", cl::Hidden,
                                    cl::desc("File for the order of launches"));

cl::opt<bool> few_lines("gridspan-few-lines", cl::Hidden,
                        cl::desc("Forget lines that no message of ours needs"));

struct WriteLaunchShapes : PassInfoMixin<WriteLaunchShapes> {
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    std::error_code error;
    raw_fd_ostream file(shapes_file, error);
    if (error) return PreservedAnalyses::all();  // they are worth nothing but speed
    for (const auto& [kernel, block] : gridspan::host_plugin::find_launch_shapes(module))
      file << kernel << ' ' << block[0] << ' ' << block[1] << ' ' << block[2] << '\n';
    if (file.has_error()) file.clear_error();
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

struct WriteSequences : PassInfoMixin<WriteSequences> {
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    std::error_code error;
    raw_fd_ostream file(sequences_file, error);
    if (!error) file << gridspan::host_plugin::launch_sequences(module);
    if (file.has_error()) file.clear_error();
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

}  // namespace

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "gridspan-host-plugin", LLVM_VERSION_STRING,
          [](PassBuilder& builder) {
            builder.registerPipelineStartEPCallback([](ModulePassManager& passes, auto) {
              if (!shapes_file.empty()) passes.addPass(WriteLaunchShapes());
              if (!sequences_file.empty()) passes.addPass(WriteSequences());
              passes.addPass(gridspan::host_plugin::RegisterEarly());
              passes.addPass(gridspan::host_plugin::EndOtherSideCalls());
              passes.addPass(gridspan::host_plugin::DropUnrollHints());
            });
            builder.registerPeepholeEPCallback([](FunctionPassManager& passes, auto) {
              passes.addPass(gridspan::host_plugin::FoldConstantLogarithms());
            });
            builder.registerOptimizerLastEPCallback([](ModulePassManager& passes, auto) {
              passes.addPass(gridspan::host_plugin::RefuseDeviceReads());
              if (few_lines) passes.addPass(gridspan::host_plugin::KeepCallLines());
            });
          }};
}
