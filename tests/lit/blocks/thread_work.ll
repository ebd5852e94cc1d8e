; What a thread executes at most, where the rounds of loops are constants.
; RUN: %gridspan-lower %s -pass=thread-work | FileCheck %s

; CHECK: ; straight: 21 instructions
define void @straight(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %p = getelementptr float, ptr %x, i64 %i
  %a = load float, ptr %p
  %b = call float @llvm.sqrt.f32(float %a)
  store float %b, ptr %p
  ret void
}

; Ten rounds of five instructions, and two around them.
; CHECK: ; counted: 52 instructions
define void @counted(ptr %x) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  store i32 %i, ptr %x
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 10
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK: ; by_argument: 0 instructions
define void @by_argument(ptr %x, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  store i32 %i, ptr %x
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK: ; calls_out: 66 instructions
define void @calls_out(ptr %x) {
  %a = call float @expf(float 1.0)
  store float %a, ptr %x
  ret void
}

; CHECK: ; calls_in: 0 instructions
define void @calls_in(ptr %x) {
  call void @more(ptr %x)
  ret void
}
define void @more(ptr %x) {
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.sqrt.f32(float)
declare float @expf(float)
!nvvm.annotations = !{!0, !1, !2, !3, !4}
!0 = !{ptr @straight, !"kernel", i32 1}
!1 = !{ptr @counted, !"kernel", i32 1}
!2 = !{ptr @by_argument, !"kernel", i32 1}
!3 = !{ptr @calls_out, !"kernel", i32 1}
!4 = !{ptr @calls_in, !"kernel", i32 1}
