// One part: recorded accesses against footprints, in both directions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/verify/part_check.h"

#include <algorithm>

namespace gridspan::runtime::verify {

using abi::RecordedKind;
using abi::SetKind;

namespace {

/// A table that the compiler keeps among the code's constants is not the program's memory.
bool is_in_memory(const abi::ModelArray& array) { return array.argument >= 0 || array.symbol >= 0; }

const char* verb(RecordedKind kind) {
  switch (kind) {
    case RecordedKind::read:
      return "reads";
    case RecordedKind::write:
      return "writes";
    case RecordedKind::update:
      return "updates (atomically, result unused)";
    case RecordedKind::atomic:
      return "updates (atomically)";
    case RecordedKind::atomic_read:
      return "reads (atomically)";
    case RecordedKind::atomic_write:
      return "writes (atomically)";
  }
  return "touches";
}

const char* op_name(abi::ReductionOp op) {
  constexpr std::array<const char*, abi::reduction_op_count> names = {
      "none",         "add",       "float add", "min", "unsigned min", "float min", "max",
      "unsigned max", "float max", "and",       "or",  "xor",          "inc",       "dec"};
  return names[static_cast<std::size_t>(op)];
}

std::string set_name(const abi::ModelSet& set) {
  constexpr const char* names[] = {"read",       "must-write", "may-write",
                                   "write-same", "reduction",  "atomic"};
  std::string name = names[static_cast<std::size_t>(set.kind)];
  if (set.kind == SetKind::reduction) name += std::string("(") + op_name(set.op) + ")";
  return name + " set";
}

DifferenceKind missing(RecordedKind kind) {
  switch (kind) {
    case RecordedKind::read:
    case RecordedKind::atomic_read:
      return DifferenceKind::missing_read;
    case RecordedKind::write:
    case RecordedKind::atomic_write:
      return DifferenceKind::missing_write;
    default:
      return DifferenceKind::missing_atomic;
  }
}

std::string bytes_text(std::uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

}  // namespace

std::string index_text(const abi::Dim& index) {
  return "(" + std::to_string(index.x) + "," + std::to_string(index.y) + "," +
         std::to_string(index.z) + ")";
}

void Cover::add(const Footprint& footprint) {
  bytes.add(footprint.bytes);
  everything |= footprint.everything;
}

void Cover::add(const Cover& other) {
  bytes.add(other.bytes);
  everything |= other.everything;
}

PartCheck::PartCheck(const BoundModel& bound, const Box& part,
                     std::vector<const BlockRecord*> blocks, bool complete, StrayAccesses& strays,
                     Findings& findings)
    : bound_(bound),
      part_(part),
      blocks_(std::move(blocks)),
      complete_(complete),
      strays_(strays),
      differences_(findings.differences),
      warnings_(findings.warnings) {
  const abi::KernelModel& model = bound.model();
  for (std::uint32_t a = 0; a < model.array_count; ++a)
    for (std::uint32_t s = 0; s < model.arrays[a].set_count; ++s) {
      if (!is_in_memory(model.arrays[a])) continue;
      const abi::ModelSet& set = model.arrays[a].sets[s];
      sets_.push_back({a, &set, bound.footprint(a, set, part)});
    }
}

void PartCheck::run() {
  make_covers();
  gather();
  check_contained();
  if (complete_)
    for (const PartSet& one : sets_) check_exact(one);
}

void PartCheck::make_covers() {
  for (const PartSet& one : sets_) {
    switch (one.set->kind) {
      case SetKind::read:
        reads_.add(one.footprint);
        break;
      case SetKind::must_write:
      case SetKind::may_write:
      case SetKind::write_same:
        writes_.add(one.footprint);
        break;
      case SetKind::reduction:
        reductions_[static_cast<std::size_t>(one.set->op)].add(one.footprint);
        break;
      case SetKind::atomic:  // may read and write as it likes
        for (Cover* cover : {&reads_, &writes_, &atomics_}) cover->add(one.footprint);
        for (Cover& cover : reductions_) cover.add(one.footprint);
        break;
    }
  }
  for (Cover* cover : {&reads_, &writes_, &atomics_}) cover->bytes.normalise();
  // Who may read and write what he likes may also do so atomically.
  const Cover both{reads_.bytes.intersection(writes_.bytes),
                   reads_.everything && writes_.everything};
  atomics_.add(both);
  atomics_.bytes.normalise();
  for (Cover& cover : reductions_) {
    cover.add(both);
    cover.bytes.normalise();
  }
}

const Cover& PartCheck::cover_of(const abi::AccessSite& site) {
  switch (site.kind) {
    case RecordedKind::read:
    case RecordedKind::atomic_read:
      return reads_;
    case RecordedKind::write:
    case RecordedKind::atomic_write:
      return writes_;
    case RecordedKind::update:
      return reductions_[static_cast<std::size_t>(site.op)];
    case RecordedKind::atomic:
      break;
  }
  return atomics_;
}

void PartCheck::gather() {
  for (const BlockRecord* block : blocks_)
    for (const SiteRecord& record : block->sites) {
      const RecordedKind kind = record.site->kind;
      if (kind == RecordedKind::read || kind == RecordedKind::atomic_read)
        read_.add(record.touched);
      else if (kind == RecordedKind::write || kind == RecordedKind::atomic_write)
        written_.add(record.touched);
      if (kind != RecordedKind::read && kind != RecordedKind::write) updated_.add(record.touched);
    }
  for (IntervalSet* set : {&read_, &written_, &updated_}) set->normalise();
}

/// Looks at single blocks only where the whole does not fit.
void PartCheck::check_contained() {
  const auto fits = [](const Cover& cover, const IntervalSet& touched) {
    return cover.everything || cover.bytes.contains(touched);
  };
  if (fits(reads_, read_) && fits(writes_, written_) && updated_.empty()) return;
  for (const BlockRecord* block : blocks_)
    for (const SiteRecord& record : block->sites) check_contained(*block, record);
}

void PartCheck::check_contained(const BlockRecord& block, const SiteRecord& record) {
  if ((record.site->flags & abi::recorded_optional) != 0) return;
  if ((bound_.model().obstacles & abi::hides_memory) != 0) return;
  const Cover& cover = cover_of(*record.site);
  if (cover.everything) return;
  const IntervalSet extra = record.touched.minus(cover.bytes);
  if (extra.empty() || is_stray(record, extra)) return;
  const std::uintptr_t address = extra.parts().front().begin;
  const auto array = bound_.array_at(address);
  std::string what = array ? bound_.element_text(*array, address) : "memory of no array";
  if (array) {
    const auto offset = static_cast<std::int64_t>(address - bound_.base(*array));
    what += " (byte " + std::to_string(offset) + ")";
  }
  std::string text = "block " + index_text(block.index) + " " + verb(record.site->kind) + " " +
                     what + ", " + bytes_text(extra.bytes()) + " in all, which no ";
  text += record.site->kind == RecordedKind::update
              ? std::string("reduction(") + op_name(record.site->op) + ") or atomic set"
          : missing(record.site->kind) == DifferenceKind::missing_read  ? "read set"
          : missing(record.site->kind) == DifferenceKind::missing_write ? "write set"
                                                                        : "atomic set";
  text += " of " + model_part_text() + " holds";
  const abi::ModelArray* described = array ? &bound_.model().arrays[*array] : nullptr;
  differences_.push_back({missing(record.site->kind), record.site->where,
                          described && described->name ? described->name : "", std::move(text)});
}

bool PartCheck::is_stray(const SiteRecord& record, const IntervalSet& outside) {
  const auto array = strays_.array_left(*record.site, outside);
  if (!array) return false;
  const char* name = bound_.model().arrays[*array].name;
  warnings_.push_back({DifferenceKind::stray, record.site->where, name ? name : "",
                       std::string("the program ") + verb(record.site->kind) + " outside of '" +
                           (name ? name : "?") + "'"});
  return true;
}

/// An exact set must not hold more than was touched, and only memory that is there.
void PartCheck::check_exact(const PartSet& one) {
  const abi::ModelSet& set = *one.set;
  if (one.footprint.unbounded) return;
  if (!one.footprint.problem.empty()) {
    report(DifferenceKind::bad_footprint, set.where, one.array,
           "the footprint of the " + set_name(set) + " for " + part_text() +
               " is broken: " + one.footprint.problem);
    return;
  }
  const bool is_block = part_.blocks() == 1;
  const std::uint32_t exact_flag = is_block ? abi::set_exact_block : abi::set_exact_part;
  const bool is_must = set.kind == SetKind::must_write && is_block;
  if (!is_must && (set.flags & exact_flag) == 0) return;
  const bool is_read = set.kind == SetKind::read;
  const bool is_write = set.kind == SetKind::must_write || set.kind == SetKind::may_write ||
                        set.kind == SetKind::write_same;
  const IntervalSet extra = one.footprint.bytes.minus(is_read    ? read_
                                                      : is_write ? written_
                                                                 : updated_);
  if (extra.empty()) return;
  const std::uintptr_t address = extra.parts().front().begin;
  const Allocation* allocation = bound_.allocation(one.array);
  const bool inside = allocation && address >= allocation->base && address < allocation->end();
  const DifferenceKind kind = !inside    ? DifferenceKind::outside
                              : is_read  ? DifferenceKind::unread
                              : is_write ? DifferenceKind::unwritten
                                         : DifferenceKind::not_updated;
  std::string text = "the " + set_name(set) + " of " + part_text() + " holds " +
                     bound_.element_text(one.array, address) + ", " + bytes_text(extra.bytes()) +
                     " in all, which ";
  text += !inside    ? "lie outside of the allocation"
          : is_read  ? "it does not read"
          : is_write ? "it does not write"
                     : "it does not update";
  report(kind, set.where, one.array,
         text + (is_must    ? " (a must-write)"
                 : is_block ? " (exact for a block)"
                            : " (exact for a part)"));
}

void PartCheck::report(DifferenceKind kind, const abi::SourcePoint& where, std::uint32_t array,
                       const std::string& text) {
  const char* name = bound_.model().arrays[array].name;
  differences_.push_back({kind, where, name ? name : "", text});
}

std::string PartCheck::part_text() const {
  if (part_.blocks() == 1) return "block " + index_text(part_.first);
  return "blocks " + index_text(part_.first) + " to " + index_text(part_.last);
}

std::string PartCheck::model_part_text() const {
  return part_.blocks() == 1 ? "the block" : part_text();
}

IntervalSet PartCheck::footprint_of_same_writes(std::uint32_t array) const {
  return footprint_of(array, {SetKind::write_same});
}

IntervalSet PartCheck::footprint_of_own_writes(std::uint32_t array) const {
  return footprint_of(array, {SetKind::must_write, SetKind::may_write});
}

IntervalSet PartCheck::footprint_of(std::uint32_t array,
                                    std::initializer_list<SetKind> kinds) const {
  IntervalSet bytes;
  for (const PartSet& one : sets_)
    if (one.array == array && !one.footprint.unbounded &&
        std::find(kinds.begin(), kinds.end(), one.set->kind) != kinds.end())
      bytes.add(one.footprint.bytes);
  bytes.normalise();
  return bytes;
}

}  // namespace gridspan::runtime::verify
