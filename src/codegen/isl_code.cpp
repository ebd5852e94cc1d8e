// isl's syntax trees, node by node.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/isl_code.h"

#include "codegen/constraints.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace gridspan::codegen {

using namespace llvm;

namespace {

constexpr double largest = 9.2e18;  // a little below 2^63

isl::ast_expr argument(const isl::ast_expr& expression, int index) {
  return checked(expression.ctx(), isl_ast_expr_op_get_arg(expression.get(), index));
}

isl_ast_expr_op_type type_of(const isl::ast_expr& expression) {
  return isl_ast_expr_op_get_type(expression.get());
}

int argument_count(const isl::ast_expr& expression) {
  return isl_ast_expr_op_get_n_arg(expression.get());
}

std::string identifier(const isl::ast_expr& expression) {
  isl::id id = checked(expression.ctx(), isl_ast_expr_id_get_id(expression.get()));
  return id.name();
}

/// The tree's loops visit few points each; wide code would only cost compile time.
MDNode* plain_loop(LLVMContext& context) {
  auto hint = [&](const char* name) {
    return MDNode::get(context, {MDString::get(context, name),
                                 ConstantAsMetadata::get(ConstantInt::getFalse(context))});
  };
  MDNode* no_unrolling = MDNode::get(context, {MDString::get(context, "llvm.loop.unroll.disable")});
  MDNode* loop =
      MDNode::getDistinct(context, {nullptr, hint("llvm.loop.vectorize.enable"), no_unrolling});
  loop->replaceOperandWith(0, loop);
  return loop;
}

}  // namespace

void tell_isl_error(const isl::exception& error, StringRef what, StringRef kernel) {
  // isl's way to say that an image has no end in some direction; going on without is the answer.
  if (StringRef(error.what()).contains("unbounded optimum")) return;
  errs() << "gridcc: internal error in " << what << " of kernel '" << demangle(kernel)
         << "': isl: " << error.what() << "; please report it; the compiler goes on without\n";
}

Number fitting(Value* value, double bound) {
  if (!(bound < largest)) throw Unwritable("a number may need more than 64 bits");
  return {value, bound};
}

Value* floor_division(IRBuilder<>& builder, Value* dividend, Value* divisor) {
  Value* quotient = builder.CreateSDiv(dividend, divisor);
  Value* remainder = builder.CreateSub(dividend, builder.CreateMul(quotient, divisor));
  Value* below = builder.CreateICmpSLT(remainder, builder.getInt64(0));
  return builder.CreateSub(quotient, builder.CreateZExt(below, builder.getInt64Ty()));
}

Value* ceiling_division(IRBuilder<>& builder, Value* dividend, Value* divisor) {
  Value* quotient = builder.CreateSDiv(dividend, divisor);
  Value* remainder = builder.CreateSub(dividend, builder.CreateMul(quotient, divisor));
  Value* above = builder.CreateICmpSGT(remainder, builder.getInt64(0));
  return builder.CreateAdd(quotient, builder.CreateZExt(above, builder.getInt64Ty()));
}

IslCode::IslCode(IRBuilder<>& builder, Names names, const isl::set& facts)
    : builder_(builder),
      names_(std::move(names)),
      facts_(facts),
      build_(isl::ast_build::from_context(facts)) {}

// isl makes conditions of several cases from each and from the facts, and wants both to list their
// parameters in one order. It aligns them only where it has a reason to.

Number IslCode::number(const isl::pw_aff& value) {
  if (value.isa_aff()) return number(build_.expr_from(value));
  const isl::pw_aff aligned =
      checked(value.ctx(), isl_pw_aff_align_params(value.copy(), facts_.space().release()));
  const isl::pw_aff known = aligned.gist(facts_);
  // isl has no expression for a value with an empty domain.
  if (known.n_piece() == 0) return {builder_.getInt64(0), 0};
  return number(build_.expr_from(known));
}

Value* IslCode::condition(const isl::set& set) {
  const isl::set aligned =
      checked(set.ctx(), isl_set_align_params(set.copy(), facts_.space().release()));
  return condition(build_.expr_from(with_known_quotients(aligned)));
}

// Numbers.

Number IslCode::number(const isl::ast_expr& expression) {
  switch (isl_ast_expr_get_type(expression.get())) {
    case isl_ast_expr_int:
      return constant(expression);
    case isl_ast_expr_id: {
      std::string name = identifier(expression);
      auto iterator = iterators_.find(name);
      return iterator != iterators_.end() ? iterator->second : names_(name);
    }
    case isl_ast_expr_op:
      return operation(expression);
    default:
      throw Unwritable("unexpected expression");
  }
}

Number IslCode::constant(const isl::ast_expr& expression) {
  isl::val value = checked(expression.ctx(), isl_ast_expr_int_get_val(expression.get()));
  double magnitude = std::fabs(isl_val_get_d(value.get()));
  fitting(nullptr, magnitude);
  return {builder_.getInt64(static_cast<std::uint64_t>(isl_val_get_num_si(value.get()))),
          magnitude};
}

Number IslCode::operation(const isl::ast_expr& expression) {
  auto operand = [&](int index) { return number(argument(expression, index)); };
  switch (type_of(expression)) {
    case isl_ast_expr_op_minus: {
      Number a = operand(0);
      return {builder_.CreateNeg(a.value), a.bound};
    }
    case isl_ast_expr_op_add: {
      Number a = operand(0), b = operand(1);
      return fitting(builder_.CreateAdd(a.value, b.value), a.bound + b.bound);
    }
    case isl_ast_expr_op_sub: {
      Number a = operand(0), b = operand(1);
      return fitting(builder_.CreateSub(a.value, b.value), a.bound + b.bound);
    }
    case isl_ast_expr_op_mul: {
      Number a = operand(0), b = operand(1);
      return fitting(builder_.CreateMul(a.value, b.value), a.bound * b.bound);
    }
    case isl_ast_expr_op_div:
    case isl_ast_expr_op_fdiv_q:
    case isl_ast_expr_op_pdiv_q:
    case isl_ast_expr_op_pdiv_r:
    case isl_ast_expr_op_zdiv_r:
      return quotient(expression);
    case isl_ast_expr_op_max:
      return extreme(expression, Intrinsic::smax);
    case isl_ast_expr_op_min:
      return extreme(expression, Intrinsic::smin);
    case isl_ast_expr_op_cond:
    case isl_ast_expr_op_select:
      return choice(expression);
    default:
      return {builder_.CreateZExt(condition(expression), builder_.getInt64Ty()), 1};
  }
}

Number IslCode::quotient(const isl::ast_expr& expression) {
  Number dividend = number(argument(expression, 0)), divisor = number(argument(expression, 1));
  auto* constant = dyn_cast<ConstantInt>(divisor.value);
  if (!constant || constant->getSExtValue() < 1)
    throw Unwritable("division by no positive constant");
  switch (type_of(expression)) {
    case isl_ast_expr_op_fdiv_q:
      return {floor_division(builder_, dividend.value, divisor.value), dividend.bound + 1};
    case isl_ast_expr_op_pdiv_r:
    case isl_ast_expr_op_zdiv_r:
      return {builder_.CreateSRem(dividend.value, divisor.value), divisor.bound};
    default:  // div is exact, pdiv_q has a dividend >= 0
      return {builder_.CreateSDiv(dividend.value, divisor.value), dividend.bound};
  }
}

Number IslCode::better(Intrinsic::ID better, Number a, Number b) {
  return {builder_.CreateBinaryIntrinsic(better, a.value, b.value), std::max(a.bound, b.bound)};
}

Number IslCode::extreme(const isl::ast_expr& expression, Intrinsic::ID better) {
  Number best = number(argument(expression, 0));
  for (int i = 1; i < argument_count(expression); ++i)
    best = this->better(better, best, number(argument(expression, i)));
  return best;
}

Number IslCode::extreme(const std::vector<isl::pw_aff>& values, Intrinsic::ID better) {
  Number best = number(values[0]);
  for (std::size_t i = 1; i < values.size(); ++i)
    best = this->better(better, best, number(values[i]));
  return best;
}

Number IslCode::greatest(const std::vector<isl::pw_aff>& values) {
  return extreme(values, Intrinsic::smax);
}

Number IslCode::least(const std::vector<isl::pw_aff>& values) {
  return extreme(values, Intrinsic::smin);
}

/// Both sides are computed: they have no effects, and divisors are constants.
Number IslCode::choice(const isl::ast_expr& expression) {
  Value* test = condition(argument(expression, 0));
  Number yes = number(argument(expression, 1)), no = number(argument(expression, 2));
  return {builder_.CreateSelect(test, yes.value, no.value), std::max(yes.bound, no.bound)};
}

// Conditions.

Value* IslCode::comparison(const isl::ast_expr& expression, CmpInst::Predicate predicate) {
  Number a = number(argument(expression, 0)), b = number(argument(expression, 1));
  return builder_.CreateICmp(predicate, a.value, b.value);
}

Value* IslCode::condition(const isl::ast_expr& expression) {
  if (isl_ast_expr_get_type(expression.get()) != isl_ast_expr_op)
    return builder_.CreateIsNotNull(number(expression).value);
  auto operand = [&](int index) { return condition(argument(expression, index)); };
  switch (type_of(expression)) {
    case isl_ast_expr_op_and:
    case isl_ast_expr_op_and_then: {
      Value* a = operand(0);
      return builder_.CreateAnd(a, operand(1));
    }
    case isl_ast_expr_op_or:
    case isl_ast_expr_op_or_else: {
      Value* a = operand(0);
      return builder_.CreateOr(a, operand(1));
    }
    case isl_ast_expr_op_cond:
    case isl_ast_expr_op_select: {
      Value* test = operand(0);
      Value* yes = operand(1);
      return builder_.CreateSelect(test, yes, operand(2));
    }
    case isl_ast_expr_op_eq:
      return comparison(expression, CmpInst::ICMP_EQ);
    case isl_ast_expr_op_le:
      return comparison(expression, CmpInst::ICMP_SLE);
    case isl_ast_expr_op_lt:
      return comparison(expression, CmpInst::ICMP_SLT);
    case isl_ast_expr_op_ge:
      return comparison(expression, CmpInst::ICMP_SGE);
    case isl_ast_expr_op_gt:
      return comparison(expression, CmpInst::ICMP_SGT);
    case isl_ast_expr_op_call:
    case isl_ast_expr_op_access:
    case isl_ast_expr_op_member:
    case isl_ast_expr_op_address_of:
    case isl_ast_expr_op_error:
      throw Unwritable("unexpected expression");
    default:
      return builder_.CreateIsNotNull(number(expression).value);
  }
}

// Statements.

void IslCode::when(Value* condition, const std::function<void()>& body) {
  if (auto* known = dyn_cast<ConstantInt>(condition); known && known->isOne()) return body();
  Function* function = builder_.GetInsertBlock()->getParent();
  BasicBlock* inside = BasicBlock::Create(builder_.getContext(), "then", function);
  BasicBlock* behind = BasicBlock::Create(builder_.getContext(), "behind", function);
  builder_.CreateCondBr(condition, inside, behind);
  builder_.SetInsertPoint(inside);
  body();
  builder_.CreateBr(behind);
  builder_.SetInsertPoint(behind);
}

void IslCode::loop(Value* first, Value* last, Value* step,
                   const std::function<void(Value*)>& body) {
  Function* function = builder_.GetInsertBlock()->getParent();
  BasicBlock* before = builder_.GetInsertBlock();
  BasicBlock* inside = BasicBlock::Create(builder_.getContext(), "loop", function);
  BasicBlock* behind = BasicBlock::Create(builder_.getContext(), "behind", function);
  builder_.CreateCondBr(builder_.CreateICmpSLE(first, last), inside, behind);
  builder_.SetInsertPoint(inside);
  PHINode* counter = builder_.CreatePHI(builder_.getInt64Ty(), 2);
  counter->addIncoming(first, before);
  body(counter);
  Value* next = builder_.CreateAdd(counter, step);
  counter->addIncoming(next, builder_.GetInsertBlock());
  BranchInst* branch = builder_.CreateCondBr(builder_.CreateICmpSLE(next, last), inside, behind);
  branch->setMetadata(LLVMContext::MD_loop, plain_loop(builder_.getContext()));
  builder_.SetInsertPoint(behind);
}

void IslCode::for_each_point(const isl::set& domain, const Visit& visit) {
  isl::union_map order = domain.identity().to_union_map();
  isl::ast_node tree = build_.node_from_schedule_map(order);
  statement(tree.get(), visit);
}

void IslCode::statement(isl_ast_node* node, const Visit& visit) {
  switch (isl_ast_node_get_type(node)) {
    case isl_ast_node_for:
      return for_statement(node, visit);
    case isl_ast_node_if:
      return if_statement(node, visit);
    case isl_ast_node_user:
      return user_statement(node, visit);
    case isl_ast_node_block: {
      isl::ctx context(isl_ast_node_get_ctx(node));
      isl::ast_node_list children = checked(context, isl_ast_node_block_get_children(node));
      for (unsigned i = 0; i < children.size(); ++i)
        statement(children.at(static_cast<int>(i)).get(), visit);
      return;
    }
    default:
      throw Unwritable("unexpected statement");
  }
}

/// The last value the loop's condition `iterator <= end` or `iterator < end` lets through.
Number IslCode::upper_end(const isl::ast_expr& condition, const std::string& iterator) {
  const isl_ast_expr_op_type type = type_of(condition);
  if ((type != isl_ast_expr_op_le && type != isl_ast_expr_op_lt) ||
      isl_ast_expr_get_type(argument(condition, 0).get()) != isl_ast_expr_id ||
      identifier(argument(condition, 0)) != iterator)
    throw Unwritable("unexpected loop condition");
  Number end = number(argument(condition, 1));
  if (type == isl_ast_expr_op_le) return end;
  return fitting(builder_.CreateSub(end.value, builder_.getInt64(1)), end.bound + 1);
}

void IslCode::for_statement(isl_ast_node* node, const Visit& visit) {
  isl::ctx context(isl_ast_node_get_ctx(node));
  auto part = [&](isl_ast_expr* expression) { return checked(context, expression); };
  const std::string iterator = identifier(part(isl_ast_node_for_get_iterator(node)));
  const Number first = number(part(isl_ast_node_for_get_init(node)));
  isl::ast_node body = checked(context, isl_ast_node_for_get_body(node));
  if (isl_ast_node_for_is_degenerate(node) == isl_bool_true) {
    iterators_[iterator] = first;
    statement(body.get(), visit);
  } else {
    const Number last = upper_end(part(isl_ast_node_for_get_cond(node)), iterator);
    const Number step = constant(part(isl_ast_node_for_get_inc(node)));
    const double bound = fitting(nullptr, std::max(first.bound, last.bound) + step.bound).bound;
    loop(first.value, last.value, step.value, [&](Value* value) {
      iterators_[iterator] = {value, bound};
      statement(body.get(), visit);
    });
  }
  iterators_.erase(iterator);
}

void IslCode::if_statement(isl_ast_node* node, const Visit& visit) {
  isl::ctx context(isl_ast_node_get_ctx(node));
  isl::ast_expr test = checked(context, isl_ast_node_if_get_cond(node));
  isl::ast_node yes = checked(context, isl_ast_node_if_get_then_node(node));
  Value* holds = condition(test);
  when(holds, [&] { statement(yes.get(), visit); });
  if (isl_ast_node_if_has_else_node(node) != isl_bool_true) return;
  isl::ast_node no = checked(context, isl_ast_node_if_get_else_node(node));
  when(builder_.CreateNot(holds), [&] { statement(no.get(), visit); });
}

/// User statements are calls f(coordinates...).
void IslCode::user_statement(isl_ast_node* node, const Visit& visit) {
  isl::ctx context(isl_ast_node_get_ctx(node));
  isl::ast_expr call = checked(context, isl_ast_node_user_get_expr(node));
  std::vector<Number> point;
  for (int i = 1; i < argument_count(call); ++i) point.push_back(number(argument(call, i)));
  visit(point);
}

}  // namespace gridspan::codegen
