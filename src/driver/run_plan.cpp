// Running a plan: processes, the device compiler, and what to tell the user.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/run_plan.h"

#include "codegen/stage_text.h"
#include "driver/cleanup.h"
#include "driver/dependency_rule.h"
#include "driver/device_launch.h"
#include "driver/device_step.h"
#include "driver/editions.h"
#include "driver/files.h"
#include "driver/front_end.h"
#include "driver/header_list.h"
#include "driver/host_calls.h"
#include "driver/messages.h"
#include "driver/module_id.h"
#include "driver/original_places.h"
#include "driver/precompiled_headers.h"
#include "driver/process.h"
#include "driver/time_table.h"
#include "driver/tune_step.h"
#include "driver/vendor_headers.h"
#include "support/cache_folder.h"
#include "support/module_text.h"

#include <llvm/Support/raw_ostream.h>
#include <cstdio>
#include <future>

namespace gridspan::driver {
namespace {

/// Of the files, with the first one's targets.
support::Result<std::string> one_rule(const std::vector<std::string>& files) {
  std::vector<std::string> rules;
  for (const std::string& file : files) {
    auto rule = read_file(file);
    if (!rule) return rule;
    rules.push_back(std::move(*rule));
  }
  const std::string first = rules.front();
  rules.erase(rules.begin());
  if (rules.empty()) return first;  // one of standard input may name no file
  if (auto all = with_prerequisites_of(first, rules)) return *all;
  return support::fail(files.front() + ": not a make rule");
}

/// A header that only device code reads is one that the object depends on.
support::Result<void> complete_rule(const CudaUnit& unit) {
  if (unit.rule.empty() || unit.device_rules.empty()) return {};
  std::vector<std::string> files = {unit.rule};
  files.insert(files.end(), unit.device_rules.begin(), unit.device_rules.end());
  const auto rule = one_rule(files);
  if (!rule) return support::fail(rule.error());
  return write_file(unit.rule, *rule);
}

class Runner {
 public:
  Runner(const Invocation& invocation, std::optional<PrecompiledHeaders> headers,
         std::optional<DeviceCache> device_code)
      : invocation_(invocation),
        headers_(std::move(headers)),
        device_code_(std::move(device_code)) {}

  const TimeTable& times() const { return times_; }

  bool unit(PlainUnit& unit);
  bool unit(CudaUnit& unit);
  bool unit(RuleUnit& unit);
  bool device_link(const DeviceLink& link, const Command& shown, const std::string& product);
  bool finish(const Command& command, const std::string& product);
  int run_product(const Command& command);
  bool tune(Plan& plan);

 private:
  Outcome run_shown(const Command& command) {
    show(to_line(command));
    return run(command);
  }
  void show(const std::string& line) const {
    if (invocation_.verbose) llvm::errs() << ' ' << line << '\n';
  }
  support::Result<void> prepare(const CudaUnit& unit);
  struct Passes {
    bool host = false, device = false;  // are good
    bool are_good() const { return host && device; }
  };
  Passes clang_passes(const CudaUnit& unit, std::string& messages);
  bool clang_with_late_templates(CudaUnit& unit, const Passes& before, std::string& messages);
  bool clang_without_device_templates(CudaUnit& unit, const Passes& before, std::string& messages);
  bool clang_with_notes(CudaUnit& unit, std::string& messages);
  bool clang_at_first(CudaUnit& unit, std::string& messages);
  bool respell_headers(CudaUnit& unit);
  bool earlier_editions(CudaUnit& unit, std::string& messages);
  static bool prepare_edition(const CudaUnit& unit, const CudaUnit& edition);
  bool clang(CudaUnit& unit, bool precompiles, std::string& messages);
  template <class Change>
  bool rewrite(CudaUnit& unit, Change change);
  bool device_compiler(const CudaUnit& unit);
  bool write_as_text(const CudaUnit& unit);
  bool assemble(const CudaUnit& unit);
  bool make_again(Plan& plan, bool forms_only);
  /// Does `work`, a phase of compiling, and notes how long it took.
  template <class Work>
  auto timed(Phase phase, Work work) {
    const auto begin = Clock::now();
    auto result = work();
    phase.architecture = "sm_" + std::to_string(invocation_.architecture().number);
    phase.time = Clock::now() - begin;
    times_.add(std::move(phase));
    return result;
  }
  template <class Work>
  bool with_phases(const std::string& source, codegen::DeviceRequest request, Work compile);
  MessagePolicy messages() const {
    if (is_quiet_) return {.no_warnings = true};
    return {invocation_.no_warnings, invocation_.warnings_as_errors, invocation_.remarks};
  }

  /// Standard input is a file of another name each time.
  CacheUse cache_use(bool is_standard_input = false) const {
    const bool is_used = device_code_ && !is_standard_input;
    return {is_used ? &*device_code_ : nullptr, invocation_.verbose};
  }

  const Invocation& invocation_;
  std::optional<PrecompiledHeaders> headers_;  // none: not wanted
  std::optional<DeviceCache> device_code_;     // none: it is to be compiled
  std::vector<std::string> left_out_;          // of the device link
  TimeTable times_;
  bool is_quiet_ = false;
};

bool Runner::unit(PlainUnit& unit) {
  PendingOutput output(unit.output);
  const auto compile = [&] { return run_shown(unit.command); };
  const Phase phase{unit.source, "clang (host)", unit.source, unit.output, {}, {}};
  if (!succeeded(unit.command, timed(phase, compile))) return false;
  output.keep();
  return true;
}

bool Runner::unit(RuleUnit& unit) {
  PendingOutput output(unit.output);
  std::vector<std::string> rules;
  for (const RuleUnit::Pass& pass : unit.passes) {
    if (!succeeded(pass.command, run_shown(pass.command))) return false;
    rules.push_back(pass.rule);
  }
  const auto rule = one_rule(rules);
  auto written = rule ? support::Result<void>() : support::fail(rule.error());
  if (rule && unit.output.empty()) llvm::outs() << *rule;
  if (rule && !unit.output.empty()) written = write_file(unit.output, *rule);
  if (!written) {
    print_error(written.error().message);
    return false;
  }
  output.keep();
  return true;
}

/// Both passes side by side; what they say is collected so that nothing appears twice.
Runner::Passes Runner::clang_passes(const CudaUnit& unit, std::string& messages) {
  std::string host_errors = unit.reference_path + ".host.txt";
  std::string device_errors = unit.reference_path + ".device.txt";
  show(to_line(unit.device_pass));
  if (unit.host_pass) show(to_line(*unit.host_pass));
  Process device(unit.device_pass, "", device_errors);
  Clock::time_point device_end;
  const auto begin = Clock::now();
  auto device_ended = std::async(std::launch::async, [&] {
    Outcome outcome = device.wait();
    device_end = Clock::now();
    return outcome;
  });
  Outcome host_outcome;
  if (unit.host_pass)
    host_outcome = timed({unit.source, "clang (host)", unit.source, unit.object, {}, {}},
                         [&] { return Process(*unit.host_pass, "", host_errors).wait(); });
  Outcome device_outcome = device_ended.get();
  times_.add({unit.source, "clang (device)", unit.source, unit.device.bitcode_path,
              "sm_" + std::to_string(invocation_.architecture().number), device_end - begin});
  std::string host_said = read_file(host_errors).value_or("");
  std::string device_said = read_file(device_errors).value_or("");
  messages = merge_messages(host_said, device_said);
  std::remove(host_errors.c_str());
  std::remove(device_errors.c_str());
  const bool host =
      !unit.host_pass || succeeded(*unit.host_pass, explained(host_outcome, host_said));
  return {host, succeeded(unit.device_pass, explained(device_outcome, device_said))};
}

/// With precompiled headers. Whatever is not plain success is for a pass without them, which finds
/// what our plug-in has noted.
bool Runner::clang_at_first(CudaUnit& unit, std::string& messages) {
  const auto precompiled = headers_ ? headers_->apply(unit) : std::nullopt;
  if (!precompiled) return clang_with_notes(unit, messages);
  const std::string known = read_late(unit);
  const Passes passes = clang_passes(*precompiled, messages);
  const bool good = passes.are_good();
  if (good && read_late(unit) == known && headers_->mend_dependencies()) return true;
  const bool is_cured = !good && rewrite(unit, [&] { return apply_cures(unit); });
  const bool is_news = is_cured || read_late(unit) != known;
  const bool is_good = clang_with_notes(unit, messages);
  if (!good && !is_news && is_good && !unit.empties_device_templates) headers_->drop();
  return is_good;
}

/// As often as our plug-in learns something that clang must know from the start.
bool Runner::clang_with_notes(CudaUnit& unit, std::string& messages) {
  constexpr int most_rounds = 32;
  Passes passes{};
  for (int round = 0; round < most_rounds; ++round) {
    const std::string known = read_late(unit);
    passes = clang_passes(unit, messages);
    const bool is_cured = !passes.are_good() && rewrite(unit, [&] { return apply_cures(unit); });
    if (!is_cured && read_late(unit) == known) break;
  }
  return passes.are_good() || clang_without_device_templates(unit, passes, messages) ||
         clang_with_late_templates(unit, passes, messages);
}

/// Once more if the host pass alone has failed, without the bodies of templates that only devices
/// run (clang_plugin/device_templates.h). It counts if both passes are good then.
bool Runner::clang_without_device_templates(CudaUnit& unit, const Passes& before,
                                            std::string& messages) {
  if (before.host || !before.device) return false;
  CudaUnit again = unit;
  again.host_pass->arguments.push_back("-fplugin-arg-gridspan-device-templates=empty");
  again.empties_device_templates = true;
  std::string said;
  if (!clang_passes(again, said).are_good()) return false;
  unit = std::move(again);
  messages = std::move(said);
  return true;
}

/// Once more if the device pass alone has failed, with bodies of templates that are not read before
/// something uses them: nvcc asks nothing of those that nobody does, and no host compiler sees what
/// stands in `#ifdef __CUDA_ARCH__`. It counts if that is good.
bool Runner::clang_with_late_templates(CudaUnit& unit, const Passes& before,
                                       std::string& messages) {
  if (!before.host || before.device) return false;
  CudaUnit again = unit;
  again.device_pass.arguments.push_back("-fdelayed-template-parsing");
  std::string said;
  if (!clang_passes(again, said).are_good()) return false;
  unit = std::move(again);
  messages = std::move(said);
  return true;
}

/// Looks for launches in nvcc's spaced spelling in the headers; true if there are any, and clang
/// will now see them respelled.
bool Runner::respell_headers(CudaUnit& unit) {
  return rewrite(unit, [&] { return add_spaced_headers(unit); });
}

/// Clang's passes for GPUs that the source has other code for (editions.h). Each may show that a
/// later GPU needs another.
bool Runner::earlier_editions(CudaUnit& unit, std::string& messages) {
  if (unit.device_notes.architectures.empty() || unit.device.ptx.level == 0) return true;
  const auto parts = [](const Levels& levels, const FrontEndNotes& notes) {
    return parts_of(levels, read_file(notes.architectures).value_or("any"));
  };
  std::vector<Levels> pending = parts(unit.levels, unit.device_notes);
  const unsigned last = pending.back().front();
  pending.pop_back();
  if (unit.relocatable) pending.clear();  // the device link compiles one
  std::vector<codegen::SourceEdition> made;
  while (!pending.empty()) {
    const Levels levels = std::move(pending.back());
    pending.pop_back();
    made.push_back(edition_for(unit, levels.front()));
    CudaUnit edition = unit_of(unit, made.back());
    std::string said;
    const bool good = prepare_edition(unit, edition) && clang(edition, false, said);
    messages = merge_messages(messages, said);
    if (!good) return false;
    const std::vector<Levels> found = parts(levels, edition.device_notes);
    pending.insert(pending.end(), found.begin() + 1, found.end());
  }
  for (const codegen::SourceEdition& one : made)
    for (const std::string& rule : unit_of(unit, one).device_rules)
      unit.device_rules.push_back(rule);
  use_editions(unit, last, std::move(made));
  return true;
}

/// What is known of the last edition is known of all.
bool Runner::prepare_edition(const CudaUnit& unit, const CudaUnit& edition) {
  auto written = write_file(edition.device_notes.late, read_late(unit));
  if (written && !edition.overlay.files.empty()) written = edition.overlay.write();
  if (!written) print_error(written.error().message);
  return written.has_value();
}

/// Changes what clang sees; true if that has changed, and clang may look again.
template <class Change>
bool Runner::rewrite(CudaUnit& unit, Change change) {
  bool had_overlay = !unit.overlay.files.empty();
  if (!change()) return false;
  if (!had_overlay)
    for (Command* pass : {&unit.device_pass, unit.host_pass ? &*unit.host_pass : nullptr}) {
      if (!pass) continue;
      auto& words = pass->arguments;
      words.insert(words.begin(), {"-ivfsoverlay", unit.overlay.description_path()});
    }
  auto written = unit.overlay.write();
  if (!written) print_error(written.error().message);
  return written.has_value();
}

/// Compiles, and puts the phases of the device compiler into the table.
template <class Work>
bool Runner::with_phases(const std::string& source, codegen::DeviceRequest request, Work compile) {
  codegen::StageTimes times;
  const bool is_timed = !invocation_.time_file.empty() || invocation_.shows_stages;
  if (is_timed) request.stage_times = &times;
  const bool good = compile(request);
  if (!is_timed) return good;
  for (const auto& [phase, time] : codegen::phase_times(times))
    times_.add({source, std::string(phase), request.bitcode_path, request.object_path, "", time});
  if (invocation_.shows_stages) llvm::outs() << codegen::stages_text(&times);
  return good;
}

bool Runner::device_link(const DeviceLink& link, const Command& shown, const std::string& product) {
  show(to_line(shown));
  PendingOutput output(product);
  const bool good = with_phases("", link.request, [&](const codegen::DeviceRequest& request) {
    DeviceLink timed_link = link;
    timed_link.request = request;
    return run_device_link(timed_link, messages(), cache_use(), left_out_);
  });
  if (!good) return false;
  output.keep();
  return true;
}

bool Runner::finish(const Command& command, const std::string& product) {
  PendingOutput output(product);
  const auto link = [&] { return run_shown(command); };
  if (!succeeded(command, timed({"", "link", "", product, {}, {}}, link))) {
    for (const std::string& line : left_out_)
      llvm::errs() << "gridcc: note: not in the device link: " << line << '\n';
    return false;
  }
  output.keep();
  return true;
}

int Runner::run_product(const Command& command) {
  Outcome outcome = run_shown(command);
  succeeded(command, outcome);
  return outcome.code;
}

bool Runner::device_compiler(const CudaUnit& unit) {
  show(to_line(unit.device_step));
  if (unit.relocatable)
    return run_relocatable_step(*unit.relocatable,
                                unit.library.empty() ? unit.object : unit.library, messages());
  return with_phases(unit.source, unit.device, [&](const codegen::DeviceRequest& request) {
    return run_device_compiler(request, messages(), cache_use(unit.stdin_copy.has_value()),
                               unit.parts);
  });
}

/// Writes the files the passes read besides the user's.
support::Result<void> Runner::prepare(const CudaUnit& unit) {
  if (unit.stdin_copy)
    if (auto written = write_file(unit.stdin_copy->path, unit.stdin_copy->text); !written)
      return written;
  if (!unit.overlay.files.empty())
    if (auto written = unit.overlay.write(); !written) return written;
  if (unit.object.empty()) return {};
  return write_file(unit.reference_path, module_reference_bytes(unit.device.id));
}

/// As often as it takes until clang sees the source as nvcc does.
bool Runner::clang(CudaUnit& unit, bool precompiles, std::string& messages) {
  bool good = precompiles ? clang_at_first(unit, messages) : clang_with_notes(unit, messages);
  // Only clang's own verdict costs a second look: a program that compiles has no such headers.
  if (!good && respell_headers(unit)) good = clang_with_notes(unit, messages);
  // Each time with more launches respelled: clang names but some at once.
  while (!good && rewrite(unit, [&] { return add_device_launches(unit, messages); }))
    good = clang_with_notes(unit, messages);
  return good;
}

bool Runner::unit(CudaUnit& unit) {
  if (auto ready = prepare(unit); !ready) {
    print_error(ready.error().message);
    return false;
  }
  PendingOutput output(unit.object);
  std::string messages;
  bool good = clang(unit, true, messages);
  if (good && !unit.object.empty()) good = earlier_editions(unit, messages);
  const std::string told = good ? messages : tell_host_calls(messages);
  llvm::errs() << in_original_places(told, unit.overlay);
  if (!good) return false;
  if (unit.object.empty()) return true;
  if (auto written = complete_rule(unit); !written) {
    print_error(written.error().message);
    return false;
  }
  if (!device_compiler(unit) || !assemble(unit)) return false;
  output.keep();
  return true;
}

bool Runner::assemble(const CudaUnit& unit) {
  if (unit.combine && !succeeded(*unit.combine, run_shown(*unit.combine))) return false;
  return unit.library.empty() || write_as_text(unit);
}

/// What clang made is still there.
bool Runner::make_again(Plan& plan, bool forms_only) {
  for (Unit& one : plan.units) {
    const auto* unit = std::get_if<CudaUnit>(&one);
    if (!unit || unit->relocatable) continue;
    if (!device_compiler(*unit) || (!forms_only && !assemble(*unit))) return false;
  }
  if (plan.device_link &&
      !device_link(*plan.device_link, plan.device_link_step, forms_only ? "" : plan.product))
    return false;
  return forms_only || !plan.finish || finish(*plan.finish, plan.product);
}

bool Runner::tune(Plan& plan) {
  TuneJob job{invocation_.tune_command, plan.tune_file, plan.workspace, {}, {}, {}};
  for (Unit& one : plan.units) {
    auto* unit = std::get_if<CudaUnit>(&one);
    if (!unit || unit->relocatable) continue;
    job.requests.push_back(&unit->device);
    if (!plan.finish) job.outputs.push_back(unit->object);
  }
  if (plan.device_link) job.requests.push_back(&plan.device_link->request);
  if (plan.finish || plan.device_link) job.outputs = {plan.product};
  job.make = [&](bool forms_only) { return make_again(plan, forms_only); };
  is_quiet_ = true;  // all has been said
  return run_tuning(job);
}

/// A device image as a string.
bool Runner::write_as_text(const CudaUnit& unit) {
  auto library = read_file(unit.library);
  support::Result<void> written;
  if (library)
    written = write_file(unit.object, support::to_module_text(*library));
  else
    written = support::fail(library.error());
  if (!written) print_error(written.error().message);
  return written.has_value();
}

/// Whoever asks how compiling goes has it done.
bool looks_on(const Invocation& invocation) {
  return invocation.shows_stages || !invocation.time_file.empty() || invocation.keep_directory ||
         !invocation.tune_command.empty();
}

bool make(Plan& plan, Runner& runner) {
  bool good = true;  // as with every compiler, the other sources are still looked at
  for (Unit& unit : plan.units)
    good &= std::visit([&](auto& one) { return runner.unit(one); }, unit);
  if (!good) return false;
  if (plan.device_link && !runner.device_link(*plan.device_link, plan.device_link_step,
                                              plan.finish ? std::string() : plan.product))
    return false;
  return !plan.finish || runner.finish(*plan.finish, plan.product);
}

}  // namespace

int run_plan(Plan plan, const Invocation& invocation) {
  const auto wants_headers = wants_precompiled_headers(), wants_device_code = wants_device_cache();
  for (const auto& wish : {wants_headers, wants_device_code})
    if (!wish) {
      print_error(wish.error().message);
      return 1;
    }
  std::optional<PrecompiledHeaders> headers;
  std::optional<DeviceCache> device_code;
  const std::string folder = support::cache_folder();
  if (*wants_headers && !folder.empty())
    headers.emplace(plan, invocation.verbose, HeaderCache(folder + "/headers"));
  if (*wants_device_code && !folder.empty() && !looks_on(invocation))
    device_code.emplace(folder + "/device");
  Runner runner(invocation, std::move(headers), std::move(device_code));
  if (invocation.verbose) {
    for (const std::string& directory : plan.vendor_headers)
      llvm::errs() << "gridcc: the CUDA headers in " << directory << " are not used\n";
    if (!plan.hidden_headers.empty())
      llvm::errs() << "gridcc: " << plan.hidden_headers.size() << " CUDA headers beside "
                   << plan.hidden_headers.front() << " are not used\n";
  }
  if (!plan.hidden_headers.empty())
    if (auto written = write_file(plan.header_overlay, hiding_overlay(plan.hidden_headers));
        !written) {
      print_error(written.error().message);
      return 1;
    }
  bool good = make(plan, runner);
  if (good && !invocation.tune_command.empty()) good = runner.tune(plan);
  if (!invocation.time_file.empty())
    if (auto written = runner.times().append_to(invocation.time_file); !written) {
      print_error(written.error().message);
      good = false;
    }
  if (!good) return 1;
  return plan.run ? runner.run_product(*plan.run) : 0;
}

}  // namespace gridspan::driver
