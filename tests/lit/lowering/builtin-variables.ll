; threadIdx and its like are registers; where their addresses are wanted, objects of the kernel.
; RUN: %gridspan-lower %s -pass=builtin-variables | FileCheck %s
; RUN: sed 's/;RECURSIVE//' %s > %t.ll
; RUN: not %gridspan-lower %t.ll -pass=builtin-variables 2>&1 | FileCheck %s --check-prefix=REFUSED

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.uint3 = type { i32, i32, i32 }

@threadIdx = external thread_local addrspace(4) global %struct.uint3, align 4
@blockDim = external thread_local addrspace(4) global %struct.uint3, align 4
@warpSize = external addrspace(1) constant i32, align 4
@kept = internal addrspace(3) global %struct.uint3 undef, align 4

; CHECK-NOT: @threadIdx
; CHECK-NOT: @blockDim
; CHECK: @warpSize = internal addrspace(1) constant i32 32

; Members are registers.
; CHECK-LABEL: define i32 @members
; CHECK-NEXT: %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK-NEXT: %z = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
; CHECK-NEXT: %s = add i32 %x, %z
; CHECK-NEXT: %r = mul i32 %s, 32
; CHECK-NEXT: ret i32 %r
define i32 @members() {
  %t = call ptr @llvm.threadlocal.address.p0(ptr addrspacecast (ptr addrspace(4) @threadIdx to ptr))
  %x = load i32, ptr %t, align 4
  %b = call ptr @llvm.threadlocal.address.p0(ptr addrspacecast (ptr addrspace(4) @blockDim to ptr))
  %bz = getelementptr inbounds %struct.uint3, ptr %b, i32 0, i32 2
  %z = load i32, ptr %bz, align 4
  %s = add i32 %x, %z
  %w = load i32, ptr addrspacecast (ptr addrspace(1) @warpSize to ptr), align 4
  %r = mul i32 %s, %w
  ret i32 %r
}

; A copy is stores, also into shared memory and of a part.
; CHECK-LABEL: define void @copy
; CHECK-NOT: memcpy
; CHECK: %[[X:.*]] = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: store i32 %[[X]], ptr %{{.*}}, align 8
; CHECK: %[[Y:.*]] = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
; CHECK: store i32 %[[Y]], ptr %{{.*}}, align 4
; CHECK: %[[Z:.*]] = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
; CHECK: store i32 %[[Z]], ptr %{{.*}}, align 8
; CHECK: %[[PART:.*]] = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
; CHECK: store i32 %[[PART]], ptr getelementptr {{.*}}addrspacecast (ptr addrspace(3) @kept to ptr){{.*}}, align 4
; CHECK: ret void
define void @copy(ptr %p) {
  %t = call ptr @llvm.threadlocal.address.p0(ptr addrspacecast (ptr addrspace(4) @threadIdx to ptr))
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 4 %t, i64 12, i1 false)
  %ty = getelementptr inbounds %struct.uint3, ptr %t, i32 0, i32 1
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 getelementptr (i8, ptr addrspacecast (ptr addrspace(3) @kept to ptr), i64 4), ptr align 4 %ty, i64 4, i1 false)
  ret void
}

; What is handed on is an object, filled once; a function that returns it is inlined.
; CHECK-LABEL: define void @kernel
; CHECK: %threadIdx = alloca [3 x i32], align 4
; CHECK: %[[TX:.*]] = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: store i32 %[[TX]]
; CHECK: call void @take(ptr %threadIdx)
; CHECK: call void @take(ptr %threadIdx)
; CHECK-NOT: call i32 @llvm.nvvm.read
; CHECK: ret void
define void @kernel() {
  %t = call ptr @llvm.threadlocal.address.p0(ptr addrspacecast (ptr addrspace(4) @threadIdx to ptr))
  call void @take(ptr %t)
  %u = call ptr @where(i1 true)
  call void @take(ptr %u)
  call void @take(ptr addrspacecast (ptr addrspace(1) @warpSize to ptr))
  ret void
}

declare void @take(ptr)

; REFUSED: error{{.*}}a reference to a built-in variable is returned by a function that is recursive or called through a pointer; return a copy
define ptr @where(i1 %again) noinline {
  ;RECURSIVE %p = call ptr @where(i1 false)
  %t = call ptr @llvm.threadlocal.address.p0(ptr addrspacecast (ptr addrspace(4) @threadIdx to ptr))
  ret ptr %t
}

declare ptr @llvm.threadlocal.address.p0(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

!nvvm.annotations = !{!0}
!0 = !{ptr @kernel, !"kernel", i32 1}
