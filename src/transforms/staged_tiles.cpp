// Solves subscripts of uses for the thread that filled the place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/staged_tiles.h"

#include "transforms/context.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// sum of coefficient * term, + constant.
struct Linear {
  SmallMapVector<const SCEV*, std::int64_t, 4> terms;
  std::int64_t constant = 0;
};

bool add(ScalarEvolution& evolution, const SCEV* value, std::int64_t factor, Linear& to) {
  if (auto* constant = dyn_cast<SCEVConstant>(value)) {
    to.constant += factor * constant->getAPInt().getSExtValue();
    return true;
  }
  if (auto* sum = dyn_cast<SCEVAddExpr>(value))
    return all_of(sum->operands(),
                  [&](const SCEV* one) { return add(evolution, one, factor, to); });
  if (auto* product = dyn_cast<SCEVMulExpr>(value)) {
    auto* constant = dyn_cast<SCEVConstant>(product->getOperand(0));
    if (!constant || constant->getAPInt().abs().ugt(1 << 20)) return false;
    SmallVector<const SCEV*> rest(drop_begin(product->operands()));
    return add(evolution, evolution.getMulExpr(rest), factor * constant->getAPInt().getSExtValue(),
               to);
  }
  auto* round = dyn_cast<SCEVAddRecExpr>(value);
  if (round && round->isAffine() && !round->getStart()->isZero()) {
    const SCEV* from_zero = evolution.getAddRecExpr(
        evolution.getZero(round->getType()), round->getStepRecurrence(evolution), round->getLoop(),
        round->getNoWrapFlags(SCEV::FlagNW));
    return add(evolution, round->getStart(), factor, to) && add(evolution, from_zero, factor, to);
  }
  if (round && round->isAffine() && !round->getStepRecurrence(evolution)->isOne()) {
    auto* step = dyn_cast<SCEVConstant>(round->getStepRecurrence(evolution));
    if (!step || step->getAPInt().abs().ugt(1 << 20)) return false;
    const SCEV* by_one =
        evolution.getAddRecExpr(evolution.getZero(round->getType()),
                                evolution.getOne(round->getType()), round->getLoop(), SCEV::FlagNW);
    to.terms[by_one] += factor * step->getAPInt().getSExtValue();
    return true;
  }
  to.terms[value] += factor;
  return true;
}

/// threadIdx along which axis?
std::optional<unsigned> thread_axis(const SCEV* term) {
  while (isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(term))
    term = cast<SCEVCastExpr>(term)->getOperand();
  auto* unknown = dyn_cast<SCEVUnknown>(term);
  if (!unknown) return std::nullopt;
  const auto [group, axis] = special_register(unknown->getValue());
  return group == SpecialRegister::thread_index ? std::optional(axis) : std::nullopt;
}

/// What is done to an array of shared memory.
struct Array {
  std::uint64_t bytes;
  StoreInst* fill = nullptr;
  std::vector<LoadInst*> loads;
};

class TileFinder {
 public:
  TileFinder(Function& kernel, ScalarEvolution& evolution)
      : kernel_(kernel), evolution_(evolution) {}

  std::optional<StagedTiles> find() {
    if (!find_arrays() || arrays_.empty()) return std::nullopt;
    for (auto& [offset, array] : arrays_)
      if (!add_tile(array)) return std::nullopt;
    if (!fix_shape()) return std::nullopt;
    return std::move(found_);
  }

 private:
  /// One axis of threads and how far apart neighbours' elements are.
  struct Stride {
    unsigned axis;
    std::int64_t bytes;
  };
  struct Layout {
    SmallVector<Stride, 3> strides;  // the largest first
    std::int64_t begin = 0;
    std::uint64_t bytes, element;
  };

  bool find_arrays() {
    for (Instruction& instruction : instructions(kernel_)) {
      if (is_marker(&instruction, Marker::dynamic_shared)) return false;
      Value* address = getLoadStorePointerOperand(&instruction);
      if (!address) continue;
      auto* memory = dyn_cast<CallInst>(getUnderlyingObject(address, 0));
      if (!memory || !is_marker(memory, Marker::shared)) continue;
      auto* offset = dyn_cast<ConstantInt>(memory->getArgOperand(0));
      auto* bytes = dyn_cast<ConstantInt>(memory->getArgOperand(1));
      if (!offset || !bytes) return false;
      auto [entry, is_new] =
          arrays_.insert({offset->getZExtValue(), {bytes->getZExtValue(), nullptr, {}}});
      Array& array = entry->second;
      if (array.bytes != bytes->getZExtValue()) return false;
      if (auto* store = dyn_cast<StoreInst>(&instruction)) {
        if (array.fill || !store->isSimple()) return false;
        array.fill = store;
      } else {
        auto* load = dyn_cast<LoadInst>(&instruction);
        if (!load || !load->isSimple()) return false;
        array.loads.push_back(load);
      }
    }
    return all_of(arrays_, [](auto& one) { return one.second.fill != nullptr; });
  }

  std::optional<Linear> offset_in(Value* address) {
    Value* base = getUnderlyingObject(address, 0);
    const SCEV* offset =
        evolution_.getMinusSCEV(evolution_.getSCEV(address), evolution_.getSCEV(base));
    Linear linear;
    if (isa<SCEVCouldNotCompute>(offset) || !add(evolution_, offset, 1, linear))
      return std::nullopt;
    return linear;
  }

  /// The value is that of a load behind some branches, each of which may lead past it to zero.
  static bool find_guards(PHINode& phi, StagedTile& tile) {
    auto* loaded =
        find_if(phi.incoming_values(), [](const Use& way) { return isa<LoadInst>(way); });
    if (loaded == phi.incoming_values().end()) return false;
    tile.source = cast<LoadInst>(*loaded);
    BasicBlock* at = phi.getIncomingBlock(*loaded);
    if (tile.source->getParent() != at || at->getSingleSuccessor() != phi.getParent()) return false;
    while (tile.guards.size() + 1 < phi.getNumIncomingValues()) {
      BasicBlock* before = at->getSinglePredecessor();
      auto* branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
      if (!branch || !branch->isConditional() || !is_contained(successors(before), phi.getParent()))
        return false;
      auto* zero = dyn_cast<Constant>(phi.getIncomingValueForBlock(before));
      if (!zero || !zero->isNullValue()) return false;
      tile.guards.push_back(branch);
      at = before;
    }
    return true;
  }

  /// What is stored there; no source: something else.
  static StagedTile describe(StoreInst& fill) {
    StagedTile tile;
    tile.fill = &fill;
    tile.source = dyn_cast<LoadInst>(fill.getValueOperand());
    Instruction* found = tile.source;
    if (auto* phi = dyn_cast<PHINode>(fill.getValueOperand()); phi && find_guards(*phi, tile))
      found = tile.guarded = phi;
    if (!found || found->getParent() != fill.getParent()) tile.source = nullptr;
    return tile;
  }

  bool add_tile(const Array& array) {
    StagedTile tile = describe(*array.fill);
    LoadInst* source = tile.source;
    if (!source || !source->isSimple()) return false;
    auto place = offset_in(array.fill->getPointerOperand());
    if (!place) return false;
    Layout layout;
    layout.begin = place->constant;
    layout.bytes = array.bytes;
    layout.element = kernel_.getParent()->getDataLayout().getTypeStoreSize(source->getType());
    for (auto [term, bytes] : place->terms) {
      auto axis = thread_axis(term);
      if (!axis || bytes < static_cast<std::int64_t>(layout.element)) return false;
      if (any_of(layout.strides, [&](const Stride& one) { return one.axis == *axis; }))
        return false;
      layout.strides.push_back({*axis, bytes});
    }
    sort(layout.strides, [](auto& a, auto& b) { return a.bytes > b.bytes; });
    for (LoadInst* load : array.loads) {
      if (load->getType() != source->getType()) return false;
      TileUse use{load};
      if (!solve(layout, use)) return false;
      tile.uses.push_back(use);
    }
    layouts_.push_back(layout);
    found_.tiles.push_back(std::move(tile));
    return true;
  }

  /// Each term belongs to the largest stride it is a multiple of.
  bool solve(const Layout& layout, TileUse& use) {
    auto place = offset_in(use.load->getPointerOperand());
    if (!place) return false;
    SmallVector<Linear, 3> along(layout.strides.size());
    for (auto [term, bytes] : place->terms) {
      auto* stride = find_if(layout.strides, [&](auto& one) { return bytes % one.bytes == 0; });
      if (bytes <= 0 || stride == layout.strides.end()) return false;
      along[stride - layout.strides.begin()].terms[term] += bytes / stride->bytes;
    }
    std::int64_t rest = place->constant - layout.begin;
    for (auto [stride, linear] : zip(layout.strides, along)) {
      if (rest < 0) return false;
      linear.constant = rest / stride.bytes;
      rest %= stride.bytes;
    }
    if (rest != 0) return false;
    bool is_next = true;  // threads side by side read side by side, or the same
    for (auto [stride, linear] : zip(layout.strides, along))
      is_next &= name_thread(stride, linear, use);
    return is_next;
  }

  bool name_thread(const Stride& stride, const Linear& linear, TileUse& use) {
    const bool is_own = linear.constant == 0 && linear.terms.size() == 1 &&
                        linear.terms.front().second == 1 &&
                        thread_axis(linear.terms.front().first) == stride.axis;
    if (is_own) return true;
    Type* type = Type::getInt64Ty(kernel_.getContext());
    const SCEV* sum = evolution_.getConstant(type, static_cast<std::uint64_t>(linear.constant));
    for (auto [term, factor] : linear.terms) {
      // Another axis' thread would make neighbours read what lies far apart.
      if (depends_on_thread(term)) return false;
      sum = evolution_.getAddExpr(
          sum,
          evolution_.getMulExpr(evolution_.getConstant(type, static_cast<std::uint64_t>(factor)),
                                evolution_.getTruncateOrZeroExtend(term, type)));
    }
    const APInt most = evolution_.getUnsignedRangeMax(sum);
    if (most.uge(1024)) return false;
    auto& extent = found_.block[stride.axis];
    extent = std::max(extent, static_cast<std::uint32_t>(most.getZExtValue()) + 1);
    use.thread[stride.axis] = sum;
    return true;
  }

  static bool depends_on_thread(const SCEV* value) {
    return SCEVExprContains(value, [](const SCEV* one) {
      auto* unknown = dyn_cast<SCEVUnknown>(one);
      return unknown && !isa<Argument>(unknown->getValue());
    });
  }

  /// The shape in which each thread has a place of its own, inside of the array.
  bool fix_shape() {
    auto& block = found_.block;
    for (const Layout& layout : layouts_)
      for (unsigned i = 1; i < layout.strides.size(); ++i) {
        auto& extent = block[layout.strides[i].axis];
        if (extent == 0)
          extent =
              static_cast<std::uint32_t>(layout.strides[i - 1].bytes / layout.strides[i].bytes);
      }
    for (const Layout& layout : layouts_) {
      std::array<bool, 3> has{};
      for (const Stride& stride : layout.strides) has[stride.axis] = true;
      for (unsigned axis = 0; axis < 3; ++axis) {
        if (has[axis]) continue;
        if (block[axis] > 1) return false;
        block[axis] = 1;
      }
    }
    for (const Layout& layout : layouts_) {
      auto room = static_cast<std::int64_t>(layout.bytes) - layout.begin;
      for (const Stride& stride : layout.strides) {
        const std::int64_t extent = block[stride.axis];
        if (extent * stride.bytes > room) return false;
        room = stride.bytes;
      }
      if (layout.begin < 0 || room < static_cast<std::int64_t>(layout.element)) return false;
    }
    return true;
  }

  Function& kernel_;
  ScalarEvolution& evolution_;
  MapVector<std::uint64_t, Array> arrays_;  // by offset
  std::vector<Layout> layouts_;
  StagedTiles found_;
};

}  // namespace

std::optional<StagedTiles> find_staged_tiles(Function& kernel, ScalarEvolution& evolution) {
  return TileFinder(kernel, evolution).find();
}

}  // namespace gridspan::transforms
