; The fiber version: sync points call the run time, volatile and atomic accesses yield first.
; RUN: %gridspan-lower %s -pass=pass-thread -pass=thread-entry | FileCheck %s

define void @kernel(ptr %data) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %count = call i32 @llvm.nvvm.barrier0.popc(i32 %t)
  %v = load volatile i32, ptr %data
  %s = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %v, i32 1, i32 31)
  %p = call i32 @pure(i32 %s)
  %h = call i32 @helper(i32 %p)
  %sum = add i32 %h, %count
  store i32 %sum, ptr %data
  ret void
}

; Needs nothing: stays as it is.
; CHECK-LABEL: define internal i32 @pure(i32 %x)
define internal i32 @pure(i32 %x) {
  %r = mul i32 %x, 3
  ret i32 %r
}

; Needs its thread, so it gets the hidden parameter.
; CHECK-LABEL: define internal i32 @helper(ptr %thread, i32 %x)
; CHECK: %threadIdx.x = load i32
define internal i32 @helper(i32 %x) noinline {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = add i32 %x, %t
  ret i32 %r
}

; CHECK-LABEL: define internal void @kernel.thread(ptr %0)
; CHECK: call i32 @gridspan_fiber_barrier(ptr %0, i32 1, i32 %{{.*}}, ptr @gridspan.where
; CHECK: call void @gridspan_fiber_yield(ptr %0)
; CHECK-NEXT: load volatile i32
; CHECK: call i64 @gridspan_fiber_warp(ptr %0, i32 9, i32 -1, i64 %{{.*}}, i32 1, i32 31, ptr null
; CHECK: call i32 @helper(ptr %0, i32 %{{.*}})

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.barrier0.popc(i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)

!nvvm.annotations = !{!0}
!0 = !{ptr @kernel, !"kernel", i32 1}
