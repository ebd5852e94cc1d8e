; Subscripts in a loop that has side effects: nothing says that i does not wrap, but all lanes that
; use it are below n, and n is tested before anything happens. (With one way out, the loop would be
; one of rounds.)
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise | FileCheck %s

; CHECK: ; strided.region.0: vectors
define void @strided(ptr %x, ptr %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %any = icmp slt i32 %t, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %t, %entry ], [ %next, %latch ]
  %w = sext i32 %i to i64
  %px = getelementptr i32, ptr %x, i64 %w
  %py = getelementptr i32, ptr %y, i64 %w
  %v = load i32, ptr %px
  store i32 %v, ptr %py
  %stop = icmp slt i32 %v, 0
  br i1 %stop, label %end, label %latch
latch:
  %next = add i32 %i, %d
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: define internal void @strided.region.0
; CHECK: icmp sle i32 %n, 2147483632
; CHECK-NOT: gather
; CHECK: call <16 x i32> @llvm.masked.load
; CHECK: call void @llvm.masked.store
; CHECK-NOT: gather

; The other way into the loop asks nothing.
; CHECK-LABEL: define internal void @open.region.0
; CHECK-NOT: icmp sle i32 %n
; CHECK: gather
define void @open(ptr %x, ptr %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %next, %latch ]
  %w = sext i32 %i to i64
  %px = getelementptr i32, ptr %x, i64 %w
  %py = getelementptr i32, ptr %y, i64 %w
  %v = load i32, ptr %px
  store i32 %v, ptr %py
  %stop = icmp slt i32 %v, 0
  br i1 %stop, label %end, label %latch
latch:
  %next = add i32 %i, %d
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @strided, !"kernel", i32 1}
!1 = !{ptr @open, !"kernel", i32 1}
