// The code that runs a kernel's blocks, in all its forms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/device_compilation.h"
#include "codegen/kernel_work.h"
#include "codegen/passes.h"
#include "codegen/run_stages.h"
#include "transforms/agreeing_phis.h"
#include "transforms/appends.h"
#include "transforms/distinct_arguments.h"
#include "transforms/flatten_loops.h"
#include "transforms/grid_rounds.h"
#include "transforms/launched_shape.h"
#include "transforms/linear_threads.h"
#include "transforms/plain_places.h"
#include "transforms/usual_rows.h"
#include "transforms/widen_subscripts.h"

#include "llvm/Transforms/Utils/Cloning.h"

namespace gridspan::codegen {

using namespace llvm;

static constexpr transforms::BlockShape any_shape{};

/// Where fewer stores in loops are left in it.
void KernelWork::copy_for_distinct_arguments() {
  if (through.kernel || has_sync_points()) return;
  Function* copy = transforms::copy_for_distinct_arguments(kernel);
  if (!copy) return;
  promote_stores(target, *copy);
  if (transforms::count_stores_in_loops(*copy) < transforms::count_stores_in_loops(kernel) ||
      transforms::has_marked_appends(*copy))
    distinct = copy;
  else
    copy->eraseFromParent();
}

/// Where some subscripts are known to go on by a fixed step only in such arrays.
void KernelWork::copy_for_small_arguments() {
  if (through.kernel || distinct || has_sync_points() || has_grid_rounds(kernel)) return;
  ValueToValueMapTy map;
  Function* copy = CloneFunction(&kernel, map);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setName(kernel.getName() + ".small");
  if (transforms::widen_subscripts(*copy))
    small = copy;
  else
    copy->eraseFromParent();
}

/// Subscripts there go on by one from thread to thread.
bool KernelWork::has_grid_rounds(Function& form) const {
  return does_for_speed("grid-rounds") && transforms::has_grid_rounds(form);
}

/// More code would take longer to compile again than most programs run.
bool KernelWork::is_small() const {
  constexpr unsigned most_instructions = 1500;
  return kernel.getInstructionCount() <= most_instructions;
}

/// It is of use there: loops over their threads are short, and there are many.
bool KernelWork::may_have_usual_shape() const {
  return !through.kernel && does_for_speed("blocks") && has_sync_points() && is_small() &&
         transforms::known_shape(kernel) == any_shape;
}

/// Where the kernel's own numbers tell a row, that is enough.
void KernelWork::find_usual_rows() {
  if (may_have_usual_shape()) usual = transforms::usual_rows(kernel);
}

void KernelWork::find_launched_shape() {
  if (!may_have_usual_shape()) return;
  // More than any launch's row: threads have several elements each.
  const bool is_row =
      launched.empty() || any_of(launched, [&](auto& block) { return block[0] >= usual[0]; });
  if (usual != any_shape && is_row) return;
  const auto shape = transforms::launched_shape(kernel, launched);
  if (shape != any_shape) usual = shape;
}

void KernelWork::copy_for_usual_shape() {
  if (usual != any_shape) rows = copy_for(usual, false);
}

/// The shape of blocks that lanes along x do not fit: rows that are no whole warps, or at most
/// half a vector. Any, for warps, if launches have several, or none's is known but threads
/// ask for their place in columns.
std::optional<transforms::BlockShape> KernelWork::narrow_shape() const {
  constexpr std::uint32_t half_vector = 8;
  const bool has_warp_operations = code.warp_operations != 0;
  if (!does_for_speed("blocks")) return std::nullopt;
  if (has_warp_operations ? !may_run_whole_warps() : !is_small()) return std::nullopt;
  const transforms::BlockShape known = transforms::known_shape(kernel);
  auto is_narrow = [&](const transforms::BlockShape& block) {
    const auto& [x, y, z] = block;
    return has_warp_operations ? abi::linear_warps({x, y, z})
                               : x != 0 && x <= half_vector && x * y * z >= 2 * half_vector;
  };
  if (known != any_shape) return is_narrow(known) ? std::optional(known) : std::nullopt;
  const auto found = find_if(launched, is_narrow);
  const bool is_launched = found != launched.end();
  const bool is_open = is_launched ? any_of(make_range(found + 1, launched.end()), is_narrow)
                                   : launched.empty() && transforms::has_rows(kernel);
  if (has_warp_operations && is_open) return any_shape;
  return is_launched ? std::optional(*found) : std::nullopt;
}

void KernelWork::copy_for_linear_threads() {
  const auto shape = through.kernel ? std::nullopt : narrow_shape();
  if (!shape) return;
  narrow = *shape;
  linear = copy_for(narrow, true);
}

Function* KernelWork::copy_for(const transforms::BlockShape& shape, bool is_linear) {
  ValueToValueMapTy map;
  Function* copy = CloneFunction(&kernel, map);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setName(kernel.getName() + (is_linear ? ".linear" : ".rows"));
  transforms::set_known_shape(*copy, shape);
  if (is_linear) transforms::number_threads_linearly(*copy);
  simplify_again(*copy, target);
  transforms::replace_agreeing_phis(*copy);
  return copy;
}

bool KernelWork::may_run_whole_warps() const {
  return compilation.does("warps", settings) &&
         (code.max_threads == 0 || code.max_threads >= abi::warp_size);
}

/// The kernel as it is comes first, the best form last.
void KernelWork::cut_forms(Stages inner) {
  code.regions = cut(kernel, FormKind::general, inner);
  // Not where neighbouring blocks run as one: these have long rows.
  const bool is_joined =
      !code.regions.forms.empty() && code.regions.forms.front().joined.threads != 0;
  if (linear && is_joined)
    linear->eraseFromParent();
  else if (linear)
    add_shaped(*linear, narrow, inner);
  if (rows) add_shaped(*rows, usual, inner);
  if (small) {
    add(cut(*small, FormKind::small, inner), any_shape, abi::needs_small_arguments);
    small->eraseFromParent();
  }
  if (distinct) {
    add(cut(*distinct, FormKind::distinct, inner), any_shape, abi::needs_distinct_arguments);
    distinct->eraseFromParent();
  }
  if (through.kernel) add_through(inner);
}

transforms::RegionKernel KernelWork::cut(Function& function, FormKind kind, Stages inner) {
  FormWork form(*this, function, kind);
  run_stages(inner, form);
  transforms::RegionKernel made = form.cut.take();
  if (form.is_small && !made.forms.empty()) made.forms.front().needs |= abi::needs_small_arguments;
  return made;
}

/// Only what runs whole blocks: the regions there are will do for the rest.
void KernelWork::add_shaped(Function& form, const transforms::BlockShape& shape, Stages inner) {
  const transforms::RegionKernel made = cut(form, FormKind::shaped, inner);
  form.eraseFromParent();
  if (made.forms.empty()) return;
  code.regions.frame_bytes = std::max(code.regions.frame_bytes, made.frame_bytes);
  add(made, shape, 0);
  transforms::FormCode& added = code.regions.forms.front();
  added.linear = transforms::has_linear_threads(*added.function);
}

/// As the best so far.
void KernelWork::add(const transforms::RegionKernel& made, const transforms::BlockShape& block,
                     std::uint32_t needs) {
  transforms::FormCode form = made.forms.front();
  form.needs |= needs;
  form.block = block;
  code.regions.forms.insert(code.regions.forms.begin(), form);
  append_range(code.regions.loops, made.loops);
}

/// Only if neighbouring blocks can run as one, along y, too, if blocks have rows: a tile's rows
/// are far apart in memory, and to be read by as many threads as possible once they are near.
void KernelWork::add_through(Stages inner) {
  ValueToValueMapTy map;
  Function* other = CloneFunction(through.kernel, map);
  other->setLinkage(GlobalValue::InternalLinkage);
  // As it is, or else with other subscripts.
  const bool is_done = try_through(*through.kernel, inner);
  if (is_done || !transforms::write_with_positions(*other, through.block))
    return other->eraseFromParent();
  through.is_small = true;
  try_through(*other, inner);
}

bool KernelWork::try_through(Function& form, Stages inner) {
  transforms::RegionKernel made = cut(form, FormKind::read_through, inner);
  form.eraseFromParent();
  const transforms::JoinedBlocks& joined = made.forms.front().joined;
  if (joined.threads != 0 && (through.block[1] == 1 || joined.rows != 0)) {
    add(made, through.block, abi::needs_distinct_arguments);
    return true;
  }
  Function* refused = made.forms.front().function;
  refused->eraseFromParent();
  for (Function* loop : made.loops)
    if (loop != refused) loop->eraseFromParent();
  return false;
}

FormWork::FormWork(KernelWork& whole, Function& form, FormKind what)
    : kernel(whole),
      function(form),
      kind(what),
      is_small(what == FormKind::read_through && whole.through.is_small),
      cut(form, {.regions = what != FormKind::shaped,
                 .joined = {whole.settings.joined_width, whole.settings.joined_height}}) {}

void FormWork::flatten_loops() {
  if (kind != FormKind::read_through) return;
  promote_stores(kernel.target, function);
  if (transforms::flatten_loops(function)) promote_stores(kernel.target, function);
}

void FormWork::allow_warps() {
  if (kernel.may_run_whole_warps()) cut.allow_whole_warps();
}

/// The others either cannot be, or are so already.
void FormWork::widen_subscripts() {
  if (kernel.has_grid_rounds(function)) return;
  if (kind == FormKind::read_through || kind == FormKind::distinct)
    is_small |= transforms::widen_subscripts(function);
}

}  // namespace gridspan::codegen
