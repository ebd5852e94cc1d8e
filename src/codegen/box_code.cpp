// One box at a time is written to memory and handed over.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/box_code.h"

namespace gridspan::codegen {

using namespace llvm;

BoxCode::BoxCode(IRBuilder<>& builder, LaunchValues& values, Value* sink, unsigned rank)
    : builder_(builder),
      values_(values),
      sink_(sink),
      rank_(rank),
      box_(builder.CreateAlloca(ArrayType::get(builder.getInt64Ty(), 3 * rank))) {}

void BoxCode::write(const BoxCover& cover, const isl::set& facts) {
  facts_ = facts;
  IslCode code(builder_, [this](const std::string& name) { return values_(name); }, facts);
  for (const BoxFamily& one : cover.families) family(one, code);
  auto take = [&](const ConcreteBox& box) { give(box); };
  disjoint_boxes(code, concrete(cover.overlapping, code), take);
  box_around(code, concrete(cover.joined, code), take);
}

void BoxCode::family(const BoxFamily& family, IslCode& code) {
  if (!family.fixed.empty())
    return code.for_each_point(family.rows, [&](const auto& point) { row(family, code, point); });
  code.when(code.condition(family.rows.gist(facts_)), [&] { row(family, code, {}); });
}

void BoxCode::row(const BoxFamily& family, IslCode& code, const std::vector<Number>& row) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    values_.define(fixed_name(family.fixed[i]), row[i]);
    store(family.fixed[i], row[i].value, row[i].value, 1);
  }
  std::vector<Span> all;
  Value* some = builder_.getTrue();
  for (std::size_t i = 0; i < family.free.size(); ++i) {
    const Span& one = all.emplace_back(span_of(family.free[i], family.ranges[i], code));
    some = builder_.CreateAnd(some, builder_.CreateICmpSLE(one.first, one.last));
  }
  for (unsigned subscript : family.fixed) values_.forget(fixed_name(subscript));
  code.when(family.free.empty() ? builder_.getTrue() : some, [&] { spans(all, 0, code); });
}

/// Teeth that leave no gap are one tooth.
BoxCode::Span BoxCode::span_of(unsigned subscript, const BoxRange& range, IslCode& code) {
  const Number first = code.greatest(range.first), last = code.least(range.last);
  Span span{subscript, first.value, last.value, range.stride};
  if (range.pitch == 0) return span;
  fitting(nullptr, first.bound + 2 * last.bound + static_cast<double>(range.pitch));
  Value* pitch = builder_.getInt64(static_cast<std::uint64_t>(range.pitch));
  Value* tooth = code.number(range.tooth).value;
  Value* dense = builder_.CreateICmpSGE(tooth, pitch);
  Value* behind = builder_.CreateAdd(last.value, builder_.getInt64(1));
  Value* all = builder_.CreateSub(behind, first.value);
  span.step = builder_.CreateSelect(dense, all, pitch);
  span.width = builder_.CreateSelect(dense, all, tooth);
  return span;
}

/// Boxes of the product of the spans from `from` on.
void BoxCode::spans(const std::vector<Span>& all, std::size_t from, IslCode& code) {
  if (from == all.size()) return give();
  const Span& span = all[from];
  if (!span.step) {
    store(span.subscript, span.first, span.last, span.stride);
    return spans(all, from + 1, code);
  }
  Value* some = builder_.CreateICmpSGE(span.width, builder_.getInt64(1));
  code.when(some, [&] {
    code.loop(span.first, span.last, span.step, [&](Value* first) {
      Value* behind = builder_.CreateAdd(first, span.width);
      Value* end = builder_.CreateSub(behind, builder_.getInt64(1));
      Value* last = builder_.CreateBinaryIntrinsic(Intrinsic::smin, end, span.last);
      store(span.subscript, first, last, 1);
      spans(all, from + 1, code);
    });
  });
}

std::vector<ConcreteBox> BoxCode::concrete(const std::vector<BoxFamily>& families, IslCode& code) {
  std::vector<ConcreteBox> boxes;
  for (const BoxFamily& one : families) {
    ConcreteBox& box = boxes.emplace_back();
    box.exists = code.condition(one.rows.gist(facts_));
    for (const BoxRange& range : one.ranges) {
      box.first.push_back(code.greatest(range.first).value);
      box.last.push_back(code.least(range.last).value);
    }
  }
  return boxes;
}

void BoxCode::give(const ConcreteBox& box) {
  for (unsigned i = 0; i < rank_; ++i) store(i, box.first[i], box.last[i], 1);
  give();
}

void BoxCode::store(unsigned subscript, Value* first, Value* last, long stride) {
  Value* numbers[] = {first, last, builder_.getInt64(static_cast<std::uint64_t>(stride))};
  for (unsigned i = 0; i < 3; ++i)
    builder_.CreateStore(numbers[i], builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(),
                                                                         box_, 3 * subscript + i));
}

/// sink->take(sink, box)
void BoxCode::give() {
  Type* pointer = builder_.getPtrTy();
  auto* type = FunctionType::get(builder_.getVoidTy(), {pointer, pointer}, false);
  builder_.CreateCall(type, builder_.CreateLoad(pointer, sink_), {sink_, box_});
}

}  // namespace gridspan::codegen
