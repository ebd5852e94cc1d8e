; What other processors than those with AVX-512 get, down to their instructions.
; RUN: %gridspan-lower %s -target=aarch64-linux-gnu -pass=retarget -pass=regions -pass=vectorise | tee %t.neon.ll | FileCheck %s --check-prefixes=LANES,ARM
; RUN: llc -O2 %t.neon.ll -o - | FileCheck %s --check-prefix=NEON
; RUN: %gridspan-lower %s -target=aarch64-linux-gnu -cpu=neoverse-v1 -pass=retarget -pass=regions -pass=vectorise | tee %t.sve.ll | FileCheck %s --check-prefixes=LANES,ARM
; RUN: llc -O2 -mcpu=neoverse-v1 %t.sve.ll -o - | FileCheck %s --check-prefix=SVE
; RUN: %gridspan-lower %s -target=x86_64-linux-gnu -cpu=x86-64-v3 -pass=retarget -pass=regions -pass=vectorise | FileCheck %s --check-prefix=V3
; RUN: %gridspan-lower %s -target=x86_64-linux-gnu -pass=retarget -pass=regions -pass=vectorise | FileCheck %s --check-prefix=BASELINE

; LANES: ; 128 bits
; LANES: ; scale.region.0: vectors
; V3: ; 256 bits
; V3: ; scale.region.0: vectors
; BASELINE: ; no vectors
; BASELINE-NOT: <{{[0-9]+}} x float>

; if (i < n) y[i] = a * x[i], and sums of columns in a loop
define void @scale(ptr noalias %x, ptr noalias %y, float %a, i32 %n) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nsw i32 %b, %w
  %i = add nsw i32 %first, %t
  %is_in = icmp slt i32 %i, %n
  br i1 %is_in, label %work, label %done
work:
  %at = sext i32 %i to i64
  %step = sext i32 %n to i64
  br label %loop
loop:
  %k = phi i64 [ 0, %work ], [ %next, %loop ]
  %sum = phi float [ 0.0, %work ], [ %new, %loop ]
  %row = mul nsw i64 %k, %step
  %place = add nsw i64 %row, %at
  %px = getelementptr inbounds float, ptr %x, i64 %place
  %v = load float, ptr %px
  %new = call float @llvm.fma.f32(float %v, float %a, float %sum)
  %next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %next, %step
  br i1 %more, label %loop, label %leave
leave:
  %py = getelementptr inbounds float, ptr %y, i64 %at
  store float %new, ptr %py
  br label %done
done:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare float @llvm.fma.f32(float, float, float)
!nvvm.annotations = !{!0}
!0 = !{ptr @scale, !"kernel", i32 1}

; ARM: <4 x float>
; NEON-NOT: ld1w
; NEON: fmla v{{[0-9]+}}.4s
; NEON-NOT: ld1w
; SVE-DAG: fmla v{{[0-9]+}}.4s
; SVE-DAG: ld1w { z{{[0-9]+}}.s }, p{{[0-9]+}}/z
; SVE-DAG: st1w { z{{[0-9]+}}.s }, p{{[0-9]+}}
