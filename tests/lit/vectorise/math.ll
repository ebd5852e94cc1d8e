; Math functions have forms for all lanes; those of single lanes stay as they are.
; RUN: %gridspan-lower %s -pass=name-math -pass=regions -pass=vectorise | FileCheck %s
; The names of single numbers' functions come back where they are not wanted.
; RUN: %gridspan-lower %s -pass=name-math -pass=call-math-of-numbers | FileCheck %s --check-prefix=C

; CHECK: ; math.region.0: vectors
define void @math(ptr %x, ptr %y, ptr %z) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %px = getelementptr float, ptr %x, i64 %i
  %a = load float, ptr %px
  %u = load float, ptr %z
  %e = call float @llvm.exp.f32(float %a)
  %s = call float @tanf(float %e)
  %b = call float @atan2f(float %s, float %u)
  %w = fpext float %b to double
  %l = call double @log(double %w)
  %p = call double @llvm.pow.f64(double %l, double %w)
  %f = frem double %p, %w
  %n = call double @gridspan_math_normcdf_f64(double %f)
  %same = call float @llvm.exp2.f32(float %u)
  %wide = fpext float %same to double
  %sum = fadd double %n, %wide
  %py = getelementptr double, ptr %y, i64 %i
  store double %sum, ptr %py
  ret void
}

; CHECK-LABEL: define internal void @math.region.0
; CHECK: call <8 x float> @gridspan_math_exp_f32x8(<8 x float>
; CHECK: call <8 x float> @gridspan_math_tan_f32x8(<8 x float>
; CHECK: call <8 x float> @gridspan_math_atan2_f32x8(<8 x float> %{{.*}}, <8 x float>
; CHECK: call <8 x double> @gridspan_math_log_f64x8(<8 x double>
; CHECK: call <8 x double> @gridspan_math_pow_f64x8(<8 x double>
; CHECK: call <8 x double> @gridspan_math_fmod_f64x8(<8 x double>
; CHECK: call <8 x double> @gridspan_math_normcdf_f64x8(<8 x double>
; The same for all lanes: once.
; CHECK: call float @gridspan_math_exp2_f32(float

; C-LABEL: define void @math
; C: call float @llvm.exp.f32(float
; C: call float @tanf(float
; C: call float @atan2f(float
; C: call double @llvm.log.f64(double
; C: call double @llvm.pow.f64
; C: call double @fmod(double
; C: call double @__gridspan_normcdf(double
; C: call float @llvm.exp2.f32(float
; C-NOT: call {{.*}}gridspan_math

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.exp.f32(float)
declare float @llvm.exp2.f32(float)
declare double @llvm.pow.f64(double, double)
declare float @tanf(float)
declare float @atan2f(float, float)
declare double @log(double)
declare double @gridspan_math_normcdf_f64(double)
!nvvm.annotations = !{!0}
!0 = !{ptr @math, !"kernel", i32 1}
