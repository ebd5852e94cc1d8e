; Atomic updates in vectors: one for all lanes where they meet at one address and nobody asks what
; was there, else one lane after the other. Shared memory is the block's own: no locks.
; RUN: %gridspan-lower %s -pass=shared-atomics -pass=regions -pass=vectorise -pass=plain-atomics \
; RUN:   | FileCheck %s

; CHECK: ; bins.region.0: vectors
; CHECK: ; total.region.0: vectors
; CHECK: ; order.region.0: mostly an atomic operation, which each thread does for itself

; CHECK-LABEL: define internal void @bins.region.0
; CHECK: load <16 x i32>
; CHECK-COUNT-16: store i32
; CHECK: next_vector
define void @bins(ptr %in) {
  %s = call ptr @gridspan.shared(i64 0, i64 1024)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr %in, i32 %t
  %i = load i32, ptr %a
  %at = getelementptr i32, ptr %s, i32 %i
  %old = atomicrmw add ptr %at, i32 1 monotonic
  ret void
}

; CHECK-LABEL: define internal void @total.region.0
; The rest of a row adds nothing for lanes that are not here.
; CHECK: select <16 x i1> %{{.*}}, <16 x i32> %{{.*}}, <16 x i32> zeroinitializer
; CHECK: call i32 @llvm.vector.reduce.add.v16i32
; CHECK: atomicrmw add ptr %sum
; CHECK: %[[ALL:.*]] = load <16 x i32>
; CHECK: %[[SUM:.*]] = call i32 @llvm.vector.reduce.add.v16i32(<16 x i32> %[[ALL]])
; CHECK: atomicrmw add ptr %sum, i32 %[[SUM]] monotonic
define void @total(ptr %in, ptr %sum) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr %in, i32 %t
  %i = load i32, ptr %a
  %old = atomicrmw add ptr %sum, i32 %i monotonic
  ret void
}

; The order of additions counts.
define void @order(ptr %in, ptr %sum) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr float, ptr %in, i32 %t
  %i = load float, ptr %a
  %old = atomicrmw fadd ptr %sum, float %i monotonic
  ret void
}

declare ptr @gridspan.shared(i64, i64)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @bins, !"kernel", i32 1}
!1 = !{ptr @total, !"kernel", i32 1}
!2 = !{ptr @order, !"kernel", i32 1}
