// Statements in their order, with guards, labels and branches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/inline_ptx/inline_ptx.h"

#include "transforms/inline_ptx/asm_call.h"
#include "transforms/inline_ptx/lowering.h"
#include "transforms/inline_ptx/open_functions.h"
#include "transforms/kernels.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace gridspan::transforms {

using namespace llvm;

namespace ptx {

namespace {

const Handlers& handlers() {
  static const Handlers all = [] {
    Handlers made;
    add_integer_arithmetic(made);
    add_video(made);
    add_bit_operations(made);
    add_real_arithmetic(made);
    add_comparisons(made);
    add_conversions(made);
    add_memory_access(made);
    add_atomics(made);
    add_synchronisation(made);
    add_moves(made);
    add_matrices(made);
    add_barrier_objects(made);
    return made;
  }();
  return all;
}

/// Replaces one call. What comes after it is a block of its own; the statement's code lies between.
class StatementLowering {
 public:
  StatementLowering(FunctionState& state, CallInst& call, const AsmCall& read)
      : state_(state), call_(call), read_(read), l_(state, call) {}

  /// False with the error's text in problem().
  bool run(const std::vector<Statement>& statements);
  const std::string& problem() const { return problem_; }

 private:
  void take_operands();
  void give_results();
  bool lower(const Statement& statement);
  bool lower(const Instruction& instruction);
  bool declare(const Statement& statement);
  bool leave();
  BasicBlock* new_block(const Twine& name) {
    return BasicBlock::Create(l_.builder.getContext(), name, &state_.function, after_);
  }
  BasicBlock* label(const std::string& name);
  /// Code that follows is `block`'s, which is reached from here too.
  void fall_into(BasicBlock* block);
  bool fail(const std::string& text) {
    problem_ = text;
    return false;
  }

  FunctionState& state_;
  CallInst& call_;
  const AsmCall& read_;
  Lowering l_;
  BasicBlock* after_ = nullptr;
  std::map<std::string, BasicBlock*> labels_;
  std::string problem_;
};

void StatementLowering::take_operands() {
  for (unsigned i = 0; i < read_.operands.size(); ++i) {
    const AsmOperand& operand = read_.operands[i];
    if (!operand.type) continue;
    const std::string name = argument_name(i);
    l_.declare(name, operand.type);
    Operand target;
    target.kind = Operand::Kind::name;
    target.name = name;
    if (operand.input) l_.set(target, operand.input);
  }
}

void StatementLowering::give_results() {
  SmallVector<Value*> results;
  for (unsigned i = 0; i < read_.operands.size(); ++i) {
    if (!read_.operands[i].is_output) continue;
    Operand source;
    source.kind = Operand::Kind::name;
    source.name = argument_name(i);
    results.push_back(l_.raw(source));
  }
  if (results.empty()) return;
  Value* all = results[0];
  if (auto* type = dyn_cast<StructType>(call_.getType())) {
    all = PoisonValue::get(type);
    for (unsigned i = 0; i < results.size(); ++i)
      all = l_.builder.CreateInsertValue(all, results[i], i);
  }
  call_.replaceAllUsesWith(all);
}

BasicBlock* StatementLowering::label(const std::string& name) {
  BasicBlock*& block = labels_[name];
  if (!block) block = new_block("ptx.label");
  return block;
}

void StatementLowering::fall_into(BasicBlock* block) {
  if (!l_.builder.GetInsertBlock()->getTerminator()) l_.builder.CreateBr(block);
  l_.builder.SetInsertPoint(block);
}

bool StatementLowering::declare(const Statement& statement) {
  const auto type = data_type(statement.type);
  if (!type)
    return fail("inline PTX: registers of type '." + statement.type + "' are not supported");
  for (const std::string& name : statement.names)
    l_.declare(name, type->type(l_.builder.getContext()));
  return true;
}

/// exit ends the thread: in a kernel, its return.
bool StatementLowering::leave() {
  if (!state_.is_kernel && state_.function.use_empty()) {  // its callers have it inlined
    l_.intrinsic(Intrinsic::trap);
    return true;
  }
  if (!state_.is_kernel || !state_.function.getReturnType()->isVoidTy())
    return fail(
        "inline PTX: exit is supported in kernels and in functions that can be inlined into them");
  l_.builder.CreateRetVoid();
  l_.builder.SetInsertPoint(new_block("ptx.unreached"));
  return true;
}

bool StatementLowering::lower(const Instruction& instruction) {
  const StringRef name = StringRef(instruction.opcode).split('.').first;
  BasicBlock* next = nullptr;
  if (instruction.guard) {
    Value* condition = l_.predicate(*instruction.guard);
    BasicBlock* guarded = new_block("ptx.guarded");
    next = new_block("ptx.next");
    l_.builder.CreateCondBr(condition, guarded, next);
    l_.builder.SetInsertPoint(guarded);
  }
  if (name == "bra" && instruction.operands.size() == 1) {
    l_.builder.CreateBr(label(instruction.operands[0].name));
    if (!next) l_.builder.SetInsertPoint(new_block("ptx.unreached"));
  } else if (name == "exit") {
    if (!leave()) return false;
  } else if (auto handler = handlers().find(name); handler != handlers().end()) {
    l_.begin(instruction);
    handler->second(l_);
    if (l_.has_more_modifiers()) l_.fail();
  } else {
    l_.fail();
  }
  if (l_.failed())
    return fail("inline PTX instruction '" + instruction.opcode + "' is not supported" +
                (l_.problem().empty() ? "" : ": " + l_.problem()));
  if (next) fall_into(next);
  return true;
}

bool StatementLowering::lower(const Statement& statement) {
  switch (statement.kind) {
    case Statement::Kind::open:
      l_.open_scope();
      return true;
    case Statement::Kind::close:
      l_.close_scope();
      return !l_.failed() || fail("inline PTX: " + l_.problem());
    case Statement::Kind::declaration:
      return declare(statement);
    case Statement::Kind::label:
      fall_into(label(statement.label));
      return true;
    case Statement::Kind::instruction:
      return lower(statement.instruction);
  }
  return true;
}

bool StatementLowering::run(const std::vector<Statement>& statements) {
  BasicBlock* before = call_.getParent();
  after_ = before->splitBasicBlock(call_.getIterator(), "ptx.after");
  before->getTerminator()->eraseFromParent();
  l_.builder.SetInsertPoint(before);
  l_.builder.SetCurrentDebugLocation(call_.getDebugLoc());
  take_operands();
  for (const Statement& statement : statements)
    if (!lower(statement)) return false;
  fall_into(after_);
  for (const auto& [name, block] : labels_)
    if (!block->getTerminator()) return fail("inline PTX: no label '" + name + "'");
  l_.builder.SetInsertPoint(&call_);
  give_results();
  call_.eraseFromParent();
  return true;
}

/// As the user wrote it: %0 where LLVM has $0.
std::string shown(const CallInst& call) {
  std::string text = cast<InlineAsm>(call.getCalledOperand())->getAsmString();
  for (char& character : text) {
    if (character == '\n' || character == '\t') character = ' ';
    if (character == '$') character = '%';
  }
  return ": \"" + text + "\"";
}

void lower_call(FunctionState& state, CallInst& call, UserErrors& errors) {
  const SourceLine where = source_line(call);
  const AsmCall read = read_asm_call(call);
  std::string problem;
  const auto statements = parse(read.text, problem);
  if (!read.problem.empty() || !statements) {
    errors.push_back({where, "inline PTX is not understood, " +
                                 (read.problem.empty() ? problem : read.problem) + shown(call)});
    return;
  }
  const std::string text = shown(call);
  StatementLowering lowering(state, call, read);
  if (!lowering.run(*statements)) errors.push_back({where, lowering.problem() + text});
}

}  // namespace

}  // namespace ptx

void lower_inline_ptx(Module& module, UserErrors& errors) {
  ptx::inline_open_functions(module);
  SmallPtrSet<const Function*, 16> kernels;
  for (const KernelDeclaration& kernel : find_kernels(module)) kernels.insert(kernel.function);
  for (Function& function : module) {
    SmallVector<CallInst*> calls;
    for (llvm::Instruction& instruction : instructions(function))
      if (CallInst* call = ptx::as_asm_call(instruction)) calls.push_back(call);
    ptx::FunctionState state{function, kernels.contains(&function)};
    for (CallInst* call : calls) ptx::lower_call(state, *call, errors);
  }
}

}  // namespace gridspan::transforms
