; Threads of a diagonal, and those of a tile without its edges: the loop over threads begins at the
; first of them. An addition that may wrap is no hindrance, numbers far away are none of the block's.
; RUN: %gridspan-lower %s -pass=blocks -pass=tidy -pass=guard | FileCheck %s

; CHECK: ; tile: 1 regions, 0 frame bytes

define void @diagonal(ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %shared = call ptr @gridspan.shared(i64 0, i64 4096)
  br label %round
round:
  %step = phi i32 [ 0, %entry ], [ %next, %meet ]
  %y = sub i32 %step, %t
  %inside = icmp ult i32 %y, 32
  br i1 %inside, label %work, label %meet
work:
  %wy = zext i32 %y to i64
  %at = getelementptr i32, ptr %shared, i64 %wy
  store i32 %t, ptr %at
  br label %meet
meet:
  call void @llvm.nvvm.barrier0()
  %next = add i32 %step, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %round, label %done
done:
  ret void
}
; CHECK-LABEL: define internal void @diagonal.segment.{{[0-9]+}}(
; CHECK: %[[END:.*]] = add i64 %{{.*}}, 1
; CHECK: add i64 %[[END]], -32
; CHECK: %first = trunc i64
; CHECK: %in_window = trunc i64
; CHECK: %i = phi i32 [ 0, %guarded ]
; CHECK: %[[THREAD:.*]] = add nuw nsw i32 %i, %first
; CHECK: sub i32 %step, %[[THREAD]]
; CHECK-NOT: br i1 %inside
; CHECK: icmp ult i32 %{{.*}}, %in_window

define void @inner(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %shared = call ptr @gridspan.shared(i64 0, i64 4096)
  %wt = zext i32 %t to i64
  %own = getelementptr i32, ptr %shared, i64 %wt
  store i32 %t, ptr %own
  call void @llvm.nvvm.barrier0()
  %left = add i32 %t, -1
  %inside = icmp ult i32 %left, 14
  br i1 %inside, label %work, label %done
work:
  %wl = zext i32 %left to i64
  %at = getelementptr i32, ptr %shared, i64 %wl
  %v = load i32, ptr %at
  %to = getelementptr i32, ptr %out, i64 %wt
  store i32 %v, ptr %to
  br label %done
done:
  ret void
}
; CHECK-LABEL: define internal void @inner.segment.1(
; CHECK: call i64 @llvm.smin.i64(i64 1,
; CHECK: call i64 @llvm.smin.i64(i64 15,
; CHECK: %in_window = trunc i64
; CHECK: %[[THREAD:.*]] = add nuw nsw i32 %i, %first
; CHECK-NOT: br i1 %inside
; CHECK: ret void

; Of a shrinking tile: the last of the beginnings, the first of the ends, on either side of the
; barrier; and what depends on the row stays a branch. The flag needs no place in the frame.
define void @tile(ptr %in, i32 %n, i32 %low, i32 %high) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %shared = call ptr @gridspan.shared(i64 0, i64 8192)
  %wt = zext i32 %t to i64
  %own = getelementptr i32, ptr %shared, i64 %wt
  %other = getelementptr i32, ptr %own, i64 1024
  br label %round
round:
  %r = phi i32 [ 0, %entry ], [ %next, %copied ]
  %from_left = icmp ugt i32 %t, %r
  br i1 %from_left, label %more_guards, label %meet
more_guards:
  %margin = sub nsw i32 30, %r
  %from_right = icmp sle i32 %t, %margin
  %above = icmp sge i32 %t, %low
  %below = icmp sle i32 %t, %high
  %row = icmp ugt i32 %y, %r
  %both = select i1 %from_right, i1 %above, i1 false
  %three = select i1 %both, i1 %below, i1 false
  %all = select i1 %three, i1 %row, i1 false
  br i1 %all, label %work, label %meet
work:
  %v = load i32, ptr %own
  %w = mul i32 %v, 3
  store i32 %w, ptr %other
  br label %meet
meet:
  %computed = phi i1 [ false, %round ], [ false, %more_guards ], [ true, %work ]
  call void @llvm.nvvm.barrier0()
  br i1 %computed, label %copy, label %copied
copy:
  %u = load i32, ptr %other
  store i32 %u, ptr %own
  br label %copied
copied:
  call void @llvm.nvvm.barrier0()
  %next = add i32 %r, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %done
done:
  ret void
}
; CHECK-LABEL: define internal void @tile.segment.1(
; CHECK: smax
; CHECK: smin
; CHECK: %in_window = trunc i64
; CHECK: %[[THREAD:.*]] = add nuw nsw i32 %i, %first
; CHECK-NOT: icmp {{.*}} %[[THREAD]]
; CHECK: store i32
; CHECK-LABEL: define internal void @tile.segment.{{[2-9]}}(
; CHECK: smax
; CHECK: smin
; CHECK: %in_window = trunc i64
; CHECK: %[[THREAD:.*]] = add nuw nsw i32 %i, %first
; CHECK-NOT: icmp {{.*}} %[[THREAD]]
; CHECK: store i32

declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
declare ptr @gridspan.shared(i64, i64) #0

attributes #0 = { nounwind willreturn speculatable memory(none) }

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @diagonal, !"kernel", i32 1}
!1 = !{ptr @inner, !"kernel", i32 1}
!2 = !{ptr @tile, !"kernel", i32 1}
