// Asks LLVM's symbolizer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/host_places.h"

#include <llvm/DebugInfo/Symbolize/Symbolize.h>
#include <llvm/Support/raw_ostream.h>

namespace gridspan::driver {

using namespace llvm;

static constexpr StringRef option = "--host-place=";

bool asks_for_host_places(int argc, char** argv) {
  return argc > 1 && StringRef(argv[1]).starts_with(option);
}

static void print(const DILineInfo& line) {
  if (line.FunctionName != DILineInfo::BadString) outs() << line.FunctionName;
  outs() << '\t';
  if (line.FileName != DILineInfo::BadString && line.Line != 0)
    outs() << line.FileName << ':' << line.Line;
  outs() << '\n';
}

int print_host_places(int argc, char** argv) {
  symbolize::LLVMSymbolizer::Options options;
  options.PathStyle =
      DILineInfoSpecifier::FileLineInfoKind::RawValue;  // as the program was compiled
  symbolize::LLVMSymbolizer symbolizer(options);
  for (int i = 1; i < argc; ++i) {
    StringRef word(argv[i]);
    std::uint64_t offset = 0;
    if (!word.consume_front(option)) return 1;
    const auto [file, number] = word.rsplit(':');
    if (number.getAsInteger(0, offset)) return 1;
    const object::SectionedAddress address{offset, object::SectionedAddress::UndefSection};
    auto found = symbolizer.symbolizeInlinedCode(file.str(), address);
    if (!found) consumeError(found.takeError());
    for (unsigned frame = 0; found && frame < found->getNumberOfFrames(); ++frame)
      print(found->getFrame(frame));
    outs() << '\n';
  }
  return 0;
}

}  // namespace gridspan::driver
