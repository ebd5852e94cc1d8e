; Warp operations leave their operands where the scheduler finds them, and pick up the result.
; RUN: %gridspan-lower %s -pass=regions | FileCheck %s

; CHECK: ; reduce: 3 regions, {{[0-9]+}} frame bytes, successors 1 2 exit
define void @reduce(ptr %data) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr float, ptr %data, i32 %t
  %v = load float, ptr %at
  ; The second operation's mask is the first one's result.
  %lanes = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  %other = call float @llvm.nvvm.shfl.sync.down.f32(i32 %lanes, float %v, i32 16, i32 31)
  %sum = fadd float %v, %other
  store float %sum, ptr %at
  ret void
}
; CHECK-LABEL: define internal void @reduce.region.0
; sync_mask, then the predicate in sync_value
; CHECK: store i32 -1, ptr
; CHECK: store i64 1, ptr
; CHECK-LABEL: define internal void @reduce.region.1
; CHECK: %[[BITS:.*]] = load i64, ptr
; CHECK: %[[LANES:.*]] = trunc i64 %[[BITS]] to i32
; CHECK: store i32 %[[LANES]], ptr
; CHECK: store i32 16, ptr
; CHECK: store i32 31, ptr
; CHECK-LABEL: define internal void @reduce.region.2
; CHECK: bitcast i32 %{{.*}} to float

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32)

!nvvm.annotations = !{!0}
!0 = !{ptr @reduce, !"kernel", i32 1}
