// %tid.x, %laneid, %clock64 and the others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/inline_ptx/lowering.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

namespace gridspan::transforms::ptx {

using namespace llvm;

static const StringMap<Intrinsic::ID>& registers() {
  static const StringMap<Intrinsic::ID> table = {
      {"%tid.x", Intrinsic::nvvm_read_ptx_sreg_tid_x},
      {"%tid.y", Intrinsic::nvvm_read_ptx_sreg_tid_y},
      {"%tid.z", Intrinsic::nvvm_read_ptx_sreg_tid_z},
      {"%ntid.x", Intrinsic::nvvm_read_ptx_sreg_ntid_x},
      {"%ntid.y", Intrinsic::nvvm_read_ptx_sreg_ntid_y},
      {"%ntid.z", Intrinsic::nvvm_read_ptx_sreg_ntid_z},
      {"%ctaid.x", Intrinsic::nvvm_read_ptx_sreg_ctaid_x},
      {"%ctaid.y", Intrinsic::nvvm_read_ptx_sreg_ctaid_y},
      {"%ctaid.z", Intrinsic::nvvm_read_ptx_sreg_ctaid_z},
      {"%nctaid.x", Intrinsic::nvvm_read_ptx_sreg_nctaid_x},
      {"%nctaid.y", Intrinsic::nvvm_read_ptx_sreg_nctaid_y},
      {"%nctaid.z", Intrinsic::nvvm_read_ptx_sreg_nctaid_z},
      // A cluster is one block.
      {"%clusterid.x", Intrinsic::nvvm_read_ptx_sreg_ctaid_x},
      {"%clusterid.y", Intrinsic::nvvm_read_ptx_sreg_ctaid_y},
      {"%clusterid.z", Intrinsic::nvvm_read_ptx_sreg_ctaid_z},
      {"%nclusterid.x", Intrinsic::nvvm_read_ptx_sreg_nctaid_x},
      {"%nclusterid.y", Intrinsic::nvvm_read_ptx_sreg_nctaid_y},
      {"%nclusterid.z", Intrinsic::nvvm_read_ptx_sreg_nctaid_z},
      {"%laneid", Intrinsic::nvvm_read_ptx_sreg_laneid},
      {"%warpid", Intrinsic::nvvm_read_ptx_sreg_warpid},
      {"%smid", Intrinsic::nvvm_read_ptx_sreg_smid},
      {"%nsmid", Intrinsic::nvvm_read_ptx_sreg_nsmid},
      {"%lanemask_eq", Intrinsic::nvvm_read_ptx_sreg_lanemask_eq},
      {"%lanemask_lt", Intrinsic::nvvm_read_ptx_sreg_lanemask_lt},
      {"%lanemask_le", Intrinsic::nvvm_read_ptx_sreg_lanemask_le},
      {"%lanemask_ge", Intrinsic::nvvm_read_ptx_sreg_lanemask_ge},
      {"%lanemask_gt", Intrinsic::nvvm_read_ptx_sreg_lanemask_gt},
      {"%clock", Intrinsic::nvvm_read_ptx_sreg_clock},
      {"%clock64", Intrinsic::nvvm_read_ptx_sreg_clock64},
      {"%globaltimer", Intrinsic::nvvm_read_ptx_sreg_globaltimer}};
  return table;
}

static Value* constant(Lowering& l, StringRef name) {
  for (const char* one :
       {"%cluster_nctaid.x", "%cluster_nctaid.y", "%cluster_nctaid.z", "%cluster_nctarank"})
    if (name == one) return l.builder.getInt32(1);
  for (const char* zero :
       {"%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_ctaid.z", "%cluster_ctarank"})
    if (name == zero) return l.builder.getInt32(0);
  return name == "WARP_SZ" || name == "%warpsize" ? l.builder.getInt32(32) : nullptr;
}

static Value* warps_of_block(Lowering& l) {
  IRBuilder<>& b = l.builder;
  Value* threads = b.CreateMul(b.CreateMul(l.intrinsic(Intrinsic::nvvm_read_ptx_sreg_ntid_x),
                                           l.intrinsic(Intrinsic::nvvm_read_ptx_sreg_ntid_y)),
                               l.intrinsic(Intrinsic::nvvm_read_ptx_sreg_ntid_z));
  return b.CreateLShr(b.CreateAdd(threads, b.getInt32(31)), 5);
}

/// One half of a 64-bit counter.
static Value* half(Lowering& l, Intrinsic::ID counter, bool high) {
  Value* all = l.intrinsic(counter);
  return l.builder.CreateTrunc(high ? l.builder.CreateLShr(all, 32) : all, l.builder.getInt32Ty());
}

Value* special_register(Lowering& l, StringRef name) {
  if (auto found = registers().find(name); found != registers().end())
    return l.intrinsic(found->second);
  if (name == "%nwarpid") return warps_of_block(l);
  if (name == "%clock_hi") return half(l, Intrinsic::nvvm_read_ptx_sreg_clock64, true);
  if (name == "%globaltimer_lo") return half(l, Intrinsic::nvvm_read_ptx_sreg_globaltimer, false);
  if (name == "%globaltimer_hi") return half(l, Intrinsic::nvvm_read_ptx_sreg_globaltimer, true);
  return constant(l, name);
}

}  // namespace gridspan::transforms::ptx
