# What gridcc takes and nvcc refuses, or the other way round, and why that is so.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Each entry is one rule of one compiler, in the compiler's words and for the kinds of pieces (pieces.py) that are about
# it. A message that is not here word for word is a disagreement.
import re

QUOTED = r"[\"‘'].*[\"’']"
LAMBDAS = {"lambda"}
KERNELS = {"kernel"}

# (kinds of pieces, what nvcc says, the reason)
GRIDCC_TAKES_MORE = [
    ({"overloads"}, rf"more than one instance of overloaded function {QUOTED} matches the argument list",
     "of two overloads clang takes the one of the caller's side; for nvcc both are equal, and the program is no program"),
    ({"overloads"}, rf"calling a __(host|device)__ function\({QUOTED}\) from a "
                    rf"(__host__|__device__|__global__|__host__ __device__) function\({QUOTED}\) is not allowed$",
     "clang passes over overloads that the caller may not call; nvcc takes the best and then refuses"),
    ({"overloads"}, rf"function {QUOTED} has already been defined",
     "clang lets two functions differ in their side only"),
    ({"nested", "template_body", "pointers", "class_template", "friends", "operators", "members", "function",
      "function_template"},
     rf"calling a __device__ function\({QUOTED}\) from a __host__ __device__ function\({QUOTED}\) is not allowed$",
     "clang refuses the call where host code reaches it, nvcc wherever it stands; no host code reaches this one"),
    ({"constants"}, r"identifier \"piece_\d+::v\" is undefined in device code$",
     "the value of a host constant of floating point is known in device code, as that of an integer"),
    (LAMBDAS, r"The closure type for a lambda .* cannot be used in the template argument type of a __global__ function",
     "a kernel takes any lambda; what it must not call is refused at the call"),
    (LAMBDAS, r"An extended __host__ __device__ lambda cannot capture variables by reference", "lambdas of both sides are "
     "ordinary ones: a reference is used on the side that has the variable"),
    (LAMBDAS, r"extended lambdas cannot be generic lambdas|init-captures are not allowed for extended|"
              r"constexpr specifier is not allowed for an extended|An extended __(device|host)__.* lambda cannot", "nvcc's extended lambdas are classes of its own, with limits; ours are clang's"),
    (KERNELS, r"kernel launch from __device__ or __global__ functions requires separate compilation mode",
     "kernels launch kernels without -rdc=true"),
    (KERNELS, r"A __global__ function or function template cannot be (a member function|defined in a friend declaration)|"
              r"__launch_bounds__ is only allowed on a non-member function",
     "static members and functions that are defined as friends are functions like others for clang"),
    ({"casts"}, rf"cast from {QUOTED} to {QUOTED} loses precision", "g++ refuses it in host code, nvcc takes it in kernels; we take both"),
    ({"casts"}, rf"{QUOTED} is not a pointer-to-object type",
     "g++ looks at templates that nobody makes an instance of; in an instance clang refuses, too"),
    ({"enums"}, r"\"enum class\" and \"enum struct\" cannot be used here \(use plain \"enum\" instead\)",
     "clang names the enumeration that is meant, whatever the keyword"),
    ({"braces"}, r"narrowing conversion of ", "g++ refuses constants in host code; so does gridcc, but not in instances of templates"),
    ({"braces"}, r"invalid narrowing conversion from \"[\w ]+\" to \"[\w ]+\"$",
     "a const reference to a narrowed value; a value is taken by both"),
    ({"variable"}, r"a static \"__(device|constant|managed)__\" variable declaration is not allowed inside a host function body",
     "in a function of both sides; in a host function gridcc refuses it, too"),
    ({"variable"}, r"A __managed__ variable cannot be marked constexpr", "a constant is the same on all sides"),
    ({"variable"}, r"a __managed__ variable cannot have a const qualified type", "the same"),
    ({"variable"}, r"cannot use thread_local specifier for variable declarations in device code",
     "a function of both sides whose variable is the host's by its specifier: device code has none"),
    ({"template_body"}, r"invalid operands of types .<unresolved overloaded function type>. and .int. to binary .operator<.",
     "g++ wants the word template in front of a member's arguments; nvcc does without in device code, and so do we"),
    ({"attributes", "members"}, r"expected (identifier|.;.|unqualified-id) before .*(\[|__attribute)",
     "g++ wants attributes in other places than nvcc and clang, and sees nvcc's respelling of specifiers"),
]

# (kinds of pieces, what gridcc says, the reason)
NVCC_TAKES_MORE = [
    (KERNELS, r"a __global__ function cannot take an rvalue reference", "nvcc refuses it in instances of a template alone"),
    ({"casts"}, r"arithmetic on pointers to void", "of two: nvcc refuses their difference in instances of a template alone"),
    ({"function_template"}, rf"static declaration of {QUOTED} follows non-static declaration",
     "C++ forbids it; nvcc lets a template be static from its definition on"),
    ({"function_template"}, r"default arguments cannot be added to a function template that has already been declared",
     "C++ forbids it; nvcc takes the declaration, and g++ then refuses calls that need the argument"),
    ({"deduction"}, rf"calling a __device__ function\({QUOTED}\) from a __host__ (__device__ )?function is not allowed",
     "nvcc does not look at a constructor whose class's arguments are deduced in braces"),
    ({"special_members"}, r"calling a __(host|device)__ function\(\"(constructor of )?S\"\) from a ",
     "nvcc ignores specifiers of members that are defaulted where they are declared"),
    ({"special_members"}, r"calling a __host__ function\(\"(constructor of )?B\"\) from a __(device|global)__ function",
     "of an implicit constructor whose base has others for both sides, nvcc leaves out the host's in device code"),
    ({"variable"}, r"'v' is a variable of the host and cannot be used in a (__device__|__global__) function",
     "these pieces name a variable and drop its value, which nvcc does not look at"),
    ({"variable"}, r"cannot use thread_local specifier for variable declarations in device code|"
                   r"thread-local storage is not supported", "a function for both sides with a thread_local variable"),
]


def reason(piece, by_nvcc, by_gridcc):
    """Why the two may disagree about a piece; None if they may not."""
    rules, said = (GRIDCC_TAKES_MORE, by_nvcc) if by_gridcc is None else (NVCC_TAKES_MORE, by_gridcc)
    if by_nvcc is not None and by_gridcc is not None:
        return None
    for kinds, words, why in rules:
        if piece.kind in kinds and re.search(words, said or ""):
            return why
    return None
