; What stays a loop over threads, and why.
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise | FileCheck %s

; CHECK: ; array.region.0: an array of each thread's own that is large, or not made of numbers
; CHECK: ; tickets.region.0: mostly an atomic operation, which each thread does for itself
; CHECK: ; bytes.region.0: mostly a load from addresses that are not neighbours
; CHECK-NOT: <16 x

define void @array(ptr %in, ptr %out) {
  %own = alloca [8 x i32]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr %in, i32 %t
  %i = load i32, ptr %a
  %at = getelementptr [8 x i32], ptr %own, i32 0, i32 %i
  store ptr %a, ptr %at
  %first = load i32, ptr %own
  %b = getelementptr i32, ptr %out, i32 %t
  store i32 %first, ptr %b
  ret void
}

define void @tickets(ptr %counter, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %old = atomicrmw add ptr %counter, i32 1 monotonic
  %b = getelementptr i32, ptr %out, i32 %t
  store i32 %old, ptr %b
  ret void
}

; No CPU gathers bytes.
define void @bytes(ptr %in, ptr %seen, ptr %known, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr %in, i32 %t
  %i = load i32, ptr %a
  %at = getelementptr i8, ptr %seen, i32 %i
  %v = load i8, ptr %at
  %too = getelementptr i8, ptr %known, i32 %i
  %u = load i8, ptr %too
  %both = and i8 %u, %v
  %w = zext i8 %both to i32
  %b = getelementptr i32, ptr %out, i32 %t
  store i32 %w, ptr %b
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @array, !"kernel", i32 1}
!1 = !{ptr @tickets, !"kernel", i32 1}
!2 = !{ptr @bytes, !"kernel", i32 1}
