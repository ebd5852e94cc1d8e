; Reciprocal roots that need not be exact: calls until the instruction set is known, then an estimate
; with a step of Newton's, or a root and a division.
; RUN: %gridspan-lower %s -pass=name-roots -pass=regions -pass=vectorise | FileCheck %s
; RUN: %gridspan-lower %s -pass=name-roots -pass=regions -pass=vectorise -pass=estimate-roots | FileCheck %s --check-prefix=ESTIMATE
; RUN: %gridspan-lower %s -pass=name-roots -pass=regions -pass=vectorise -pass=exact-roots | FileCheck %s --check-prefix=EXACT

; CHECK: ; roots.region.0: vectors
define void @roots(ptr %x, ptr %y, ptr %z) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %px = getelementptr float, ptr %x, i64 %i
  %a = load float, ptr %px
  %u = load float, ptr %z
  %root = call float @llvm.sqrt.f32(float %a)
  %may = fdiv arcp float 1.0, %root
  %same_root = call float @llvm.sqrt.f32(float %u)
  %same = fdiv arcp float 1.0, %same_root
  %must = fdiv float 1.0, %may
  %exact_root = call float @llvm.sqrt.f32(float %must)
  %exact = fdiv float 1.0, %exact_root
  %other = fdiv arcp float 3.0, %root
  %wide = fpext float %exact to double
  %double_root = call double @llvm.sqrt.f64(double %wide)
  %double = fdiv arcp double 1.0, %double_root
  %narrow = fptrunc double %double to float
  %sum = fadd float %narrow, %other
  %all = fadd float %sum, %same
  %py = getelementptr float, ptr %y, i64 %i
  store float %all, ptr %py
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.sqrt.f32(float)
declare double @llvm.sqrt.f64(double)
!nvvm.annotations = !{!0}
!0 = !{ptr @roots, !"kernel", i32 1}

; One that all lanes share stays one.
; CHECK-LABEL: define internal void @roots.region.0
; CHECK-DAG: call float @gridspan_rsqrt_f32(float
; CHECK-DAG: %[[MAY:.*]] = call <8 x float> @gridspan_rsqrt_f32x8(<8 x float>
; CHECK-DAG: %[[MUST:.*]] = fdiv <8 x float> {{.*}}, %[[MAY]]
; CHECK-DAG: %[[ROOT:.*]] = call <8 x float> @llvm.sqrt.v8f32(<8 x float> %[[MUST]])
; CHECK-DAG: fdiv <8 x float> {{.*}}, %[[ROOT]]
; CHECK-DAG: fdiv arcp <8 x double>

; ESTIMATE-LABEL: define internal void @roots.region.0
; ESTIMATE-NOT: gridspan_rsqrt
; ESTIMATE: call <4 x float> @llvm.x86.avx512.rsqrt14.ss
; ESTIMATE: %[[Y:.*]] = call <8 x float> @llvm.x86.avx512.rsqrt14.ps.256(<8 x float> %[[X:.*]], <8 x float>
; ESTIMATE: %[[XY:.*]] = fmul <8 x float> %[[X]], %[[Y]]
; ESTIMATE: %[[NEGATIVE:.*]] = fneg <8 x float> %[[XY]]
; ESTIMATE: %[[ERROR:.*]] = call <8 x float> @llvm.fma.v8f32(<8 x float> %[[NEGATIVE]], <8 x float> %[[Y]],
; ESTIMATE: %[[HALF:.*]] = fmul <8 x float> %[[Y]],
; ESTIMATE: %[[BETTER:.*]] = call <8 x float> @llvm.fma.v8f32(<8 x float> %[[HALF]], <8 x float> %[[ERROR]], <8 x float> %[[Y]])
; ESTIMATE: %[[NUMBER:.*]] = fcmp ord <8 x float> %[[ERROR]], %[[ERROR]]
; ESTIMATE: select <8 x i1> %[[NUMBER]], <8 x float> %[[BETTER]], <8 x float> %[[Y]]

; EXACT-LABEL: define internal void @roots.region.0
; EXACT-NOT: gridspan_rsqrt
; EXACT: %[[ROOT:[0-9]+]] = call <8 x float> @llvm.sqrt.v8f32
; EXACT: fdiv <8 x float> {{.*}}, %[[ROOT]]
