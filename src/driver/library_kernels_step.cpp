// What of a request is a part's: its own kernel, and nothing that depends on the file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/library_kernels_step.h"

#include "codegen/library_kernels.h"
#include "driver/files.h"
#include "driver/messages.h"
#include "driver/process.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace gridspan::driver {
namespace {

bool may_take_parts(const codegen::DeviceRequest& request) {
  return request.opt_level != 0 && !request.kernel_done && !request.forms_only &&
         !request.records_accesses && !request.special && request.tuned.empty() &&
         request.editions.empty() && request.registrations.empty() &&
         request.lowered_names_path.empty();
}

/// The lines that begin with its name.
std::string shapes_of(const std::string& shapes, const std::string& kernel) {
  std::string text;
  for (llvm::StringRef rest = shapes; !rest.empty();) {
    const auto [line, after] = rest.split('\n');
    if (line.starts_with(kernel + " ")) text += line.str() + "\n";
    rest = after;
  }
  return text;
}

/// With the kernel's file in place of the one that is compiled.
std::string options_of(const std::string& json, const std::string& source) {
  auto options = llvm::json::parse(json);
  if (!options) return llvm::consumeError(options.takeError()), json;
  if (llvm::json::Object* object = options->getAsObject()) {
    (*object)["source"] = source;
    object->erase("directory");
  }
  std::string text;
  llvm::raw_string_ostream(text) << *options;
  return text;
}

}  // namespace

bool compile_in_parts(const codegen::DeviceRequest& request, const PartsUse& use,
                      const CompilePart& compile) {
  if (use.linker.empty() || !may_take_parts(request)) return compile(request);
  const std::string rest_path = request.bitcode_path + ".rest";
  const auto [kernels, instructions] =
      codegen::take_library_kernels(request.bitcode_path, rest_path);
  if (kernels.empty() || kernels.size() >= abi::module_number_bits) return compile(request);
  const std::string shapes = read_file(request.launch_shapes_path).value_or("");
  Command join = {use.linker, {"-r", "-o", request.object_path}};
  std::vector<codegen::DeviceRequest> parts(kernels.size() + 1, request);
  const auto name = [&](codegen::DeviceRequest& part, const std::string& bitcode) {
    part.bitcode_path = bitcode;
    part.object_path = bitcode + ".o";
    join.arguments.push_back(part.object_path);
  };
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const codegen::LibraryKernel& kernel = kernels[i];
    codegen::DeviceRequest& part = parts[i];
    name(part, request.bitcode_path + "." + std::to_string(i + 1));
    // A large module stays one in parts. Inlining about doubles it.
    if (2 * instructions > request.most_instructions_of_all_variants)
      part.most_instructions_of_all_variants = 0;
    part.launch_shapes_path = part.bitcode_path + ".launches";
    auto written = write_file(part.bitcode_path, kernel.bitcode);
    if (written) written = write_file(part.launch_shapes_path, shapes_of(shapes, kernel.name));
    if (!written) return print_error(written.error().message), false;
    part.id = abi::numbered(request.id, i + 1);
    part.options_json = options_of(request.options_json, kernel.source);
    part.sequences_path.clear();
  }
  name(parts.back(), rest_path);
  const AtATime at_a_time = request.stage_times ? AtATime{.most = 1} : use.at_a_time;
  return do_side_by_side(parts.size(), at_a_time,
                         [&](std::size_t i) { return compile(parts[i]); }) &&
         succeeded(join, run(join));
}

}  // namespace gridspan::driver
