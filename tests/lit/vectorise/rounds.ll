; A loop in which threads take turns (for (i = t; i < n; i += 64)) and store something: rounds that all lanes do
; together have no masks, and check first that `at` does not wrap and is below the limit; the loop behind them
; does what is left under masks.
; RUN: %gridspan-lower %s -pass=shared-atomics -pass=regions -pass=vectorise \
; RUN:   -pass=plain-atomics | FileCheck %s

; CHECK: ; add.region.0: vectors
; CHECK: ; count.region.0: vectors
; CHECK-LABEL: define {{.*}} @add.region.0(
; The rounds: checked, then one load and one store of all lanes each.
; CHECK: br i1 true, label %{{.*}}, label %[[BROKEN:.*]]
; CHECK: [[BROKEN]]:
; CHECK-NEXT: br label %rest
; CHECK: loop.together.split.lanes{{.*}}:
; CHECK: %[[LIMIT:.*]] = call i32 @llvm.ssub.sat.i32(i32 %limit, i32 15)
; CHECK: %[[HOLDS:.*]] = icmp slt i32 %{{.*}}, %[[LIMIT]]
; CHECK: br i1 %[[HOLDS]], label %{{.*}}, label %[[BROKEN]], !prof
; CHECK-NOT: masked
; CHECK: load <16 x i32>
; CHECK-NOT: masked
; CHECK: store <16 x i32>
; CHECK: latch.together.lanes{{.*}}:
; CHECK-NOT: masked
; CHECK: %[[LAST:.*]] = call i32 @llvm.ssub.sat.i32(i32 %n, i32 15)
; CHECK: %[[ON:.*]] = icmp slt i32 %{{.*}}, %[[LAST]]
; CHECK: br i1 %[[ON]], label %way
; What is left.
; CHECK: call <16 x i32> @llvm.masked.load
; A single thread does not enter the rounds.
; CHECK: loop.together:
; CHECK: br i1 false
define void @add(ptr %in, ptr %out, i32 %n, i32 %limit, i32 %start) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp slt i32 %t, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %t, %entry ], [ %next, %latch ]
  %at = add i32 %i, %start
  %inside = icmp slt i32 %at, %limit
  br i1 %inside, label %work, label %latch
work:
  %wide = sext i32 %at to i64
  %from = getelementptr i32, ptr %in, i64 %wide
  %v = load i32, ptr %from
  %more = add i32 %v, 7
  %to = getelementptr i32, ptr %out, i64 %wide
  store i32 %more, ptr %to
  br label %latch
latch:
  %next = add nsw i32 %i, 64
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; So do updates of shared memory, which are no atomics.
; CHECK-LABEL: define {{.*}} @count.region.0(
; CHECK: loop.together.split.lanes{{[0-9]+}}:
; CHECK-NOT: {{masked|^[a-z]}}
; CHECK-COUNT-16: store i32
define void @count(ptr %in, i32 %n) {
entry:
  %s = call ptr @gridspan.shared(i64 0, i64 1024)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp slt i32 %t, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %t, %entry ], [ %next, %loop ]
  %wide = zext nneg i32 %i to i64
  %from = getelementptr i32, ptr %in, i64 %wide
  %key = load i32, ptr %from
  %at = getelementptr i32, ptr %s, i32 %key
  %old = atomicrmw add ptr %at, i32 1 monotonic
  %next = add nsw i32 %i, 64
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare ptr @gridspan.shared(i64, i64)

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @add, !"kernel", i32 1}
!1 = !{ptr @count, !"kernel", i32 1}
