; Threads numbered through: one loop whose lanes are neighbours in the block, and places found without a division for each. A
; warp is 32 of them, in whichever rows.
; RUN: %gridspan-lower %s -pass=linear-threads -linear-block=16,16,1 -pass=blocks | FileCheck %s
; RUN: %gridspan-lower %s -pass=linear-threads -linear-block=6,16,1 -pass=blocks | FileCheck %s --check-prefix=ODD
; RUN: %gridspan-lower %s -pass=linear-threads -pass=blocks | FileCheck %s --check-prefix=ANY
; RUN: %gridspan-lower %s -pass=linear-threads -linear-block=16,16,1 -pass=blocks -pass=vectorise -pass=optimise -vector-bits=256 \
; RUN:   | FileCheck %s --check-prefix=VECTORS

; CHECK: ; sums: {{[0-9]+}} regions
; CHECK-LABEL: define internal void @columns.segment.0(
; CHECK: %i = phi i32
; CHECK: %linear = add nuw nsw i32 0, %i
; CHECK: lshr i32 %linear, 4
; CHECK: and i32 %linear, 15
; CHECK-NOT: udiv
; CHECK-LABEL: define internal void @sums.warps.
; CHECK: %first = phi i32
; CHECK-NOT: phi i32
; CHECK: shufflevector <32 x float>

; A row's threads are told apart by a product.
; ODD-LABEL: define internal void @columns.segment.0(
; ODD: mul nuw nsw i32 %linear, 174763
; ODD: lshr i32 %{{.*}}, 20
; ODD: mul nuw nsw i32 %{{.*}}, 6
; ODD: sub nuw nsw i32 %linear
; ODD-LABEL: define internal void @sums.warps.

; One division for all threads.
; ANY-LABEL: define internal void @columns.segment.0(
; ANY: thread:
; ANY-NOT: udiv
; ANY: mul nuw nsw i32 %linear
; ANY-NOT: udiv
; ANY-LABEL: define internal void @columns.block(
; ANY: udiv i32 %{{.*}}, %blockDim.x

; 8 lanes are neighbours in a row of 16.
; VECTORS-LABEL: define {{.*}}void @sums.block(
; VECTORS-COUNT-4: load <8 x float>
; VECTORS-NOT: load <
; VECTORS-NOT: gather
; VECTORS: ret void

define void @columns(ptr %in, ptr %out) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = shl i32 %y, 10
  %sum = add i32 %row, %x
  %at = zext i32 %sum to i64
  %p = getelementptr float, ptr %in, i64 %at
  %v = load float, ptr %p
  %q = getelementptr float, ptr %out, i64 %at
  store float %v, ptr %q
  call void @llvm.nvvm.barrier0()
  %r = getelementptr float, ptr %q, i64 1
  store float 0.0, ptr %r
  ret void
}

define void @plain(ptr %in, ptr %out) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = mul nuw nsw i32 %y, 1000
  %sum = add nuw nsw i32 %row, %x
  %at = zext i32 %sum to i64
  %p = getelementptr float, ptr %in, i64 %at
  %v = load float, ptr %p
  %w = fmul float %v, %v
  %q = getelementptr float, ptr %out, i64 %at
  store float %w, ptr %q
  ret void
}

define void @sums(ptr %in, ptr %out) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = shl i32 %y, 10
  %sum = add i32 %row, %x
  %at = zext i32 %sum to i64
  %p = getelementptr float, ptr %in, i64 %at
  %v = load float, ptr %p
  %o = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v, i32 16, i32 31)
  %w = fadd float %v, %o
  %q = getelementptr float, ptr %out, i64 %at
  store float %w, ptr %q
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare void @llvm.nvvm.barrier0()
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @columns, !"kernel", i32 1}
!1 = !{ptr @plain, !"kernel", i32 1}
!2 = !{ptr @sums, !"kernel", i32 1}
