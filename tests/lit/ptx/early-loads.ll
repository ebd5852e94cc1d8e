; Loads need not wait for atomic operations that ptxas makes loops of.
; RUN: %gridspan-lower %s -pass=load-early | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

@s = internal addrspace(3) global [8 x float] undef, align 4

; CHECK-LABEL: define void @sums(
; CHECK: load float, ptr %a
; CHECK: load float, ptr %next
; CHECK: load float, ptr %third
; CHECK: atomicrmw fadd
; CHECK: atomicrmw add
; CHECK: store i32
; CHECK: atomicrmw fadd
; CHECK: ret void
define void @sums(ptr %a, i64 %n) {
  %x = load float, ptr %a, align 4
  %r0 = atomicrmw fadd ptr addrspace(3) @s, float %x syncscope("device") monotonic, align 4
  %next = getelementptr float, ptr %a, i64 %n
  %c = atomicrmw add ptr addrspace(3) @s, i32 1 monotonic, align 4
  %y = load float, ptr %next, align 4
  store i32 3, ptr addrspace(3) @s
  %twice = shl i64 %n, 1
  %third = getelementptr float, ptr %a, i64 %twice
  %z = load float, ptr %third, align 4
  %sum = fadd float %y, %z
  %r1 = atomicrmw fadd ptr addrspace(3) @s, float %sum monotonic, align 4
  ret void
}

; Not over stores to other memory, barriers, or what gives the address; not loads of shared memory.
; CHECK-LABEL: define void @stay(
; CHECK: atomicrmw fadd
; CHECK-NEXT: load float, ptr addrspace(3)
; CHECK-NEXT: store float
; CHECK-NEXT: load float, ptr %a
; CHECK-NEXT: atomicrmw fadd
; CHECK-NEXT: call void @llvm.nvvm.barrier0()
; CHECK-NEXT: load float, ptr %a
; CHECK: ret void
define void @stay(ptr %a, ptr %b) {
  %r0 = atomicrmw fadd ptr addrspace(3) @s, float 1.0 monotonic, align 4
  %w = load float, ptr addrspace(3) @s
  store float %w, ptr %b
  %x = load float, ptr %a, align 4
  %r1 = atomicrmw fadd ptr addrspace(3) @s, float %x monotonic, align 4
  call void @llvm.nvvm.barrier0()
  %y = load float, ptr %a, align 4
  store float %y, ptr %b
  ret void
}

declare void @llvm.nvvm.barrier0()

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @sums, !"kernel", i32 1}
!1 = !{ptr @stay, !"kernel", i32 1}
