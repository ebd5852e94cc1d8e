// A scheduler of LLVM's registry that chooses between two others, block by block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/block_scheduler.h"

#include "llvm/CodeGen/SchedulerRegistry.h"
#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/CodeGen/SelectionDAGISel.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Target/TargetMachine.h"

namespace gridspan::codegen {
namespace {

/// In nodes of the selection graph, of which an instruction has about two.
constexpr std::size_t long_block = 1000;

/// PTX has no scheduler that comes after, and ptxas keeps to the order it finds: of values that the
/// fast scheduler leaves for later it makes hundreds of registers. The default one for PTX takes
/// the order of the source, and little time.
bool may_be_fast(const llvm::SelectionDAGISel& selection) {
  return !selection.TM.getTargetTriple().isNVPTX() &&
         selection.CurDAG->allnodes_size() > long_block;
}

llvm::ScheduleDAGSDNodes* choose(llvm::SelectionDAGISel* selection, llvm::CodeGenOptLevel level) {
  return may_be_fast(*selection) ? llvm::createFastDAGScheduler(selection, level)
                                 : llvm::createDefaultScheduler(selection, level);
}

llvm::RegisterScheduler registered("gridspan", "Default, but fast for long blocks", choose);

}  // namespace

void order_long_blocks_fast() {
  // The choice is a command-line option of LLVM and nothing else.
  [[maybe_unused]] static const bool done = [] {
    auto& options = llvm::cl::getRegisteredOptions();
    const auto option = options.find("pre-RA-sched");
    return option != options.end() && !option->second->addOccurrence(0, "pre-RA-sched", "gridspan");
  }();
}

}  // namespace gridspan::codegen
