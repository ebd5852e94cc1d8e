; Work that is the same for every block moves to a function that runs once per launch.
; RUN: %gridspan-lower %s -pass=globals -pass=blocks -pass=launch-invariants -pass=optimise > %t
; RUN: FileCheck %s < %t
; RUN: FileCheck %s --check-prefix=LEFT < %t

; CHECK: ; numbers.block: 4 values
; CHECK: ; under_condition.block: 1 values
; CHECK: ; cheap.block: 0 values
; CHECK: ; own.block: 0 values
; CHECK: ; memory.block: 1 values
; CHECK: ; plain.region.0: 1 values

declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare float @gridspan_math_exp_f32(float) #0
declare float @llvm.sqrt.f32(float)

@constants = addrspace(4) externally_initialized global [4 x float] zeroinitializer
@variable = addrspace(1) externally_initialized global float 0.0

; Divisions by what may be zero are by one then. Where two ask for the same, it is computed once.
; LEFT-LABEL: define {{.*}}@numbers.block(
; LEFT-NOT: sdiv
; LEFT-NOT: call float @gridspan_math_exp_f32
; CHECK-LABEL: define {{.*}}@numbers.block.prologue(ptr {{.*}}%launch, ptr {{.*}}%values)
; CHECK-DAG: call float @gridspan_math_exp_f32
; CHECK-DAG: icmp eq i32 %{{.*}}, 0
; CHECK-DAG: sdiv i32
; CHECK-DAG: fdiv float
; CHECK: ret void
define void @numbers(ptr %out, float %x, i32 %n, i32 %d) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %to = getelementptr float, ptr %out, i32 %t
  %e = call float @gridspan_math_exp_f32(float %x)
  store volatile float %e, ptr %to
  call void @llvm.nvvm.barrier0()
  %has = icmp ne i32 %t, 0
  br i1 %has, label %divide, label %end
divide:
  %again = call float @gridspan_math_exp_f32(float %x)
  %q = sdiv i32 %n, %d
  %count = uitofp i32 %blocks to float
  %part = fdiv float %x, %count
  %f = sitofp i32 %q to float
  %g = fadd float %f, %again
  %tf = sitofp i32 %t to float
  %h = fmul float %g, %tf
  %i = fadd float %h, %part
  store volatile float %i, ptr %to
  %q2 = sdiv i32 %n, %d
  store volatile i32 %q2, ptr %to
  br label %end
end:
  ret void
}

; LEFT-LABEL: define {{.*}}@under_condition.block(
; CHECK-LABEL: define {{.*}}@under_condition.block.prologue(
; CHECK: icmp sgt i32 %{{.*}}, 7
; CHECK-NEXT: br i1 %{{.*}}, label %[[WANTED:.*]], label
; CHECK: [[WANTED]]:
; CHECK: call float @gridspan_math_exp_f32
; CHECK: ret void
define void @under_condition(ptr %out, float %x, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %to = getelementptr float, ptr %out, i32 %t
  store volatile float 1.0, ptr %to
  call void @llvm.nvvm.barrier0()
  %wanted = icmp sgt i32 %n, 7
  br i1 %wanted, label %then, label %end
then:
  %e = call float @gridspan_math_exp_f32(float %x)
  store volatile float %e, ptr %to
  br label %end
end:
  ret void
}

; What costs little, and conditions, stay.
define void @cheap(ptr %out, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %to = getelementptr i32, ptr %out, i32 %t
  store volatile i32 1, ptr %to
  call void @llvm.nvvm.barrier0()
  %sum = add i32 %n, %m
  %product = mul i32 %sum, %m
  %half = lshr i32 %product, 1
  store volatile i32 %half, ptr %to
  ret void
}

; Of the block, not of the launch.
define void @own(ptr %out, float %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr float, ptr %out, i32 %t
  store volatile float 1.0, ptr %to
  call void @llvm.nvvm.barrier0()
  %f = sitofp i32 %b to float
  %y = fdiv float %x, %f
  store volatile float %y, ptr %to
  ret void
}

; Constant memory does not change during a launch; variables do, and arrays may.
; LEFT-LABEL: define {{.*}}@memory.block(
; LEFT-COUNT-2: call float @llvm.sqrt.f32
; LEFT-NOT: call float @llvm.sqrt.f32
; LEFT-LABEL: define {{.*}}@plain.region.0(
; CHECK-LABEL: define {{.*}}@memory.block.prologue(
; CHECK-COUNT-1: call float @llvm.sqrt.f32
; CHECK-NOT: call float @llvm.sqrt.f32
; CHECK: ret void
define void @memory(ptr %out, ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %to = getelementptr float, ptr %out, i32 %t
  store volatile float 1.0, ptr %to
  call void @llvm.nvvm.barrier0()
  %c = load float, ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(4) @constants to ptr), i64 12)
  %cs = call float @llvm.sqrt.f32(float %c)
  %v = load float, ptr addrspacecast (ptr addrspace(1) @variable to ptr)
  %vs = call float @llvm.sqrt.f32(float %v)
  %a = load float, ptr %in
  %as = call float @llvm.sqrt.f32(float %a)
  store volatile float %cs, ptr %to
  store volatile float %vs, ptr %to
  store volatile float %as, ptr %to
  ret void
}

; Without barriers.
define void @plain(ptr %out, float %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %to = getelementptr float, ptr %out, i32 %t
  %e = call float @gridspan_math_exp_f32(float %x)
  store float %e, ptr %to
  ret void
}

attributes #0 = { memory(none) nounwind willreturn }
!nvvm.annotations = !{!0, !1, !2, !3, !4, !5}
!0 = !{ptr @numbers, !"kernel", i32 1}
!1 = !{ptr @under_condition, !"kernel", i32 1}
!2 = !{ptr @cheap, !"kernel", i32 1}
!3 = !{ptr @own, !"kernel", i32 1}
!4 = !{ptr @memory, !"kernel", i32 1}
!5 = !{ptr @plain, !"kernel", i32 1}
