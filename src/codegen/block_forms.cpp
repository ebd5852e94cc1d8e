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
#include "transforms/linear_threads.h"
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
    for (Instruction& instruction : instructions(kernel_)) {
      const auto point = transforms::as_sync_point(instruction);
      has_sync_points_ |= point.has_value();
      has_warp_operations_ |= point && !abi::is_block_wide(point->kind);
    }
    Function* distinct = through.kernel ? nullptr : copy_for_distinct_arguments();
    Function* small = through.kernel || distinct ? nullptr : copy_for_small_arguments();
    const transforms::BlockShape shape = usual_shape(through);
    Function* rows = shape != any_shape ? copy_for(shape, false) : nullptr;
    const auto narrow = through.kernel ? std::nullopt : narrow_shape();
    Function* linear = narrow ? copy_for(*narrow, true) : nullptr;
    made_ = transforms::cut_into_regions(kernel_, options_.regions);
    if (linear) add_linear(*linear, *narrow);
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

  /// More code would take longer to compile again than most programs run.
  bool is_small() const {
    constexpr unsigned most_instructions = 1500;
    return kernel_.getInstructionCount() <= most_instructions;
  }

  /// The shape blocks usually have, where that is of use: loops over their threads are short, and
  /// there are many. Where the kernel's own numbers tell a row, that is enough.
  transforms::BlockShape usual_shape(const transforms::ReadThrough& through) const {
    const bool is_fit = !through.kernel && options_.regions.whole_blocks && has_sync_points_ &&
                        is_small() && transforms::known_shape(kernel_) == any_shape;
    if (!is_fit) return any_shape;
    const auto rows = options_.rows ? transforms::usual_rows(kernel_) : any_shape;
    // More than any launch's row: threads have several elements each.
    const bool is_row = options_.launched.empty() ||
                        any_of(options_.launched, [&](auto& block) { return block[0] >= rows[0]; });
    if (rows != any_shape && is_row) return rows;
    const auto launched = transforms::launched_shape(kernel_, options_.launched);
    return launched != any_shape ? launched : rows;
  }

  /// The shape of blocks that lanes along x do not fit: rows that are no whole warps, or at most
  /// half a vector. Any, for warps, if launches have several, or none's is known but threads
  /// ask for their place in columns.
  std::optional<transforms::BlockShape> narrow_shape() const {
    constexpr std::uint32_t half_vector = 8;
    if (!options_.linear || !options_.regions.whole_blocks) return std::nullopt;
    if (has_warp_operations_ ? !options_.regions.whole_warps : !is_small()) return std::nullopt;
    const transforms::BlockShape known = transforms::known_shape(kernel_);
    auto is_narrow = [&](const transforms::BlockShape& block) {
      const auto& [x, y, z] = block;
      return has_warp_operations_ ? abi::linear_warps({x, y, z})
                                  : x != 0 && x <= half_vector && x * y * z >= 2 * half_vector;
    };
    if (known != any_shape) return is_narrow(known) ? std::optional(known) : std::nullopt;
    const auto found = find_if(options_.launched, is_narrow);
    const bool is_launched = found != options_.launched.end();
    const bool is_open = is_launched
                             ? any_of(make_range(found + 1, options_.launched.end()), is_narrow)
                             : options_.launched.empty() && transforms::has_rows(kernel_);
    if (has_warp_operations_ && is_open) return any_shape;
    return is_launched ? std::optional(*found) : std::nullopt;
  }

  Function* copy_for(const transforms::BlockShape& shape, bool is_linear) {
    ValueToValueMapTy map;
    Function* copy = CloneFunction(&kernel_, map);
    copy->setLinkage(GlobalValue::InternalLinkage);
    copy->setName(kernel_.getName() + (is_linear ? ".linear" : ".rows"));
    transforms::set_known_shape(*copy, shape);
    if (is_linear) transforms::number_threads_linearly(*copy);
    simplify_again(*copy, target_);
    transforms::replace_agreeing_phis(*copy);
    return copy;
  }

  /// Only what runs whole blocks: the regions there are will do for the rest.
  void add_shaped(Function& kernel, const transforms::BlockShape& shape) {
    transforms::RegionOptions options = options_.regions;
    options.regions = false;
    const transforms::RegionKernel made = transforms::cut_into_regions(kernel, options);
    kernel.eraseFromParent();
    if (made.forms.empty()) return;
    made_.frame_bytes = std::max(made_.frame_bytes, made.frame_bytes);
    add(made, shape, 0);
    made_.forms.front().linear = transforms::has_linear_threads(*made_.forms.front().function);
  }

  /// Not where neighbouring blocks run as one: these have long rows.
  void add_linear(Function& kernel, const transforms::BlockShape& shape) {
    if (made_.forms.empty() || made_.forms.front().joined.threads == 0)
      add_shaped(kernel, shape);
    else
      kernel.eraseFromParent();
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
  bool has_sync_points_ = false, has_warp_operations_ = false;
  transforms::RegionKernel made_;
};

}  // namespace

transforms::RegionKernel make_block_forms(TargetMachine& target, Function& kernel,
                                          transforms::ReadThrough through,
                                          const FormOptions& options) {
  return FormMaker(target, kernel, options).make(through);
}

}  // namespace gridspan::codegen
