; The order of atomic operations becomes barriers for memory; they themselves are relaxed.
; RUN: %gridspan-lower %s -pass=order-memory | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define i32 @acquire(
; CHECK-NEXT: load atomic i32, ptr %p syncscope("device") monotonic
; CHECK-NEXT: call void asm sideeffect "fence.acq_rel.gpu;", "~{memory}"()
define i32 @acquire(ptr %p) {
  %x = load atomic i32, ptr %p syncscope("device") acquire, align 4
  ret i32 %x
}

; CHECK-LABEL: define void @release(
; CHECK-NEXT: call void asm sideeffect "fence.acq_rel.cta;", "~{memory}"()
; CHECK-NEXT: store atomic i32 1, ptr %p syncscope("block") monotonic
; CHECK-NEXT: ret void
define void @release(ptr %p) {
  store atomic i32 1, ptr %p syncscope("block") release, align 4
  ret void
}

; CHECK-LABEL: define i32 @total(
; CHECK-NEXT: call void asm sideeffect "fence.sc.sys;", "~{memory}"()
; CHECK-NEXT: atomicrmw add ptr %p, i32 1 monotonic
; CHECK-NEXT: call void asm sideeffect "fence.acq_rel.sys;", "~{memory}"()
; CHECK-NEXT: call void asm sideeffect "fence.acq_rel.sys;", "~{memory}"()
; CHECK-NEXT: ret
define i32 @total(ptr %p) {
  %x = atomicrmw add ptr %p, i32 1 seq_cst
  fence acq_rel
  ret i32 %x
}

; What is relaxed needs nothing.
; CHECK-LABEL: define i32 @relaxed(
; CHECK-NOT: fence
; CHECK: ret
define i32 @relaxed(ptr %p) {
  %x = atomicrmw add ptr %p, i32 1 monotonic
  ret i32 %x
}

; A load in the one order of all passes no store before it; a store needs nothing behind it.
; CHECK-LABEL: define i32 @ordered(
; CHECK-NEXT: call void asm sideeffect "fence.sc.sys;", "~{memory}"()
; CHECK-NEXT: store atomic i32 1, ptr %p monotonic
; CHECK-NEXT: call void asm sideeffect "fence.sc.sys;", "~{memory}"()
; CHECK-NEXT: load atomic i32, ptr %p monotonic
; CHECK-NEXT: call void asm sideeffect "fence.acq_rel.sys;", "~{memory}"()
; CHECK-NEXT: ret
define i32 @ordered(ptr %p) {
  store atomic i32 1, ptr %p seq_cst, align 4
  %x = load atomic i32, ptr %p seq_cst, align 4
  ret i32 %x
}
