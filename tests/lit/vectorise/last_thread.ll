; The store of all threads to one address moves behind the loop, and with it the last thread's value:
; such a loop stays one over threads, since vectors leave it on other ways.
; RUN: %gridspan-lower %s -pass=regions -pass=tidy -pass=vectorise | FileCheck %s

; CHECK: ; last.region.0: the loop over threads carries values
define void @last(ptr noalias %in, ptr noalias %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %a = getelementptr inbounds float, ptr %in, i64 %w
  %x = load float, ptr %a, !tbaa !2
  %y = fmul float %x, 3.0
  %wide = fpext float %y to double
  store double %wide, ptr %out, !tbaa !4
  ret void
}
; CHECK-LABEL: define internal void @last.region.0
; CHECK: load float
; CHECK: store double

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!nvvm.annotations = !{!0}
!0 = !{ptr @last, !"kernel", i32 1}
!1 = !{!"root"}
!2 = !{!3, !3, i64 0}
!3 = !{!"float", !1, i64 0}
!4 = !{!5, !5, i64 0}
!5 = !{!"double", !1, i64 0}
