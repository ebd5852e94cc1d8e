// gridspan-ptx: reads canonical IR and prints its PTX, and why kernels have none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/ptx.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace gridspan;

static cl::opt<std::string> input(cl::Positional, cl::desc("<input IR>"), cl::init("-"));
static cl::opt<unsigned> level("level", cl::desc("of the language"), cl::init(75));
static cl::opt<bool> contracts("fmad", cl::desc("a * b + c may be one operation"), cl::init(true));
static cl::opt<unsigned> registers("registers", cl::desc("of a thread"));
static cl::opt<std::string> libdevice("libdevice", cl::desc("bitcode to take math from"));
static cl::opt<unsigned> architecture("arch", cl::desc("whose text to print"), cl::init(90));

static cl::opt<bool> packed("packed", cl::desc("every pointer is to rows of numbers of 4 bytes"));

static std::vector<codegen::ptx::PackableArray> packable(const std::string&) {
  std::vector<codegen::ptx::PackableArray> arrays;
  for (unsigned i = 0; packed && i < 8; ++i)
    arrays.push_back({i, 4, "argument " + std::to_string(i)});
  return arrays;
}

int main(int argc, char** argv) {
  cl::ParseCommandLineOptions(argc, argv);
  auto buffer = MemoryBuffer::getFileOrSTDIN(input);
  if (!buffer) {
    errs() << input << ": " << buffer.getError().message() << "\n";
    return 1;
  }
  codegen::PtxOptions options;
  options.level = level;
  options.contracts = contracts;
  options.max_registers = registers;
  options.libdevice = libdevice;
  codegen::prepare_for_ptx();
  const codegen::PtxCode code =
      codegen::make_ptx((*buffer)->getBuffer(), options,
                        {.packable = packable,
                         .may_be_cut = [](const std::string&) { return true; },
                         .shapes = [](StringRef) { return transforms::StepShapes(); }});
  for (const codegen::PtxText& text : code.texts)
    if (text.architecture == architecture) outs() << text.text;
  for (const auto& [kernel, reason] : code.left_out)
    outs() << "// left out: " << kernel << ": " << reason << "\n";
  for (const auto& [kernel, reason] : code.undivided)
    outs() << "// undivided: " << kernel << ": " << reason << "\n";
  for (const auto& [kernel, reason] : code.unpacked)
    outs() << "// unpacked: " << kernel << ": " << reason << "\n";
}
