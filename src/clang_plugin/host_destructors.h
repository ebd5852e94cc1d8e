// Destructors of the host in device code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     template <class T> struct Optional { union { char none; T value; }; bool is_set;
//       __host__ __device__ ~Optional() { if (is_set) value.~T(); }        T's is for the host only
//     };
//
// Clang refuses a call of another side's function, but not of its destructor, and makes device code
// of it and of all that it calls. nvcc ends the launch there, except where a destructor that nobody
// wrote makes the call: that leaves it out (borrowed_functions.h). Both kinds are marked for the
// device compiler (abi/other_side.h), and the host's destructors emptied, in the device pass.
#pragma once

#include "clang/AST/DeclCXX.h"

#include <vector>

namespace gridspan::clang_plugin {

class HostDestructors {
 public:
  /// A class is complete; before clang sees a use of it.
  void defined(clang::CXXRecordDecl& record);
  /// At the source's end, before code is made of what classes have.
  void end(clang::ASTContext& context) const;

 private:
  std::vector<clang::CXXRecordDecl*> records_;
};

}  // namespace gridspan::clang_plugin
