; A bit that lives across a barrier is kept as a byte: vectors of bits are no neighbours in memory.
; RUN: %gridspan-lower %s -pass=blocks -pass=tidy | FileCheck %s

; CHECK: ; active: 1 regions, 1 frame bytes
define void @active(ptr %flags, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %shared = call ptr @gridspan.shared(i64 0, i64 1024)
  %wt = zext nneg i32 %t to i64
  %own = getelementptr i32, ptr %shared, i64 %wt
  %at = getelementptr i32, ptr %flags, i64 %wt
  %flag = load i32, ptr %at
  %is.active = icmp ne i32 %flag, 0
  store i32 %flag, ptr %own
  call void @llvm.nvvm.barrier0()
  br i1 %is.active, label %then, label %done
then:
  %other = xor i64 %wt, 1
  %from = getelementptr i32, ptr %shared, i64 %other
  %v = load i32, ptr %from
  %to = getelementptr i32, ptr %out, i64 %wt
  store i32 %v, ptr %to
  br label %done
done:
  ret void
}
; CHECK-LABEL: define internal void @active.segment.0(
; CHECK: %[[BIT:.*]] = icmp ne i32
; CHECK: %[[BYTE:.*]] = zext i1 %[[BIT]] to i8
; CHECK: store i8 %[[BYTE]], ptr
; CHECK-LABEL: define internal void @active.segment.1(
; CHECK: load i8, ptr
; CHECK-NOT: load i1

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
declare ptr @gridspan.shared(i64, i64) #0

attributes #0 = { nounwind willreturn speculatable memory(none) }

!nvvm.annotations = !{!0}
!0 = !{ptr @active, !"kernel", i32 1}
