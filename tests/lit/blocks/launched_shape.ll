; Code for blocks as a kernel's launches have them, where it gains by that.
; RUN: %gridspan-lower %s -pass=launched-shape -launched-width=256 -pass=blocks | FileCheck %s
; RUN: %gridspan-lower %s -pass=launched-shape -launched-width=48 -pass=blocks | FileCheck %s --check-prefix=NARROW

; RUN: %gridspan-lower %s -pass=launched-shape -launched-width=256 -pass=blocks -pass=tidy -pass=guard -pass=vectorise \
; RUN:   | FileCheck %s --check-prefix=SHORT

; CHECK: ; tree: blocks of 256
; CHECK: ; over_data: blocks of 0
; CHECK: ; over_grid: blocks of 0
; CHECK: ; as_number: blocks of 0
; CHECK: ; warps: blocks of 256

; Rows of 48 are no whole warps.
; NARROW: ; tree: blocks of 48
; NARROW: ; warps: blocks of 0

declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)

; The length of the loop over threads is known.
; CHECK-LABEL: define internal void @tree.segment.1(
; CHECK: icmp ult i32 %{{.*}}, 256
; CHECK: add nuw nsw i32 %t, 256
define void @tree(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %half = lshr i32 %size, 1
  call void @llvm.nvvm.barrier0()
  %wide = zext i32 %t to i64
  %to = getelementptr i32, ptr %out, i64 %wide
  store i32 %half, ptr %to
  ret void
}

; Steps of a tree of less than a vector's threads: no masks, which what is loaded next would wait for. All is inlined, and
; then it is known which step has how many.
; SHORT-LABEL: define internal void @steps.segment.1(
; SHORT: %[[TWO:.*]] = icmp eq i32 %{{.*}}, 2
; SHORT-NEXT: br i1 %[[TWO]], label %[[SHORT2:short[0-9]+]], label %[[NEXT2:not_short[0-9]+]]
; SHORT: br i1 %{{.*}}, label %short, label %not_short
; SHORT: {{^}}[[NEXT2]]:
; SHORT-NEXT: br i1 %{{.*}}, label %{{short[0-9]+}}, label %{{not_short[0-9]+}}
; SHORT-DAG: store <16 x i32>
; SHORT-DAG: store <8 x i32>
; SHORT-DAG: store <4 x i32>
; SHORT-DAG: store <2 x i32>
define void @steps(ptr %s) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %most = lshr i32 %size, 1
  %wide = zext i32 %t to i64
  %to = getelementptr i32, ptr %s, i64 %wide
  br label %loop
loop:
  %d = phi i32 [ %most, %entry ], [ %less, %next ]
  %in = icmp ult i32 %t, %d
  br i1 %in, label %add, label %next
add:
  %other = add i32 %t, %d
  %far = zext i32 %other to i64
  %from = getelementptr i32, ptr %s, i64 %far
  %a = load i32, ptr %from
  %b = load i32, ptr %to
  %sum = add i32 %a, %b
  store i32 %sum, ptr %to
  br label %next
next:
  call void @llvm.nvvm.barrier0()
  %less = lshr i32 %d, 1
  %more = icmp ne i32 %less, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}

; for (i = threadIdx.x; i < n; i += blockDim.x)
define void @over_data(ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  call void @llvm.nvvm.barrier0()
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %next, %loop ]
  %wide = zext i32 %i to i64
  %to = getelementptr i32, ptr %out, i64 %wide
  store i32 1, ptr %to
  %next = add i32 %i, %size
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; i += gridDim.x * blockDim.x
define void @over_grid(ptr %out, i64 %n) {
entry:
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %all = mul i32 %blocks, %size
  %step = zext i32 %all to i64
  call void @llvm.nvvm.barrier0()
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 1, ptr %to
  %next = add i64 %step, %i
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; What the compiler computes of it must be what the CPU would compute.
define void @as_number(ptr %out) {
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %number = uitofp i32 %size to float
  call void @llvm.nvvm.barrier0()
  store float %number, ptr %out
  ret void
}

define void @warps(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %other = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %t, i32 1, i32 31)
  %wide = zext i32 %t to i64
  %to = getelementptr i32, ptr %out, i64 %wide
  store i32 %other, ptr %to
  ret void
}

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5}
!0 = !{ptr @tree, !"kernel", i32 1}
!1 = !{ptr @over_data, !"kernel", i32 1}
!2 = !{ptr @over_grid, !"kernel", i32 1}
!3 = !{ptr @as_number, !"kernel", i32 1}
!4 = !{ptr @warps, !"kernel", i32 1}
!5 = !{ptr @steps, !"kernel", i32 1}
