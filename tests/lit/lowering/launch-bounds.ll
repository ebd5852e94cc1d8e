; __launch_bounds__ says how large threadIdx and blockDim are: the block of @warp is one warp.
; RUN: %gridspan-lower %s -pass=launch-bounds | FileCheck %s

; CHECK-LABEL: define void @warp(
; CHECK: call range(i32 0, 32) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: call range(i32 1, 33) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
; CHECK-NOT: lshr
; CHECK-NOT: and i32
; CHECK-NOT: br i1
; CHECK: ret void
define void @warp(ptr %out, ptr %size) {
entry:
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %h = call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %warp = lshr i32 %t, 5
  %lane = and i32 %t, 31
  %first = icmp eq i32 %warp, 0
  br i1 %first, label %yes, label %end
yes:
  %to = getelementptr i32, ptr %out, i32 %lane
  store i32 %warp, ptr %to
  store i32 %h, ptr %size
  br label %end
end:
  ret void
}

; No more layers than 64 even so.
; CHECK-LABEL: define void @large(
; CHECK: call range(i32 0, 256) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: call range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
; CHECK: lshr i32 %t, 5
define void @large(ptr %out) {
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %z = call range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %warp = lshr i32 %t, 5
  %to = getelementptr i32, ptr %out, i32 %warp
  store i32 %z, ptr %to
  ret void
}

; CHECK-LABEL: define void @unbounded(
; CHECK: call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: lshr i32 %t, 5
define void @unbounded(ptr %out) {
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = lshr i32 %t, 5
  store i32 %warp, ptr %out
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()

!nvvm.annotations = !{!0, !1, !2, !3, !4}
!0 = !{ptr @warp, !"kernel", i32 1}
!1 = !{ptr @warp, !"maxntidx", i32 32}
!2 = !{ptr @large, !"kernel", i32 1}
!3 = !{ptr @large, !"maxntidx", i32 256}
!4 = !{ptr @unbounded, !"kernel", i32 1}
