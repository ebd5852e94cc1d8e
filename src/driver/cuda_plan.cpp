// Planning of CUDA sources: the two clang passes, the device compiler, the partial link.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/configuration.h"
#include "driver/editions.h"
#include "driver/files.h"
#include "driver/front_end.h"
#include "driver/host_plugin_plan.h"
#include "driver/leniency.h"
#include "driver/module_id.h"
#include "driver/planner.h"
#include "driver/ptx_options.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>
#include <filesystem>
#include <string_view>

namespace gridspan::driver {
namespace {

namespace fs = std::filesystem;

/// The CUDA version whose launch protocol and builtins clang is to use.
constexpr char sdk_version[] = "12.5";

/// Whether flags define the macro, in one word or two.
bool defines(const std::vector<std::string>& flags, std::string_view macro) {
  std::string_view before;
  for (const std::string_view flag : flags) {
    std::string_view rest = before == "-D" ? flag : flag.starts_with("-D") ? flag.substr(2) : "";
    if (rest.substr(0, rest.find('=')) == macro) return true;
    before = flag;
  }
  return false;
}

bool is_openmp(const std::vector<std::string>& flags) {
  bool is_on = false;
  for (const std::string& flag : flags) {
    is_on |= flag == "-fopenmp" || flag.starts_with("-fopenmp=");
    is_on &= flag != "-fno-openmp";
  }
  return is_on;
}

/// nvcc takes C++03, in which programs find CUDA's names as ever; ours are written in C++11. What
/// it forbids and C++03 does not, `"%"FORMAT`, stays allowed.
std::vector<std::string> standard_words(const std::string& standard) {
  for (const char* old : {"-std=c++03", "-std=c++98", "-std=gnu++03", "-std=gnu++98"})
    if (standard == old) return {"-std=gnu++11", "-Wno-reserved-user-defined-literal"};
  return {standard};
}

/// Words both passes share: the language, our headers in place of a vendor's.
Words language_words(const Planner& planner) {
  const Invocation& in = planner.invocation;
  Words words;
  words.add({"-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent"});
  words.add({"-isystem", planner.installation.include_directory});
  words.add(header_overlay_words(planner));
  words.add({"-include", "cuda_runtime.h", "-fdeclspec"});
  words.add({"-Xclang", std::string("-target-sdk-version=") + sdk_version});
  // nvcc's macros, which programs test; clang itself defines __CUDA__ and __CUDACC__.
  words.add({"-D__NVCC__", "-D__NVCC_DIAG_PRAGMA_SUPPORT__=1"});
  std::string list;
  for (GpuArchitecture architecture : in.architectures)
    list += (list.empty() ? "" : ",") + std::to_string(architecture.macro());
  if (list.empty()) list = std::to_string(in.architecture().macro());
  words.add("-D__CUDA_ARCH_LIST__=" + list);
  if (in.fast_math) words.add("-D__USE_FAST_MATH__=1");
  if (in.relocatable) words.add({"-fgpu-rdc", "-D__CUDACC_RDC__=1"});
  words.add(standard_words(in.cxx_standard));
  if (!in.target.empty()) words.add("--target=" + in.target);
  if (planner.color) words.add("-fcolor-diagnostics");
  words.add("-Qunused-arguments");
  words.add(lenient_flags());
  // nvcc lets device code declare `f(...)`, as overload sets do that are only asked for a type.
  words.add({"-Xclang", "-fcuda-allow-variadic-functions"});
  return words;
}

/// nvcc's -use_fast_math promises less than clang's -ffast-math: infinities, NaNs and the order of
/// sums keep their meaning.
Words fast_math_words() {
  return Words().add({"-fgpu-approx-transcendentals", "-freciprocal-math", "-ffp-contract=fast",
                      "-fgpu-flush-denormals-to-zero"});
}

/// nvcc's file name for -fdevice-time-trace=-.
std::string time_trace_file(const Invocation& in) {
  if (in.device_time_trace != "-") return in.device_time_trace;
  if (in.output.empty()) return "trace.json";
  return std::filesystem::path(in.output).replace_extension(".json");
}

/// Headers ask in device code, too, what the host has: by __AVX__ they align members, which both
/// sides must do alike.
Words host_feature_words(const Invocation& in) {
  Words words;
  for (const std::string& word : in.host_flags) {
    const bool names_cpu = word.starts_with("-march=") || word.starts_with("-mcpu=");
    const bool is_feature =
        word.starts_with("-m") && word != "-mllvm" && word.find('=') == std::string::npos;
    if (names_cpu || is_feature) words.add(word);
  }
  // g++'s value, as nvcc has it; clang would offload, given the option itself. With clang's value
  // omp.h has functions that need the option.
  if (is_openmp(in.host_flags)) words.add("-D_OPENMP=201511");
  return words;
}

Words device_words(const Planner& planner) {
  const Invocation& in = planner.invocation;
  std::string macro = std::to_string(in.architecture().macro());
  Words words = language_words(planner);
  words.add("--cuda-device-only");
  words.add("--cuda-gpu-arch=" + std::string(clang_architecture));
  words.add({"-Xclang", "-target-feature", "-Xclang", "+ptx83"});
  words.add({"-U__CUDA_ARCH__", "-D__CUDA_ARCH__=" + macro});
  // -O2 keeps `optnone` away; the passes are run by the device compiler.
  words.add(
      {"-O2", "-Xclang", "-disable-llvm-passes", "-ffp-contract=on", "-fno-discard-value-names"});
  // Messages, `gridspan explain` and the interpreter name source lines, so lines are always there.
  words.add({"-gline-tables-only", "--cuda-noopt-device-debug"});
  if (in.device_debug) words.add("-g");
  if (in.fast_math) words.add(fast_math_words().take());
  if (!in.device_time_trace.empty()) words.add("-ftime-trace=" + time_trace_file(in));
  words.add(host_feature_words(in).take());
  return words.add(in.device_flags).add(planner.host_compiler_words.headers);
}

Words host_words(const Planner& planner) {
  Words words = language_words(planner);
  // Random number generators written with `int` overflow in many CUDA programs. nvcc's host
  // compiler lets them wrap in practice; clang would compare the unwrapped 64-bit value.
  words.add("--cuda-host-only").add("-fwrapv");
  // Checks say where memory was allocated. What the program asks for itself comes later and wins.
  words.add("-gline-tables-only").add(planner.invocation.host_flags);
  // The headers rename calls; what clang makes of kernel<<<...>>> must be renamed with them.
  if (defines(planner.invocation.host_flags, "CUDA_API_PER_THREAD_DEFAULT_STREAM")) {
    words.add({"-Xclang", "-fgpu-default-stream=per-thread"});
  }
  words.add(planner.host_compiler_words.headers);
  return words;
}

Words overlay_words(const Overlay& overlay) {
  Words words;
  if (!overlay.files.empty()) words.add({"-ivfsoverlay", overlay.description_path()});
  return words;
}

Command clang_command(const Planner& planner, Words words, const std::string& source) {
  return {planner.installation.clang, words.add(source).take()};
}

/// What the container says about how the module was compiled.
std::string options_json(const Planner& planner, const Input& input, const Command& device_pass) {
  llvm::json::Array arguments;
  for (const std::string& word : planner.invocation.device_flags) arguments.push_back(word);
  std::error_code error;
  llvm::json::Object options{
      {"gridcc", configuration::version},
      {"source", input.path},
      {"directory", fs::current_path(error).string()},
      {"architecture", planner.invocation.architecture().number},
      {"cpu", cpu_name(planner.invocation.cpu)},
      {"standard", planner.invocation.cxx_standard},
      {"fast_math", planner.invocation.fast_math},
      {"ptx", to_text(ptx_options(planner.invocation))},
      {"debug", planner.invocation.debug || planner.invocation.device_debug},
      {"optimised", !planner.invocation.device_debug},
      {"clang", device_pass.program},
      {"options", std::move(arguments)},
  };
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(options));
  return text;
}

codegen::DeviceRequest device_request(const Planner& planner, const Input& input,
                                      const std::string& stem, const Command& device_pass,
                                      abi::ModuleId id) {
  const Invocation& in = planner.invocation;
  codegen::DeviceRequest request;
  request.bitcode_path = planner.temporary(stem + ".device.bc");
  request.object_path = planner.temporary(stem + ".device.o");
  request.id = id;
  request.target_triple = in.target;
  request.target_cpu = cpu_name(in.cpu);
  request.options_json = options_json(planner, input, device_pass);
  request.opt_level = in.device_debug ? 0 : 3;
  request.ptx = ptx_options(in);
  request.debug_info = in.debug || in.device_debug;
  request.position_independent = in.position_independent;
  request.lowered_names_path = in.lowered_names;
  request.without = in.without;
  request.launch_shapes_path = launch_shapes_file(planner, stem);
  request.sequences_path = launch_sequences_file(planner, stem);
  request.tuned = planner.tuned;
  return request;
}

RelocatableParts relocatable_parts(const Input& input, const codegen::DeviceRequest& device,
                                   const std::string& host_object) {
  return {host_object,         device.bitcode_path,       input.path,           device.id,
          device.options_json, device.lowered_names_path, device.sequences_path};
}

Command relocatable_step(const Planner& planner, const RelocatableParts& parts,
                         const std::string& object) {
  Words words;
  words.add({"--compile-device=" + parts.bitcode_path, "--host-object=" + parts.host_object,
             "--source-name=" + parts.source, "--module-id=" + to_text(parts.id)});
  if (!parts.sequences_path.empty()) words.add("--launch-sequences=" + parts.sequences_path);
  return {planner.installation.gridcc, words.add({"-o", object}).take()};
}

/// The device compiler runs inside gridcc; this is the command that does the same by itself.
Command device_step(const Planner& planner, const codegen::DeviceRequest& request) {
  Words words;
  words.add("--compile-device=" + request.bitcode_path).add({"-o", request.object_path});
  words.add("--module-id=" + to_text(request.id))
      .add("--device-opt-level=" + std::to_string(request.opt_level));
  if (!request.target_triple.empty()) words.add("--target=" + request.target_triple);
  if (!request.target_cpu.empty()) words.add("-march=" + request.target_cpu);
  if (request.debug_info) words.add("-g");
  if (request.ptx.level != 0) words.add("--ptx-for=" + to_text(request.ptx));
  if (!request.ptx.machine.empty() && !request.ptx.assembler.empty())
    words.add("--ptxas=" + request.ptx.assembler);
  if (!request.position_independent) words.add("--position-dependent");
  for (const std::string& one : request.without) words.add("--without=" + one);
  if (!request.tuned.empty()) words.add("--tune-file=" + planner.tuned_from);
  if (!request.launch_shapes_path.empty())
    words.add("--launch-shapes=" + request.launch_shapes_path);
  if (!request.sequences_path.empty()) words.add("--launch-sequences=" + request.sequences_path);
  return {planner.installation.gridcc, words.take()};
}

/// Reproducible: the same source compiled the same way to the same place has the same id. The place
/// counts because two libraries of one program may hold objects from one source.
abi::ModuleId id_of_unit(const Planner& planner, const Input& input, const std::string& content,
                         const std::string& stem) {
  const Invocation& in = planner.invocation;
  std::vector<std::string> texts = {fs::absolute(input.path).lexically_normal().string(),
                                    fs::absolute(in.output.empty() ? "a.out" : in.output).string(),
                                    stem, content};
  texts.push_back(std::to_string(in.architecture().macro()) + in.cxx_standard + in.cpu + in.target);
  texts.push_back((in.relocatable ? "relocatable" : "") + to_text(ptx_options(in)));
  for (const unsigned level : in.levels()) texts.push_back(std::to_string(level));
  texts.insert(texts.end(), in.device_flags.begin(), in.device_flags.end());
  texts.insert(texts.end(), in.host_flags.begin(), in.host_flags.end());
  return make_module_id(texts);
}

/// What the device passes read goes into the rule, too; `device`: one that does not write it.
void plan_rules(const Planner& planner, const std::string& stem,
                const std::vector<std::string>& rule, Words* device, CudaUnit& unit) {
  const std::string &mode = rule[0], &file = rule[2];
  if (file == "-" || file.starts_with("/dev/")) return;
  unit.rule = file;
  if (!device) return;
  unit.device_rules = {planner.temporary(stem + ".device.d")};
  device->add({mode, "-MF", unit.device_rules.front()});
}

}  // namespace

Result<CudaUnit> plan_cuda_unit(const Planner& planner, const Input& input,
                                const std::string& object, const std::string& stem) {
  auto content = read_file(input.path);
  if (!content) return support::fail(content.error());
  std::string source = input.path;

  CudaUnit unit;
  if (source == "-") {
    source = planner.temporary(stem + ".cu");
    // The line marker keeps the usual name in messages.
    unit.stdin_copy = {source, "# 1 \"<stdin>\"\n" + *content};
  }
  unit.source = source;
  unit.object = object;
  unit.reference_path = planner.temporary(stem + ".module");
  unit.overlay.directory = planner.temporary(stem + ".overlay");
  unit.overlay.add_if_needed(source);

  const abi::ModuleId id = id_of_unit(planner, input, *content, stem);
  unit.device_notes = front_end_notes(planner, stem + ".device");
  unit.host_notes = front_end_notes(planner, stem + ".host");
  unit.levels = with_code(planner.invocation.levels());
  if (unit.levels.size() > 1 && !planner.installation.clang_plugin.empty())
    unit.device_notes.architectures = planner.temporary(stem + ".architectures");
  Words device = device_words(planner).add(overlay_words(unit.overlay).take());
  Words host = host_words(planner).add(overlay_words(unit.overlay).take());
  // Both passes name the source's private kernels alike. Clang's driver hands -cuid= to one of
  // them.
  if (planner.invocation.relocatable)
    for (Words* words : {&device, &host})
      words->add({"-fuse-cuid=none", "-Xclang", "-cuid=" + to_text(id)});
  for (const Words& words : {host, device})
    unit.list_headers.push_back(clang_command(planner, Words(words).add("-M"), source));
  device.add(front_end_words(planner, unit.device_notes));
  host.add(front_end_words(planner, unit.host_notes));
  if (object.empty()) {
    unit.device_pass = clang_command(planner, device.add("-fsyntax-only"), source);
    unit.host_pass = clang_command(planner, host.add("-fsyntax-only"), source);
    return unit;
  }

  std::string host_object = planner.temporary(stem + ".host.o");
  std::string bitcode = planner.temporary(stem + ".device.bc");
  device.add({"-emit-llvm", "-c", "-o", bitcode});
  // A relocatable module is an object like others.
  const bool is_image =
      planner.invocation.goal == Goal::device_image && !planner.invocation.relocatable;
  const bool is_text =
      planner.invocation.goal == Goal::device_image && planner.invocation.image_suffix == ".ptx";
  if (is_text) unit.library = planner.temporary(stem + ".library");
  if (const auto rule = dependency_words(planner, input, object); !rule.empty()) {
    (is_image ? device : host).add(rule);
    plan_rules(planner, stem, rule, is_image ? nullptr : &device, unit);
  }
  if (!is_image) {
    host.add({"-fno-lto", "-Xclang", "-fcuda-include-gpubinary"});
    host.add({"-Xclang", unit.reference_path, "-c", "-o", host_object});
    host.add(host_plugin_words(
        planner, {launch_shapes_file(planner, stem), launch_sequences_file(planner, stem)}));
    unit.host_pass = clang_command(planner, std::move(host), source);
  }
  unit.device_pass = clang_command(planner, std::move(device), source);
  unit.device = device_request(planner, input, stem, unit.device_pass, id);
  unit.reference_step = {
      planner.installation.gridcc,
      {"--module-reference", "--module-id=" + to_text(unit.device.id), "-o", unit.reference_path}};
  if (planner.invocation.relocatable) {
    unit.relocatable = relocatable_parts(input, unit.device, host_object);
    unit.device_step = relocatable_step(planner, *unit.relocatable, object);
    return unit;
  }
  unit.device_step = device_step(planner, unit.device);
  if (is_image) {
    unit.combine = {planner.installation.linker,
                    {"-shared", "-o", is_text ? unit.library : object, unit.device.object_path}};
    return unit;
  }
  if (planner.invocation.tune_command.empty())
    unit.parts = {planner.installation.linker, planner.invocation.parts_at_a_time};
  unit.combine = {planner.installation.linker,
                  {"-r", "-o", object, host_object, unit.device.object_path}};
  return unit;
}

RuleUnit plan_cuda_rule(const Planner& planner, const Input& input, const std::string& stem) {
  const Invocation& in = planner.invocation;
  const DependencyRequest& asked = in.dependencies;
  RuleUnit unit;
  unit.source = input.path;
  unit.output = in.output.empty() ? asked.file : in.output;
  const auto add_pass = [&](Words words, const std::string& name) {
    const std::string rule = planner.temporary(stem + "." + name + ".d");
    if (!unit.passes.empty()) words.add("-w");  // the first has said it
    words.add(asked.mode);
    words.add(asked.targets.empty()
                  ? std::vector<std::string>{"-MT", output_of(planner, input, ".o")}
                  : asked.targets);
    unit.passes.push_back({clang_command(planner, words.add({"-o", rule}), input.path), rule});
  };
  // The first pass's order is what the user sees. Standard input is there for one only.
  if (in.side != Side::device) add_pass(host_words(planner), "host");
  if (in.side == Side::host || (input.path == "-" && !unit.passes.empty())) return unit;
  for (const unsigned level : with_code(in.levels())) {
    Words words = device_words(planner);
    const std::string macro = std::to_string(GpuArchitecture{level}.macro());
    add_pass(words.add("-U__CUDA_ARCH__").add("-D__CUDA_ARCH__=" + macro),
             "sm_" + std::to_string(level));
  }
  return unit;
}

PlainUnit plan_cuda_command(const Planner& planner, const Input& input) {
  const Invocation& in = planner.invocation;
  Words words = in.side == Side::device ? device_words(planner) : host_words(planner);
  PlainUnit unit;
  unit.source = input.path;
  switch (in.goal) {
    case Goal::preprocessed:
      words.add("-E").add(dependency_words(planner, input, output_of(planner, input, ".o")));
      unit.output = in.output;
      break;
    case Goal::device_ir:
      words.add(front_end_words(planner, {})).add("-emit-llvm");
      unit.output = output_of(planner, input, ".bc");
      break;
    default:
      words.add(front_end_words(planner, {})).add("-fsyntax-only");
      break;
  }
  if (!unit.output.empty()) words.add({"-o", unit.output});
  unit.command = clang_command(planner, std::move(words), input.path);
  return unit;
}

}  // namespace gridspan::driver
