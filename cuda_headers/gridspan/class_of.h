// What gridcc writes where clang takes a constant of a class, named through a reference, for none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     float area[bins.number];    →  float area[gridspan_class_of<decltype(bins)>::type::number];
#pragma once

template <class Object>
struct gridspan_class_of {
  typedef Object type;
};
template <class Object>
struct gridspan_class_of<Object&> {
  typedef Object type;
};
