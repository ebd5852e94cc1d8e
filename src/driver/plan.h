// The steps of one gridcc run, as data: planned first, then printed (-###) or run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/device_compiler.h"
#include "driver/command.h"
#include "driver/device_link_step.h"
#include "driver/installation.h"
#include "driver/invocation.h"
#include "driver/library_kernels_step.h"
#include "driver/overlay.h"
#include "driver/relocatable_object.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gridspan::driver {

/// What our plug-in of clang's front end (src/clang_plugin) leaves after a pass.
struct FrontEndNotes {
  std::string late;                // file: functions whose specifiers came too late
  std::string cures;               // file: how to write what clang refuses
  std::string architectures = {};  // file: see editions.h; empty: a source has but one
};

/// One CUDA source becoming one object:
///
///     reference ──► host_pass ──► host.o ──────────────┐
///                   device_pass ─► device.bc ─► device ─► device.o ─┴─ combine ─► object
///
/// The two clang passes run side by side. With -fsyntax-only the unit ends after them. With
/// -rdc=true device.bc goes into the object as it is, for the device link.
struct CudaUnit {
  std::string source;  // as the user named it
  /// Source that came from standard input: both passes read it from this file, written by gridcc.
  std::optional<Overlay::File> stdin_copy;
  std::string reference_path;  // file the host pass embeds; written by gridcc
  codegen::DeviceRequest device;
  std::optional<RelocatableParts> relocatable;  // instead of compiling the device code
  Command device_pass;
  std::optional<Command> host_pass;  // none for a device image
  Command reference_step;            // how -### shows the steps done inside gridcc
  Command device_step;
  std::optional<Command> combine;
  PartsUse parts;
  std::string library;  // a device image that is to become text: what `combine` writes
  // Print the headers of a pass as a make rule on standard output: the host's, the device's.
  std::vector<Command> list_headers;
  std::string rule;  // make's, of all passes, for the user; empty: not wanted, or not in a file
  std::vector<std::string> device_rules;  // of device passes, of which `rule` gets the files
  FrontEndNotes device_notes, host_notes;
  bool empties_device_templates = false;  // its host pass, which would fail otherwise
  std::vector<unsigned> levels;           // named architectures, ascending: 75 for sm_75
  Overlay overlay;                        // files clang sees in another spelling
  std::string object;                     // empty: passes only
};

/// Anything that is a single command: a C++ source, -E.
struct PlainUnit {
  std::string source;
  Command command;
  std::string output;  // removed when the command fails; may be empty
};

/// -M or -MM of a CUDA source: the rule of each pass, made one.
struct RuleUnit {
  struct Pass {
    Command command;
    std::string rule;  // file
  };
  std::string source;
  std::vector<Pass> passes;
  std::string output;  // empty: standard output
};

using Unit = std::variant<CudaUnit, PlainUnit, RuleUnit>;

struct Plan {
  std::vector<Unit> units;
  std::optional<DeviceLink> device_link;    // before `finish`; only if every unit succeeded
  Command device_link_step;                 // how -### shows it
  std::optional<Command> finish;            // link or archive; only if every unit succeeded
  std::string product;                      // of `finish`; removed when that fails
  std::string workspace;                    // for what comes up while it runs
  std::string tune_file;                    // where --tune keeps what it finds
  std::optional<Command> run;               // -run
  std::vector<std::string> vendor_headers;  // directories the user named that are left out
  std::vector<std::string> hidden_headers;  // of those compilers look through unasked
  std::string header_overlay;               // the file that hides them
  Installation installation;
};

/// Plans the run. `workspace` is the directory for intermediate files (need not exist yet);
/// `color`: clang's messages in colour. Reads the CUDA sources (for their module ids and launch
/// spelling); nothing is written or started. User errors: a source that cannot be read.
Result<Plan> make_plan(const Invocation& invocation, const Installation& installation,
                       const std::string& workspace, bool color);

/// The plan as -### shows it, one command a line.
std::string to_text(const Plan& plan);

}  // namespace gridspan::driver
