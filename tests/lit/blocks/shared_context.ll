; Two reads of blockDim.x that LLVM has made a phi of are one value for all threads: nothing is kept
; for each thread across the barrier.
; RUN: %gridspan-lower %s -pass=blocks | FileCheck %s

; CHECK: ; twice: 1 regions, 0 frame bytes, successors exit
define void @twice(ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp slt i32 %t, %n
  br i1 %some, label %one, label %other
one:
  %a = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  store i32 %a, ptr %out
  br label %meet
other:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %meet
meet:
  %size = phi i32 [ %a, %one ], [ %b, %other ]
  call void @llvm.nvvm.barrier0()
  %w = zext i32 %t to i64
  %at = getelementptr i32, ptr %out, i64 %w
  store i32 %size, ptr %at
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier0()

!nvvm.annotations = !{!0}
!0 = !{ptr @twice, !"kernel", i32 1}
