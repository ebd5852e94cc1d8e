; What a device link leaves: names with dots, of extern shared memory, too; and functions that nobody uses but tables do, which call
; what no GPU has (lambdas of the host that launch kernels). The driver has to load it all the same.
; RUN: %gridspan-ptx %s | FileCheck %s

; CHECK-NOT: .extern .func
; CHECK: .extern .shared .align 4 .b8 scratch_$_1[];
; CHECK: .visible .entry copies(
; CHECK: mov.u64 {{.*}}, scratch_$_1;
; CHECK: .func of_the_host
; CHECK: trap;
; CHECK-NOT: call

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@scratch.1 = external addrspace(3) global [0 x float], align 4
@table = addrspace(4) externally_initialized constant [1 x ptr] [ptr @of_the_host]

define void @copies(ptr %out, i64 %i) {
  %p = getelementptr float, ptr addrspace(3) @scratch.1, i64 %i
  %v = load float, ptr addrspace(3) %p
  store float %v, ptr %out
  ret void
}

define void @of_the_host() {
  %r = call i32 @__cudaPushCallConfiguration(i32 1)
  ret void
}

declare i32 @__cudaPushCallConfiguration(i32)

!nvvm.annotations = !{!0}
!0 = !{ptr @copies, !"kernel", i32 1}
