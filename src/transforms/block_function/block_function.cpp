// Writes the segments and the skeleton that calls them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/block_function.h"

#include "abi/launch.h"
#include "transforms/block_function/skeleton_values.h"
#include "transforms/kernel_frame.h"
#include "transforms/region_debug_info.h"
#include "transforms/thread_functions.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// A segment's function, and what the skeleton brings to a call of it.
struct SegmentCode {
  Function* function = nullptr;     // null: nothing is left to do in it
  SmallVector<Value*> wants;        // values of the skeleton, by their originals
  SmallVector<Instruction*> finds;  // values it stores for the skeleton
};

class BlockFunctionBuilder {
 public:
  BlockFunctionBuilder(Function& kernel, Segments& segments)
      : kernel_(kernel), segments_(segments), values_(segments) {
    for (auto [number, segment] : enumerate(segments.all)) number_[&segment.first()] = number;
  }

  RegionKernel build();

 private:
  SlotSet live_after(const Segment& segment) const;
  bool has_work(const Segment& segment) const;
  void collect(const Segment& segment, SegmentCode& code) const;
  void take_values(const Segment& segment, const SegmentCode& code, RegionWriter& writer) const;
  void link_exits(const Segment& segment, RegionWriter& writer) const;
  SegmentCode write_segment(const Segment& segment, unsigned number);
  void begin_skeleton(Function& function);
  void write_part(const Segment& segment, const SegmentCode& code);
  void call_segment(const SegmentCode& code, IRBuilder<>& builder);
  void give_calls_a_line();
  Function* write_skeleton(ArrayRef<SegmentCode> codes);

  Function& kernel_;
  Segments& segments_;
  SkeletonValues values_;
  DenseMap<const BasicBlock*, unsigned> number_;  // of the segment that begins there
  FramedKernel framed_;

  // While the skeleton is written:
  Function* skeleton_ = nullptr;
  ValueToValueMapTy map_;
  ContextValues context_;
  DenseMap<const Instruction*, AllocaInst*> found_;  // where segments leave what they find
};

RegionKernel BlockFunctionBuilder::build() {
  std::vector<RegionBlocks> pieces;
  for (const Segment& segment : segments_.all) pieces.push_back(segment.blocks);
  framed_ = frame_values(kernel_, pieces, [this](const Value* v) { return values_.has(v); });
  RegionKernel result;
  result.frame_bytes = framed_.frame.layout.bytes;
  std::vector<SegmentCode> codes;
  for (auto [number, segment] : enumerate(segments_.all)) {
    codes.push_back(write_segment(segment, number));
    if (codes.back().function) result.segments.push_back(codes.back().function);
  }
  Function* whole = write_skeleton(codes);
  result.regions.push_back({whole, abi::exited, abi::SyncKind::barrier, {}});
  kernel_.deleteBody();
  return result;
}

SlotSet BlockFunctionBuilder::live_after(const Segment& segment) const {
  SlotSet live;
  auto add = [&](const BasicBlock* next) {
    const SlotSet& slots = framed_.live[number_.lookup(next)];
    live.insert(slots.begin(), slots.end());
  };
  if (segment.next) {
    add(segment.next);
  } else {
    for (const BasicBlock* next : successors(&segment.last())) add(next);
  }
  return live;
}

/// Something is left that the skeleton does not do.
bool BlockFunctionBuilder::has_work(const Segment& segment) const {
  for (const BasicBlock* block : segment.blocks)
    for (const Instruction& instruction : *block) {
      if (values_.is_fetched(&instruction)) return true;
      if (!values_.is_computed(&instruction) && !isa<DbgInfoIntrinsic>(instruction) &&
          !instruction.isTerminator() &&
          (instruction.mayHaveSideEffects() || instruction.mayWriteToMemory()))
        return true;
    }
  return false;
}

void BlockFunctionBuilder::collect(const Segment& segment, SegmentCode& code) const {
  SetVector<Value*> wants;
  for (BasicBlock* block : segment.blocks)
    for (Instruction& instruction : *block) {
      if (values_.is_computed(&instruction)) continue;
      if (values_.is_fetched(&instruction)) code.finds.push_back(&instruction);
      if (instruction.isTerminator() && block == &segment.last() && segment.ends_with_last())
        continue;
      for (Value* operand : instruction.operands()) {
        auto* value = dyn_cast<Instruction>(operand);
        if (!value || !values_.has(value)) continue;
        bool is_own = values_.is_fetched(value) && segment.blocks.contains(value->getParent());
        if (!is_own) wants.insert(value);
      }
    }
  code.wants.append(wants.begin(), wants.end());
}

/// The skeleton's values take the place of instructions; what it fetches is stored for it.
void BlockFunctionBuilder::take_values(const Segment& segment, const SegmentCode& code,
                                       RegionWriter& writer) const {
  constexpr unsigned first_more = 3;
  SmallVector<Instruction*> left;
  for (BasicBlock* block : segment.blocks)
    for (Instruction& instruction : *block)
      if (values_.is_computed(&instruction)) {
        left.push_back(cast<Instruction>(writer.map()[&instruction]));
        writer.map()[&instruction] = PoisonValue::get(instruction.getType());
      }
  for (Instruction* twin : left) twin->eraseFromParent();
  for (auto [i, value] : enumerate(code.wants)) {
    Argument* argument = writer.function().getArg(first_more + i);
    argument->setName(value->getName());
    writer.map()[value] = argument;
  }
  for (auto [i, value] : enumerate(code.finds)) {
    auto* twin = cast<Instruction>(writer.map()[value]);
    auto after = isa<PHINode>(twin) ? twin->getParent()->getFirstInsertionPt()
                                    : std::next(twin->getIterator());
    Argument* argument = writer.function().getArg(first_more + code.wants.size() + i);
    argument->setName(value->getName() + ".found");
    IRBuilder<>(twin->getParent(), after).CreateStore(twin, argument);
  }
}

void BlockFunctionBuilder::link_exits(const Segment& segment, RegionWriter& writer) const {
  const SlotSet live = live_after(segment);
  for (BasicBlock* block : segment.blocks) {
    BasicBlock& copy = writer.copy_of(*block);
    if (block == &segment.last() && segment.ends_with_last()) {
      writer.leave(copy, live);
      continue;
    }
    Instruction* end = copy.getTerminator();
    for (unsigned i = 0; i < end->getNumSuccessors(); ++i) {
      if (!number_.contains(end->getSuccessor(i))) continue;
      auto* way = BasicBlock::Create(kernel_.getContext(), "leave", &writer.function());
      writer.leave(*way, live);
      end->setSuccessor(i, way);
    }
  }
}

SegmentCode BlockFunctionBuilder::write_segment(const Segment& segment, unsigned number) {
  SegmentCode code;
  if (!has_work(segment)) return code;
  collect(segment, code);
  RegionParameters parameters;
  parameters.whole_block = true;
  for (Value* value : code.wants) parameters.more.push_back(value->getType());
  for (unsigned i = 0; i < code.finds.size(); ++i)
    parameters.more.push_back(PointerType::get(kernel_.getContext(), 0));
  RegionWriter writer(kernel_, framed_.frame, segment.blocks,
                      kernel_.getName() + ".segment." + Twine(number), parameters);
  take_values(segment, code, writer);
  link_exits(segment, writer);
  writer.finish(segment.first(), framed_.live[number]);
  code.function = &writer.function();
  code.function->addFnAttr(Attribute::AlwaysInline);
  return code;
}

// --- the skeleton --------------------------------------------------------------------------------

void BlockFunctionBuilder::begin_skeleton(Function& function) {
  IRBuilder<> prologue(BasicBlock::Create(kernel_.getContext(), "entry", &function));
  context_ = load_block_values(prologue, function.getArg(0));
  adopt_debug_info(kernel_, function, map_);
  for (Argument& parameter : kernel_.args())
    map_[&parameter] = load_argument(prologue, context_.arguments, parameter);
  for (const Segment& segment : segments_.all) {
    BasicBlock* part =
        BasicBlock::Create(kernel_.getContext(), segment.first().getName(), &function);
    map_[&segment.first()] = map_[&segment.last()] = part;
    for (BasicBlock* block : segment.blocks)
      for (Instruction& instruction : *block)
        if (values_.is_fetched(&instruction))
          found_[&instruction] = prologue.CreateAlloca(instruction.getType(), nullptr,
                                                       instruction.getName() + ".found");
  }
  prologue.CreateBr(cast<BasicBlock>(map_[&segments_.all.front().first()]));
}

void BlockFunctionBuilder::call_segment(const SegmentCode& code, IRBuilder<>& builder) {
  if (!code.function) return;
  SmallVector<Value*> arguments{skeleton_->getArg(0), builder.getInt32(0), skeleton_->getArg(2)};
  // Originals: mapped with everything else at the end.
  append_range(arguments, code.wants);
  for (Instruction* value : code.finds) arguments.push_back(found_.lookup(value));
  builder.CreateCall(code.function, arguments);
  for (Instruction* value : code.finds)
    map_[value] = builder.CreateLoad(value->getType(), found_.lookup(value), value->getName());
}

/// What becomes of one segment in the skeleton: computed values, the call, what comes next.
void BlockFunctionBuilder::write_part(const Segment& segment, const SegmentCode& code) {
  auto* part = cast<BasicBlock>(map_[&segment.first()]);
  IRBuilder<> builder(part);
  for (BasicBlock* block : segment.common)
    for (Instruction& instruction : *block) {
      if (!values_.is_computed(&instruction)) continue;
      Instruction* twin = instruction.clone();
      builder.Insert(twin, instruction.getName());
      map_[&instruction] = twin;
    }
  call_segment(code, builder);
  if (segment.next) {
    builder.CreateBr(segment.next);
  } else {
    builder.Insert(segment.last().getTerminator()->clone());
  }
}

/// What is inlined needs to know where; each of its lines stays its own.
void BlockFunctionBuilder::give_calls_a_line() {
  DISubprogram* here = skeleton_->getSubprogram();
  if (!here) return;
  for (Instruction& instruction : instructions(*skeleton_))
    if (isa<CallInst>(instruction) && !instruction.getDebugLoc())
      instruction.setDebugLoc(DILocation::get(kernel_.getContext(), here->getLine(), 0, here));
}

Function* BlockFunctionBuilder::write_skeleton(ArrayRef<SegmentCode> codes) {
  LLVMContext& context = kernel_.getContext();
  Type* i32 = Type::getInt32Ty(context);
  auto* type =
      FunctionType::get(Type::getVoidTy(context), {PointerType::get(context, 0), i32, i32}, false);
  skeleton_ = Function::Create(type, GlobalValue::InternalLinkage, kernel_.getName() + ".block",
                               kernel_.getParent());
  copy_code_attributes(kernel_, *skeleton_);
  begin_skeleton(*skeleton_);
  for (auto [segment, code] : zip(segments_.all, codes)) write_part(segment, code);
  for (Instruction& instruction : instructions(*skeleton_))
    RemapInstruction(&instruction, map_, RF_IgnoreMissingLocals);
  lower_context(*skeleton_, context_);
  forget_tail_calls(*skeleton_);
  give_calls_a_line();
  return skeleton_;
}

}  // namespace

RegionKernel make_block_function(Function& kernel, Segments& segments) {
  return BlockFunctionBuilder(kernel, segments).build();
}

}  // namespace gridspan::transforms
