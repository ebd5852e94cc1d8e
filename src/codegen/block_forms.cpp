// The code that runs a kernel's blocks, in all its forms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/block_forms.h"

#include "codegen/passes.h"
#include "transforms/agreeing_phis.h"
#include "transforms/appends.h"
#include "transforms/distinct_arguments.h"
#include "transforms/flatten_loops.h"
#include "transforms/known_shape.h"
#include "transforms/launched_shape.h"
#include "transforms/plain_places.h"
#include "transforms/sync_points.h"
#include "transforms/usual_rows.h"
#include "transforms/widen_subscripts.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace gridspan::codegen {

using namespace llvm;

namespace {

constexpr transforms::BlockShape any_shape{};

class FormMaker {
 public:
  FormMaker(TargetMachine& target, Function& kernel, const FormOptions& options)
      : target_(target), kernel_(kernel), options_(options) {}

  transforms::RegionKernel make(transforms::ReadThrough through) {
    has_sync_points_ = any_of(instructions(kernel_), [](Instruction& one) {
      return transforms::as_sync_point(one).has_value();
    });
    Function* distinct = through.kernel ? nullptr : copy_for_distinct_arguments();
    Function* small = through.kernel || distinct ? nullptr : copy_for_small_arguments();
    const transforms::BlockShape shape = usual_shape(through);
    Function* rows = shape != any_shape ? copy_for(shape) : nullptr;
    made_ = transforms::cut_into_regions(kernel_, options_.regions);
    if (rows) add_shaped(*rows, shape);
    if (small) add(*small, {}, abi::needs_small_arguments);
    if (distinct) {
      const bool is_small = transforms::widen_subscripts(*distinct);
      add(*distinct, {}, needs_of_distinct(is_small));
    }
    if (through.kernel) add_through(through);
    return std::move(made_);
  }

 private:
  static std::uint32_t needs_of_distinct(bool is_small) {
    return abi::needs_distinct_arguments | (is_small ? abi::needs_small_arguments : 0u);
  }

  /// Where fewer stores in loops are left in it.
  Function* copy_for_distinct_arguments() {
    if (!options_.distinct || has_sync_points_) return nullptr;
    Function* copy = transforms::copy_for_distinct_arguments(kernel_);
    if (!copy) return nullptr;
    promote_stores(target_, *copy);
    if (transforms::count_stores_in_loops(*copy) < transforms::count_stores_in_loops(kernel_) ||
        transforms::has_marked_appends(*copy))
      return copy;
    copy->eraseFromParent();
    return nullptr;
  }

  /// Where some subscripts are known to go on by a fixed step only in such arrays.
  Function* copy_for_small_arguments() {
    if (!options_.distinct || has_sync_points_) return nullptr;
    ValueToValueMapTy map;
    Function* copy = CloneFunction(&kernel_, map);
    copy->setLinkage(GlobalValue::InternalLinkage);
    copy->setName(kernel_.getName() + ".small");
    if (transforms::widen_subscripts(*copy)) return copy;
    copy->eraseFromParent();
    return nullptr;
  }

  /// The shape blocks usually have, where that is of use: loops over their threads are short, and
  /// there are many. Where the kernel's own numbers tell a row, that is enough.
  transforms::BlockShape usual_shape(const transforms::ReadThrough& through) const {
    constexpr unsigned most_instructions = 1500;
    const bool is_fit = !through.kernel && options_.regions.whole_blocks && has_sync_points_ &&
                        kernel_.getInstructionCount() <= most_instructions &&
                        transforms::known_shape(kernel_) == any_shape;
    if (!is_fit) return any_shape;
    const auto rows = options_.rows ? transforms::usual_rows(kernel_) : any_shape;
    // More than any launch's row: threads have several elements each.
    const bool is_row = options_.launched.empty() ||
                        any_of(options_.launched, [&](auto& block) { return block[0] >= rows[0]; });
    if (rows != any_shape && is_row) return rows;
    const auto launched = transforms::launched_shape(kernel_, options_.launched);
    return launched != any_shape ? launched : rows;
  }

  Function* copy_for(const transforms::BlockShape& shape) {
    ValueToValueMapTy map;
    Function* copy = CloneFunction(&kernel_, map);
    copy->setLinkage(GlobalValue::InternalLinkage);
    copy->setName(kernel_.getName() + ".rows");
    transforms::set_known_shape(*copy, shape);
    simplify_again(*copy, target_);
    transforms::replace_agreeing_phis(*copy);
    return copy;
  }

  /// Only what runs whole blocks: the regions there are will do for the rest.
  void add_shaped(Function& kernel, const transforms::BlockShape& shape) {
    transforms::RegionKernel made = transforms::cut_into_regions(kernel, options_.regions);
    kernel.eraseFromParent();
    Function* whole = made.forms.empty() ? nullptr : made.forms.front().function;
    for (const transforms::RegionCode& region : made.regions) {
      if (region.function == whole) continue;
      erase(made.loops, region.function);
      region.function->eraseFromParent();
    }
    if (!whole) return;
    made_.frame_bytes = std::max(made_.frame_bytes, made.frame_bytes);
    add(made, shape, 0);
  }

  /// Only if neighbouring blocks can run as one, along y, too, if blocks have rows: a tile's rows
  /// are far apart in memory, and to be read by as many threads as possible once they are near.
  void add_through(const transforms::ReadThrough& through) {
    ValueToValueMapTy map;
    Function* other = CloneFunction(through.kernel, map);
    other->setLinkage(GlobalValue::InternalLinkage);
    // As it is, or else with other subscripts.
    bool is_done = add_through(*through.kernel, through.block, through.is_small);
    if (!is_done && transforms::write_with_positions(*other, through.block))
      add_through(*other, through.block, true);
    else
      other->eraseFromParent();
  }

  bool add_through(Function& kernel, const transforms::BlockShape& block, bool is_small) {
    promote_stores(target_, kernel);
    if (transforms::flatten_loops(kernel)) promote_stores(target_, kernel);
    is_small |= transforms::widen_subscripts(kernel);
    transforms::RegionKernel made = transforms::cut_into_regions(kernel, options_.regions);
    kernel.eraseFromParent();
    const transforms::JoinedBlocks& joined = made.forms.front().joined;
    if (joined.threads != 0 && (block[1] == 1 || joined.rows != 0)) {
      add(made, block, needs_of_distinct(is_small));
      return true;
    }
    made.forms.front().function->eraseFromParent();
    return false;
  }

  void add(Function& kernel, const transforms::BlockShape& block, std::uint32_t needs) {
    add(transforms::cut_into_regions(kernel, options_.regions), block, needs);
    kernel.eraseFromParent();
  }

  /// As the best so far.
  void add(const transforms::RegionKernel& made, const transforms::BlockShape& block,
           std::uint32_t needs) {
    transforms::FormCode form = made.forms.front();
    form.needs |= needs;
    form.block = block;
    made_.forms.insert(made_.forms.begin(), form);
    append_range(made_.loops, made.loops);
  }

  TargetMachine& target_;
  Function& kernel_;
  const FormOptions& options_;
  bool has_sync_points_ = false;
  transforms::RegionKernel made_;
};

}  // namespace

transforms::RegionKernel make_block_forms(TargetMachine& target, Function& kernel,
                                          transforms::ReadThrough through,
                                          const FormOptions& options) {
  return FormMaker(target, kernel, options).make(through);
}

}  // namespace gridspan::codegen
