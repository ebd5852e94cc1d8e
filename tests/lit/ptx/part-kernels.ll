; A kernel for a part of the grid: the part's place and the whole grid's size come from a parameter.
; RUN: %gridspan-lower %s -pass=part-kernels | FileCheck %s
; RUN: %gridspan-ptx %s | FileCheck %s --check-prefix=PTX

target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

; CHECK: ; waits: its blocks wait for the whole grid

; Both are read once, at entry, and LLVM knows their ranges; loops see values.
; CHECK-LABEL: define void @"stride$part"(ptr %a, i32 %n, ptr noundef byval({ [3 x i32], i32, [3 x i32], i32 }) align 16 %part)
; CHECK-DAG: %[[WITHIN:.*]] = call {{.*}}i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; CHECK-DAG: %[[FIRST:.*]] = load i32, ptr %{{.*}}, align 4, !range ![[BLOCKS:[0-9]+]], !invariant.load
; CHECK-DAG: %[[GRID:.*]] = load i32, ptr %{{.*}}, align 4, !range ![[SIZES:[0-9]+]], !invariant.load
; CHECK-DAG: %block = add nuw nsw i32 %[[WITHIN]], %[[FIRST]]
; CHECK: loop:
; CHECK-NOT: load i32, ptr %{{[0-9]+}}
; CHECK: mul i32 %[[GRID]], %size
; CHECK: ret void

; PTX: .visible .entry stride(
; PTX-NOT: part
; PTX: .maxntid 128, 1, 1
; PTX: .visible .entry stride$part(
; PTX: .param .align 16 .b8 stride$part_param_2[32]
; PTX: .maxntid 128, 1, 1
; PTX-DAG: ld.param.u32 {{.*}}[stride$part_param_2]
; PTX-DAG: ld.param.u32 {{.*}}[stride$part_param_2+16]
; PTX: {{^}}$L__BB
; PTX-NOT: ld.param
; PTX: ret;
define void @stride(ptr %a, i32 %n) {
entry:
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %index = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = mul i32 %index, %size
  %first = add i32 %before, %thread
  br label %loop
loop:
  %i = phi i32 [ %first, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %a, i32 %i
  %old = load float, ptr %at
  %new = fmul float %old, 2.0
  store float %new, ptr %at
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %step = mul i32 %blocks, %size
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A kernel that does not ask has a clone all the same.
; CHECK-LABEL: define void @"nowhere$part"(
; CHECK-NOT: waits$part
; PTX-LABEL: .visible .entry nowhere$part(
define void @nowhere(ptr %a) {
  store i32 1, ptr %a
  ret void
}

; Blocks that wait for the whole grid cannot run in parts.
; PTX: // undivided: waits: its blocks wait for the whole grid
define void @waits(ptr %a) {
  call void @gridspan_grid_barrier()
  store i32 1, ptr %a
  ret void
}

; CHECK-DAG: ![[BLOCKS]] = !{i32 0, i32 2147483647}
; CHECK-DAG: ![[SIZES]] = !{i32 1, i32 -2147483648}
declare void @gridspan_grid_barrier()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()

!nvvm.annotations = !{!0, !1, !2, !3}
!0 = !{ptr @stride, !"kernel", i32 1}
!1 = !{ptr @stride, !"maxntidx", i32 128}
!2 = !{ptr @nowhere, !"kernel", i32 1}
!3 = !{ptr @waits, !"kernel", i32 1}
