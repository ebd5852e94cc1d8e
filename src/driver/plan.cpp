// From what the user asked for to the steps that make it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/plan.h"

#include "driver/configuration.h"
#include "driver/module_id.h"
#include "driver/planner.h"
#include "driver/tune_file.h"
#include "driver/vendor_headers.h"
#include "driver/vendor_libraries.h"

#include <llvm/BinaryFormat/Magic.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/TargetParser/Host.h>
#include <algorithm>
#include <filesystem>

namespace gridspan::driver {
namespace {

namespace fs = std::filesystem;

std::string base_name(const Input& input) {
  return input.path == "-" ? "stdin" : fs::path(input.path).stem().string();
}

/// Does the goal need each CUDA source whole, or just one look of clang at it?
bool makes_objects(Goal goal) { return goal <= Goal::device_image; }

/// Do the inputs' objects become one file?
bool links(Goal goal) { return goal < Goal::objects; }

std::string plain_output(const Planner& planner, const Input& input, const std::string& object) {
  switch (planner.invocation.goal) {
    case Goal::assembly:
      return output_of(planner, input, planner.invocation.emit_llvm ? ".ll" : ".s");
    case Goal::device_ir:
      return output_of(planner, input, ".bc");
    case Goal::preprocessed:
    case Goal::dependencies:
      return planner.invocation.output;
    default:
      return object;
  }
}

/// The file that a source becomes; none if only clang looks at it.
std::string object_path(const Planner& planner, const Input& input, const std::string& stem) {
  const Invocation& in = planner.invocation;
  if (links(in.goal)) return planner.temporary(stem + ".o");
  if (in.goal == Goal::objects) return output_of(planner, input, ".o");
  if (in.goal == Goal::device_image) return output_of(planner, input, in.image_suffix);
  return {};
}

Result<Unit> plan_unit(const Planner& planner, const Input& input, const std::string& object,
                       const std::string& stem) {
  const Invocation& in = planner.invocation;
  if (input.language != Language::cuda)
    return plan_plain_unit(planner, input, plain_output(planner, input, object));
  bool both_passes = makes_objects(in.goal) || (in.goal == Goal::nothing && in.side == Side::both);
  if (in.goal == Goal::dependencies) return plan_cuda_rule(planner, input, stem);
  if (!both_passes) return plan_cuda_command(planner, input);
  auto unit = plan_cuda_unit(planner, input, object, stem);
  if (!unit) return support::fail(unit.error());
  return std::move(*unit);
}

Command plan_archive(const Planner& planner, const std::vector<std::string>& objects,
                     const std::string& product) {
  Words words;
  words.add({"rcs", product}).add(objects);
  return {planner.installation.archiver, words.take()};
}

/// The words of the link that name libraries.
std::vector<std::string> words_of_link(const Invocation& in) {
  Words words;
  words.add(in.link_flags);
  for (const LinkItem& item : in.link_line) {
    if (item.input)
      words.add(in.inputs[*item.input].path);
    else
      words.add(item.words);
  }
  return words.take();
}

/// -run with nothing but a finished program: run it (Meson's way to ask for the GPU's version).
bool only_runs(const Invocation& invocation) {
  if (!invocation.run_program || invocation.goal != Goal::program) return false;
  if (invocation.inputs.size() != 1 || is_source(invocation.inputs.front())) return false;
  llvm::file_magic kind;
  const std::string& path = invocation.inputs.front().path;
  if (llvm::identify_magic(path, kind) || !llvm::sys::fs::can_execute(path)) return false;
  return kind == llvm::file_magic::elf_executable || kind == llvm::file_magic::elf_shared_object;
}

/// What the objects become.
std::string product_of(const Invocation& in) {
  if (in.goal == Goal::device_image)
    return in.output.empty() ? "a_dlink" + in.image_suffix : in.output;
  std::string product = in.output;
  if (product.empty())
    product = in.goal == Goal::device_link ? "a_dlink.o"
              : in.goal == Goal::archive   ? "a.a"
                                           : "a.out";
  if (in.output_directory.empty() || fs::path(product).is_absolute()) return product;
  return fs::path(in.output_directory) / product;
}

/// Whose `output` was tuned earlier is compiled so again. A new search begins with nothing.
Result<void> find_tuned(const Invocation& in, const std::string& output, Planner& planner,
                        Plan& plan) {
  if (!makes_objects(in.goal) || in.device_debug) return {};
  plan.tune_file = in.tune_file.empty() ? output + ".tune" : in.tune_file;
  if (!in.tune_command.empty()) return {};
  auto tuned = read_tune_file(plan.tune_file, !in.tune_file.empty());
  if (!tuned) return support::fail(tuned.error());
  planner.tuned = std::move(*tuned);
  planner.tuned_from = plan.tune_file;
  return {};
}

void plan_last_steps(const Planner& planner, const std::vector<std::string>& objects, Plan& plan) {
  const Invocation& in = planner.invocation;
  if (in.goal == Goal::archive) {
    plan.finish = plan_archive(planner, objects, plan.product);
    return;
  }
  if (only_runs(in)) {
    plan.product.clear();
    plan.run = Command{fs::absolute(in.inputs.front().path).string(), in.run_arguments};
    return;
  }
  plan.device_link = plan_device_link(planner, objects, plan.product);
  if (plan.device_link)
    plan.device_link_step = {planner.installation.gridcc,
                             Words()
                                 .add({"-dlink", "-o", plan.device_link->request.object_path})
                                 .add(plan.device_link->files)
                                 .take()};
  if (in.goal == Goal::device_link) return;
  const std::string device_code =
      plan.device_link ? plan.device_link->request.object_path : std::string();
  plan.finish = plan_link(planner, objects, device_code, plan.product);
  if (in.run_program && in.goal == Goal::program)
    plan.run = Command{fs::absolute(plan.product).string(), in.run_arguments};
}

/// Objects and modules become one module.
void plan_image_link(const Planner& planner, const std::vector<std::string>& objects, Plan& plan) {
  plan.device_link = plan_device_link(planner, objects, plan.product);
  const std::string& object = plan.device_link->request.object_path;
  plan.device_link_step = {
      planner.installation.gridcc,
      Words().add({"-dlink", "-o", object}).add(plan.device_link->files).take()};
  plan.finish = Command{planner.installation.linker, {"-shared", "-o", plan.product, object}};
}

/// Whether clang does what -ccbin's compiler was named for.
bool clang_stands_in(const Invocation& invocation) {
  if (invocation.host_compiler.empty()) return false;
  const bool compiles = std::ranges::any_of(invocation.inputs, [](const Input& input) {
    return is_source(input) && input.language == Language::cuda;
  });
  return compiles || (links(invocation.goal) && links_with_clang(invocation));
}

}  // namespace

std::string output_of(const Planner& planner, const Input& input, const std::string& suffix) {
  const Invocation& in = planner.invocation;
  if (!in.output.empty() && !links(in.goal) && in.goal != Goal::dependencies) return in.output;
  std::string name = base_name(input) + suffix;
  return in.output_directory.empty() ? name : (fs::path(in.output_directory) / name).string();
}

std::vector<std::string> dependency_words(const Planner& planner, const Input& input,
                                          const std::string& output) {
  const DependencyRequest& asked = planner.invocation.dependencies;
  if (asked.mode.empty()) return {};
  // The rule is about what the user will find, never about our intermediate files.
  std::string target = links(planner.invocation.goal) ? base_name(input) + ".o" : output;
  std::string file = asked.file;
  if (file.empty()) {
    fs::path named = planner.invocation.output.empty() ? target : planner.invocation.output;
    file = named.replace_extension(".d");
  }
  Words words;
  words.add({asked.mode, "-MF", file});
  if (asked.targets.empty()) words.add({"-MT", target});
  return words.add(asked.targets).take();
}

std::string cpu_name(const std::string& cpu) {
  return cpu == "native" ? llvm::sys::getHostCPUName().str() : cpu;
}

std::string host_compiler(const Invocation& invocation) {
  const fs::path given = invocation.host_compiler;
  std::error_code error;
  if (!fs::is_directory(given, error)) return given;
  for (const char* name : {"g++", "clang++", "c++"})
    if (fs::exists(given / name, error)) return given / name;
  return given;
}

PlainUnit plan_plain_unit(const Planner& planner, const Input& input, const std::string& output) {
  const Invocation& in = planner.invocation;
  Words words;
  if (input.language == Language::cxx) words.add({"-x", "c++"}).add(in.cxx_standard);
  if (input.language == Language::c) words.add({"-x", "c"}).add(in.c_standard);
  // As with nvcc, CUDA's headers are there for every source.
  words.add({"-isystem", planner.installation.include_directory});
  words.add(in.host_flags).add(in.plain_flags);
  bool own_clang = in.host_compiler.empty();
  if (own_clang) words.add(header_overlay_words(planner));
  if (!in.target.empty() && own_clang) words.add("--target=" + in.target);
  switch (in.goal) {
    case Goal::preprocessed:
      words.add("-E");
      break;
    case Goal::dependencies:
      words.add(in.dependencies.mode).add(in.dependencies.targets);
      break;
    case Goal::nothing:
      words.add("-fsyntax-only");
      break;
    case Goal::assembly:
      words.add("-S").add(in.emit_llvm ? "-emit-llvm" : "");
      break;
    default:
      words.add("-c").add(in.emit_llvm ? "-emit-llvm" : "");
      break;
  }
  if (in.goal != Goal::dependencies) words.add(dependency_words(planner, input, output));
  if (in.goal == Goal::dependencies && !in.dependencies.file.empty())
    words.add({"-MF", in.dependencies.file});
  if (!output.empty()) words.add({"-o", output});
  words.add(input.path);
  const std::string compiler = own_clang ? planner.installation.clang : host_compiler(in);
  return {input.path, {compiler, words.take()}, output};
}

Result<Plan> make_plan(const Invocation& asked, const Installation& installation,
                       const std::string& workspace, bool color) {
  Plan plan;
  plan.workspace = workspace;
  plan.installation = installation;
  Invocation invocation = asked;
  invocation.host_flags = without_vendor_headers(asked.host_flags, plan.vendor_headers);
  invocation.device_flags = without_vendor_headers(asked.device_flags, plan.vendor_headers);
  Planner planner{invocation, installation, workspace, color};
  // Commands that are only shown are for running by hand, without a file of ours.
  // What is only told, not run, has no place for the description of what is hidden.
  if (!invocation.dry_run && !workspace.empty())
    plan.hidden_headers = vendor_headers_among_others(searched_unasked());
  if (!plan.hidden_headers.empty())
    planner.header_overlay = plan.header_overlay = planner.temporary("hidden_headers.yaml");
  if (clang_stands_in(invocation)) {
    planner.host_compiler_words = words_of_host_compiler(invocation);
    auto& headers = planner.host_compiler_words.headers;
    headers = without_vendor_headers(headers, plan.vendor_headers);
  }
  const std::vector<Input>& inputs = invocation.inputs;
  std::vector<std::string> objects;
  const bool links_images =
      invocation.goal == Goal::device_image && std::ranges::none_of(inputs, is_source);
  if (links(invocation.goal) || links_images) {
    plan.product = product_of(invocation);
    if (auto found = find_tuned(invocation, plan.product, planner, plan); !found)
      return support::fail(found.error());
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Input& input = inputs[i];
    if (!is_source(input)) {
      objects.push_back(input.path);
      continue;
    }
    std::string stem = base_name(input);
    if (inputs.size() > 1) stem += "-" + std::to_string(i);
    std::string object = object_path(planner, input, stem);
    objects.push_back(object);
    if (input.language == Language::cuda && !links(invocation.goal))
      if (auto found = find_tuned(invocation, object, planner, plan); !found)
        return support::fail(found.error());
    auto unit = plan_unit(planner, input, object, stem);
    if (!unit) return support::fail(unit.error());
    plan.units.push_back(std::move(*unit));
  }
  if (invocation.goal == Goal::program || invocation.goal == Goal::shared_library)
    if (const auto problem = library_that_lacks(words_of_link(invocation)))
      return support::fail(*problem);
  if (links(invocation.goal)) plan_last_steps(planner, objects, plan);
  if (invocation.goal == Goal::device_image && plan.units.empty())
    plan_image_link(planner, objects, plan);
  return plan;
}

std::string to_text(const Plan& plan) {
  std::string text;
  auto show = [&](const Command& command) { text += " " + to_line(command) + "\n"; };
  for (const Unit& unit : plan.units) {
    if (const auto* plain = std::get_if<PlainUnit>(&unit)) {
      show(plain->command);
      continue;
    }
    if (const auto* rules = std::get_if<RuleUnit>(&unit)) {
      for (const RuleUnit::Pass& pass : rules->passes) show(pass.command);
      continue;
    }
    const auto& cuda = std::get<CudaUnit>(unit);
    if (!cuda.object.empty()) show(cuda.reference_step);
    show(cuda.device_pass);
    if (cuda.host_pass) show(*cuda.host_pass);
    if (cuda.object.empty()) continue;
    show(cuda.device_step);
    if (cuda.combine) show(*cuda.combine);
  }
  if (plan.device_link) show(plan.device_link_step);
  if (plan.finish) show(*plan.finish);
  if (plan.run) show(*plan.run);
  return text;
}

}  // namespace gridspan::driver
