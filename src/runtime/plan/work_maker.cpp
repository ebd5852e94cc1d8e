// The devices' part of works, and the count.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/work_maker.h"

#include "runtime/memory/reach.h"

#include <utility>

namespace gridspan::runtime {
namespace {

std::uint64_t bytes_of(const std::vector<devices::BoxMove>& moves) {
  std::uint64_t bytes = 0;
  for (const devices::BoxMove& move : moves)
    bytes += move.extent.width * move.extent.height * move.extent.depth;
  return bytes;
}

/// Which of the counts of ways a program's copy is.
CopyCount& way_of(Traffic& traffic, Cause cause) {
  if (cause == Cause::upload) return traffic.from_host;
  return cause == Cause::download ? traffic.to_host : traffic.within;
}

}  // namespace

void WorkMaker::count(Cause cause, CopyCount& way, std::uint64_t bytes) {
  way.add(bytes);
  traffic_.of(cause).add(bytes);
}

std::unique_ptr<PartWork> WorkMaker::part(unsigned number, const KernelCommand& command) const {
  return std::make_unique<PartWork>(device(number), fault_, command);
}

std::unique_ptr<Work> WorkMaker::copy(const CopyStep& step, char* to, char* from) {
  count(step.cause, traffic_.between, step.bytes);
  devices::Device& maker = mover(device(step.to), device(step.from));
  return std::make_unique<CopyWork>(maker, &maker != &device(step.to), fault_, to, from,
                                    step.boxes);
}

std::unique_ptr<Work> WorkMaker::moves(unsigned to, unsigned from,
                                       std::vector<devices::BoxMove> moves, Cause cause) {
  count(cause, to == from ? traffic_.within : traffic_.between, bytes_of(moves));
  devices::Device& maker = mover(device(to), device(from));
  return std::make_unique<MovesWork>(maker, &maker != &device(to), fault_, std::move(moves));
}

std::unique_ptr<StretchWork> WorkMaker::stretches(unsigned number, Stretches stretches,
                                                  Cause cause) {
  count(cause, way_of(traffic_, cause), stretches.bytes());
  return std::make_unique<StretchWork>(device(number), fault_, std::move(stretches));
}

std::unique_ptr<StretchWork> WorkMaker::between_hosts(Stretches stretches) {
  traffic_.of(Cause::copy).add(stretches.bytes());
  return std::make_unique<StretchWork>(device(0), fault_, std::move(stretches));
}

std::unique_ptr<FillWork> WorkMaker::fill(unsigned number, char* memory,
                                          unsigned char value) const {
  return std::make_unique<FillWork>(device(number), fault_, memory, value);
}

std::unique_ptr<PrefetchWork> WorkMaker::prefetch(unsigned number, bool to_host) const {
  return std::make_unique<PrefetchWork>(device(number), to_host);
}

std::unique_ptr<Work> WorkMaker::twin(unsigned number, char* memory,
                                      std::shared_ptr<Twin> twin) const {
  return std::make_unique<TwinWork>(device(number), fault_, memory, std::move(twin));
}

std::unique_ptr<Work> WorkMaker::identity(unsigned number, char* memory,
                                          const PrivateCopy& copy) const {
  return std::make_unique<IdentityWork>(device(number), fault_, memory, copy);
}

std::unique_ptr<Work> WorkMaker::merge(const Replica& to, const Replica& from,
                                       std::shared_ptr<Twin> twin, std::uint32_t unit,
                                       std::uint64_t bytes) {
  count(Cause::merge, traffic_.merged, bytes);
  return std::make_unique<MergeWork>(fault_, to, from, std::move(twin), unit);
}

std::unique_ptr<Work> WorkMaker::combine(const Replica& to, const Replica& from,
                                         const PrivateCopy& copy) {
  count(Cause::combination, traffic_.combined, static_cast<std::uint64_t>(copy.bytes));
  return std::make_unique<CombineWork>(fault_, to, from, copy);
}

std::unique_ptr<Work> WorkMaker::mark(devices::Device& device, std::shared_ptr<EventMarks> marks,
                                      std::size_t place) {
  return std::make_unique<MarkWork>(device, std::move(marks), place);
}

}  // namespace gridspan::runtime
