// gridcc: compiles CUDA programs for CPUs. The story of one run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/stage_text.h"
#include "driver/cccl.h"
#include "driver/cleanup.h"
#include "driver/compile_commands.h"
#include "driver/device_step.h"
#include "driver/help.h"
#include "driver/host_places.h"
#include "driver/host_search.h"
#include "driver/installation.h"
#include "driver/invocation.h"
#include "driver/messages.h"
#include "driver/plan.h"
#include "driver/process.h"
#include "driver/response_files.h"
#include "driver/run_plan.h"
#include "driver/toolkit.h"
#include "driver/vendor_headers.h"

#include <llvm/Support/PrettyStackTrace.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/raw_ostream.h>

using namespace gridspan;
using namespace gridspan::driver;

namespace {

int report(const support::Error& error) {
  print_error(error.message);
  return 1;
}

bool messages_in_color() {
  return llvm::sys::Process::StandardErrIsDisplayed() && llvm::sys::Process::StandardErrHasColors();
}

int print(const std::string& text) {
  llvm::outs() << text;
  return 0;
}

int compile(const Invocation& invocation, const Installation& installation) {
  if (invocation.dry_run) {
    std::string shown = invocation.keep_directory.value_or("/tmp/gridcc-XXXXXX");
    auto plan = make_plan(invocation, installation, shown, false);
    if (!plan) return report(plan.error());
    llvm::errs() << to_text(*plan);
    return 0;
  }
  auto workspace = invocation.keep_directory ? Workspace::keep_in(*invocation.keep_directory)
                                             : Workspace::create();
  if (!workspace) return report(workspace.error());
  if (invocation.verbose)
    llvm::errs() << toolkit_lines(invocation, installation,
                                  ask_host_compiler(invocation, installation, workspace->path()));
  auto plan = make_plan(invocation, installation, workspace->path(), messages_in_color());
  if (!plan) return report(plan.error());
  const int status = run_plan(std::move(*plan), invocation);
  if (invocation.verbose && status == 0 && invocation.goal == Goal::program)
    llvm::errs() << link_line(installation);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  // The run time asks this of finished programs.
  if (asks_for_host_places(argc, argv)) return print_host_places(argc, argv);

  install_cleanup(argv[0]);

  // What does the user want? @files are opened first, then every word is looked up in the table.
  auto words = expand_response_files({argv + 1, argv + argc});
  if (!words) return report(words.error());
  auto arguments = parse_arguments(*words);
  if (!arguments) return report(arguments.error());
  auto task = understand(*arguments);
  if (!task) return report(task.error());

  // Questions about gridcc itself, and steps of it run by hand, end here.
  if (std::holds_alternative<ShowHelp>(*task)) return print(help_text());
  if (std::holds_alternative<ShowStages>(*task)) return print(codegen::stages_text(nullptr));
  if (auto* list = std::get_if<ListArchitectures>(&*task))
    return print(architectures_text(list->prefix));
  if (const auto* step = std::get_if<InternalStep>(&*task)) return run_internal_step(*step);

  clean_include_environment();

  // Everything else needs clang, and our headers and library next to this executable.
  auto installation = find_installation(argv[0]);
  if (!installation) return report(installation.error());
  if (std::holds_alternative<ShowVersion>(*task)) return print(version_text());
  if (const auto* ask = std::get_if<AskClang>(&*task))
    return run(Command{installation->clang, {ask->question}}).code;
  if (const auto* commands = std::get_if<CompileCommands>(&*task)) {
    auto written = rewrite(*commands, *installation);
    return written ? 0 : report(written.error());
  }

  // Thrust and CUB are headers of neither: somebody may have a copy for us.
  const auto* question = std::get_if<PrintCccl>(&*task);
  auto cccl = find_cccl(question ? question->choice : std::get<Invocation>(*task).cccl,
                        installation->include_directory);
  if (!cccl) return report(cccl.error());
  if (question) return print(cccl_text(*cccl));
  auto& invocation = std::get<Invocation>(*task);
  for (auto* const flags : {&invocation.host_flags, &invocation.device_flags})
    for (const std::string& word : cccl_words(*cccl)) flags->push_back(word);

  // Plan the steps, then print or run them.
  return compile(invocation, *installation);
}
