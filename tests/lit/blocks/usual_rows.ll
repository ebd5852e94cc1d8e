; What blockIdx.x is multiplied by is how long a block's rows usually are: code for such blocks only
; knows it.
; RUN: %gridspan-lower %s -pass=usual-rows -pass=blocks | FileCheck %s

; CHECK: ; tile: rows of 32
; CHECK: ; shifted: rows of 64
; CHECK: ; two_numbers: rows of 0
; CHECK: ; no_row: rows of 0
; CHECK: ; by_size: rows of 0
; CHECK: ; as_number: rows of 0
; CHECK: ; place: rows of 16
; CHECK: ; two_places: rows of 0

declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

; x = blockIdx.x * 32 + threadIdx.x, and out[x] = blockDim.x behind a barrier. The loop over the rows
; of a block has rows of 32, how many is known at the launch.
; CHECK-LABEL: define internal void @tile.segment.1(
; CHECK: %t = phi i32 [ 0, %threads ], [ %[[NEXT:.*]], %next_row ]
; CHECK: icmp ult i32 %{{.*}}, 32
; CHECK: %[[NEXT]] = add nuw nsw i32 %t, 32
; CHECK: icmp eq i32 %{{.*}}, %blockDim.y
; CHECK: store i32 32, ptr %to
define void @tile(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %begin = mul i32 %b, 32
  %x = add i32 %begin, %t
  call void @llvm.nvvm.barrier0()
  %wx = sext i32 %x to i64
  %to = getelementptr i32, ptr %out, i64 %wx
  store i32 %size, ptr %to
  ret void
}

define void @shifted(ptr %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %wide = zext i32 %b to i64
  %begin = shl i64 %wide, 6
  %to = getelementptr i32, ptr %out, i64 %begin
  call void @llvm.nvvm.barrier0()
  store i32 1, ptr %to
  ret void
}

define void @two_numbers(ptr %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %begin = mul i32 %b, 32
  %other = shl i32 %b, 4
  %sum = add i32 %begin, %other
  call void @llvm.nvvm.barrier0()
  store i32 %sum, ptr %out
  ret void
}

; Rows of 12 threads are no whole vectors.
define void @no_row(ptr %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %begin = mul i32 %b, 12
  call void @llvm.nvvm.barrier0()
  store i32 %begin, ptr %out
  ret void
}

define void @by_size(ptr %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %begin = mul i32 %b, %size
  call void @llvm.nvvm.barrier0()
  store i32 %begin, ptr %out
  ret void
}

; LLVM may compute with numbers it knows in another way than the CPU.
define void @as_number(ptr %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %begin = mul i32 %b, 32
  %number = uitofp i32 %size to float
  %wide = sext i32 %begin to i64
  %to = getelementptr float, ptr %out, i64 %wide
  call void @llvm.nvvm.barrier0()
  store float %number, ptr %to
  ret void
}

; tile[threadIdx.y][threadIdx.x], and blockIdx.x * blockDim.x.
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare ptr @gridspan.shared(i64, i64) nounwind willreturn memory(none)
define void @place(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %wt = zext i32 %t to i64
  %wty = zext i32 %ty to i64
  %tile = call ptr @gridspan.shared(i64 0, i64 1024)
  %mine = getelementptr [16 x [16 x float]], ptr %tile, i64 0, i64 %wty, i64 %wt
  store float 1.0, ptr %mine
  call void @llvm.nvvm.barrier0()
  store float 1.0, ptr %out
  ret void
}

define void @two_places(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %wt = zext i32 %t to i64
  %wty = zext i32 %ty to i64
  %tile = call ptr @gridspan.shared(i64 0, i64 1024)
  %mine = getelementptr [16 x [16 x float]], ptr %tile, i64 0, i64 %wty, i64 %wt
  %other = getelementptr [32 x float], ptr %tile, i64 %wty, i64 %wt
  store float 1.0, ptr %mine
  call void @llvm.nvvm.barrier0()
  store float 1.0, ptr %other
  ret void
}

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7}
!0 = !{ptr @tile, !"kernel", i32 1}
!1 = !{ptr @shifted, !"kernel", i32 1}
!2 = !{ptr @two_numbers, !"kernel", i32 1}
!3 = !{ptr @no_row, !"kernel", i32 1}
!4 = !{ptr @by_size, !"kernel", i32 1}
!5 = !{ptr @as_number, !"kernel", i32 1}
!6 = !{ptr @place, !"kernel", i32 1}
!7 = !{ptr @two_places, !"kernel", i32 1}
