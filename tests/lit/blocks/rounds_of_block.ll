; A loop in which a grid goes over an array, and warps behind it: the loop is a segment of the block, not of each warp,
; and its result is stored once, where both ways have met. A loop of a warp stays with its warp.
; RUN: %gridspan-lower %s -pass=blocks | FileCheck %s

define void @sums(ptr %in, ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %dim = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %count = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %start = mul i32 %b, %dim
  %first = add i32 %start, %t
  %step = mul i32 %count, %dim
  %any = icmp slt i32 %first, %n
  br i1 %any, label %loop, label %done
loop:
  %i = phi i32 [ %first, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %w = sext i32 %i to i64
  %at = getelementptr float, ptr %in, i64 %w
  %v = load float, ptr %at
  %more = fadd float %sum, %v
  %next = add i32 %i, %step
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done
done:
  %all = phi float [ 0.0, %entry ], [ %more, %loop ]
  %other = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %all, i32 16, i32 31)
  %two = fadd float %all, %other
  %wt = zext nneg i32 %t to i64
  %to = getelementptr float, ptr %out, i64 %wt
  store float %two, ptr %to
  ret void
}
; CHECK-LABEL: define internal void @sums.segment.0(
; CHECK: load float
; CHECK: %all = phi float
; CHECK-COUNT-1: store float {{.*}}, ptr %all.slot.frame
; CHECK-NOT: store float {{.*}}.frame
; CHECK-LABEL: define {{.*}} @sums.block(
; CHECK: call void @sums.segment.0(
; CHECK: call void @sums.warps.

; A row for each warp: neighbours in each round are one line.
define void @rows(ptr %in, ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = and i32 %t, 31
  %any = icmp slt i32 %lane, %n
  br i1 %any, label %loop, label %done
loop:
  %i = phi i32 [ %lane, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %w = sext i32 %i to i64
  %at = getelementptr float, ptr %in, i64 %w
  %v = load float, ptr %at
  %more = fadd float %sum, %v
  %next = add i32 %i, 32
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done
done:
  %all = phi float [ 0.0, %entry ], [ %more, %loop ]
  %other = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %all, i32 16, i32 31)
  %two = fadd float %all, %other
  %wt = zext nneg i32 %t to i64
  %to = getelementptr float, ptr %out, i64 %wt
  store float %two, ptr %to
  ret void
}
; CHECK-LABEL: define {{.*}} @rows.block(
; CHECK-NOT: call void @rows.segment.
; CHECK: call void @rows.warps.

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32)

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @sums, !"kernel", i32 1}
!1 = !{ptr @rows, !"kernel", i32 1}
