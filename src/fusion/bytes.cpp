// Counting bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fusion/bytes.h"

#include "model/size_formula.h"

#include <algorithm>

namespace gridspan::fusion {
namespace {

/// Arrays of fewer bytes than this part of the others may do without a formula: a sum for each
/// block.
constexpr double little = 0.1;

/// Blocks share what they read where at least this part of it is the same: the rest is a halo.
constexpr double shared_part = 0.5;
/// Less than this part of a box does not count: formulas have leading terms only.
constexpr double border = 0.01;

struct Used {
  Extent reads, writes;
  std::vector<SampledBox> surely_written;
};

model::Box at(const SampledBox& box, std::size_t sample) {
  model::Box here;
  for (const auto& range : box) here.push_back({range.first.in[sample], range.end.in[sample]});
  return here;
}

bool is_covered(const SampledBox& box, const std::vector<SampledBox>& others, std::size_t samples) {
  for (std::size_t sample = 0; sample < samples; ++sample) {
    std::vector<model::Box> here;
    for (const SampledBox& other : others) here.push_back(at(other, sample));
    if (!model::is_covered(at(box, sample), here)) return false;
  }
  return true;
}

double volume(const model::Box& box) {
  double elements = 1;
  for (const model::Range& range : box) elements *= static_cast<double>(range.end - range.first);
  return elements;
}

double elements(const std::vector<SampledBox>& boxes, std::size_t sample) {
  std::vector<model::Box> here;
  for (const SampledBox& box : boxes) here.push_back(at(box, sample));
  double sum = 0;
  for (const model::Box& box : model::apart(here)) sum += volume(box);
  return sum;
}

/// But for a border: launches of experiments are large.
bool is_nearly_covered(const SampledBox& box, const std::vector<SampledBox>& others,
                       std::size_t samples) {
  std::vector<SampledBox> both = others;
  both.push_back(box);
  for (std::size_t sample = 0; sample < samples; ++sample)
    if (elements(both, sample) - elements(others, sample) > border * volume(at(box, sample)))
      return false;
  return true;
}

double size_of(const isl::set& set) {
  double size = 0;
  set.coalesce().foreach_basic_set([&](const isl::basic_set& piece) {
    const std::optional<model::Box> box = model::box_around(piece.to_set());
    if (box) size += volume(*box);
  });
  return size;
}

/// Reads that blocks of one index share: each element comes from memory once.
struct Sweep {
  std::vector<SampledBox> boxes;
  std::optional<isl::set> in_the_middle;  // what a block reads
};

bool is_shared(const Sweep& sweep, const std::optional<isl::set>& read) {
  if (!read || !sweep.in_the_middle) return false;
  return size_of(sweep.in_the_middle->intersect(*read)) >= shared_part * size_of(*read);
}

/// One array in the launches of a group.
class Traffic {
 public:
  Traffic(const Joined& joined, const Footprints& footprints, std::size_t array, unsigned first,
          unsigned end);

  /// At the first launch of the experiment.
  bool is_known() const { return is_known_; }
  bool is_exact() const { return is_exact_; }
  /// As the last launch that has it calls it.
  const std::string& name() const { return joined_.names[array_].rbegin()->second; }
  bool is_passed() const { return !stored_.empty() && !is_loaded_ && is_read_last_; }
  double bytes() const;
  /// False: no formula that holds at all launches.
  bool add_to(Bytes& bytes) const;

 private:
  void add(const Used& used, unsigned launch);
  void load(std::vector<SampledBox> boxes, unsigned launch);
  std::optional<Used> used_by(unsigned launch) const;
  std::optional<Formula> formula(const std::vector<SampledBox>& boxes) const;

  const Joined& joined_;
  const Footprints& footprints_;
  std::size_t array_;
  bool is_known_ = true, is_followed_ = true, is_exact_ = true, is_read_last_ = false;
  bool is_loaded_ = false;                     // if only a border of it
  std::vector<std::vector<SampledBox>> each_;  // what a launch reads, what it writes
  std::vector<Sweep> sweeps_;                  // from memory
  std::vector<SampledBox> stored_, made_;
};

Traffic::Traffic(const Joined& joined, const Footprints& footprints, std::size_t array,
                 unsigned first, unsigned end)
    : joined_(joined), footprints_(footprints), array_(array) {
  for (unsigned launch = first; launch < end; ++launch) {
    const std::optional<Used> used = used_by(launch);
    if (!used) {
      is_known_ = false;
      return;
    }
    add(*used, launch);
  }
}

std::optional<Used> Traffic::used_by(unsigned launch) const {
  Used used;
  const auto& accesses = joined_.kernel.arrays[array_].accesses;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    if (joined_.launch_of[array_][i] != launch) continue;
    std::optional<Extent> extent = footprints_.whole(array_, i);
    if (!extent) return std::nullopt;
    const model::AccessKind kind = accesses[i].kind;
    const auto append = [&](Extent& to) {
      to.is_exact = to.is_exact && extent->is_exact;
      to.is_followed = to.is_followed && extent->is_followed;
      to.boxes.insert(to.boxes.end(), extent->boxes.begin(), extent->boxes.end());
    };
    if (kind != model::AccessKind::write) append(used.reads);
    if (kind == model::AccessKind::read) continue;
    append(used.writes);
    if (kind == model::AccessKind::write && extent->is_exact)
      used.surely_written.insert(used.surely_written.end(), extent->boxes.begin(),
                                 extent->boxes.end());
  }
  return used;
}

void Traffic::add(const Used& used, unsigned launch) {
  is_followed_ = is_followed_ && used.reads.is_followed && used.writes.is_followed;
  const std::size_t samples = is_followed_ ? footprints_.experiment().launches.size() : 1;
  is_exact_ = is_exact_ && used.reads.is_exact && used.writes.is_exact;
  if (!used.reads.boxes.empty() || !used.writes.boxes.empty())
    is_read_last_ = used.writes.boxes.empty();
  each_.push_back(used.reads.boxes);
  each_.push_back(used.writes.boxes);
  std::vector<SampledBox> loaded = used.reads.boxes;
  std::erase_if(loaded, [&](const SampledBox& box) { return is_covered(box, made_, samples); });
  is_loaded_ = is_loaded_ || !loaded.empty();
  std::erase_if(loaded,
                [&](const SampledBox& box) { return is_nearly_covered(box, made_, samples); });
  if (!loaded.empty()) load(std::move(loaded), launch);
  stored_.insert(stored_.end(), used.writes.boxes.begin(), used.writes.boxes.end());
  made_.insert(made_.end(), used.surely_written.begin(), used.surely_written.end());
}

void Traffic::load(std::vector<SampledBox> boxes, unsigned launch) {
  const std::optional<isl::set> read = footprints_.read_in_the_middle(array_, launch);
  const auto found =
      std::ranges::find_if(sweeps_, [&](const Sweep& sweep) { return is_shared(sweep, read); });
  if (found == sweeps_.end()) {
    sweeps_.push_back({std::move(boxes), read});
    return;
  }
  std::ranges::move(boxes, std::back_inserter(found->boxes));
  found->in_the_middle = found->in_the_middle->unite(*read);
}

double Traffic::bytes() const {
  double sum = 0;
  for (const auto& boxes : each_) sum += elements(boxes, 0);
  return sum * joined_.kernel.arrays[array_].element_bytes;
}

std::optional<Formula> Traffic::formula(const std::vector<SampledBox>& boxes) const {
  Formula formula;
  if (boxes.empty()) return formula;
  const model::Experiment& experiment = footprints_.experiment();
  if (experiment.launches.size() <= experiment.first_check()) return std::nullopt;
  const auto size = model::SizeFormula::of(model::apart(boxes), experiment);
  if (!size) return std::nullopt;
  for (std::size_t i = 0; i < experiment.launches.size(); ++i)
    if (!size->foresees(elements(boxes, i), experiment.launches[i])) return std::nullopt;
  formula.add(*size, joined_.kernel.arrays[array_].element_bytes, joined_.kernel);
  // Sizes of other launches may have grown with its own in all samples.
  if (!formula.is_of(footprints_.sources(array_))) return std::nullopt;
  return formula;
}

bool Traffic::add_to(Bytes& bytes) const {
  if (!is_followed_) return false;
  Formula apart;
  for (const auto& boxes : each_) {
    const std::optional<Formula> one = formula(boxes);
    if (!one) return false;
    apart += *one;
  }
  Formula loaded;
  for (const Sweep& sweep : sweeps_) {
    const std::optional<Formula> one = formula(sweep.boxes);
    if (!one) return false;
    loaded += *one;
  }
  const std::optional<Formula> stored = formula(stored_);
  if (!stored) return false;
  bytes.apart += apart;
  bytes.together += loaded;
  bytes.together += *stored;
  bytes.least += loaded;
  if (is_passed()) {
    bytes.passed.push_back(name());
  } else {
    bytes.least += *stored;
  }
  bytes.is_exact = bytes.is_exact && is_exact_;
  return true;
}

}  // namespace

Bytes bytes_of(const Joined& joined, const Footprints& footprints, unsigned first, unsigned end) {
  Bytes bytes;
  std::vector<std::pair<std::string, double>> without;  // arrays, and bytes of a launch
  double all = 0;
  const auto note = [&](const std::string& name) {
    if (std::ranges::count(bytes.unknown, name) == 0) bytes.unknown.push_back(name);
  };
  for (std::size_t array = 0; array < joined.kernel.arrays.size(); ++array) {
    const Traffic traffic(joined, footprints, array, first, end);
    const std::string& name = joined.kernel.arrays[array].name;
    if (!traffic.is_known()) {
      note(name);
      continue;
    }
    all += traffic.bytes();
    if (!traffic.add_to(bytes)) without.emplace_back(name, traffic.bytes());
  }
  for (const auto& [name, size] : without)
    if (size > little * all) note(name);
  return bytes;
}

}  // namespace gridspan::fusion
