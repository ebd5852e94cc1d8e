; Lanes that return before an operation of their warp: the others go on. The warps' skeleton reads who is there, leaves out
; warps with nobody, and gives lanes their own numbers where they ask those that are gone.
; RUN: %gridspan-lower %s -pass=blocks | FileCheck %s

; CHECK: ; guarded: {{.*}} regions
define void @guarded(ptr %in, ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %inside = icmp slt i32 %t, %n
  br i1 %inside, label %work, label %end
work:
  %wt = zext nneg i32 %t to i64
  %at = getelementptr float, ptr %in, i64 %wt
  %v = load float, ptr %at
  %a = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v, i32 16, i32 31)
  %b = fadd float %v, %a
  %negative = fcmp olt float %b, 0.0
  %votes = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %negative)
  %x = uitofp i32 %votes to float
  %c = fadd float %x, %b
  %to = getelementptr float, ptr %out, i64 %wt
  store float %c, ptr %to
  br label %end
end:
  ret void
}

; CHECK-LABEL: define internal void @guarded.warps.
; CHECK: %[[NOTES:.*]] = load <32 x i8>, ptr
; CHECK: %there = icmp ne <32 x i8> %[[NOTES]], zeroinitializer
; CHECK: %[[BITS:.*]] = bitcast <32 x i1> %there to i32
; CHECK: %[[SOME:.*]] = icmp ne i32 %[[BITS]], 0
; CHECK: br i1 %[[SOME]], label %{{.*}}, label %next_warp
; CHECK: %[[SENT:.*]] = load <32 x float>
; CHECK: %[[GOT:.*]] = shufflevector <32 x float> %[[SENT]]
; CHECK: %[[ASKED:.*]] = shufflevector <32 x i1> %there
; CHECK: select <32 x i1> %[[ASKED]], <32 x float> %[[GOT]], <32 x float> %[[SENT]]
; CHECK: %[[VOTES:.*]] = bitcast <32 x i1> %{{.*}} to i32
; CHECK: %[[PRESENT:.*]] = bitcast <32 x i1> %there to i32
; CHECK: %[[MASK:.*]] = and i32 -1, %[[PRESENT]]
; CHECK: and i32 %[[VOTES]], %[[MASK]]
; CHECK: next_warp

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)

!nvvm.annotations = !{!0}
!0 = !{ptr @guarded, !"kernel", i32 1}
