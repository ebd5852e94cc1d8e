; Threads that return before a barrier leave their block: what follows is for those that are still there, and a block with
; nobody there is done. Where the condition is arithmetic, it bounds the loops; else it is noted, as in rounds of a loop
; that only returns end.
; RUN: %gridspan-lower %s -pass=blocks -pass=tidy -pass=guard | FileCheck %s
; The skeleton counts notes as bytes, also where bytes would rather have four.
; RUN: %gridspan-lower %s -target=aarch64-linux-gnu -pass=retarget -pass=blocks | FileCheck %s --check-prefix=ARM

; ARM: ; guarded: 1 regions, 1 frame bytes

; CHECK: ; guarded: 1 regions, 1 frame bytes, successors exit
define void @guarded(ptr %in, ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %shared = call ptr @gridspan.shared(i64 0, i64 1024)
  %far = icmp sge i32 %t, %n
  br i1 %far, label %end, label %stay
stay:
  %wt = zext nneg i32 %t to i64
  %own = getelementptr i32, ptr %shared, i64 %wt
  %from = getelementptr i32, ptr %in, i64 %wt
  %v = load i32, ptr %from
  store i32 %v, ptr %own
  call void @llvm.nvvm.barrier0()
  %first = load i32, ptr %shared
  %to = getelementptr i32, ptr %out, i64 %wt
  store i32 %first, ptr %to
  br label %end
end:
  ret void
}

; Votes of those that are there; in each round some may leave.
; CHECK: ; rounds: 1 regions, {{[0-9]+}} frame bytes, successors exit
define void @rounds(ptr %limits, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wt = zext nneg i32 %t to i64
  %from = getelementptr i32, ptr %limits, i64 %wt
  %to = getelementptr i32, ptr %out, i64 %wt
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %limit = load i32, ptr %from
  %votes = call i32 @llvm.nvvm.barrier0.popc(i32 %limit)
  %next = add i32 %i, %votes
  %done = icmp sge i32 %next, %limit
  br i1 %done, label %leave, label %round
leave:
  store i32 %next, ptr %to
  ret void
}

; CHECK-LABEL: define internal void @guarded.segment.{{[0-9]+}}(
; CHECK: store i8
; CHECK-LABEL: define internal void @guarded.segment.{{[0-9]+}}(
; CHECK: %in_guard =
; CHECK: %v = load i32
; CHECK-LABEL: define internal void @guarded.segment.{{[0-9]+}}(
; CHECK: %in_guard =
; CHECK-NOT: load i8
; CHECK: store i32 %first

; CHECK-LABEL: define internal void @guarded.block(
; CHECK: call void @guarded.segment
; CHECK: %[[FIRST:.*]] = call i32 @gridspan_first_there(ptr %{{.*}}, i32 %2)
; CHECK: %[[NOBODY:.*]] = icmp eq i32 %[[FIRST]], %2
; CHECK: br i1 %[[NOBODY]]
; CHECK: call void @guarded.segment
; CHECK: %first = load i32
; CHECK: call void @guarded.segment

; CHECK-LABEL: define internal i32 @gridspan_first_there(ptr %0, i32 %1)

; Those that are there vote, and what they have counted says whether they leave.
; CHECK: define internal void @rounds.segment.{{[0-9]+}}(
; CHECK: load i8
; CHECK: br i1
; CHECK: store i8
; CHECK-LABEL: define internal void @rounds.block(
; CHECK: call i32 @gridspan_count_votes(
; CHECK: call i32 @gridspan_first_there(

; CHECK-LABEL: define internal i32 @gridspan_count_votes(ptr %0, ptr %1, i32 %2)
; CHECK: and i8

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare ptr @gridspan.shared(i64, i64) nounwind willreturn memory(none)
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.barrier0.popc(i32)

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @guarded, !"kernel", i32 1}
!1 = !{ptr @rounds, !"kernel", i32 1}
