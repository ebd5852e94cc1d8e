; Numbers drawn for what threads append: a list, emptied when it is full and in the end.
; RUN: %gridspan-lower %s -pass=distinct -pass=regions -pass=tidy -pass=appends | FileCheck %s

; CHECK: ; select: two forms
; CHECK: ; looks: one form
; CHECK: ; reads: one form
; CHECK: ; fenced: one form
; CHECK: ; by_two: one form
; CHECK: ; bounded: one form

; CHECK-LABEL: define internal void @select.distinct.region.0
; CHECK: %[[VALUES:.*]] = alloca [256 x i32]
; CHECK: %[[PLACES:.*]] = alloca [256 x i64]
; CHECK-NOT: atomicrmw add ptr %count, i32 1
; What is left in the end:
; CHECK: %[[FIRST:.*]] = atomicrmw add ptr %count, i32 %{{.*}} monotonic
; CHECK: add i32 %[[FIRST]]
; CHECK: store i32
; CHECK: store i64
; CHECK: ret void
; CHECK: getelementptr inbounds [256 x i32], ptr %[[VALUES]], i64 0, i64 %[[N:.*]]
; CHECK: getelementptr inbounds [256 x i64], ptr %[[PLACES]], i64 0, i64 %[[N]]
; CHECK: %[[MORE:.*]] = add nuw nsw i64 %[[N]], 1
; CHECK: icmp eq i64 %[[MORE]], 256
; CHECK: atomicrmw add ptr %count, i32 %{{.*}} monotonic
; CHECK-NOT: atomicrmw
; CHECK-LABEL: define
define void @select(ptr %x, ptr %values, ptr %places, ptr %count, i32 %limit) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %x, i64 %w
  %v = load i32, ptr %p
  %wanted = icmp sgt i32 %v, %limit
  br i1 %wanted, label %then, label %end
then:
  %at = atomicrmw add ptr %count, i32 1 monotonic
  %i = sext i32 %at to i64
  %pv = getelementptr i32, ptr %values, i64 %i
  store i32 %v, ptr %pv
  %pp = getelementptr i64, ptr %places, i64 %i
  store i64 %w, ptr %pp
  br label %end
end:
  ret void
}

; The counter is looked at.
define void @looks(ptr %x, ptr %values, ptr %count) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %so_far = load i32, ptr %count
  %at = atomicrmw add ptr %count, i32 1 monotonic
  %i = sext i32 %at to i64
  %pv = getelementptr i32, ptr %values, i64 %i
  store i32 %so_far, ptr %pv
  ret void
}

; The array is.
define void @reads(ptr %x, ptr %values, ptr %count) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %values, i64 %w
  %v = load i32, ptr %p
  %at = atomicrmw add ptr %count, i32 1 monotonic
  %i = sext i32 %at to i64
  %pv = getelementptr i32, ptr %values, i64 %i
  store i32 %v, ptr %pv
  ret void
}

; Others are told.
define void @fenced(ptr %x, ptr %values, ptr %count) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = atomicrmw add ptr %count, i32 1 monotonic
  %i = sext i32 %at to i64
  %pv = getelementptr i32, ptr %values, i64 %i
  store i32 %t, ptr %pv
  fence seq_cst
  store i32 1, ptr %x
  ret void
}

; Two places each.
define void @by_two(ptr %values, ptr %count) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = atomicrmw add ptr %count, i32 2 monotonic
  %i = sext i32 %at to i64
  %pv = getelementptr i32, ptr %values, i64 %i
  store i32 %t, ptr %pv
  ret void
}

; The number decides.
define void @bounded(ptr %values, ptr %count) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = atomicrmw add ptr %count, i32 1 monotonic
  %in = icmp slt i32 %at, 100
  br i1 %in, label %then, label %end
then:
  %i = sext i32 %at to i64
  %pv = getelementptr i32, ptr %values, i64 %i
  store i32 %t, ptr %pv
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5}
!0 = !{ptr @select, !"kernel", i32 1}
!1 = !{ptr @looks, !"kernel", i32 1}
!2 = !{ptr @reads, !"kernel", i32 1}
!3 = !{ptr @fenced, !"kernel", i32 1}
!4 = !{ptr @by_two, !"kernel", i32 1}
!5 = !{ptr @bounded, !"kernel", i32 1}
