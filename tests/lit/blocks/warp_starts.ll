; What comes into a loop of the warps' skeleton from outside each thread has found for itself; the skeleton takes it
; along, computed again or from the first lane. What the block's skeleton wants of such a loop it gets.
; RUN: %gridspan-lower %s -pass=blocks | FileCheck %s

; First a warp's own row, found before the barrier and used there, too.
define void @rows(ptr %io, ptr %firsts, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = lshr i32 %t, 5
  %wt = zext nneg i32 %t to i64
  %at = getelementptr i32, ptr %firsts, i64 %wt
  store i32 %warp, ptr %at
  call void @llvm.nvvm.barrier0()
  %some = icmp slt i32 %warp, %n
  br i1 %some, label %row, label %end
row:
  %i = phi i32 [ %warp, %entry ], [ %next, %row ]
  %v = load float, ptr %io
  %a = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v, i32 1, i32 31)
  %own = getelementptr float, ptr %io, i64 %wt
  store float %a, ptr %own
  %next = add i32 %i, 8
  %more = icmp slt i32 %next, %n
  br i1 %more, label %row, label %end
end:
  ret void
}
; CHECK-LABEL: define internal void @rows.warps.
; CHECK: %[[WARP:.*]] = lshr i32 %{{.*}}, 5
; CHECK: %[[START:.*]] = freeze i32 %[[WARP]]
; CHECK: phi i32 {{.*}}[ %[[START]], 

; The same of memory.
define void @loaded(ptr %io, ptr %firsts, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = lshr i32 %t, 5
  %ww = zext nneg i32 %warp to i64
  %wt = zext nneg i32 %t to i64
  %at = getelementptr i32, ptr %firsts, i64 %ww
  %first = load i32, ptr %at
  call void @llvm.nvvm.barrier0()
  br label %row
row:
  %i = phi i32 [ %first, %entry ], [ %next, %row ]
  %v = load float, ptr %io
  %a = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v, i32 1, i32 31)
  %own = getelementptr float, ptr %io, i64 %wt
  store float %a, ptr %own
  %next = add i32 %i, 8
  %more = icmp slt i32 %next, %n
  br i1 %more, label %row, label %end
end:
  ret void
}
; CHECK-LABEL: define internal void @loaded.warps.
; CHECK: %[[FOUND:.*]] = load i32, ptr %{{.*}}.column
; CHECK: phi i32 {{.*}}[ %[[FOUND]], 

; A counter that goes on in the next round of the block's loop: both skeletons have it.
define void @counter(ptr %io, ptr %limits, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wt = zext nneg i32 %t to i64
  %own = getelementptr float, ptr %io, i64 %wt
  br label %round
round:
  %r = phi i32 [ 0, %entry ], [ %r.next, %done ]
  %k = phi i32 [ 0, %entry ], [ %k.now, %done ]
  %wr = zext nneg i32 %r to i64
  %at = getelementptr i32, ptr %limits, i64 %wr
  %limit = load i32, ptr %at
  br label %test
test:
  %k.now = phi i32 [ %k, %round ], [ %k.next, %work ]
  %again = icmp slt i32 %k.now, %limit
  br i1 %again, label %work, label %done
work:
  %v = load float, ptr %own
  %a = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v, i32 1, i32 31)
  store float %a, ptr %own
  %k.next = add i32 %k.now, 1
  br label %test
done:
  call void @llvm.nvvm.barrier0()
  %r.next = add i32 %r, 1
  %more = icmp slt i32 %r.next, %n
  br i1 %more, label %round, label %end
end:
  ret void
}
; CHECK-LABEL: define dso_local void @counter.block(
; CHECK: %k = phi i32 {{.*}}[ %[[NOW:[a-z.]*]], %done
; CHECK: call void @counter.warps.
; CHECK: %[[NOW]] = load i32, ptr

; What a warp operation gives is stored behind it, in another block.
define void @received(ptr %io, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wt = zext nneg i32 %t to i64
  %own = getelementptr float, ptr %io, i64 %wt
  br label %round
round:
  %r = phi i32 [ 0, %entry ], [ %r.next, %round ]
  %x = phi float [ 0.0, %entry ], [ %a, %round ]
  store float %x, ptr %own
  call void @llvm.nvvm.barrier0()
  %v = load float, ptr %io
  %a = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v, i32 1, i32 31)
  call void @llvm.nvvm.barrier0()
  %r.next = add i32 %r, 1
  %more = icmp slt i32 %r.next, %n
  br i1 %more, label %round, label %end
end:
  ret void
}
; CHECK-LABEL: define dso_local void @received.block(
; CHECK: call void @received.warps.

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)
declare void @llvm.nvvm.barrier0()

!nvvm.annotations = !{!0, !1, !2, !3}
!0 = !{ptr @rows, !"kernel", i32 1}
!1 = !{ptr @loaded, !"kernel", i32 1}
!2 = !{ptr @counter, !"kernel", i32 1}
!3 = !{ptr @received, !"kernel", i32 1}
