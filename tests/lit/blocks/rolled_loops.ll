; Loops that compute from shared memory are not unrolled when kernels are simplified; those over a
; thread's own array are, and become registers.
; RUN: %gridspan-lower %s -pass=simplify | FileCheck %s

declare ptr @gridspan.shared(i64, i64) memory(none)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define void @tile(
; CHECK: %[[K:.*]] = phi i64
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %{{.*}}, !llvm.loop ![[LOOP:[0-9]+]]
define void @tile(ptr %c) {
entry:
  %tile = call ptr @gridspan.shared(i64 0, i64 64)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %new, %loop ]
  %p = getelementptr float, ptr %tile, i64 %k
  %u = load float, ptr %p
  %new = fadd float %sum, %u
  %next = add nuw nsw i64 %k, 1
  %more = icmp ne i64 %next, 16
  br i1 %more, label %loop, label %leave, !llvm.loop !0
leave:
  store float %new, ptr %c
  ret void
}

; CHECK-LABEL: define void @own(
; CHECK-NOT: phi
; CHECK-NOT: alloca
; CHECK: ret void
define void @own(ptr %c, float %first) {
entry:
  %tile = call ptr @gridspan.shared(i64 0, i64 64)
  %own = alloca [16 x float]
  store float %first, ptr %own
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %before = getelementptr [16 x float], ptr %own, i64 0, i64 %k
  %v = load float, ptr %before
  %p = getelementptr float, ptr %tile, i64 %k
  %u = load float, ptr %p
  %new = fadd float %v, %u
  %next = add nuw nsw i64 %k, 1
  %after = getelementptr [16 x float], ptr %own, i64 0, i64 %next
  store float %new, ptr %after
  %more = icmp ne i64 %next, 15
  br i1 %more, label %loop, label %leave, !llvm.loop !0
leave:
  store float %new, ptr %c
  ret void
}

; CHECK: ![[LOOP]] = distinct !{![[LOOP]]{{.*}}}
; CHECK-DAG: !{!"llvm.loop.unroll.disable"}
; CHECK-DAG: !{!"gridspan.rolled"}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
!nvvm.annotations = !{!2, !3}
!2 = !{ptr @tile, !"kernel", i32 1}
!3 = !{ptr @own, !"kernel", i32 1}
