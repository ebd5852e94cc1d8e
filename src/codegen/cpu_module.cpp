// From clang's bitcode to a module for the CPU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/device_bitcode.h"
#include "codegen/device_compilation.h"
#include "codegen/device_library.h"
#include "codegen/lowered_names.h"
#include "codegen/passes.h"
#include "codegen/target.h"
#include "transforms/device_launches.h"
#include "transforms/hardware_semantics.h"
#include "transforms/inline_ptx/inline_ptx.h"
#include "transforms/inline_sync.h"
#include "transforms/instrument.h"
#include "transforms/intrinsics.h"
#include "transforms/retarget.h"
#include "transforms/shared_addresses.h"
#include "transforms/warp_steps/warp_steps.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

namespace gridspan::codegen {

using namespace llvm;
using transforms::KernelDeclaration;
using transforms::UserErrors;

bool DeviceCompilation::read_module() {
  auto buffer = MemoryBuffer::getFile(request_.bitcode_path);
  if (!buffer)
    return fail("cannot read '" + request_.bitcode_path + "': " + buffer.getError().message());
  bitcode_ = (*buffer)->getBuffer().str();
  SMDiagnostic problem;
  module_ = read_device_bitcode((*buffer)->getMemBufferRef(), problem, context_);
  if (!module_) return fail("'" + request_.bitcode_path + "': " + problem.getMessage().str());
  if (!request_.lowered_names_path.empty() && !write_lowered_names()) return false;
  UserErrors errors;
  settle_language(*module_, errors);
  transforms::lower_inline_ptx(*module_, errors);
  transforms::lower_device_launches(*module_, errors);
  return report(errors);
}

bool DeviceCompilation::write_lowered_names() {
  std::error_code error;
  raw_fd_ostream stream(request_.lowered_names_path, error);
  if (error) return fail("cannot write '" + request_.lowered_names_path + "': " + error.message());
  stream << take_lowered_names(*module_);
  bitcode_.clear();
  raw_string_ostream rest(bitcode_);
  WriteBitcodeToFile(*module_, rest);
  rest.flush();
  raw_fd_ostream(request_.bitcode_path, error) << bitcode_;
  return !error || fail("cannot write '" + request_.bitcode_path + "': " + error.message());
}

/// Canonical nvptx64 IR becomes IR for this CPU in which only markers and sync points are left of
/// the GPU.
bool DeviceCompilation::make_cpu_module() {
  std::string problem;
  target_ = make_target_machine(request_, problem);
  if (!target_) return fail(problem);
  UserErrors errors;
  declarations_ = transforms::find_kernels(*module_);
  steps_ = transforms::keep_warps_in_step(*module_, declarations_,
                                          [this](StringRef kernel) { return shapes_of(kernel); });
  transforms::define_hardware_semantics(*module_);
  symbols_ = transforms::lower_globals(*module_, errors);
  if (!report(errors)) return false;
  transforms::lower_shared_addresses(*module_);
  transforms::retarget(*module_, *target_);
  for (KernelDeclaration& kernel : declarations_)
    kernel.function->setLinkage(GlobalValue::ExternalLinkage);  // survives until it is cut
  transforms::lower_intrinsics(*module_);
  if (request_.records_accesses) record_accesses();
  return report(errors);
}

void DeviceCompilation::record_accesses() {
  transforms::inline_everything(*module_);
  expose_accesses(*module_, *target_);
  sites_ = transforms::record_accesses(
      *module_, [this](Module& copy) { remove_redundant_accesses(copy, *target_); });
}

bool DeviceCompilation::link_device_library() {
  const StringSet<> wanted = transforms::undefined_functions(*module_);
  if (const auto problem = codegen::link_device_library(*module_)) return fail(*problem);
  UserErrors errors;
  transforms::check_undefined(*module_, wanted, errors);
  return report(errors);
}

}  // namespace gridspan::codegen
