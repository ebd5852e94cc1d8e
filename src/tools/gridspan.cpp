// gridspan: looks at what gridcc made and at what programs find on this machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/options.h"
#include "support/spelling.h"
#include "tools/devices.h"
#include "tools/explain.h"
#include "tools/paint.h"
#include "tools/ptx.h"
#include "tools/record.h"
#include "tools/replay.h"

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
  gridspan devices                 the devices that programs find here
  gridspan explain hotspot         the memory accesses of each kernel, and how it can be split
  gridspan explain hotspot.cu      the same from the source, with carets
  gridspan ptx hotspot             its code for GPUs
  gridspan record ./hotspot        run it and record its CUDA calls
  gridspan replay                  ... and plan them again, also for other devices)";

constexpr char explain_help[] =
    R"(For each kernel: which elements of which arrays one thread block reads and writes, along which
axes of the grid it can be split among devices, and every limitation with its source line.

  gridspan explain blur.cu -- -I include -DRADIUS=2      (options after -- go to gridcc)

prints, for a kernel that averages neighbours,

  blur(const float* in, float* out, int n)  at blur.cu:3
    can be split; each part's writes are known exactly
    one block, with x = blockIdx.x*blockDim.x
      float in[?]
        reads     in[x-2 .. x+blockDim.x+1]  inside [0 .. n-1]  (line 5)
      float out[?]
        writes    out[x .. x+blockDim.x-1]  inside [.. n-1]  (line 6)
    split
      x  yes; two parts share 16 bytes (in)  <- suggested

`[?]` is an unknown extent. A remark with a caret names an obstacle, and the hint below it a change
that removes it. With --html a page shows grid and arrays as pictures.

A kernel that `runs as regions` could be cut at its barriers into loops over threads; that is fast.
A kernel that `runs on fibers` is correct but slow; the line says why.

Then, for each function of the host: how its launches follow one another, what keeps them apart, and
which arguments and sizes are the same (docs/fusion.md).

docs/explain.md goes through an example; docs/model-format.md describes the JSON.)";

constexpr char ptx_help[] =
    R"(Programs carry their kernels for NVIDIA's GPUs as PTX, once for every GPU since Volta and once for
the newest. Kernels that have none run on CPUs only; gridspan explain says why.

  gridspan ptx hotspot                   all of it, for the newest GPUs
  gridspan ptx --arch 70 hotspot         its code for a V100
  gridspan ptx hotspot calculate         kernels with this in their names
  gridspan ptx hotspot.cu -- -use_fast_math

K$part is the kernel K for a part of the grid. docs/gpu.md goes through an example.)";

constexpr char record_help[] =
    R"(Every CUDA call with its arguments and result, every command that came of it, and, on several
devices, how each launch was split: the boxes of each array that its parts read and write, and the
copies between devices.

  gridspan record ./hotspot 512 512 20               writes gridspan.record
  gridspan record -o crash.record -- ./solve --fast
  gridspan record --data ./hotspot 64 64 3           also the host's data: can be run again

The exit status is the program's. If the program crashes, the recording holds everything up to
then. GRIDSPAN_RECORD=FILE does the same for a program that something else starts.

gridspan replay shows a recording and does it again; docs/record.md goes through an example.)";

constexpr char replay_help[] =
    R"(Without --print or --json, the commands of the recording are planned again, on the same devices or
on others, with the kernels' own footprints. Nothing is computed: that takes little time and no
memory, for any program.

  gridspan replay --print                            one line for each call and command
  gridspan replay --devices cpu:4 hotspot.record     how it would be split among four devices
  gridspan replay --devices cpu:4 -o four.record hotspot.record; gridspan replay --print four.record
                                                     ... with every box and copy
  gridspan replay --run --devices cpu:3 hotspot.record
                                                     runs it (recorded with --data) and compares
  gridspan replay --fuse hotspot.record              which launches could be one kernel or one chain,
                                                     the bytes that saves, and why others could not
  gridspan replay --fuse --json hotspot.record       ... for programs

--run exits with 1 if a copy to the host brings other bytes than the recorded ones, and names the
copy and the place. The program is needed with the kernels it had; its main does not run.)";

std::string variables_help() {
  return "Variables that CUDA programs read when they run:\n" + support::options_help();
}

int finish(const support::Result<std::string>& report) {
  if (report) {
    std::fputs(report->c_str(), stdout);
    return std::fflush(stdout) == 0 ? 0 : 1;
  }
  std::fprintf(stderr, "gridspan: error: %s\n", report.error().message.c_str());
  return 1;
}

int explain_kernels(const tools::ExplainRequest& request, bool fail_on_unsplit) {
  auto explanation = tools::explain(request);
  if (!explanation) return finish(support::fail(explanation.error()));
  if (int status = finish(explanation->text)) return status;
  if (!fail_on_unsplit || explanation->unsplit.empty()) return 0;
  std::string names;
  for (const std::string& name : explanation->unsplit) names += (names.empty() ? "" : ", ") + name;
  return finish(support::fail("cannot be split along any axis: " + names));
}

int finish_with_status(const support::Result<int>& status) {
  return status ? *status : finish(support::fail(status.error()));
}

/// The words of the program: `gridspan record prog -- x` gives it a `--`, `record -- prog x` none.
std::vector<std::string> recorded_command(std::vector<std::string> before,
                                          const std::vector<std::string>& after, bool separated) {
  if (!before.empty() && separated) before.emplace_back("--");
  before.insert(before.end(), after.begin(), after.end());
  return before;
}

int record_program(const tools::RecordRequest& request) {
  if (request.command.empty()) {
    return finish(support::fail("record: which program? (gridspan record ./program arguments...)"));
  }
  if (request.command[0].starts_with('-')) {
    return finish(support::fail("record: unknown option " + request.command[0]));
  }
  return finish_with_status(tools::record(request));
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

  tools::DevicesRequest devices_request;
  CLI::App* devices = app.add_subcommand(
      "devices",
      "Show the device that CUDA programs find here, its parts, and the GRIDSPAN_* variables");
  devices
      ->add_option("--devices", devices_request.setting,
                   "the devices of GRIDSPAN_DEVICES=SETTING, e.g. cpu:4 or numa")
      ->type_name("SETTING");
  devices->add_flag("--json", devices_request.json, "the same as JSON");

  tools::ExplainRequest request;
  CLI::App* explain = app.add_subcommand(
      "explain",
      "Show for each kernel of a source or program its memory accesses and how it can be split");
  explain
      ->add_option("FILE", request.file,
                   "CUDA source, or object, archive, shared library or program made from it")
      ->required();
  explain
      ->add_option("--kernel", request.kernels,
                   "only kernels with this in their names; may be given more than once")
      ->allow_extra_args(false);
  explain->add_flag("--isl", request.isl, "also the relations, in isl's notation");
  explain->add_flag("--json", request.json, "the models as JSON (docs/model-format.md)");
  explain->add_option("--html", request.html, "also write a page with pictures to this file")
      ->type_name("OUT.html");
  std::string fail_on;
  explain->add_option("--fail-on", fail_on, "unsplit: exit 1 if some kernel can never be split")
      ->check(CLI::IsMember({"unsplit"}))
      ->type_name("unsplit");
  explain->footer(explain_help);

  tools::PtxRequest ptx_request;
  CLI::App* ptx = app.add_subcommand("ptx", "Print the PTX of a source's or program's kernels");
  ptx->add_option("FILE", ptx_request.file,
                  "CUDA source, or object, archive, shared library or program made from it")
      ->required();
  ptx->add_option("KERNEL", ptx_request.kernels, "only kernels with this in their names");
  ptx->add_option("--arch", ptx_request.architecture,
                  "for GPUs of this architecture, e.g. 70 for sm_70; default: the newest there is")
      ->type_name("NN");
  ptx->footer(ptx_help);

  tools::RecordRequest record_request;
  CLI::App* record = app.add_subcommand("record", "Run a program and record its CUDA calls");
  record->add_option("-o,--output", record_request.file, "the recording")
      ->type_name("FILE")
      ->capture_default_str();
  record->add_flag("--data", record_request.with_data, "also the contents of memory, for --run");
  record->prefix_command();  // from the program's name on, words are the program's
  record->footer(record_help);

  tools::ReplayRequest replay_request;
  CLI::App* replay =
      app.add_subcommand("replay", "Show a recording, or carry it out again, on any devices");
  replay->add_option("FILE", replay_request.file, "the recording")->capture_default_str();
  bool print = false, json = false;
  replay->add_flag("--print", print, "show it as text");
  replay->add_flag("--json", json, "show it as JSON, one record a line (docs/record.md)");
  replay
      ->add_option("--devices", replay_request.devices,
                   "on these devices, e.g. cpu:4; default: as recorded")
      ->type_name("SETTING");
  replay->add_flag("--run", replay_request.run, "run kernels and copies, and compare results");
  replay->add_flag("--fuse", replay_request.fuse,
                   "show which launches could be fused, and the bytes that saves (docs/fusion.md)");
  replay
      ->add_option("--program", replay_request.program,
                   "the program, if it is not where it was recorded")
      ->type_name("PATH");
  replay->add_option("-o,--output", replay_request.keep, "write a recording of the replay")
      ->type_name("FILE");
  replay->footer(replay_help);

  if (argc > 1) {
    if (std::string wrong = wrong_command(app, argv[1]); !wrong.empty())
      return finish(support::fail(wrong));
  }
  // What follows `--` is for gridcc, or the program to record.
  int own = static_cast<int>(std::find(argv, argv + argc, std::string_view("--")) - argv);
  const std::vector<std::string> others(std::min(argv + own + 1, argv + argc), argv + argc);
  request.compile_options = ptx_request.compile_options = others;
  try {
    app.parse(own, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 1;
  }
  if (*devices) return finish(tools::describe_devices(devices_request));
  if (*ptx) return finish(tools::ptx_text(ptx_request));
  if (*record) {
    record_request.command = recorded_command(record->remaining(), others, own < argc);
    return record_program(record_request);
  }
  if (*replay) {
    if (replay_request.fuse && (print || replay_request.run))
      return finish_with_status(support::fail("--fuse goes without --print and --run"));
    if (print) replay_request.show = tools::ReplayRequest::Show::text;
    if (json) replay_request.show = tools::ReplayRequest::Show::json;
    return finish_with_status(tools::replay(replay_request));
  }
  request.colours = tools::output_has_colours();
  return explain_kernels(request, !fail_on.empty());
}
