; A kernel whose threads meet all barriers together becomes one function for a whole block: the loop
; around the barrier stays a loop with one counter for all threads, the barrier leaves nothing.
; RUN: %gridspan-lower %s -pass=blocks -pass=tidy -pass=guard | FileCheck %s

; CHECK: ; sums: 1 regions, 0 frame bytes, successors exit
define void @sums(ptr %in, ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %shared = call ptr @gridspan.shared(i64 0, i64 1024)
  %wt = zext nneg i32 %t to i64
  %own = getelementptr i32, ptr %shared, i64 %wt
  %from = getelementptr i32, ptr %in, i64 %wt
  %v = load i32, ptr %from
  store i32 %v, ptr %own
  call void @llvm.nvvm.barrier0()
  %half = lshr i32 %size, 1
  %any = icmp ne i32 %half, 0
  br i1 %any, label %round, label %done
round:
  %d = phi i32 [ %half, %entry ], [ %next, %meet ]
  %mine = icmp ult i32 %t, %d
  br i1 %mine, label %add, label %meet
add:
  %other = add nuw nsw i32 %t, %d
  %wo = zext nneg i32 %other to i64
  %at = getelementptr i32, ptr %shared, i64 %wo
  %a = load i32, ptr %own
  %b = load i32, ptr %at
  %sum = add i32 %a, %b
  store i32 %sum, ptr %own
  br label %meet
meet:
  call void @llvm.nvvm.barrier0()
  %next = lshr i32 %d, 1
  %more = icmp ugt i32 %d, 1
  br i1 %more, label %round, label %done
done:
  %first = icmp eq i32 %t, 0
  br i1 %first, label %store, label %end
store:
  %total = load i32, ptr %shared
  store i32 %total, ptr %out
  br label %end
end:
  ret void
}

; The segments: loops over threads with the guard as bound.
; CHECK-LABEL: define internal void @sums.segment.{{[0-9]+}}(
; CHECK-NOT: br i1
; CHECK: store i32
; CHECK-LABEL: define internal void @sums.segment.{{[0-9]+}}(ptr %0, i32 %1, i32 %2, i32 %d, ptr %{{.*}})
; CHECK: smin
; CHECK: %in_guard = trunc
; CHECK-NOT: icmp ult i32 %threadIdx.x
; CHECK: store i32
; CHECK-LABEL: define internal void @sums.segment.{{[0-9]+}}(
; CHECK: %in_guard = trunc
; CHECK: store i32

; The skeleton.
; CHECK-LABEL: define internal void @sums.block(ptr %0, i32 %1, i32 %2)
; CHECK: call void @sums.segment.0(ptr %0, i32 0, i32 %2
; CHECK: br i1 %any
; CHECK: round:
; CHECK-NEXT: %d = phi i32
; CHECK: call void @sums.segment.{{[0-9]+}}(ptr %0, i32 0, i32 %2, i32 %d, ptr %{{.*}})
; CHECK: %more = icmp
; CHECK-NOT: nvvm.barrier0

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier0()
declare ptr @gridspan.shared(i64, i64) #0

attributes #0 = { nounwind willreturn speculatable memory(none) }

!nvvm.annotations = !{!0}
!0 = !{ptr @sums, !"kernel", i32 1}
