// Required units, what they need, and then whatever else fits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/unit_choice.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <optional>

namespace gridspan::codegen {

using namespace llvm;

namespace {

class Chooser {
 public:
  explicit Chooser(ArrayRef<LinkUnit> units) : units_(units), chosen_(units.size(), false) {}

  UnitChoice choose() {
    for (unsigned i = 0; i < units_.size(); ++i)
      if (units_[i].required) take(i);
    take_needed();
    std::vector<unsigned> offered = without_clashes();
    keep_complete(offered);
    for (unsigned unit : offered) take(unit);
    for (unsigned i = 0; i < units_.size(); ++i)
      if (chosen_[i]) choice_.linked.push_back(i);
    return std::move(choice_);
  }

 private:
  /// Names are reported in one order whatever the hash table's.
  static std::vector<StringRef> sorted(const StringSet<>& names) {
    std::vector<StringRef> list;
    for (const auto& name : names) list.push_back(name.getKey());
    std::sort(list.begin(), list.end());
    return list;
  }

  void take(unsigned unit) {
    chosen_[unit] = true;
    for (StringRef name : sorted(units_[unit].strong))
      if (auto [at, first] = strong_.try_emplace(name, unit); !first)
        choice_.errors.push_back(
            {LinkObstacle::Kind::defined_twice, unit, name.str(), at->getValue()});
    for (const auto& name : units_[unit].weak) weak_.insert(name.getKey());
  }

  bool is_defined(StringRef name) const { return strong_.contains(name) || weak_.contains(name); }

  std::optional<unsigned> definer_of(StringRef name) const {
    for (unsigned i = 0; i < units_.size(); ++i)
      if (!chosen_[i] && (units_[i].strong.contains(name) || units_[i].weak.contains(name)))
        return i;
    return std::nullopt;
  }

  /// Members that the chosen units need, which may need others.
  void take_needed() {
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned i = 0; i < units_.size(); ++i) {
        if (!chosen_[i]) continue;
        for (StringRef name : sorted(units_[i].undefined)) {
          if (is_defined(name)) continue;
          if (auto definer = definer_of(name)) {
            take(*definer);
            changed = true;
          }
        }
      }
    }
    for (unsigned i = 0; i < units_.size(); ++i)
      if (chosen_[i])
        for (StringRef name : sorted(units_[i].undefined))
          if (!is_defined(name))
            choice_.errors.push_back({LinkObstacle::Kind::undefined, i, name.str()});
  }

  /// The units not yet chosen that define nothing twice; of two that clash the first counts.
  std::vector<unsigned> without_clashes() {
    std::vector<unsigned> offered;
    StringMap<unsigned> defined;
    for (unsigned i = 0; i < units_.size(); ++i) {
      if (chosen_[i]) continue;
      std::optional<LinkObstacle> clash;
      for (StringRef name : sorted(units_[i].strong)) {
        for (const StringMap<unsigned>* known : {&strong_, &defined})
          if (auto found = known->find(name); found != known->end() && !clash)
            clash = {LinkObstacle::Kind::defined_twice, i, name.str(), found->getValue()};
      }
      if (clash) {
        choice_.left_out.push_back(*clash);
        continue;
      }
      for (const auto& name : units_[i].strong) defined.try_emplace(name.getKey(), i);
      offered.push_back(i);
    }
    return offered;
  }

  /// Drops units that need what neither the chosen ones nor the rest of `offered` defines.
  void keep_complete(std::vector<unsigned>& offered) {
    auto missing_name = [&](unsigned unit) -> std::optional<StringRef> {
      for (StringRef name : sorted(units_[unit].undefined)) {
        bool found =
            is_defined(name) || any_of(offered, [&](unsigned other) {
              return units_[other].strong.contains(name) || units_[other].weak.contains(name);
            });
        if (!found) return name;
      }
      return std::nullopt;
    };
    for (std::size_t i = 0; i < offered.size();) {
      auto name = missing_name(offered[i]);
      if (!name) {
        ++i;
        continue;
      }
      choice_.left_out.push_back({LinkObstacle::Kind::undefined, offered[i], name->str()});
      offered.erase(offered.begin() + static_cast<std::ptrdiff_t>(i));
      i = 0;  // others may have needed this one
    }
  }

  ArrayRef<LinkUnit> units_;
  std::vector<bool> chosen_;
  StringMap<unsigned> strong_;  // name → the chosen unit that defines it
  StringSet<> weak_;
  UnitChoice choice_;
};

}  // namespace

UnitChoice choose_units(ArrayRef<LinkUnit> units) { return Chooser(units).choose(); }

}  // namespace gridspan::codegen
