; Doubles between floats (0.5 * x) take two vectors, if rows are known to be whole vectors of floats;
; else, and where doubles are kept, vectors have as many lanes as doubles fit into one.
; RUN: %gridspan-lower %s -pass=usual-rows -pass=blocks -pass=vectorise | FileCheck %s

declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

; CHECK-LABEL: define internal void @rows_of_32.segment.1(
; CHECK: load <16 x float>
; CHECK: fmul <16 x double>
; CHECK: store <16 x float>
define void @rows_of_32(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %begin = mul i32 %b, 32
  call void @llvm.nvvm.barrier0()
  %i = add nsw i32 %begin, %t
  %wide = sext i32 %i to i64
  %place = getelementptr float, ptr %x, i64 %wide
  %value = load float, ptr %place
  %double = fpext float %value to double
  %half = fmul double %double, 0.3
  %result = fptrunc double %half to float
  store float %result, ptr %place
  ret void
}

; CHECK-LABEL: define internal void @any_rows.segment.1(
; CHECK: load <8 x float>
; CHECK: fmul <8 x double>
define void @any_rows(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %begin = mul i32 %b, %size
  call void @llvm.nvvm.barrier0()
  %i = add nsw i32 %begin, %t
  %wide = sext i32 %i to i64
  %place = getelementptr float, ptr %x, i64 %wide
  %value = load float, ptr %place
  %double = fpext float %value to double
  %half = fmul double %double, 0.3
  %result = fptrunc double %half to float
  store float %result, ptr %place
  ret void
}

; CHECK-LABEL: define internal void @kept.segment.1(
; CHECK: fmul <8 x double>
; CHECK: store <8 x double>
define void @kept(ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %begin = mul i32 %b, 32
  call void @llvm.nvvm.barrier0()
  %i = add nsw i32 %begin, %t
  %wide = sext i32 %i to i64
  %place = getelementptr float, ptr %x, i64 %wide
  %value = load float, ptr %place
  %double = fpext float %value to double
  %half = fmul double %double, 0.3
  %to = getelementptr double, ptr %y, i64 %wide
  store double %half, ptr %to
  ret void
}

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @rows_of_32, !"kernel", i32 1}
!1 = !{ptr @any_rows, !"kernel", i32 1}
!2 = !{ptr @kept, !"kernel", i32 1}
