; Lane registers, fences, read-only loads, traps and the device C library.
; RUN: %gridspan-lower %s -pass=intrinsics | FileCheck %s

; CHECK-LABEL: define i32 @lane
; CHECK: %[[T:.*]] = call i32 @gridspan.linear_thread()
; CHECK: and i32 %[[T]], 31
define i32 @lane() {
  %r = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  ret i32 %r
}

; CHECK-LABEL: define void @fences
; CHECK: fence syncscope("singlethread") seq_cst
; CHECK: fence seq_cst
define void @fences() {
  call void @llvm.nvvm.membar.cta()
  call void @llvm.nvvm.membar.gl()
  ret void
}

; CHECK-LABEL: define void @trapping
; CHECK: %[[THREAD:.*]] = call ptr @gridspan.thread()
; CHECK: call void @gridspan_device_trap(ptr %[[THREAD]])
define void @trapping() {
  call void @llvm.trap()
  unreachable
}

; CHECK-LABEL: define i32 @library
; CHECK: call i32 @__gridspan_nvvm_mulhi_i(i32 %a, i32 %b)
define i32 @library(i32 %a, i32 %b) {
  %r = call i32 @llvm.nvvm.mulhi.i(i32 %a, i32 %b)
  ret i32 %r
}

; CHECK-LABEL: define i32 @printing
; CHECK: call i32 @gridspan_device_vprintf(ptr %f, ptr %a)
define i32 @printing(ptr %f, ptr %a) {
  %r = call i32 @vprintf(ptr %f, ptr %a)
  ret i32 %r
}

; Barriers and special registers wait for the regions to be cut.
; CHECK-LABEL: define i32 @kept
; CHECK: call void @llvm.nvvm.barrier0()
; CHECK: call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define i32 @kept() {
  call void @llvm.nvvm.barrier0()
  %r = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %r
}

declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @llvm.nvvm.membar.cta()
declare void @llvm.nvvm.membar.gl()
declare void @llvm.trap()
declare i32 @llvm.nvvm.mulhi.i(i32, i32)
declare i32 @vprintf(ptr, ptr)
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
