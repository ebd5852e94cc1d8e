; What lies over dynamic shared memory has no length.
; RUN: %gridspan-lower %s -pass=dynamic-shared | FileCheck %s

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-DAG: @work = external addrspace(3) global [0 x i8], align 16
; CHECK-DAG: @number = external addrspace(3) global [0 x i8], align 8
; CHECK-DAG: @usual = external addrspace(3) global [0 x i32], align 4
; CHECK-DAG: @fixed = internal addrspace(3) global [4 x i32] undef, align 4
@work = external addrspace(3) global { i32, [7 x float] }, align 16
@number = external addrspace(3) global double
@usual = external addrspace(3) global [0 x i32], align 4
@fixed = internal addrspace(3) global [4 x i32] undef, align 4

; CHECK: load float, ptr getelementptr ({ i32, [7 x float] }, ptr addrspacecast (ptr addrspace(3) @work to ptr), i64 0, i32 1, i64 2)
define float @member() {
  %x = load float, ptr getelementptr ({ i32, [7 x float] }, ptr addrspacecast (ptr addrspace(3) @work to ptr), i64 0, i32 1, i64 2), align 4
  ret float %x
}
