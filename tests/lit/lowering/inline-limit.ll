; A kernel that would be a million instructions long does not swallow its arithmetic: what only makes
; numbers of numbers stays a function, the part that is largest. What reads memory of others, or asks
; for the thread, goes into the kernel as ever; so does everything in kernels of ordinary size.
; RUN: %gridspan-lower %s -pass=inline-limit | FileCheck %s
; RUN: sed 's/ptr @kernel, !"kernel"/ptr @small, !"kernel"/' %s > %t.ll
; RUN: %gridspan-lower %t.ll -pass=inline-limit | FileCheck %s --check-prefix=SMALL

; CHECK: define internal float @once(float %x) #[[GOES:[0-9]+]]
; CHECK: define internal float @hundreds(float %x) #[[GOES]]
; CHECK: define internal float @thousands(float %x) #[[STAYS:[0-9]+]]
; CHECK: define internal float @loads_thousands(float %x, ptr %from) #[[GOES]]
; CHECK: define internal float @asks_thousands(float %x) #[[GOES]]
; CHECK-DAG: attributes #[[STAYS]] = { noinline }
; CHECK-DAG: attributes #[[GOES]] = { alwaysinline }

; SMALL: define void @small
; SMALL-NOT: noinline

define internal float @once(float %x) #0 {
  %own = alloca float, align 4
  store float %x, ptr %own, align 4
  %again = load float, ptr %own, align 4
  %square = fmul float %again, %x
  ret float %square
}

define internal float @tens(float %x) #0 {
  %c0 = call float @once(float %x)
  %c1 = call float @once(float %c0)
  %c2 = call float @once(float %c1)
  %c3 = call float @once(float %c2)
  %c4 = call float @once(float %c3)
  %c5 = call float @once(float %c4)
  %c6 = call float @once(float %c5)
  %c7 = call float @once(float %c6)
  %c8 = call float @once(float %c7)
  %c9 = call float @once(float %c8)
  %c10 = call float @once(float %c9)
  %c11 = call float @once(float %c10)
  %c12 = call float @once(float %c11)
  %c13 = call float @once(float %c12)
  %c14 = call float @once(float %c13)
  %c15 = call float @once(float %c14)
  ret float %c15
}

define internal float @hundreds(float %x) #0 {
  %c0 = call float @tens(float %x)
  %c1 = call float @tens(float %c0)
  %c2 = call float @tens(float %c1)
  %c3 = call float @tens(float %c2)
  %c4 = call float @tens(float %c3)
  %c5 = call float @tens(float %c4)
  %c6 = call float @tens(float %c5)
  %c7 = call float @tens(float %c6)
  %c8 = call float @tens(float %c7)
  %c9 = call float @tens(float %c8)
  %c10 = call float @tens(float %c9)
  %c11 = call float @tens(float %c10)
  %c12 = call float @tens(float %c11)
  %c13 = call float @tens(float %c12)
  %c14 = call float @tens(float %c13)
  %c15 = call float @tens(float %c14)
  %c16 = call float @tens(float %c15)
  %c17 = call float @tens(float %c16)
  %c18 = call float @tens(float %c17)
  %c19 = call float @tens(float %c18)
  ret float %c19
}

define internal float @thousands(float %x) #0 {
  %c0 = call float @hundreds(float %x)
  %c1 = call float @hundreds(float %c0)
  %c2 = call float @hundreds(float %c1)
  %c3 = call float @hundreds(float %c2)
  %c4 = call float @hundreds(float %c3)
  %c5 = call float @hundreds(float %c4)
  %c6 = call float @hundreds(float %c5)
  %c7 = call float @hundreds(float %c6)
  %c8 = call float @hundreds(float %c7)
  %c9 = call float @hundreds(float %c8)
  %c10 = call float @hundreds(float %c9)
  %c11 = call float @hundreds(float %c10)
  %c12 = call float @hundreds(float %c11)
  %c13 = call float @hundreds(float %c12)
  %c14 = call float @hundreds(float %c13)
  %c15 = call float @hundreds(float %c14)
  %c16 = call float @hundreds(float %c15)
  %c17 = call float @hundreds(float %c16)
  %c18 = call float @hundreds(float %c17)
  %c19 = call float @hundreds(float %c18)
  %c20 = call float @hundreds(float %c19)
  %c21 = call float @hundreds(float %c20)
  %c22 = call float @hundreds(float %c21)
  %c23 = call float @hundreds(float %c22)
  %c24 = call float @hundreds(float %c23)
  %c25 = call float @hundreds(float %c24)
  %c26 = call float @hundreds(float %c25)
  %c27 = call float @hundreds(float %c26)
  %c28 = call float @hundreds(float %c27)
  %c29 = call float @hundreds(float %c28)
  %c30 = call float @hundreds(float %c29)
  %c31 = call float @hundreds(float %c30)
  %c32 = call float @hundreds(float %c31)
  %c33 = call float @hundreds(float %c32)
  %c34 = call float @hundreds(float %c33)
  %c35 = call float @hundreds(float %c34)
  %c36 = call float @hundreds(float %c35)
  %c37 = call float @hundreds(float %c36)
  %c38 = call float @hundreds(float %c37)
  %c39 = call float @hundreds(float %c38)
  ret float %c39
}

define internal float @loads(float %x, ptr %from) #0 {
  %at = load float, ptr %from, align 4
  %sum = fadd float %at, %x
  ret float %sum
}

define internal float @loads_tens(float %x, ptr %from) #0 {
  %c0 = call float @loads(float %x, ptr %from)
  %c1 = call float @loads(float %c0, ptr %from)
  %c2 = call float @loads(float %c1, ptr %from)
  %c3 = call float @loads(float %c2, ptr %from)
  %c4 = call float @loads(float %c3, ptr %from)
  %c5 = call float @loads(float %c4, ptr %from)
  %c6 = call float @loads(float %c5, ptr %from)
  %c7 = call float @loads(float %c6, ptr %from)
  %c8 = call float @loads(float %c7, ptr %from)
  %c9 = call float @loads(float %c8, ptr %from)
  %c10 = call float @loads(float %c9, ptr %from)
  %c11 = call float @loads(float %c10, ptr %from)
  %c12 = call float @loads(float %c11, ptr %from)
  %c13 = call float @loads(float %c12, ptr %from)
  %c14 = call float @loads(float %c13, ptr %from)
  %c15 = call float @loads(float %c14, ptr %from)
  ret float %c15
}

define internal float @loads_hundreds(float %x, ptr %from) #0 {
  %c0 = call float @loads_tens(float %x, ptr %from)
  %c1 = call float @loads_tens(float %c0, ptr %from)
  %c2 = call float @loads_tens(float %c1, ptr %from)
  %c3 = call float @loads_tens(float %c2, ptr %from)
  %c4 = call float @loads_tens(float %c3, ptr %from)
  %c5 = call float @loads_tens(float %c4, ptr %from)
  %c6 = call float @loads_tens(float %c5, ptr %from)
  %c7 = call float @loads_tens(float %c6, ptr %from)
  %c8 = call float @loads_tens(float %c7, ptr %from)
  %c9 = call float @loads_tens(float %c8, ptr %from)
  %c10 = call float @loads_tens(float %c9, ptr %from)
  %c11 = call float @loads_tens(float %c10, ptr %from)
  %c12 = call float @loads_tens(float %c11, ptr %from)
  %c13 = call float @loads_tens(float %c12, ptr %from)
  %c14 = call float @loads_tens(float %c13, ptr %from)
  %c15 = call float @loads_tens(float %c14, ptr %from)
  %c16 = call float @loads_tens(float %c15, ptr %from)
  %c17 = call float @loads_tens(float %c16, ptr %from)
  %c18 = call float @loads_tens(float %c17, ptr %from)
  %c19 = call float @loads_tens(float %c18, ptr %from)
  ret float %c19
}

define internal float @asks(float %x) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = sitofp i32 %t to float
  %sum = fadd float %n, %x
  ret float %sum
}

define internal float @asks_tens(float %x) #0 {
  %c0 = call float @asks(float %x)
  %c1 = call float @asks(float %c0)
  %c2 = call float @asks(float %c1)
  %c3 = call float @asks(float %c2)
  %c4 = call float @asks(float %c3)
  %c5 = call float @asks(float %c4)
  %c6 = call float @asks(float %c5)
  %c7 = call float @asks(float %c6)
  %c8 = call float @asks(float %c7)
  %c9 = call float @asks(float %c8)
  %c10 = call float @asks(float %c9)
  %c11 = call float @asks(float %c10)
  %c12 = call float @asks(float %c11)
  %c13 = call float @asks(float %c12)
  %c14 = call float @asks(float %c13)
  %c15 = call float @asks(float %c14)
  ret float %c15
}

define internal float @asks_hundreds(float %x) #0 {
  %c0 = call float @asks_tens(float %x)
  %c1 = call float @asks_tens(float %c0)
  %c2 = call float @asks_tens(float %c1)
  %c3 = call float @asks_tens(float %c2)
  %c4 = call float @asks_tens(float %c3)
  %c5 = call float @asks_tens(float %c4)
  %c6 = call float @asks_tens(float %c5)
  %c7 = call float @asks_tens(float %c6)
  %c8 = call float @asks_tens(float %c7)
  %c9 = call float @asks_tens(float %c8)
  %c10 = call float @asks_tens(float %c9)
  %c11 = call float @asks_tens(float %c10)
  %c12 = call float @asks_tens(float %c11)
  %c13 = call float @asks_tens(float %c12)
  %c14 = call float @asks_tens(float %c13)
  %c15 = call float @asks_tens(float %c14)
  %c16 = call float @asks_tens(float %c15)
  %c17 = call float @asks_tens(float %c16)
  %c18 = call float @asks_tens(float %c17)
  %c19 = call float @asks_tens(float %c18)
  ret float %c19
}

define internal float @loads_thousands(float %x, ptr %from) #0 {
  %c0 = call float @loads_hundreds(float %x, ptr %from)
  %c1 = call float @loads_hundreds(float %c0, ptr %from)
  %c2 = call float @loads_hundreds(float %c1, ptr %from)
  %c3 = call float @loads_hundreds(float %c2, ptr %from)
  %c4 = call float @loads_hundreds(float %c3, ptr %from)
  %c5 = call float @loads_hundreds(float %c4, ptr %from)
  %c6 = call float @loads_hundreds(float %c5, ptr %from)
  %c7 = call float @loads_hundreds(float %c6, ptr %from)
  %c8 = call float @loads_hundreds(float %c7, ptr %from)
  %c9 = call float @loads_hundreds(float %c8, ptr %from)
  %c10 = call float @loads_hundreds(float %c9, ptr %from)
  %c11 = call float @loads_hundreds(float %c10, ptr %from)
  %c12 = call float @loads_hundreds(float %c11, ptr %from)
  %c13 = call float @loads_hundreds(float %c12, ptr %from)
  %c14 = call float @loads_hundreds(float %c13, ptr %from)
  %c15 = call float @loads_hundreds(float %c14, ptr %from)
  %c16 = call float @loads_hundreds(float %c15, ptr %from)
  %c17 = call float @loads_hundreds(float %c16, ptr %from)
  %c18 = call float @loads_hundreds(float %c17, ptr %from)
  %c19 = call float @loads_hundreds(float %c18, ptr %from)
  %c20 = call float @loads_hundreds(float %c19, ptr %from)
  %c21 = call float @loads_hundreds(float %c20, ptr %from)
  %c22 = call float @loads_hundreds(float %c21, ptr %from)
  %c23 = call float @loads_hundreds(float %c22, ptr %from)
  %c24 = call float @loads_hundreds(float %c23, ptr %from)
  %c25 = call float @loads_hundreds(float %c24, ptr %from)
  %c26 = call float @loads_hundreds(float %c25, ptr %from)
  %c27 = call float @loads_hundreds(float %c26, ptr %from)
  %c28 = call float @loads_hundreds(float %c27, ptr %from)
  %c29 = call float @loads_hundreds(float %c28, ptr %from)
  %c30 = call float @loads_hundreds(float %c29, ptr %from)
  %c31 = call float @loads_hundreds(float %c30, ptr %from)
  %c32 = call float @loads_hundreds(float %c31, ptr %from)
  %c33 = call float @loads_hundreds(float %c32, ptr %from)
  %c34 = call float @loads_hundreds(float %c33, ptr %from)
  %c35 = call float @loads_hundreds(float %c34, ptr %from)
  %c36 = call float @loads_hundreds(float %c35, ptr %from)
  %c37 = call float @loads_hundreds(float %c36, ptr %from)
  %c38 = call float @loads_hundreds(float %c37, ptr %from)
  %c39 = call float @loads_hundreds(float %c38, ptr %from)
  ret float %c39
}

define internal float @asks_thousands(float %x) #0 {
  %c0 = call float @asks_hundreds(float %x)
  %c1 = call float @asks_hundreds(float %c0)
  %c2 = call float @asks_hundreds(float %c1)
  %c3 = call float @asks_hundreds(float %c2)
  %c4 = call float @asks_hundreds(float %c3)
  %c5 = call float @asks_hundreds(float %c4)
  %c6 = call float @asks_hundreds(float %c5)
  %c7 = call float @asks_hundreds(float %c6)
  %c8 = call float @asks_hundreds(float %c7)
  %c9 = call float @asks_hundreds(float %c8)
  %c10 = call float @asks_hundreds(float %c9)
  %c11 = call float @asks_hundreds(float %c10)
  %c12 = call float @asks_hundreds(float %c11)
  %c13 = call float @asks_hundreds(float %c12)
  %c14 = call float @asks_hundreds(float %c13)
  %c15 = call float @asks_hundreds(float %c14)
  %c16 = call float @asks_hundreds(float %c15)
  %c17 = call float @asks_hundreds(float %c16)
  %c18 = call float @asks_hundreds(float %c17)
  %c19 = call float @asks_hundreds(float %c18)
  %c20 = call float @asks_hundreds(float %c19)
  %c21 = call float @asks_hundreds(float %c20)
  %c22 = call float @asks_hundreds(float %c21)
  %c23 = call float @asks_hundreds(float %c22)
  %c24 = call float @asks_hundreds(float %c23)
  %c25 = call float @asks_hundreds(float %c24)
  %c26 = call float @asks_hundreds(float %c25)
  %c27 = call float @asks_hundreds(float %c26)
  %c28 = call float @asks_hundreds(float %c27)
  %c29 = call float @asks_hundreds(float %c28)
  %c30 = call float @asks_hundreds(float %c29)
  %c31 = call float @asks_hundreds(float %c30)
  %c32 = call float @asks_hundreds(float %c31)
  %c33 = call float @asks_hundreds(float %c32)
  %c34 = call float @asks_hundreds(float %c33)
  %c35 = call float @asks_hundreds(float %c34)
  %c36 = call float @asks_hundreds(float %c35)
  %c37 = call float @asks_hundreds(float %c36)
  %c38 = call float @asks_hundreds(float %c37)
  %c39 = call float @asks_hundreds(float %c38)
  ret float %c39
}

define void @kernel(ptr %a) {
  %x = load float, ptr %a, align 4
  %n0 = call float @thousands(float %x)
  %n1 = call float @thousands(float %n0)
  %n2 = call float @thousands(float %n1)
  %n3 = call float @thousands(float %n2)
  %n4 = call float @thousands(float %n3)
  %n5 = call float @thousands(float %n4)
  %n6 = call float @thousands(float %n5)
  %n7 = call float @thousands(float %n6)
  %n8 = call float @thousands(float %n7)
  %n9 = call float @thousands(float %n8)
  %n10 = call float @thousands(float %n9)
  %n11 = call float @thousands(float %n10)
  %n12 = call float @thousands(float %n11)
  %n13 = call float @thousands(float %n12)
  %l0 = call float @loads_thousands(float %n13, ptr %a)
  %t0 = call float @asks_thousands(float %l0)
  %l1 = call float @loads_thousands(float %t0, ptr %a)
  %t1 = call float @asks_thousands(float %l1)
  %l2 = call float @loads_thousands(float %t1, ptr %a)
  %t2 = call float @asks_thousands(float %l2)
  store float %t2, ptr %a, align 4
  ret void
}

define void @small(ptr %a) {
  %x = load float, ptr %a, align 4
  %y = call float @hundreds(float %x)
  %z = call float @hundreds(float %y)
  store float %z, ptr %a, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { alwaysinline }

!nvvm.annotations = !{!0}
!0 = !{ptr @kernel, !"kernel", i32 1}
