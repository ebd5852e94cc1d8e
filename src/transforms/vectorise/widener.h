// Writes the code that runs a vector of threads at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks whose lanes are all together keep their branches. Linear blocks (shapes.h) come one after
// the other, each with a mask of the lanes that want it, left out when there are none:
//
//     a: br c, b, d          a:   mask.b = c; mask.d = !c
//     b: ... br e            b?:  if any(mask.b)    b: ... under mask.b
//     d: ... br e            d?:  if any(mask.d)    d: ... under mask.d
//     e: x = phi [1,b],[2,d] e:   x = phi, filled with select(mask, ...) by b and d
//
// A loop with linear blocks goes round until no lane is left; one that all lanes in it leave
// together keeps its branches, under the mask it was entered with. Phis, masks and values that
// leave linear blocks are stack variables here; mem2reg makes values of them.
#pragma once

#include "transforms/vectorise/lane_comparison.h"
#include "transforms/vectorise/members.h"

#include "llvm/IR/IRBuilder.h"

namespace gridspan::transforms {

struct VectorLoop {
  unsigned lanes;
  llvm::Value* index;              // i32: first lane's number of the thread
  llvm::BasicBlock* next;          // where finished vectors go
  llvm::BasicBlock* where_broken;  // where vectors go for which an assumption fails
  llvm::BasicBlock* variables;     // its end takes stack variables
  bool reads_all_lines = false;    // of far iterations ahead, not the first ones only
};

class Widener {
 public:
  Widener(const ThreadBody& body, const llvm::LoopInfo& loops, const Shapes& shapes,
          const VectorLoop& vector);

  /// Writes everything; returns the block to begin with.
  llvm::BasicBlock* write();
  const std::vector<llvm::AllocaInst*>& variables() const { return variables_; }

 private:
  using Builder = llvm::IRBuilder<>;
  struct Place {
    llvm::BasicBlock* entry;  // of a linear block: the test whether any lane wants it
    llvm::BasicBlock* code;
    llvm::BasicBlock* onward = nullptr;  // of a linear block: what follows, wanted or not
  };

  // Values (widen_values.cpp)
  bool is_linear() const { return mask_ != nullptr; }
  bool is_fast() const { return shapes_.assumed().taken.contains(body_.guard); }
  llvm::Value* scalar(llvm::Value* value);  // uniform: the value; strided: the first lane's
  llvm::Value* vector(llvm::Value* value);  // all lanes'
  llvm::Value* spread(llvm::Value* first, std::int64_t stride);
  llvm::Type* widened(llvm::Type* type) const;
  llvm::Value* current(llvm::Value* value);  // what `value` became, reloaded if need be
  void define(llvm::Instruction& original, llvm::Value* value);
  void write_instruction(llvm::Instruction& instruction);
  llvm::Value* write_scalar(llvm::Instruction& instruction);
  llvm::Value* write_vector(llvm::Instruction& instruction);
  llvm::Value* write_division(llvm::BinaryOperator& division);
  llvm::Value* write_call(llvm::CallInst& call);
  llvm::Value* write_each_lane(llvm::Instruction& instruction);
  llvm::Value* insert_lane(llvm::Value* all, llvm::Value* one, llvm::Value* lane);
  llvm::Value* write_chosen(llvm::Instruction& instruction, unsigned operand);

  // Tests: what must hold for all lanes, or the vector starts over (widen_tests.cpp)
  void require(llvm::Value* holds, const llvm::Instruction& about);
  llvm::BasicBlock* where_broken() const;
  void check_exact(llvm::Instruction& instruction);
  void check_bounds();
  void check_early(llvm::Instruction& condition);
  llvm::Value* all_find(llvm::Value* condition, bool wanted);
  llvm::Value* all_compare(const LaneComparison& comparison);
  llvm::Value* all_agree(const LaneComparison& comparison);
  llvm::Value* does_not_wrap(llvm::Value* first, std::int64_t stride, bool is_signed);
  bool is_exact(const llvm::Value* value, bool is_signed) const;

  // Addresses (widen_addresses.cpp)
  llvm::Value* write_extension(llvm::CastInst& cast);
  struct Sum {
    llvm::Value *uniform, *strided;  // null: nothing
  };
  std::optional<Sum> split(llvm::Value* value, llvm::Instruction::CastOps opcode, llvm::Type* type);
  llvm::Value* write_split_address(llvm::GetElementPtrInst& address);
  llvm::Value* write_address(llvm::GetElementPtrInst& address);

  // Memory (widen_memory.cpp)
  llvm::Value* write_load(llvm::LoadInst& load);
  void write_store(llvm::StoreInst& store);
  llvm::Instruction* write_masked_store(llvm::StoreInst& store);
  void write_prefetch(llvm::CallInst& prefetch);
  void prefetch_lines(llvm::LoadInst& load, llvm::Value* step, std::uint64_t rounds,
                      std::uint64_t reach);
  void prefetch_far_round(llvm::LoadInst& load);
  llvm::Value* mask_or_all();

  // Gathers that may be none (widen_gathers.cpp)
  struct Neighbours {
    llvm::Value *holds, *place;  // whether they are, and the first lane's address then
  };
  std::optional<Neighbours> test_neighbours(llvm::Value* pointer, llvm::Type* type);
  void write_either(llvm::Value* holds, llvm::function_ref<void()> likely_way,
                    llvm::function_ref<void()> other_way);
  llvm::Value* write_likely_neighbours(llvm::LoadInst& load);
  bool write_likely_neighbours(llvm::StoreInst& store);

  // Members of structures (widen_members.cpp)
  llvm::Value* write_member_load(llvm::LoadInst& load);
  bool write_member_store(llvm::StoreInst& store);
  llvm::Value* lowest_address(const MemberGroup& group, llvm::Value* first);

  // Turns of single lanes (widen_turns.cpp)
  bool is_for_turn(const llvm::Value* value, const llvm::Instruction& turn,
                   unsigned depth = 0) const;
  llvm::Value* of_lane(llvm::Value* value, llvm::Value* lane, const llvm::Instruction& turn);
  llvm::Instruction* copy_of_lane(llvm::Instruction& instruction, llvm::Value* lane,
                                  const llvm::Instruction& turn);

  // Atomic updates (widen_atomics.cpp)
  llvm::Value* write_update(llvm::AtomicRMWInst& update);
  void write_joint_update(llvm::AtomicRMWInst& update);
  llvm::Value* write_shared_update(llvm::AtomicRMWInst& update);
  llvm::Value* write_updates_in_row(llvm::AtomicRMWInst& update);

  // Control (widener.cpp)
  void make_places();
  void declare_variables();
  llvm::AllocaInst* variable(llvm::Type* type, const llvm::Twine& name);
  void write_block(llvm::BasicBlock& block);
  void leave_together(llvm::BasicBlock& block);
  void leave_linear(llvm::BasicBlock& block);
  void leave_in_loop(llvm::BasicBlock& block);
  void go(llvm::BasicBlock& from, llvm::BasicBlock& to, llvm::Value* edge_mask);
  void begin_linear(llvm::BasicBlock& somewhere);
  llvm::BasicBlock* start_together(llvm::BasicBlock& next);
  void enter_linear(llvm::BasicBlock& block);
  void forget_masks(llvm::ArrayRef<llvm::BasicBlock*> blocks);
  llvm::BasicBlock* onward(llvm::BasicBlock& block) const;
  llvm::BasicBlock* behind(const llvm::Loop& loop) const;
  const llvm::Loop* joint_loop(const llvm::BasicBlock& block) const;
  bool is_entered_by_mask(const llvm::BasicBlock& block) const;
  void carry(llvm::BasicBlock& from, llvm::BasicBlock& to, llvm::Value* edge_mask);
  llvm::Value* condition_mask(llvm::BranchInst& branch, unsigned successor, llvm::Value* mask);
  unsigned first_of_run(unsigned position) const;
  unsigned end_of_run(unsigned position) const;
  bool only_updates(const llvm::BasicBlock& block) const;
  bool deserves_test(const llvm::BasicBlock& block) const;

  const ThreadBody& body_;
  const llvm::LoopInfo& loops_;
  const Shapes& shapes_;
  VectorLoop loop_;
  llvm::LLVMContext& context_;
  Builder builder_;
  llvm::Type* mask_type_;
  llvm::Value* mask_ = nullptr;  // of the linear block being written
  llvm::DenseMap<const llvm::BasicBlock*, Place> places_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::AllocaInst*> masks_;
  llvm::DenseMap<const llvm::Loop*, llvm::Value*> loop_masks_;        // of joint loops
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> rests_;  // of rounds, by their header
  llvm::DenseMap<const llvm::PHINode*, llvm::AllocaInst*> incoming_;  // what a phi gets next
  llvm::DenseMap<const llvm::Value*, llvm::AllocaInst*> kept_;        // what leaves linear blocks
  llvm::DenseMap<const llvm::Value*, llvm::Value*> written_;
  llvm::DenseMap<const llvm::Instruction*, llvm::Value*> member_loads_;
  llvm::DenseMap<const llvm::Instruction*, std::pair<MemberGroup, llvm::Value*>> member_stores_;
  llvm::BasicBlock* writing_ = nullptr;
  std::vector<llvm::AllocaInst*> variables_;
};

/// Nothing if the widener can write everything in the body.
std::optional<ScalarReason> find_obstacle(const ThreadBody& body, const Shapes& shapes);

/// Nothing if what runs in vectors outweighs what stays one lane at a time.
std::optional<ScalarReason> find_single_work(const ThreadBody& body, const llvm::LoopInfo& loops,
                                             const Shapes& shapes, const Vectors& vectors);

/// An update that one instruction does for all lanes.
bool is_joint_update(const Shapes& shapes, const llvm::Instruction& instruction);

bool is_prefetch(const llvm::Instruction& instruction);

/// A sum, or an address, with a clamped part: neighbours but for lanes at an array's edge.
bool is_clamped(const Shapes& shapes, const llvm::Value* value, unsigned depth = 0);

/// What is known of `from`'s memory besides its place.
void copy_alias_facts(const llvm::Instruction& from, llvm::Instruction& to);

/// Neighbouring lanes touch neighbouring elements of `type` without gaps.
bool is_consecutive(const Shapes& shapes, const llvm::Value* address, llvm::Type* type,
                    const llvm::DataLayout& layout);

}  // namespace gridspan::transforms
