// Interpret mode: each access against what is allocated.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/memory_checks.h"

#include "devices/cpu/fiber_worker.h"
#include "devices/cpu/kernel_guard.h"
#include "devices/cpu/messages.h"

#include <bit>
#include <cstdio>
#include <cstring>

namespace gridspan::devices::cpu {
namespace {

/// Whoever is so near to shared memory meant it.
constexpr std::uint64_t near_shared = 4096;

std::string bytes_text(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

const char* kind_text(std::uint32_t kind) {
  if ((kind & abi::access_updates) != 0) return "atomic access";
  return (kind & abi::access_stores) != 0 ? "write" : "read";
}

/// Where an access lies to `bytes` at `base`.
std::string relation_text(std::uintptr_t base, std::uint64_t bytes, const Access& access) {
  const std::uintptr_t begin = access.begin, end = base + bytes;
  if (begin < base) return bytes_text(base - begin) + " before the beginning of ";
  if (begin >= end) return bytes_text(begin - end) + " behind the end of ";
  if (begin + access.size > end)
    return "running " + bytes_text(begin + access.size - end) + " over the end of ";
  return bytes_text(begin - base) + " inside ";
}

std::string access_text(const Access& access, Fault fault) {
  const bool is_misaligned = fault == Fault::misaligned_address;
  std::string text = std::string(is_misaligned ? "misaligned " : "") + kind_text(access.kind) +
                     " of " + bytes_text(access.size) + " at " + hexadecimal(access.begin);
  if (is_misaligned)
    text += ", which is no multiple of " + std::to_string(abi::aligned_to(access.kind));
  return text;
}

std::uint64_t linear_block(const abi::Dim& grid, const abi::Dim& block) {
  return block.x + std::uint64_t{grid.x} * (block.y + std::uint64_t{grid.y} * block.z);
}

/// To be abandoned where it stands.
[[noreturn]] void leave(Fiber& fiber) {
  fiber.state = FiberState::left;
  fiber.is_abandoned = true;
  for (;;) fiber.worker->suspend(fiber);
}

}  // namespace

void MemoryChecks::start(Part& part, const abi::BlockContext& block, std::uint64_t shared_bytes) {
  part_ = &part;
  block_ = &block;
  shared_ = reinterpret_cast<std::uintptr_t>(block.shared);
  shared_bytes_ = shared_bytes;
  fresh_.fill(nullptr);
  good_.fill({});
  if (is_quick_) good_[abi::inside_slot] = {0, ~std::uint64_t{0}};
  store_.fiber = nullptr;
  synchronising_.reset();
  if (races_ != nullptr)
    order_.start(linear_block(part.launch().grid, block.block_index), block.thread_count,
                 races_->launched());
}

bool MemoryChecks::is_near_shared(std::uintptr_t address) const {
  return shared_bytes_ != 0 && address + near_shared >= shared_ &&
         address < shared_ + shared_bytes_ + near_shared;
}

/// The program frees nothing of what a running block uses, but device code may free its own.
void MemoryChecks::remember(const KnownMemory& known, std::uint32_t slot) {
  if (!is_quick_ || slot >= abi::access_slots || known.is_heap) return;
  const std::uint64_t bytes = abi::slot_bytes(slot),
                      size = known.size.load(std::memory_order_relaxed);
  good_[slot] = {known.base, size < bytes ? 0 : size - bytes + 1};
}

/// A struct that the kernel got by value.
bool MemoryChecks::is_argument(const Access& access) const {
  const abi::Kernel& kernel = part_->kernel();
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    const auto begin = reinterpret_cast<std::uintptr_t>(part_->launch().arguments[i]);
    const std::uint64_t size = kernel.parameters[i].size;
    if (access.size <= size && access.begin - begin <= size - access.size) return true;
  }
  return false;
}

template <class Tell>
void MemoryChecks::report(const Fiber& fiber, const Access& access, Fault fault, const Tell& tell) {
  if (fault == Fault::none && ++warnings_ > most_warnings) return;
  const HostCode host;
  std::string place = place_text(access.where);
  if (place.empty()) place = hexadecimal(reinterpret_cast<std::uintptr_t>(access.where));
  const std::string who = message_prefix(access.where, fault == Fault::none ? "warning" : "error") +
                          block_text(part_->kernel(), block_->block_index) + ", thread " +
                          index_text(fiber.thread.thread_index) + ": ";
  const std::uint64_t block = linear_block(part_->launch().grid, block_->block_index);
  const bool goes_on = part_->accesses().add(place, {block, fiber.thread.thread}, fault,
                                             [who, tell] { return who + tell(); });
  if (!goes_on) part_->report({fault, {}});
}

template <class Relation>
void MemoryChecks::refuse(Fiber& fiber, const Access& access, Fault fault, Relation relation) {
  report(fiber, access, fault, [=] {
    const MemoryMap::Relation found = relation();
    return access_text(access, fault) + ", " + found.what + "\n" + found.notes;
  });
  leave(fiber);
}

bool MemoryChecks::is_constant(std::uintptr_t address) {
  if (!constants_.holds(address)) constants_ = constant_data(part_->kernel(), address);
  return constants_.holds(address);
}

bool MemoryChecks::look_up(Fiber& fiber, const Access& access) {
  if (access.size == 0) return false;
  const auto stack = reinterpret_cast<std::uintptr_t>(fiber.stack_low);
  const bool is_local = access.begin - stack < fiber.stack_size;
  const KnownMemory* const known = is_local ? nullptr : map_.find(access.begin);
  if (known != nullptr) recent_[slot(access.where)] = known;
  if (!checks_bounds_) return known != nullptr;
  const bool is_there =
      is_local || (known != nullptr && known->holds(access.begin, access.size)) ||
      (known == nullptr && (is_argument(access) || fiber.worker->has_stack_at(access.begin) ||
                            is_constant(access.begin)));
  if (is_there && is_aligned(access)) {
    if (known != nullptr) remember(*known, access.slot);
    return known != nullptr;
  }
  if (!is_there && is_near_shared(access.begin)) refuse_shared(fiber, access);
  refuse(fiber, access, is_there ? Fault::misaligned_address : Fault::illegal_address,
         [map = &map_, access] { return map->relation(access.begin, access.size); });
  return false;
}

void MemoryChecks::check_written(Fiber& fiber, const Access& access) {
  const FreshMemory*& fresh = fresh_[slot(access.where)];
  if (fresh == nullptr || !fresh->holds(access.begin, access.size)) {
    const FreshMemory* const found = written_->find(access.begin);
    if (found == nullptr || !found->holds(access.begin, access.size)) return;
    fresh = found;
  }
  const bool is_update = (access.kind & abi::access_updates) != 0;
  if ((access.kind & abi::access_stores) != 0) return fresh->mark(access.begin, access.size);
  if ((access.kind & abi::access_copies) == 0 && !fresh->is_written(access.begin, access.size)) {
    report(fiber, access, Fault::none, [map = &map_, access] {
      const MemoryMap::Relation found = map->relation(access.begin, access.size);
      return access_text(access, Fault::none) + ", which nobody has written, " + found.what + "\n" +
             found.notes;
    });
  }
  if ((access.kind & abi::access_copies) == 0 || is_update)
    fresh->mark(access.begin, access.size);  // one report for each byte is enough
}

void MemoryChecks::check_race(Fiber& fiber, const Access& access) {
  if ((access.kind & abi::access_synchronises) != 0) {
    if ((access.kind & abi::access_releases) != 0) races_->release(order_, fiber.thread.thread);
    return;
  }
  if ((access.kind & abi::access_stores) != 0) {
    const HostCode host;
    const auto* const bytes = reinterpret_cast<const char*>(access.begin);
    store_.fiber = &fiber;
    store_.access = access;
    store_.before.assign(bytes, bytes + access.size);
    return;
  }
  const HostCode host;
  const auto race =
      races_->load(order_, fiber.thread.thread, access.begin, access.size, access.where);
  if (race) tell_race(fiber, access, *race);
}

void MemoryChecks::settle_store() {
  const Fiber& fiber = *store_.fiber;
  store_.fiber = nullptr;
  const Access& access = store_.access;
  const bool is_news = std::memcmp(reinterpret_cast<const void*>(access.begin),
                                   store_.before.data(), access.size) != 0;
  const auto race =
      races_->store(order_, fiber.thread.thread, access.begin, access.size, is_news, access.where);
  if (race) tell_race(fiber, access, *race);
}

void MemoryChecks::settle_synchronisation() {
  order_.synchronise(*synchronising_, races_->tick());
  synchronising_.reset();
}

void MemoryChecks::tell_race(const Fiber& fiber, const Access& access, const GlobalRace& race) {
  using Kind = GlobalRace::Kind;
  const abi::Dim grid = part_->launch().grid, size = part_->launch().block;
  const bool is_same_block = race.other.block == order_.block();
  std::string other = "thread " + index_text(thread_index(size, race.other.thread));
  if (!is_same_block) {
    const std::uint64_t b = race.other.block;
    const abi::Dim index{static_cast<std::uint32_t>(b % grid.x),
                         static_cast<std::uint32_t>(b / grid.x % grid.y),
                         static_cast<std::uint32_t>(b / grid.x / grid.y)};
    other += " of block " + index_text(index);
  }
  const std::string place = place_text(race.before);
  const std::string missing = is_same_block      ? "barrier"
                              : race.lacks_fence ? "__threadfence"
                                                 : "order";
  const std::string what = race.kind == Kind::read_after_write ? "reads what " + other + " writes"
                           : race.kind == Kind::write_after_read
                               ? "overwrites what " + other + " reads"
                               : "writes another value than " + other + " writes";
  const std::string text = "race in global memory: " + what +
                           (place.empty() ? " elsewhere" : " at " + place) + ", with no " +
                           missing + " in between: at " + hexadecimal(race.address) + ", ";
  report(fiber, access, Fault::none, [map = &map_, text, access] {
    const MemoryMap::Relation found = map->relation(access.begin, access.size);
    return text + found.what + "\n" + found.notes;
  });
}

void MemoryChecks::release_block(const std::vector<Fiber*>& fibers, bool is_grid) {
  if (races_ == nullptr) return;
  const std::uint64_t now = races_->tick();
  std::vector<std::uint32_t> threads;
  for (const Fiber* fiber : fibers) {
    if (fiber->state != FiberState::at_block_barrier) continue;
    if (is_grid) order_.pass_all(fiber->thread.thread, now);
    threads.push_back(fiber->thread.thread);
  }
  order_.pass_together(threads, now, /*is_warp=*/false);
}

void MemoryChecks::release_lanes(std::uint32_t first_thread, std::uint32_t lanes) {
  if (races_ == nullptr) return;
  std::vector<std::uint32_t> threads;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    threads.push_back(first_thread + static_cast<std::uint32_t>(std::countr_zero(rest)));
  order_.pass_together(threads, races_->tick(), /*is_warp=*/true);
}

void MemoryChecks::refuse_shared(Fiber& fiber, const Access& access) {
  const bool is_inside = is_in_shared(access);
  refuse(fiber, access, is_inside ? Fault::misaligned_address : Fault::illegal_address,
         [access, base = shared_, bytes = shared_bytes_]() -> MemoryMap::Relation {
           return {relation_text(base, bytes, access) + "the block's " + std::to_string(bytes) +
                       " bytes of shared memory",
                   {}};
         });
}

void MemoryChecks::variable_access(Fiber& fiber, const Access& access, std::uintptr_t base,
                                   std::uint64_t bytes) {
  if (access.size == 0 || !checks_bounds_) return;
  if (!is_aligned(access)) {
    return refuse(fiber, access, Fault::misaligned_address, [map = &map_, base, bytes, access] {
      return bytes == 0 ? map->relation(access.begin, access.size)
                        : MemoryMap::Relation{relation_text(base, bytes, access) +
                                                  "a variable of " + bytes_text(bytes),
                                              {}};
    });
  }
  if (bytes == 0) {
    const KnownMemory* const known = map_.find(base);
    if (known == nullptr || known->holds(access.begin, access.size)) return;
    return refuse(fiber, access, Fault::illegal_address, [map = &map_, known, access] {
      return map->relation(*known, access.begin, access.size);
    });
  }
  if (access.size <= bytes && access.begin - base <= bytes - access.size) return;
  refuse_variable(fiber, access, base, bytes);
}

void MemoryChecks::refuse_variable(Fiber& fiber, const Access& access, std::uintptr_t base,
                                   std::uint64_t bytes) {
  const auto stack = reinterpret_cast<std::uintptr_t>(fiber.stack_low);
  const bool is_local = base - stack < fiber.stack_size;
  const bool is_shared = base - shared_ < shared_bytes_;
  const char* const what = is_local    ? "a local variable of "
                           : is_shared ? "a shared variable of "
                                       : "a constant of ";
  refuse(fiber, access, Fault::illegal_address, [=]() -> MemoryMap::Relation {
    return {relation_text(base, bytes, access) + what + bytes_text(bytes), {}};
  });
}

}  // namespace gridspan::devices::cpu
