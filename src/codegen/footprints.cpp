// Box families become code: guards, loops over rows and counters, and calls of the sink.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/footprints.h"

#include "codegen/box_families.h"
#include "codegen/box_union.h"
#include "codegen/extremes.h"
#include "codegen/launch_values.h"
#include "codegen/loop_overlap.h"
#include "codegen/part_facts.h"
#include "model/factors.h"

#include <algorithm>

namespace gridspan::codegen {

using namespace llvm;
using model::AccessSet;
using model::Dimension;
using model::FootprintPiece;
using model::NativeLoop;

namespace {

/// isl operations for one footprint, and once more for a box around it.
constexpr unsigned long operation_limit = 200'000;

/// Writes the body of one footprint function.
class FootprintWriter {
 public:
  FootprintWriter(Function& function, const model::Kernel& kernel, const AccessSet& set,
                  unsigned rank, Precision precision)
      : kernel_(kernel),
        set_(set),
        sink_(function.getArg(2)),
        values_(kernel, function, function.getArg(1)),
        builder_(values_.start()),
        rank_(rank),
        precision_(precision) {}

  void write();
  bool exact() const { return exact_; }
  FitNeeds needs() const { return {values_.used(), turns_}; }

 private:
  Value* some_block();
  void piece(const FootprintPiece& piece);
  void loops(const FootprintPiece& piece, std::size_t depth, const isl::set& facts);
  void images(const FootprintPiece& piece, const isl::set& facts);
  void family(const BoxFamily& family, const isl::set& facts);
  std::vector<ConcreteBox> concrete(const std::vector<BoxFamily>& families, const isl::set& facts);
  void give(const ConcreteBox& box);
  void give();
  void take(const BoxFamily& family, IslCode& code, const std::vector<Number>& row);
  void store(unsigned subscript, Value* first, Value* last, long stride);
  IslCode code(const isl::set& facts) {
    return IslCode(builder_, [this](const std::string& name) { return values_(name); }, facts);
  }

  struct Ends {
    Number first, last;
    std::map<std::string, double> product_bounds;
  };
  Ends counter_ends(const FootprintPiece& piece, std::size_t depth, const isl::set& facts);
  double narrow(Ends& ends, const Extremes& extremes, Value* factor, IslCode& code);
  isl::pw_aff last_turn(const NativeLoop& loop, const isl::set& facts);
  Number factor_of(const NativeLoop& loop, const std::string& product);

  const model::Kernel& kernel_;
  const AccessSet& set_;
  Value* sink_;
  LaunchValues values_;
  IRBuilder<> builder_;
  unsigned rank_;
  Precision precision_;
  std::vector<std::pair<std::string, isl::pw_aff>> turns_;  // factors and last counters
  Value* box_ = nullptr;
  bool exact_ = true;
};

/// A part without blocks touches nothing.
Value* FootprintWriter::some_block() {
  Value* all = builder_.getTrue();
  for (unsigned axis = 0; axis < 3; ++axis)
    all = builder_.CreateAnd(
        all, builder_.CreateICmpSLE(values_.part(axis, false), values_.part(axis, true)));
  return all;
}

/// Pieces without loops go together: their boxes are disjoint whatever the pieces were.
std::vector<FootprintPiece> pieces_of(const AccessSet& set) {
  std::vector<FootprintPiece> pieces;
  model::OrNull<isl::set> plain;
  for (const FootprintPiece& piece : set.pieces) {
    if (!piece.loops.empty())
      pieces.push_back(piece);
    else
      plain = plain.is_null() ? isl::set(piece.image) : plain.unite(piece.image);
  }
  if (!plain.is_null()) pieces.insert(pieces.begin(), FootprintPiece{{}, plain});
  return pieces;
}

void FootprintWriter::write() {
  box_ = builder_.CreateAlloca(ArrayType::get(builder_.getInt64Ty(), 3 * rank_));
  isl::set everywhere = isl::set::universe(kernel_.context.space());
  code(everywhere).when(some_block(), [&] {
    for (const FootprintPiece& part : pieces_of(set_)) piece(part);
  });
  builder_.CreateRetVoid();
  values_.close();
}

void FootprintWriter::piece(const FootprintPiece& piece) {
  const isl::set facts = part_facts(kernel_, set_.assumptions, piece.loops, piece.image);
  loops(piece, 0, facts);
}

/// `facts` without what the loops from `depth` on define, but with `kept`.
isl::set outside(const isl::set& facts, const FootprintPiece& piece, std::size_t depth,
                 const std::string& kept = {}) {
  std::vector<std::string> inner;
  for (std::size_t i = depth; i < piece.loops.size(); ++i) {
    inner.push_back(piece.loops[i].counter);
    for (const Dimension& product : piece.loops[i].products) inner.push_back(product.name);
  }
  std::erase(inner, kept);
  return model::project_out_parameters(facts, inner);
}

/// The loops from `depth` on. A counter runs over the values its products can have in the image, so
/// the footprint of a grid-stride loop makes as many turns as the kernel does.
void FootprintWriter::loops(const FootprintPiece& piece, std::size_t depth, const isl::set& facts) {
  if (depth == piece.loops.size()) return images(piece, facts);
  const NativeLoop& loop = piece.loops[depth];
  const isl::set known = outside(facts, piece, depth);
  IslCode here = code(known);
  here.when(here.condition(outside(piece.image.params(), piece, depth).gist(known)), [&] {
    const Ends ends = counter_ends(piece, depth, facts);
    const double bound = std::max(ends.first.bound, ends.last.bound);
    here.loop(ends.first.value, ends.last.value, 1, [&](Value* counter) {
      values_.define(loop.counter, {counter, bound});
      for (const auto& [product, product_bound] : ends.product_bounds)
        values_.define(
            product, {builder_.CreateMul(counter, factor_of(loop, product).value), product_bound});
      loops(piece, depth + 1, facts);
    });
  });
  values_.forget(loop.counter);
  for (const Dimension& product : loop.products) values_.forget(product.name);
}

Number FootprintWriter::factor_of(const NativeLoop& loop, const std::string& product) {
  return values_(std::ranges::find(loop.products, product, &Dimension::name)->factor);
}

FootprintWriter::Ends FootprintWriter::counter_ends(const FootprintPiece& piece, std::size_t depth,
                                                    const isl::set& facts) {
  const NativeLoop& loop = piece.loops[depth];
  const isl::set image = piece.image.params().intersect(facts);
  const std::vector<std::string> involved = model::involved_parameters(piece.image);
  IslCode here = code(outside(facts, piece, depth));
  Ends ends{{builder_.getInt64(0), 0}, {}, {}};
  if (!loop.last.is_null()) ends.last = here.number(loop.last);
  const Extremes own = extremes_of(outside(image, piece, depth, loop.counter), loop.counter);
  narrow(ends, own, nullptr, here);
  for (const Dimension& product : loop.products) {
    if (std::ranges::count(involved, product.name) == 0) continue;
    const Number factor = values_(product.factor);
    double& bound = ends.product_bounds[product.name] = 0;
    if (model::proved_positive(kernel_, product.factor))
      bound = narrow(ends, extremes_of(outside(image, piece, depth, product.name), product.name),
                     factor.value, here);
    if (bound == 0) bound = -factor.bound;  // times the counter's bound, once that is known
  }
  if (!ends.last.value) throw Unwritable("a loop without end");
  const double counter_bound = std::max(ends.first.bound, ends.last.bound);
  for (auto& [name, bound] : ends.product_bounds) {
    if (bound >= 0) continue;
    bound *= -counter_bound;
    constexpr auto limit = static_cast<double>(largest_parameter);
    if (bound <= limit) continue;
    turns_.emplace_back(std::ranges::find(loop.products, name, &Dimension::name)->factor,
                        last_turn(loop, outside(facts, piece, depth)));
    bound = limit;
  }
  return ends;
}

/// The last value of the loop's counter in any part of a launch.
isl::pw_aff FootprintWriter::last_turn(const NativeLoop& loop, const isl::set& facts) {
  if (loop.last.is_null()) throw Unwritable("nothing bounds the turns of a loop");
  const isl::set turns = loop.last.bind("turn").intersect(facts);
  std::vector<std::string> parts;
  for (std::string& name : model::involved_parameters(turns))
    if (name != "turn" && !model::find_parameter(kernel_, name)) parts.push_back(std::move(name));
  const Extremes ends = extremes_of(model::project_out_parameters(turns, parts), "turn");
  if (ends.greatest.is_null()) throw Unwritable("nothing bounds the turns of a loop");
  return ends.greatest;
}

/// Keeps counters whose product with `factor` (null: 1) is between `extremes`. Returns the bound of
/// such products, 0 if there is none.
double FootprintWriter::narrow(Ends& ends, const Extremes& extremes, Value* factor, IslCode& code) {
  // At least one wherever the footprint is used; no trap elsewhere.
  if (factor)
    factor = builder_.CreateBinaryIntrinsic(Intrinsic::smax, factor, builder_.getInt64(1));
  double bound = 0;
  if (!extremes.least.is_null()) {
    Number least = code.number(extremes.least);
    bound = least.bound;
    if (factor) least.value = ceiling_division(builder_, least.value, factor);
    ends.first.value =
        builder_.CreateBinaryIntrinsic(Intrinsic::smax, ends.first.value, least.value);
    ends.first.bound = std::max(ends.first.bound, least.bound);
  }
  if (extremes.greatest.is_null()) return 0;
  Number greatest = code.number(extremes.greatest);
  const double product_bound = std::max(bound, greatest.bound);
  if (factor) greatest.value = floor_division(builder_, greatest.value, factor);
  if (ends.last.value) {
    greatest.value =
        builder_.CreateBinaryIntrinsic(Intrinsic::smin, ends.last.value, greatest.value);
    greatest.bound = std::min(ends.last.bound, greatest.bound);
  }
  ends.last = greatest;
  return product_bound;
}

void FootprintWriter::images(const FootprintPiece& piece, const isl::set& facts) {
  const BoxCover cover = cover_with_boxes(piece.image, facts, precision_);
  exact_ &= cover.exact;
  for (const BoxFamily& one : cover.families) family(one, facts);
  IslCode here = code(facts);
  auto take = [&](const ConcreteBox& box) { give(box); };
  disjoint_boxes(here, concrete(cover.overlapping, facts), take);
  box_around(here, concrete(cover.joined, facts), take);
}

std::vector<ConcreteBox> FootprintWriter::concrete(const std::vector<BoxFamily>& families,
                                                   const isl::set& facts) {
  IslCode here = code(facts);
  std::vector<ConcreteBox> boxes;
  for (const BoxFamily& one : families) {
    ConcreteBox& box = boxes.emplace_back();
    box.exists = here.condition(one.rows.gist(facts));
    for (const BoxRange& range : one.ranges) {
      box.first.push_back(here.number(range.first).value);
      box.last.push_back(here.number(range.last).value);
    }
  }
  return boxes;
}

void FootprintWriter::give(const ConcreteBox& box) {
  for (unsigned i = 0; i < rank_; ++i) store(i, box.first[i], box.last[i], 1);
  give();
}

void FootprintWriter::family(const BoxFamily& family, const isl::set& facts) {
  IslCode here = code(facts);
  if (family.fixed.empty()) {
    here.when(here.condition(family.rows.gist(facts)), [&] { take(family, here, {}); });
    return;
  }
  here.for_each_point(family.rows,
                      [&](const std::vector<Number>& row) { take(family, here, row); });
}

void FootprintWriter::store(unsigned subscript, Value* first, Value* last, long stride) {
  Value* numbers[] = {first, last, builder_.getInt64(static_cast<std::uint64_t>(stride))};
  for (unsigned i = 0; i < 3; ++i)
    builder_.CreateStore(numbers[i], builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(),
                                                                         box_, 3 * subscript + i));
}

void FootprintWriter::take(const BoxFamily& family, IslCode& code, const std::vector<Number>& row) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    values_.define(fixed_name(family.fixed[i]), row[i]);
    store(family.fixed[i], row[i].value, row[i].value, 1);
  }
  for (std::size_t i = 0; i < family.free.size(); ++i) {
    const BoxRange& range = family.ranges[i];
    Value* first = code.number(range.first).value;
    store(family.free[i], first, code.number(range.last).value, range.stride);
  }
  for (unsigned subscript : family.fixed) values_.forget(fixed_name(subscript));
  give();
}

/// sink->take(sink, box)
void FootprintWriter::give() {
  Type* pointer = builder_.getPtrTy();
  auto* type = FunctionType::get(builder_.getVoidTy(), {pointer, pointer}, false);
  builder_.CreateCall(type, builder_.CreateLoad(pointer, sink_), {sink_, box_});
}

bool has_loops(const AccessSet& set) {
  return std::ranges::any_of(set.pieces, [](const auto& piece) { return !piece.loops.empty(); });
}

Function* declare(Module& module, const Twine& name) {
  LLVMContext& context = module.getContext();
  Type* pointer = PointerType::get(context, 0);
  auto* type = FunctionType::get(Type::getVoidTy(context), {pointer, pointer, pointer}, false);
  Function* function = Function::Create(type, GlobalValue::InternalLinkage, name, module);
  mark_as_launch_code(*function);
  return function;
}

}  // namespace

void mark_as_launch_code(Function& function) {
  function.addFnAttr(Attribute::Cold);
  function.addFnAttr(Attribute::NoInline);
  function.addFnAttr(Attribute::NoUnwind);
  function.addFnAttr(Attribute::OptimizeForSize);
}

namespace {

/// Null function: beyond limits or bounds.
Footprint try_footprint(Module& module, const model::Kernel& kernel, const AccessSet& set,
                        unsigned rank, const Twine& name, Precision precision, FitNeeds& needs) {
  Function* function = declare(module, name);
  Footprint result;
  try {
    const bool done = model::within_limit(kernel.context.ctx(), operation_limit, [&] {
      FootprintWriter writer(*function, kernel, set, rank, precision);
      writer.write();
      result.exact = writer.exact();
      needs.add(writer.needs());
    });
    if (done) result.function = function;
  } catch (const Unwritable&) {
  } catch (const isl::exception& error) {
    tell_isl_error(error, "a footprint", kernel.name);
  }
  if (!result.function) function->eraseFromParent();
  return result;
}

bool boxes_may_overlap(const model::Kernel& kernel, const AccessSet& set) {
  bool overlap = true;
  try {
    model::within_limit(kernel.context.ctx(), operation_limit,
                        [&] { overlap = loops_may_overlap(kernel, set); });
  } catch (const isl::exception& error) {
    tell_isl_error(error, "the overlap of boxes", kernel.name);
  }
  return overlap;
}

}  // namespace

Footprint make_footprint(Module& module, const model::Kernel& kernel, const AccessSet& set,
                         unsigned rank, const Twine& name, FitNeeds& needs) {
  if (set.unbounded || kernel.context.is_null()) return {};
  const bool must = set.kind == model::SetKind::must_write;
  for (Precision precision : {must ? Precision::exact : Precision::loose, Precision::one_box}) {
    Footprint result = try_footprint(module, kernel, set, rank, name, precision, needs);
    if (!result.function) continue;
    // Boxes around disjoint images may still have elements in common.
    result.overlap = has_loops(set) && (!result.exact || boxes_may_overlap(kernel, set));
    return result;
  }
  return {};
}

}  // namespace gridspan::codegen
