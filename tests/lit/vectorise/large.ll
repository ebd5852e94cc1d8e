; Large regions become vectors, too; very large ones would take too long to compile.
; RUN: awk -v most=4000 -f %S/Inputs/large.awk > %t.ll && %gridspan-lower %t.ll -pass=regions -pass=vectorise | FileCheck %s
; RUN: awk -v most=30000 -f %S/Inputs/large.awk > %t.ll && %gridspan-lower %t.ll -pass=regions -pass=vectorise | FileCheck %s --check-prefix=SCALAR

; CHECK: ; large.region.0: vectors
; SCALAR: ; large.region.0: {{.*}}more than 10000 instructions between two barriers
