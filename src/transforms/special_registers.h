// LLVM's names of what a kernel's built-in variables are read from, by axis.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/IntrinsicsNVPTX.h"

#include <array>

namespace gridspan::transforms {

using AxisRegisters = std::array<llvm::Intrinsic::ID, 3>;

inline constexpr AxisRegisters thread_index_registers{llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x,
                                                      llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y,
                                                      llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z};
inline constexpr AxisRegisters block_size_registers{llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x,
                                                    llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_y,
                                                    llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_z};
inline constexpr AxisRegisters block_index_registers{llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                                     llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                                     llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
inline constexpr AxisRegisters grid_size_registers{llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
                                                   llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                                                   llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_z};

}  // namespace gridspan::transforms
