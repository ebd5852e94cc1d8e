// gridspan: looks at what gridcc made and at what programs find on this machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/options.h"
#include "support/spelling.h"
#include "tools/devices.h"
#include "tools/explain.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string_view>

using namespace gridspan;

namespace {

constexpr char introduction[] =
    R"(gridspan: tools around CUDA programs compiled with gridcc.

Examples:
  gridcc hotspot.cu -o hotspot     compile (see gridcc --help)
  gridspan devices                 what the program will find here
  gridspan explain hotspot         how each of its kernels was understood)";

std::string variables_help() {
  return "Variables that CUDA programs obey when they run:\n" + support::options_help();
}

int finish(const support::Result<std::string>& report) {
  if (report) {
    std::fputs(report->c_str(), stdout);
    return std::fflush(stdout) == 0 ? 0 : 1;
  }
  std::fprintf(stderr, "gridspan: error: %s\n", report.error().message.c_str());
  return 1;
}

/// What to say when the first word is no command; empty when it is one, or an option.
std::string wrong_command(const CLI::App& app, std::string_view word) {
  if (word.starts_with('-')) return "";
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  std::vector<std::string_view> views(names.begin(), names.end());
  if (std::find(views.begin(), views.end(), word) != views.end()) return "";
  std::string text = "unknown command '" + std::string(word) + "'";
  std::string_view meant = support::nearest(word, views);
  if (!meant.empty()) text += "; did you mean '" + std::string(meant) + "'?";
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(introduction, "gridspan");
  app.footer(variables_help());
  app.set_version_flag("--version", "gridspan " GRIDSPAN_VERSION);
  app.require_subcommand(1);

  CLI::App* devices = app.add_subcommand(
      "devices", "List the devices CUDA programs find here, and the GRIDSPAN_* variables in force");

  tools::ExplainRequest request;
  CLI::App* explain = app.add_subcommand(
      "explain", "Say for each kernel of an object, library or program how it was understood");
  explain->add_option("FILE", request.file, "object file, archive, shared library or program")
      ->required();
  explain->add_option("--kernel", request.kernels,
                      "only kernels whose name contains this; may be given more than once");
  explain->add_flag("--json", request.json, "everything the compiler recorded, as JSON");
  explain->footer(
      "A kernel `runs as regions` when it could be cut at its barriers into loops over threads;\n"
      "that is fast. A kernel that `runs on fibers` is correct but slow; the line says why.");

  if (argc > 1) {
    if (std::string wrong = wrong_command(app, argv[1]); !wrong.empty())
      return finish(support::fail(wrong));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 1;
  }
  if (*devices) return finish(tools::describe_devices());
  return finish(tools::explain(request));
}
