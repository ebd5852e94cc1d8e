; Shared variables become offsets, device variables indices of the module's symbol table.
; RUN: %gridspan-lower %s -pass=globals | FileCheck %s

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [64 x float] undef, align 4
@other = internal addrspace(3) global [16 x i32] undef, align 4
@dyn = external addrspace(3) global [0 x i32], align 4
@weights = addrspace(4) externally_initialized global [4 x float] zeroinitializer, align 4
@counter = addrspace(1) externally_initialized global i32 5, align 4
@pointer = addrspace(1) externally_initialized global ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(1) @counter to ptr), i64 2), align 8
@table = internal addrspace(4) constant [2 x i32] [i32 7, i32 8], align 4
; What clang makes of `Handle h = {tile, 3};`
@__const.h = private unnamed_addr constant { ptr, i32 } { ptr addrspacecast (ptr addrspace(3) @tile to ptr), i32 3 }, align 8

; CHECK: ; symbol weights size 16 align 4 constant{{$}}
; CHECK: ; symbol counter size 4 align 4 initialised{{$}}
; CHECK: ; symbol pointer size 8 align 8 relocation 0 -> 1 + 2{{$}}
; CHECK-NOT: addrspace(3)
; The plain table stays a constant.
; CHECK: @table = internal constant [2 x i32] [i32 7, i32 8]

; CHECK-LABEL: define void @uses_tile
; CHECK: call dereferenceable(256) ptr @gridspan.shared(i64 0, i64 256)
; CHECK: call ptr @gridspan.dynamic_shared(i64 4)
; CHECK: call ptr @gridspan.symbol(i32 0)
; CHECK: call ptr @gridspan.symbol(i32 1)
; CHECK: call ptr @gridspan.symbol(i32 2)
define void @uses_tile(i64 %i) {
  %a = getelementptr [64 x float], ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 0, i64 %i
  store float 1.0, ptr %a
  %b = getelementptr [0 x i32], ptr addrspacecast (ptr addrspace(3) @dyn to ptr), i64 0, i64 %i
  store i32 1, ptr %b
  %w = load float, ptr addrspacecast (ptr addrspace(4) @weights to ptr)
  %c = load i32, ptr addrspacecast (ptr addrspace(1) @counter to ptr)
  %p = load ptr, ptr addrspacecast (ptr addrspace(1) @pointer to ptr)
  store i32 %c, ptr %p
  ret void
}

; A variable no kernel uses together with @tile may share its place.
; CHECK-LABEL: define void @uses_other
; CHECK: call dereferenceable(64) ptr @gridspan.shared(i64 0, i64 64)
define void @uses_other() {
  store i32 1, ptr addrspacecast (ptr addrspace(3) @other to ptr)
  ret void
}

; The constant that holds a shared address is filled in by the function that reads it.
; CHECK-LABEL: define void @copies_handle
; CHECK: %[[COPY:.*]] = alloca { ptr, i32 }, align 8
; CHECK: call dereferenceable(256) ptr @gridspan.shared(i64 0, i64 256)
; CHECK: store { ptr, i32 } %{{.*}}, ptr %[[COPY]]
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %h, ptr %[[COPY]], i64 16, i1 false)
define void @copies_handle() {
  %h = alloca { ptr, i32 }, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %h, ptr @__const.h, i64 16, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @uses_tile, !"kernel", i32 1}
!1 = !{ptr @uses_other, !"kernel", i32 1}
!2 = !{ptr @copies_handle, !"kernel", i32 1}
