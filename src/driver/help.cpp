// The help text, from the option table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/help.h"

#include "codegen/pipeline.h"
#include "driver/architecture.h"
#include "driver/configuration.h"
#include "driver/options.h"

#include <llvm/Config/llvm-config.h>

namespace gridspan::driver {
namespace {

constexpr char introduction[] =
    R"(gridcc compiles CUDA programs, as they are, for the CPUs of this machine. It takes the command
lines of nvcc and of clang++; the objects it writes are linked like any others.

Usage: gridcc [options] file...        (.cu .cpp .c .s .o .a .so)

Examples:
  gridcc hotspot.cu -o hotspot                compile and link; run with ./hotspot
  gridcc -O2 -arch=sm_80 -c kernel.cu         compile only, to kernel.o
  gridcc main.cpp kernel.o -lm -o program     C++ and CUDA objects together
  gridcc -shared -Xcompiler -fPIC k.cu -o libk.so
  make NVCC=gridcc                            a Makefile written for nvcc
  g++ main.o kernel.o -L$PREFIX/lib -lgridspan   linking without gridcc
  gridcc -### hotspot.cu                      show the steps, run nothing
  gridcc -O3 app.cu -o app --tune='./app 1024'   find the fastest settings of each kernel
  gridspan explain hotspot                    how each kernel was understood
)";

constexpr char ending[] = R"(
Environment:
  GRIDSPAN_CLANG    the clang++ to use (version 19)
  GRIDSPAN_GRIDCC   the gridcc that programs start which compile kernels at run time (nvrtc)
  GRIDSPAN_HEADER_CACHE   off: parse cuda_runtime.h each time (default on: precompile it at the
                    second use of the same options, in $XDG_CACHE_HOME or ~/.cache)
  GRIDSPAN_DEVICE_CACHE   off: compile device code each time (default on: keep what was compiled,
                    in the same place, for sources whose device code has not changed)
  TMPDIR            where intermediate files go
The variables that programs obey when they run are listed by 'gridspan --help'.
)";

struct Section {
  Group group;
  const char* title;
};

constexpr Section sections[] = {
    {Group::output, "What to make"},
    {Group::input, "Input"},
    {Group::cuda, "CUDA"},
    {Group::code, "Code generation"},
    {Group::preprocessor, "Preprocessor and dependency files"},
    {Group::link, "Linking"},
    {Group::tools, "Options for other tools"},
    {Group::diagnostics, "Diagnostics"},
    {Group::driver, "The driver itself"},
    {Group::accepted, "Accepted for nvcc's sake, without effect on a CPU"},
};

std::string with_value(const Option& option) {
  std::string text(option.spellings[0]);
  if (option.value_name.empty()) return text;
  switch (option.form) {
    case Form::flag:
      return text;
    case Form::joined:
      return text + (text.size() > 3 && !text.ends_with(',') ? " " : "") +
             std::string(option.value_name);
    case Form::joined_or_separate:
    case Form::any_way:
    case Form::separate:
      return text + " " + std::string(option.value_name);
    case Form::equals:
    case Form::equals_or_separate:
      return text + "=" + std::string(option.value_name);
  }
  return text;
}

std::string option_line(const Option& option) {
  constexpr std::size_t column = 32;
  std::string line = "  " + with_value(option);
  if (line.size() + 2 > column)
    line += "\n" + std::string(column, ' ');
  else
    line.resize(column, ' ');
  line += std::string(option.help);
  if (option.meaning == Meaning::without) line += " " + codegen::optional_stages_text();
  return line + "\n";
}

/// Options that are recognised only to be refused do not belong into the help.
bool is_shown(const Option& option, Group group) {
  return option.group == group && !option.help.empty() && option.meaning != Meaning::unsupported;
}

}  // namespace

std::string help_text() {
  std::string text = introduction;
  for (const Section& section : sections) {
    text += std::string("\n") + section.title + ":\n";
    for (const Option& option : option_table())
      if (is_shown(option, section.group)) text += option_line(option);
  }
  return text + ending;
}

/// The second and third line are what build systems look for to know nvcc and its version: no "V"
/// behind nvcc's (Meson), and "clang" nowhere, or some (hypre) give clang's options. `gridcc -v`
/// names the clang in use.
std::string version_text() {
  return std::string("gridcc: Gridspan CUDA compiler driver ") + configuration::version +
         " (LLVM " LLVM_VERSION_STRING
         ")"
         "\nstands in for nvcc: NVIDIA (R) Cuda compiler driver, which it is not"
         "\nCuda compilation tools, release 12.5, V12.5.82 (the CUDA level gridcc accepts)\n";
}

std::string architectures_text(const std::string& prefix) {
  std::string text;
  for (GpuArchitecture architecture : listed_architectures())
    text += prefix + std::to_string(architecture.number) + "\n";
  return text;
}

}  // namespace gridspan::driver
