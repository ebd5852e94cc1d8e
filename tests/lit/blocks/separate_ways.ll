; Two ways lead to the same store, one around the loop with barriers and one out of it: each gets a copy, and the kernel
; stays one function.
; RUN: %gridspan-lower %s -pass=blocks -pass=tidy -pass=guard | FileCheck %s

; CHECK: ; steps: 1 regions
define void @steps(ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %shared = call ptr @gridspan.shared(i64 0, i64 1024)
  %at = zext nneg i32 %t to i64
  %own = getelementptr i32, ptr %shared, i64 %at
  %to = getelementptr i32, ptr %out, i64 %at
  store i32 %t, ptr %own
  call void @llvm.nvvm.barrier0()
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %round, label %store
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %other = xor i64 %at, 1
  %from = getelementptr i32, ptr %shared, i64 %other
  %v = load i32, ptr %from
  call void @llvm.nvvm.barrier0()
  store i32 %v, ptr %own
  call void @llvm.nvvm.barrier0()
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %round, label %leave
leave:
  %mine = icmp slt i32 %t, %n
  br i1 %mine, label %store, label %end
store:
  %times = phi i32 [ 7, %entry ], [ %next, %leave ]
  %r = load i32, ptr %own
  %sum = add i32 %r, %times
  store i32 %sum, ptr %to
  br label %end
end:
  %last = phi i32 [ 1, %leave ], [ %sum, %store ]
  store i32 %last, ptr %own
  ret void
}

; All threads add 7; or those below n add the number of rounds.
; CHECK: define internal void @steps.segment.{{.*}}
; CHECK: define internal void @steps.segment
; CHECK-DAG: add i32 %{{.*}}, 7
; CHECK-DAG: add i32 %{{.*}}, %next
; CHECK: define internal void @steps.block(

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare ptr @gridspan.shared(i64, i64)
declare void @llvm.nvvm.barrier0()

!nvvm.annotations = !{!0}
!0 = !{ptr @steps, !"kernel", i32 1}
