; A sum around barriers has one place in the frame: it is not copied from the round's end to the next
; round's beginning, nor through the segment that fills the tile. Where the old number is wanted after
; the new one is there, it has a place of its own.
; RUN: %gridspan-lower %s -pass=blocks -pass=tidy | FileCheck %s

; CHECK: ; sums: 1 regions, 4 frame bytes
define void @sums(ptr %in, ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %shared = call ptr @gridspan.shared(i64 0, i64 1024)
  %wt = zext nneg i32 %t to i64
  %own = getelementptr float, ptr %shared, i64 %wt
  br label %round
round:
  %k = phi i32 [ 0, %entry ], [ %k.next, %latch ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %latch ]
  %line = mul i32 %k, %size
  %place = add i32 %line, %t
  %wide = zext i32 %place to i64
  %from = getelementptr float, ptr %in, i64 %wide
  %v = load float, ptr %from
  store float %v, ptr %own
  call void @llvm.nvvm.barrier0()
  %other = xor i64 %wt, 1
  %at = getelementptr float, ptr %shared, i64 %other
  %w = load float, ptr %at
  %sum.next = fadd float %sum, %w
  call void @llvm.nvvm.barrier0()
  br label %latch
latch:
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %round, label %done
done:
  %to = getelementptr float, ptr %out, i64 %wt
  store float %sum.next, ptr %to
  ret void
}
; The segment that fills the tile stores to nothing else.
; CHECK-LABEL: define internal void @sums.segment.1(
; CHECK: store float
; CHECK-NOT: store float
; CHECK-LABEL: define internal void @sums.segment.2(
; CHECK: %[[PLACE:sum.*]] = getelementptr
; CHECK: %[[OLD:.*]] = load float, ptr %[[PLACE]]
; CHECK: %[[NEW:.*]] = fadd float %[[OLD]],
; CHECK: store float %[[NEW]], ptr %[[PLACE]]
; CHECK-NOT: store float
; CHECK-LABEL: define internal void @sums.segment.4(
; CHECK-NOT: define internal void @sums.segment
; CHECK-LABEL: define internal void @sums.block(

define void @steps(ptr %in, ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %shared = call ptr @gridspan.shared(i64 0, i64 1024)
  %wt = zext nneg i32 %t to i64
  %own = getelementptr float, ptr %shared, i64 %wt
  %other = xor i64 %wt, 1
  %at = getelementptr float, ptr %shared, i64 %other
  br label %round
round:
  %k = phi i32 [ 0, %entry ], [ %k.next, %latch ]
  %old = phi float [ 0.0, %entry ], [ %new, %latch ]
  store float %old, ptr %own
  call void @llvm.nvvm.barrier0()
  %w = load float, ptr %at
  %new = fadd float %old, %w
  call void @llvm.nvvm.barrier0()
  %both = fmul float %old, %w
  store float %both, ptr %own
  call void @llvm.nvvm.barrier0()
  br label %latch
latch:
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %round, label %done
done:
  %to = getelementptr float, ptr %out, i64 %wt
  store float %new, ptr %to
  ret void
}
; CHECK-LABEL: define internal void @steps.segment.2(
; CHECK: %old.reload.slot.frame
; CHECK: %new.slot.frame

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier0()
declare ptr @gridspan.shared(i64, i64) #0

attributes #0 = { nounwind willreturn speculatable memory(none) }

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @sums, !"kernel", i32 1}
!1 = !{ptr @steps, !"kernel", i32 1}
