; Behind a guard that one thread passes, what depends on the thread is computed with its number.
; RUN: %gridspan-lower %s -pass=blocks -pass=tidy -pass=guard | FileCheck %s

; s[t + 1] = in[t]; if (t == w - 1) s[t + 2] = in[t + 1]; barrier; out[t] = s[t + 1]
define void @halo(ptr %in, ptr %out, i32 %w) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %shared = call ptr @gridspan.shared(i64 0, i64 4096)
  %wt = zext nneg i32 %t to i64
  %from = getelementptr i32, ptr %in, i64 %wt
  %v = load i32, ptr %from
  %more = add nuw nsw i64 %wt, 1
  %own = getelementptr i32, ptr %shared, i64 %more
  store i32 %v, ptr %own
  %last = add i32 %w, -1
  %is_last = icmp eq i32 %t, %last
  br i1 %is_last, label %edge, label %meet
edge:
  %beyond = getelementptr i32, ptr %in, i64 %more
  %e = load i32, ptr %beyond
  %wide = add nuw nsw i64 %wt, 2
  %to = getelementptr i32, ptr %shared, i64 %wide
  store i32 %e, ptr %to
  br label %meet
meet:
  call void @llvm.nvvm.barrier0()
  %r = load i32, ptr %own
  %o = getelementptr i32, ptr %out, i64 %wt
  store i32 %r, ptr %o
  ret void
}
; CHECK-LABEL: define internal void @halo.segment.0(
; CHECK: edge:
; CHECK-NEXT: %[[T:.*]] = zext nneg i32 %last to i64
; CHECK-NEXT: %[[NEXT:.*]] = add nuw nsw i64 %[[T]], 1
; CHECK-NEXT: %beyond = getelementptr i32, ptr %in, i64 %[[NEXT]]
; CHECK-NEXT: %e = load i32, ptr %beyond
; CHECK-NEXT: %[[TO:.*]] = getelementptr i32, ptr %{{.*}}, i64 %[[T]]
; CHECK-NEXT: store i32 %e, ptr %[[TO]]

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
declare ptr @gridspan.shared(i64, i64) #0

attributes #0 = { nounwind willreturn speculatable memory(none) }

!nvvm.annotations = !{!0}
!0 = !{ptr @halo, !"kernel", i32 1}
