; A loop all lanes leave together stays a loop with one counter; a loop they leave one by one goes
; round until none is left.
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise | FileCheck %s

; CHECK: ; uniform.region.0: vectors
; CHECK: ; divergent.region.0: vectors

; sum over k of a[k] * b[k * 256 + t]
define void @uniform(ptr %a, ptr %b, ptr %c, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %new, %loop ]
  %wk = zext i32 %k to i64
  %pa = getelementptr float, ptr %a, i64 %wk
  %va = load float, ptr %pa
  %row = mul i64 %wk, 256
  %at = add i64 %row, %w
  %pb = getelementptr float, ptr %b, i64 %at
  %vb = load float, ptr %pb
  %product = fmul float %va, %vb
  %new = fadd float %sum, %product
  %next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %pc = getelementptr float, ptr %c, i64 %w
  store float %new, ptr %pc
  ret void
}
; CHECK-LABEL: define internal void @uniform.region.0
; CHECK: loop.lanes:
; CHECK-DAG: phi i32 [ 0, %{{.*}} ]
; CHECK-DAG: phi <16 x float>
; What all lanes read is read once.
; CHECK: load float, ptr
; CHECK: load <16 x float>, ptr
; CHECK: fmul <16 x float>
; CHECK: fadd <16 x float>
; CHECK: icmp slt i32
; CHECK-NOT: masked
; CHECK: store <16 x float>
; CHECK-NOT: masked.

; for (k = 0; k < count[t]; ++k) s += k
define void @divergent(ptr %count, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %count, i64 %w
  %n = load i32, ptr %p
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %next, %body ]
  %s = phi i32 [ 0, %entry ], [ %sum, %body ]
  %more = icmp slt i32 %k, %n
  br i1 %more, label %body, label %end
body:
  %sum = add i32 %s, %k
  %next = add i32 %k, 1
  br label %head
end:
  %q = getelementptr i32, ptr %out, i64 %w
  store i32 %s, ptr %q
  ret void
}
; CHECK-LABEL: define internal void @divergent.region.0
; CHECK: load <16 x i32>, ptr
; The mask of lanes still going round decides.
; CHECK: head.any{{.*}}:
; CHECK: %head.mask{{.*}} = phi <16 x i1>
; CHECK: bitcast <16 x i1> %head.mask{{.*}} to i16
; CHECK: icmp ne i16
; CHECK: head.lanes{{.*}}:
; The counter is the same for all that are left.
; CHECK: icmp slt <16 x i32>
; What a lane takes out of the loop is chosen when it leaves.
; CHECK: select <16 x i1>
; CHECK: store <16 x i32>

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @uniform, !"kernel", i32 1}
!1 = !{ptr @divergent, !"kernel", i32 1}
