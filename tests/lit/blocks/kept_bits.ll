; A condition that is kept across a barrier is a byte for each thread: vectors of bits are no neighbours in memory.
; RUN: %gridspan-lower %s -pass=blocks -pass=tidy | FileCheck %s

define void @kept(ptr %in, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = zext nneg i32 %t to i64
  %from = getelementptr float, ptr %in, i64 %at
  %v = load float, ptr %from
  %big = fcmp ogt float %v, 1.0
  call void @llvm.nvvm.barrier0()
  %to = getelementptr float, ptr %out, i64 %at
  %new = select i1 %big, float 1.0, float 0.0
  store float %new, ptr %to
  ret void
}
; CHECK-LABEL: define internal void @kept.segment.0(
; CHECK: %[[BIG:.*]] = fcmp ogt float
; CHECK: %[[BYTE:.*]] = zext i1 %[[BIG]] to i8
; CHECK: store i8 %[[BYTE]]
; CHECK-LABEL: define internal void @kept.segment.1(
; CHECK: %[[KEPT:.*]] = load i8
; CHECK: icmp {{eq|ne}} i8 %[[KEPT]], 0

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()

!nvvm.annotations = !{!0}
!0 = !{ptr @kept, !"kernel", i32 1}
