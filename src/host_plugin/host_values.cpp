// Follows loads to the stores, copies and constructors that wrote what they read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_plugin/host_values.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::host_plugin {

using namespace llvm;

namespace {

bool covers(std::int64_t begin, std::uint64_t size, std::int64_t offset) {
  return begin <= offset && offset < begin + static_cast<std::int64_t>(size);
}

/// All that points into a variable: its members, and what was loaded from where such a pointer was
/// put, be it a parameter or a reference.
template <class Visit>
void visit_users(const Value& base, const DataLayout& layout, Visit visit) {
  SmallVector<std::pair<const Value*, std::int64_t>> open{{&base, 0}};
  SmallPtrSet<const Value*, 16> seen{&base};
  while (!open.empty()) {
    const auto [alias, offset] = open.pop_back_val();
    auto add = [&](const Value* other, std::int64_t at) {
      if (seen.insert(other).second) open.emplace_back(other, at);
    };
    for (const Use& use : alias->uses()) {
      auto* user = dyn_cast<Instruction>(use.getUser());
      if (!user) continue;
      auto* store = dyn_cast<StoreInst>(user);
      APInt step(layout.getIndexTypeSizeInBits(alias->getType()), 0);
      if (auto* member = dyn_cast<GetElementPtrInst>(user)) {
        if (member->accumulateConstantOffset(layout, step))
          add(member, offset + step.getSExtValue());
      } else if (store && store->getValueOperand() == alias) {
        if (isa<AllocaInst>(store->getPointerOperand()))
          for (const User* other : store->getPointerOperand()->users())
            if (isa<LoadInst>(other)) add(other, offset);
      } else {
        visit(*user, use.getOperandNo(), offset);
      }
    }
  }
}

}  // namespace

std::optional<std::uint32_t> HostValues::number(const Value& value, std::int64_t offset,
                                                const Frame* frame) {
  if (!may_go_on()) return std::nullopt;
  std::optional<std::uint32_t> found;
  const auto attempt = [&](const Value& written, std::int64_t at, const Frame* where) {
    found = number(written, at, where);
    return found.has_value();
  };
  if (auto* constant = dyn_cast<Constant>(&value)) {
    Type* type = Type::getInt32Ty(value.getContext());
    auto* part = dyn_cast_or_null<ConstantInt>(
        ConstantFoldLoadFromConst(const_cast<Constant*>(constant), type,
                                  APInt(64, static_cast<std::uint64_t>(offset)), layout_));
    return part ? std::optional(static_cast<std::uint32_t>(part->getZExtValue())) : std::nullopt;
  }
  if (auto* argument = dyn_cast<Argument>(&value)) {
    try_caller(*argument, frame, [&](const Value& given, std::int64_t, const Frame* where) {
      return attempt(given, offset, where);
    });
    return found;
  }
  if (auto* load = dyn_cast<LoadInst>(&value)) {
    if (auto from = place(*load->getPointerOperand(), frame)) {
      from->offset += offset;
      try_written(*from, load, attempt);
    }
    return found;
  }
  if (offset != 0) return std::nullopt;
  if (auto* cast = dyn_cast<CastInst>(&value)) {
    const bool is_number = cast->getOperand(0)->getType()->isIntegerTy();
    return is_number ? number(*cast->getOperand(0), 0, frame) : std::nullopt;
  }
  if (auto* operation = dyn_cast<BinaryOperator>(&value)) return binary(*operation, frame);
  if (auto* call = dyn_cast<CallBase>(&value)) return returned(*call, frame);
  return std::nullopt;
}

std::optional<std::uint32_t> HostValues::binary(const BinaryOperator& operation,
                                                const Frame* frame) {
  const auto left = number(*operation.getOperand(0), 0, frame);
  const auto right = left ? number(*operation.getOperand(1), 0, frame) : std::nullopt;
  if (!right) return std::nullopt;
  switch (operation.getOpcode()) {
    case Instruction::Add:
      return *left + *right;
    case Instruction::Sub:
      return *left - *right;
    case Instruction::Mul:
      return *left * *right;
    case Instruction::Shl:
      return *right < 32 ? std::optional(*left << *right) : std::nullopt;
    case Instruction::UDiv:
    case Instruction::SDiv:  // of sizes
      return *right != 0 ? std::optional(*left / *right) : std::nullopt;
    default:
      return std::nullopt;
  }
}

/// `int size() { return 256; }`
std::optional<std::uint32_t> HostValues::returned(const CallBase& call, const Frame* frame) {
  const Function* callee = call.getCalledFunction();
  if (!callee || callee->isDeclaration()) return std::nullopt;
  for (const BasicBlock& block : *callee)
    if (auto* end = dyn_cast<ReturnInst>(block.getTerminator()))
      return number(*end->getReturnValue(), 0, enter(call, frame));
  return std::nullopt;
}

const Function* HostValues::function(const Value& pointer, const Frame* frame) {
  if (!may_go_on()) return nullptr;
  if (auto* found = dyn_cast<Function>(&pointer)) return found;
  const Function* found = nullptr;
  const auto attempt = [&](const Value& written, std::int64_t offset, const Frame* where) {
    if (offset == 0) found = function(written, where);
    return found != nullptr;
  };
  if (auto* argument = dyn_cast<Argument>(&pointer)) try_caller(*argument, frame, attempt);
  if (auto* load = dyn_cast<LoadInst>(&pointer))
    if (const auto from = place(*load->getPointerOperand(), frame))
      try_written(*from, load, attempt);
  return found;
}

std::optional<Place> HostValues::place(const Value& pointer, const Frame* frame) {
  if (!may_go_on()) return std::nullopt;
  if (isa<AllocaInst, GlobalVariable>(pointer)) return Place{&pointer, 0, frame};
  std::optional<Place> found;
  const auto attempt = [&](const Value& written, std::int64_t offset, const Frame* where) {
    if (offset == 0) found = place(written, where);
    return found.has_value();
  };
  if (auto* member = dyn_cast<GEPOperator>(&pointer)) {
    APInt step(layout_.getIndexTypeSizeInBits(pointer.getType()), 0);
    if (!member->accumulateConstantOffset(layout_, step)) return std::nullopt;
    found = place(*member->getPointerOperand(), frame);
    if (found) found->offset += step.getSExtValue();
  }
  if (auto* argument = dyn_cast<Argument>(&pointer)) try_caller(*argument, frame, attempt);
  if (auto* load = dyn_cast<LoadInst>(&pointer))
    if (const auto from = place(*load->getPointerOperand(), frame))
      try_written(*from, load, attempt);
  return found;
}

bool HostValues::try_caller(const Argument& argument, const Frame* frame, Attempt attempt) {
  if (!frame) {
    wants_caller_ = true;
    return false;
  }
  return argument.getArgNo() < frame->call->arg_size() &&
         attempt(*frame->call->getArgOperand(argument.getArgNo()), 0, frame->up);
}

bool HostValues::try_written(const Place& place, const Instruction* reader, Attempt attempt) {
  if (!may_go_on()) return false;
  if (auto* variable = dyn_cast<GlobalVariable>(place.base))
    return variable->hasInitializer() &&
           attempt(*variable->getInitializer(), place.offset, place.frame);
  SmallVector<Writer> writers;
  visit_users(*place.base, layout_,
              [&](const Instruction& user, unsigned operand, std::int64_t at) {
                const bool is_here = reader && user.getFunction() == reader->getFunction();
                if (!is_here || order_of(user) < order_of(*reader))
                  writers.push_back({&user, at, operand});
              });
  sort(writers, [&](const Writer& left, const Writer& right) {
    return order_of(*left.instruction) < order_of(*right.instruction);
  });
  return any_of(reverse(writers),
                [&](const Writer& writer) { return try_writer(writer, place, attempt); });
}

/// Unoptimised code keeps the order of the source.
unsigned HostValues::order_of(const Instruction& one) {
  auto [found, is_new] = order_.try_emplace(&one, 0);
  if (is_new) {
    unsigned number = 0;
    for (const Instruction& instruction : instructions(*one.getFunction()))
      order_[&instruction] = ++number;
  }
  return order_[&one];
}

bool HostValues::try_writer(const Writer& writer, const Place& target, Attempt attempt) {
  const std::int64_t delta = target.offset - writer.offset;
  if (auto* store = dyn_cast<StoreInst>(writer.instruction)) {
    const Value& value = *store->getValueOperand();
    return covers(0, layout_.getTypeStoreSize(value.getType()), delta) &&
           attempt(value, delta, target.frame);
  }
  if (auto* copy = dyn_cast<MemCpyInst>(writer.instruction)) {
    auto* size = dyn_cast<ConstantInt>(copy->getLength());
    if (writer.argument != 0 || !size || !covers(0, size->getZExtValue(), delta)) return false;
    auto source = place(*copy->getSource(), target.frame);
    if (!source) return false;
    source->offset += delta;
    return try_written(*source, copy, attempt);
  }
  auto* call = dyn_cast<CallBase>(writer.instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || callee->isDeclaration() || writer.argument >= callee->arg_size() ||
      call->isByValArgument(writer.argument))
    return false;
  const Frame* inside = enter(*call, target.frame);
  return try_written({callee->getArg(writer.argument), delta, inside}, nullptr, attempt);
}

}  // namespace gridspan::host_plugin
