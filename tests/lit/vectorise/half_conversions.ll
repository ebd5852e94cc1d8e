; The headers' conversions between float and half: calls until the instruction set is known, then
; instructions, or integer arithmetic. Other roundings stay as the header has them.
; RUN: %gridspan-lower %s -pass=name-halfs -pass=inline-sync -pass=regions -pass=vectorise | FileCheck %s
; RUN: %gridspan-lower %s -pass=name-halfs -pass=inline-sync -pass=regions -pass=vectorise -pass=half-instructions | FileCheck %s --check-prefix=INSTRUCTIONS
; RUN: %gridspan-lower %s -pass=name-halfs -pass=inline-sync -pass=regions -pass=vectorise -pass=half-integers | FileCheck %s --check-prefix=INTEGERS

; CHECK: ; sums.region.0: vectors
define void @sums(ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %px = getelementptr i16, ptr %x, i64 %i
  %a = load i16, ptr %px
  %wide = call float @_ZN20gridspan_small_float4Half5widenEt(i16 %a)
  %sum = fadd float %wide, 1.0
  %near = call i16 @_ZN20gridspan_small_floatL6narrowINS_4HalfEEEtfNS_8RoundingE.1(float %sum, i32 0)
  %low = call i16 @_ZN20gridspan_small_floatL6narrowINS_4HalfEEEtfNS_8RoundingE.1(float %sum, i32 2)
  %both = add i16 %near, %low
  %py = getelementptr i16, ptr %y, i64 %i
  store i16 %both, ptr %py
  ret void
}
define internal float @_ZN20gridspan_small_float4Half5widenEt(i16 %half) {
  %number = uitofp i16 %half to float
  ret float %number
}
define internal i16 @_ZN20gridspan_small_floatL6narrowINS_4HalfEEEtfNS_8RoundingE.1(float %x, i32 %rounding) {
  %number = fptoui float %x to i16
  ret i16 %number
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!nvvm.annotations = !{!0}
!0 = !{ptr @sums, !"kernel", i32 1}

; CHECK-LABEL: define internal void @sums.region.0
; CHECK: [[WIDE:%.*]] = call <16 x float> @gridspan_half_widenx16(<16 x i16>
; CHECK: [[SUM:%.*]] = fadd <16 x float> [[WIDE]]
; CHECK-DAG: call <16 x i16> @gridspan_half_narrowx16(<16 x float> [[SUM]])
; CHECK-DAG: fptoui <16 x float> [[SUM]] to <16 x i16>

; INSTRUCTIONS-LABEL: define internal void @sums.region.0
; INSTRUCTIONS: fpext <16 x half> {{.*}} to <16 x float>
; INSTRUCTIONS-DAG: fptrunc <16 x float> [[SUM:%.*]] to <16 x half>
; INSTRUCTIONS-DAG: fcmp uno <16 x float> [[SUM]]
; INSTRUCTIONS-NOT: call {{.*}}gridspan_half

; INTEGERS-LABEL: define internal void @sums.region.0
; INTEGERS-NOT: half
; INTEGERS: icmp ult <16 x i32>
; INTEGERS: trunc <16 x i32> {{.*}} to <16 x i16>
; INTEGERS: ret void
