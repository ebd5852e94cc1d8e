; Two reads of blockDim.x that LLVM has made a phi of are one value for all threads, and so are two
; addresses of shared memory: nothing is kept for each thread across the barrier.
; RUN: %gridspan-lower %s -pass=blocks | FileCheck %s

; CHECK: ; twice: 1 regions, 0 frame bytes, successors exit
; CHECK: ; tile: 1 regions, 0 frame bytes, successors exit
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

define void @tile(ptr %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %some = icmp slt i32 %t, %n
  br i1 %some, label %one, label %other
one:
  %v = load i32, ptr %in
  %a = call ptr @gridspan.shared(i64 0, i64 4096)
  store i32 %v, ptr %a
  br label %meet
other:
  %b = call ptr @gridspan.shared(i64 0, i64 4096)
  br label %meet
meet:
  %shared = phi ptr [ %a, %one ], [ %b, %other ]
  call void @llvm.nvvm.barrier0()
  %at = getelementptr i32, ptr %shared, i64 %w
  store i32 %t, ptr %at
  ret void
}

declare ptr @gridspan.shared(i64, i64) #0
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier0()

attributes #0 = { nounwind willreturn speculatable memory(none) }

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @twice, !"kernel", i32 1}
!1 = !{ptr @tile, !"kernel", i32 1}
