// A value that copies share until one of them changes it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <utility>

namespace gridspan::runtime::regions {

/// Copy on write. Null or a T; copies cost a count. The count is plain: values that share something
/// belong to one thread at a time (one lock). T may be incomplete where Shared<T> is a member.
template <class T>
class Shared {
 public:
  Shared() = default;
  explicit Shared(T value) : cell_(new Cell{std::move(value)}) {}
  Shared(const Shared& other) : cell_(other.cell_) {
    if (cell_) ++cell_->owners;
  }
  Shared(Shared&& other) noexcept : cell_(std::exchange(other.cell_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(cell_, other.cell_);
    return *this;
  }
  ~Shared() {
    if (cell_ && --cell_->owners == 0) delete cell_;
  }

  explicit operator bool() const { return cell_ != nullptr; }
  const T& operator*() const { return cell_->value; }
  const T* operator->() const { return &cell_->value; }
  bool is_same(const Shared& other) const { return cell_ == other.cell_; }

  /// To change it; of the copies, this one alone sees the change.
  T& own() {
    if (cell_->owners > 1) *this = Shared(cell_->value);
    return cell_->value;
  }

 private:
  struct Cell {
    T value;
    std::size_t owners = 1;
  };
  Cell* cell_ = nullptr;
};

}  // namespace gridspan::runtime::regions
