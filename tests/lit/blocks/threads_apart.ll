; Threads that have nothing to do with one another may run on several cores.
; RUN: %gridspan-lower %s -pass=threads-apart | FileCheck %s

; CHECK: ; plain: threads apart
define void @plain(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %p = getelementptr float, ptr %x, i64 %i
  %a = load float, ptr %p
  %b = call float @llvm.sqrt.f32(float %a)
  %c = call float @quiet(float %b)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %x, i64 4, i1 false)
  store float %c, ptr %p
  ret void
}
define float @quiet(float %a) {
  %b = fadd float %a, 1.0
  ret float %b
}

; CHECK: ; barrier: threads together
define void @barrier(ptr %x) {
  call void @llvm.nvvm.barrier0()
  ret void
}

; CHECK: ; warp: threads together
define void @warp(ptr %x) {
  %v = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  store i32 %v, ptr %x
  ret void
}

; CHECK: ; atomic: threads together
define void @atomic(ptr %x) {
  %old = atomicrmw add ptr %x, i32 1 monotonic
  ret void
}

; CHECK: ; fence: threads together
define void @fence(ptr %x) {
  fence seq_cst
  store i32 1, ptr %x
  ret void
}

; CHECK: ; volatile: threads together
define void @volatile(ptr %x) {
  store volatile i32 1, ptr %x
  ret void
}

; CHECK: ; shared: threads together
define void @shared(ptr %x) {
  %s = call ptr @gridspan.shared(i64 0, i64 64)
  store i32 1, ptr %s
  ret void
}

; CHECK: ; unknown: threads together
define void @unknown(ptr %x) {
  call void @gridspan_device_vprintf(ptr %x)
  ret void
}

; CHECK: ; through_pointer: threads together
define void @through_pointer(ptr %f) {
  call void %f()
  ret void
}

; CHECK: ; in_callee: threads together
define void @in_callee(ptr %x) {
  call void @loud(ptr %x)
  ret void
}
define void @loud(ptr %x) {
  %old = atomicrmw add ptr %x, i32 1 monotonic
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.sqrt.f32(float)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare ptr @gridspan.shared(i64, i64) memory(none)
declare void @gridspan_device_vprintf(ptr)
!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7, !8, !9}
!0 = !{ptr @plain, !"kernel", i32 1}
!1 = !{ptr @barrier, !"kernel", i32 1}
!2 = !{ptr @warp, !"kernel", i32 1}
!3 = !{ptr @atomic, !"kernel", i32 1}
!4 = !{ptr @fence, !"kernel", i32 1}
!5 = !{ptr @volatile, !"kernel", i32 1}
!6 = !{ptr @shared, !"kernel", i32 1}
!7 = !{ptr @unknown, !"kernel", i32 1}
!8 = !{ptr @through_pointer, !"kernel", i32 1}
!9 = !{ptr @in_callee, !"kernel", i32 1}
