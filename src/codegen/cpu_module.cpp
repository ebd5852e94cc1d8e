// From clang's bitcode to a module for the CPU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/device_bitcode.h"
#include "codegen/device_compilation.h"
#include "codegen/device_library.h"
#include "codegen/lowered_names.h"
#include "codegen/passes.h"
#include "codegen/target.h"
#include "transforms/instrument.h"
#include "transforms/intrinsics.h"
#include "transforms/math_calls.h"
#include "transforms/retarget.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TargetParser/Triple.h"

namespace gridspan::codegen {

using namespace llvm;

void DeviceCompilation::read_module() {
  auto buffer = MemoryBuffer::getFile(request.bitcode_path);
  if (!buffer)
    return fail("cannot read '" + request.bitcode_path + "': " + buffer.getError().message());
  bitcode = (*buffer)->getBuffer().str();
  SMDiagnostic problem;
  module = read_device_bitcode((*buffer)->getMemBufferRef(), problem, context);
  if (!module) fail("'" + request.bitcode_path + "': " + problem.getMessage().str());
}

/// Takes the markers that ask out of the module, and its file.
void DeviceCompilation::write_lowered_names() {
  if (request.lowered_names_path.empty()) return;
  std::error_code error;
  raw_fd_ostream stream(request.lowered_names_path, error);
  if (error) return fail("cannot write '" + request.lowered_names_path + "': " + error.message());
  stream << take_lowered_names(*module);
  bitcode.clear();
  raw_string_ostream rest(bitcode);
  WriteBitcodeToFile(*module, rest);
  rest.flush();
  raw_fd_ostream(request.bitcode_path, error) << bitcode;
  if (error) fail("cannot write '" + request.bitcode_path + "': " + error.message());
}

void DeviceCompilation::find_target() {
  std::string problem;
  target = make_target_machine(request, problem);
  if (!target) fail(problem);
}

/// Ahead of the PTX, which takes as long again if there are any: it asks its own module.
void DeviceCompilation::find_warp_steps() {
  steps = transforms::find_warp_steps(
      *module, transforms::find_kernels(*module),
      [this](StringRef kernel) { return shapes_of(kernel); },
      /*volatile_is_ordered=*/false);
}

void DeviceCompilation::keep_warps_in_step() { transforms::keep_warps_in_step(*module, *steps); }

void DeviceCompilation::lower_globals() {
  symbols = transforms::lower_globals(*module, errors);
  report_errors();
}

void DeviceCompilation::retarget() {
  transforms::retarget(*module, *target);
  for (transforms::KernelDeclaration& kernel : declarations)
    kernel.function->setLinkage(GlobalValue::ExternalLinkage);  // survives until it is cut
}

void DeviceCompilation::record_accesses() {
  sites = transforms::record_accesses(
      *module, [this](Module& copy) { remove_redundant_accesses(copy, *target); });
}

/// Other CPUs have no vector forms: there the functions are inlined.
void DeviceCompilation::name_cuda_math() {
  if (Triple(target->getTargetTriple()).getArch() == Triple::x86_64)
    transforms::name_cuda_math_calls(*module);
}

void DeviceCompilation::link_device_library() {
  undefined = transforms::undefined_functions(*module);
  if (const auto problem = codegen::link_device_library(*module)) fail(*problem);
}

}  // namespace gridspan::codegen
