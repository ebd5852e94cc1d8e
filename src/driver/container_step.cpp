// Recording, specialised and fused builds: container in, shared object out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/container_step.h"

#include "driver/cleanup.h"
#include "driver/container_reader.h"
#include "driver/device_step.h"
#include "driver/files.h"
#include "driver/fused_launches.h"
#include "driver/installation.h"
#include "driver/messages.h"
#include "driver/process.h"
#include "driver/ptx_options.h"

#include <algorithm>

namespace gridspan::driver {
namespace {

using support::fail;
using support::Result;

/// What both kinds of build have in common. `cpu`: what the ordinary kernels were compiled for
/// where the program's author named none.
codegen::DeviceRequest request_for(const DeviceSource& source, const std::string& cpu,
                                   const Workspace& workspace) {
  codegen::DeviceRequest request;
  request.bitcode_path = workspace.path() + "/device.bc";
  request.object_path = workspace.path() + "/device.o";
  request.id = source.id;
  request.target_cpu = source.cpu.empty() ? cpu : source.cpu;
  for (const VectorMath& one : source.vector_math)
    if (one.cpu == (source.cpu.empty() ? cpu : "")) request.vector_math.push_back(one.kernel);
  return request;
}

void make_recording(codegen::DeviceRequest& request) {
  request.opt_level = 1;
  request.records_accesses = true;
}

abi::InstructionSet set_named(const std::string& cpu) {
  using abi::InstructionSet;
  for (const InstructionSet set : {InstructionSet::x86_64_v3, InstructionSet::x86_64_v4})
    if (cpu == abi::cpu_name(set)) return set;
  return InstructionSet::baseline;
}

Result<void> make_special(codegen::DeviceRequest& request, const DeviceSource& source,
                          const InternalStep& step) {
  const auto condition = support::parse_condition(step.condition);
  if (!condition) return fail("'" + step.condition + "' is no condition");
  if (!source.optimised) return fail(codegen::refusal_mark + std::string("compiled with -G"));
  // Compiled as the ordinary kernels are: for the baseline first, then for one instruction set.
  const bool names_cpu = !source.cpu.empty();
  const std::string& wanted = step.wider_cpu.empty() ? step.cpu : step.wider_cpu;
  request.special = codegen::Specialisation{
      step.kernel, *condition, {}, set_named(names_cpu ? std::string() : wanted)};
  if (!names_cpu) request.target_cpu.clear();
  request.debug_info = source.debug_info;
  return {};
}

/// One kernel of several that follow one another. It calls math functions of vectors if one of them
/// does.
Result<void> make_fused(codegen::DeviceRequest& request, const DeviceSource& source,
                        const InternalStep& step) {
  auto launches = support::parse_fused_launches(step.fused_launches);
  if (!launches) return fail("'" + step.fused_launches + "' names no launches");
  if (auto proved = prove_fusible(source, *launches); !proved) return proved;
  InternalStep special = step;
  special.condition.clear();
  special.kernel = launches->name();
  if (auto made = make_special(request, source, special); !made) return made;
  const auto has_one_of = [&](const std::vector<std::string>& kernels) {
    return std::ranges::any_of(launches->launches, [&](const auto& launch) {
      return std::ranges::find(kernels, launch.kernel) != kernels.end();
    });
  };
  if (has_one_of(request.vector_math)) request.vector_math.push_back(special.kernel);
  request.special->keeps_vectors = !has_one_of(source.scalar_kernels);
  request.special->fused = std::move(*launches);
  request.ptx = parse_ptx_options(source.ptx);
  request.ptx.machine.clear();
  return {};
}

Result<void> build(const InternalStep& step) {
  auto installation = find_installation("gridcc");
  if (!installation) return fail(installation.error());
  auto container = read_file(step.container);
  if (!container) return fail(container.error());
  auto source = read_container(*container, step.container);
  if (!source) return fail(source.error());
  auto workspace = Workspace::create();
  if (!workspace) return fail(workspace.error());
  codegen::DeviceRequest request = request_for(*source, step.cpu, *workspace);
  if (!step.fused_launches.empty()) {
    if (auto made = make_fused(request, *source, step); !made) return fail(made.error());
  } else if (step.kernel.empty()) {
    make_recording(request);
  } else if (auto made = make_special(request, *source, step); !made) {
    return fail(made.error());
  }
  if (auto written = write_file(request.bitcode_path, source->bitcode); !written)
    return fail(written.error());
  if (!run_device_compiler(request, {.no_warnings = true})) return fail("");
  // Linked in the workspace and then copied, because the output may be something no linker can
  // replace, such as /dev/fd/4.
  const std::string product = workspace->path() + "/device.so";
  const Command link{installation->linker,
                     {"-shared", "-o", product, request.object_path,
                      installation->library_directory + "/libgridspan.so"}};
  const Outcome outcome = run(link);
  if (!outcome.ok()) return fail("'" + to_line(link) + "' failed: " + outcome.trouble);
  auto bytes = read_file(product);
  if (!bytes) return fail(bytes.error());
  return write_file(step.output, *bytes);
}

}  // namespace

int run_container_step(const InternalStep& step) {
  if (step.output.empty()) return print_error("this step needs '-o'"), 1;
  auto built = build(step);
  if (built) return 0;
  if (!built.error().message.empty()) print_error(built.error().message);
  return 1;
}

}  // namespace gridspan::driver
