// Clones of optimised kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/part_kernels.h"

#include "codegen/ptx/device_launches.h"
#include "codegen/ptx/kernel_clones.h"
#include "support/readable_name.h"
#include "transforms/kernels.h"
#include "transforms/special_registers.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/MDBuilder.h"

namespace gridspan::codegen::ptx {

using namespace llvm;

namespace {

constexpr char waits_for_grid[] = "gridspan-waits-for-grid";

using transforms::block_index_registers, transforms::grid_size_registers;
/// Most bytes of a kernel's parameters.
constexpr std::uint64_t most_parameters = 32764;
/// Most blocks of a grid along each axis.
constexpr std::uint32_t most_blocks[] = {0x7fffffff, 0xffff, 0xffff};

bool is_position(const Instruction& instruction) {
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return call && (is_contained(block_index_registers, call->getIntrinsicID()) ||
                  is_contained(grid_size_registers, call->getIntrinsicID()));
}

/// Inline PTX that names a special register of the grid, or a cluster's.
bool is_position_in_text(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  const auto* text = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
  if (!text) return false;
  const StringRef words = text->getAsmString();
  return words.contains("ctaid") || words.contains("clusterid") || words.contains("envreg");
}

std::optional<std::string> why_undivided(Function& kernel) {
  if (kernel.hasFnAttribute(waits_for_grid)) return "its blocks wait for the whole grid";
  if (launches(kernel)) return "it launches kernels";
  if (parameter_bytes(kernel) + part_bytes > most_parameters)
    return "its parameters leave no room for where a part begins";
  for (Function* function : transforms::reachable_functions(kernel))
    for (const Instruction& instruction : instructions(*function)) {
      if (is_position_in_text(instruction)) return "inline PTX reads where in the grid it is";
      if (function != &kernel && is_position(instruction))
        return "'" + support::readable_name(function->getName()) +
               "', which is not inlined, reads blockIdx or gridDim";
    }
  return std::nullopt;
}

/// { [3 x i32] first block, i32, [3 x i32] grid, i32 }
StructType* part_type(LLVMContext& context) {
  Type* word = Type::getInt32Ty(context);
  Type* three = ArrayType::get(word, 3);
  return StructType::get(context, {three, word, three, word});
}

/// Places in the part, read at entry.
class Part {
 public:
  explicit Part(Function& kernel)
      : argument_(kernel.getArg(kernel.arg_size() - 1)), builder_(kernel.getContext()) {}

  Value* grid(unsigned axis) {
    begin();
    return read(2, axis, 1);
  }
  Value* block(unsigned axis) {
    begin();
    Value* within = builder_.CreateIntrinsic(block_index_registers[axis], {}, {});
    return builder_.CreateAdd(within, read(0, axis, 0), "block", /*HasNUW=*/true, /*HasNSW=*/true);
  }

 private:
  /// What the first instruction was may be gone since the last time.
  void begin() {
    builder_.SetInsertPoint(&*argument_->getParent()->getEntryBlock().getFirstInsertionPt());
  }

  Value* read(unsigned field, unsigned axis, std::uint32_t least) {
    LoadInst* load = read_field(builder_, *argument_, part_type(builder_.getContext()),
                                {field, axis}, builder_.getInt32Ty());
    MDBuilder metadata(builder_.getContext());
    load->setMetadata(LLVMContext::MD_range,
                      metadata.createRange(APInt(32, least), APInt(32, most_blocks[axis] + least)));
    return load;
  }

  Argument* argument_;
  IRBuilder<> builder_;
};

/// `make` may ask for the register itself.
void replace_reads(Function& kernel, Intrinsic::ID id, function_ref<Value*()> make) {
  SmallVector<IntrinsicInst*> reads;
  for (Instruction& instruction : instructions(kernel))
    if (auto* call = dyn_cast<IntrinsicInst>(&instruction); call && call->getIntrinsicID() == id)
      reads.push_back(call);
  if (reads.empty()) return;
  Value* value = make();
  for (IntrinsicInst* read : reads) {
    read->replaceAllUsesWith(value);
    read->eraseFromParent();
  }
}

}  // namespace

std::uint64_t parameter_bytes(const Function& kernel) {
  const DataLayout& layout = kernel.getParent()->getDataLayout();
  std::uint64_t bytes = 0;
  for (const Argument& argument : kernel.args()) {
    Type* by_value = argument.getParamByValType();
    Type* type = by_value ? by_value : argument.getType();
    const Align align =
        by_value ? argument.getParamAlign().valueOrOne() : layout.getABITypeAlign(type);
    bytes = alignTo(bytes, align) + layout.getTypeAllocSize(type).getFixedValue();
  }
  return bytes;
}

std::optional<std::string> add_part_kernel(Function& kernel) {
  if (auto reason = why_undivided(kernel)) return reason;
  Function& clone = clone_with_parameter(kernel, kernel.getName() + part_suffix,
                                         part_type(kernel.getContext()), Align(16), "part");
  Part part(clone);
  for (unsigned axis = 0; axis < 3; ++axis) {
    replace_reads(clone, grid_size_registers[axis], [&] { return part.grid(axis); });
    replace_reads(clone, block_index_registers[axis], [&] { return part.block(axis); });
  }
  return std::nullopt;
}

void note_grid_barriers(Module& module) {
  const Function* barrier = module.getFunction("gridspan_grid_barrier");
  if (!barrier) return;
  for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(module))
    for (Function* function : transforms::reachable_functions(*kernel.function))
      for (const Instruction& instruction : instructions(*function))
        if (const auto* call = dyn_cast<CallBase>(&instruction);
            call && call->getCalledFunction() == barrier)
          kernel.function->addFnAttr(waits_for_grid);
}

void inline_grid_positions(Module& module) {
  SmallVector<Function*> asking;
  for (Function& function : module)
    if (any_of(instructions(function), is_position)) asking.push_back(&function);
  SmallPtrSet<Function*, 16> seen(asking.begin(), asking.end());
  while (!asking.empty()) {
    Function* function = asking.pop_back_val();
    for (User* user : function->users())
      if (auto* call = dyn_cast<CallBase>(user); call && call->getCalledFunction() == function)
        if (seen.insert(call->getFunction()).second) asking.push_back(call->getFunction());
  }
  for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(module))
    seen.erase(kernel.function);
  for (Function* function : seen) {
    function->removeFnAttr(Attribute::NoInline);
    function->removeFnAttr(Attribute::OptimizeNone);
    function->addFnAttr(Attribute::AlwaysInline);
  }
}

}  // namespace gridspan::codegen::ptx
