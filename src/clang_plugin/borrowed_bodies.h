// What the host runs of the device's constructors and destructors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     struct Part { int a = 1, b; __device__ Part() : b(2) { b = lane(); } };
//     struct Whole { Part part; };        a host-made Whole has part.a == 1, part.b == 2
//
// nvcc's host compiler sees such members without the statements of their bodies; initialisers and
// the destructors of parts stay.
#pragma once

#include "clang/AST/DeclGroup.h"
#include "clang/Sema/Sema.h"

namespace gridspan::clang_plugin {

/// Is it a borrowed constructor or destructor? Its body must be read, for the initialisers.
bool keeps_initialisers(const clang::Decl& declaration);

/// Of what was read last, before code is made of it; in the host pass.
void leave_bodies_out(clang::Sema& sema, clang::DeclGroupRef read);

}  // namespace gridspan::clang_plugin
