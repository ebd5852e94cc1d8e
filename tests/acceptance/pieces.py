# Small pieces of CUDA, made at random: each is a namespace of its own that a compiler takes or refuses.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A piece is of one kind (a method of Maker whose name begins with `piece_`) and the same for the same seed and
# number on every machine. Kinds are about what compilers differ in: who may call whom, what may be written where.
import random

SPECIFIERS = ["", "__host__", "__device__", "__host__ __device__", "__device__ __host__"]
CALLERS = ["__global__ void", "__device__ int", "__host__ __device__ int", "int"]
TYPES = ["int", "unsigned", "long", "short", "char", "float", "double", "bool", "unsigned char", "float2", "dim3"]
NUMBERS = ["int", "unsigned", "long", "short", "char", "float", "double", "bool", "unsigned char", "long long"]


class Maker:
    def __init__(self, seed, number):
        self.random = random.Random(f"{seed}:{number}")
        self.kinds = [name for name in dir(self) if name.startswith("piece_")]
        self.functions = []  # (name, caller) of those that evaluate an expression of `x`

    def make(self):
        """The text of the piece, without its namespace."""
        self.kind = self.random.choice(self.kinds)
        return getattr(self, self.kind)()

    # Choices.
    def one(self, *choices):
        return self.random.choice(choices)

    def maybe(self, text, chance=0.3):
        return text if self.random.random() < chance else ""

    def specifier(self):
        return self.one(*SPECIFIERS)

    def attribute(self, chance=0.25):
        """What may stand among a function's specifiers."""
        return self.maybe(
            self.one("static", "inline", "constexpr", "__noinline__", "__forceinline__", "[[nodiscard]]",
                     "[[maybe_unused]]", "__attribute__((unused))", "extern", "static inline",
                     "__attribute__((noinline))", "__inline__"), chance)

    def shuffled(self, *words):
        words = [word for word in words if word]
        # An attribute in brackets is of the declaration only if it comes first, mostly.
        if self.random.random() < 0.8:
            words.sort(key=lambda word: not word.startswith("[["))
            rest = [word for word in words if not word.startswith("[[")]
            self.random.shuffle(rest)
            words = [word for word in words if word.startswith("[[")] + rest
        else:
            self.random.shuffle(words)
        return " ".join(words)

    def body(self, expression, caller=None):
        """A function of some side that evaluates the expression of `x`, an int."""
        caller = caller or self.one(*CALLERS)
        name = "use" + str(self.random.randrange(1000))
        self.functions.append((name, caller))
        if "__global__" in caller:
            return f"{caller} {name}(int* out, int x) {{ *out = {expression}; }}\n"
        return f"{caller} {name}(int x) {{ return {expression}; }}\n"

    def uses(self, expression, least=0, most=2):
        return "".join(self.body(expression) for _ in range(self.random.randint(least, most)))

    def value(self, type_name):
        """A constant of a type, sometimes one that does not fit."""
        return self.one("0", "1", "-1", "3.5", "300", "7u", "5L", "2.0f", "'a'", "true", "1e50", "(1 + 2)",
                        "3000000000", "nullptr" if self.random.random() < 0.1 else "2")

    # Functions.
    def piece_function(self):
        """Declared and defined, perhaps with other specifiers; called from some sides."""
        first, second = self.specifier(), self.specifier()
        if self.random.random() < 0.6:
            second = first
        declared = self.maybe(f"{self.shuffled(first, self.attribute(0.15))} int f(int x{self.maybe(' = 3')});\n", 0.6)
        noexcept = self.maybe(" noexcept", 0.1)
        defined = f"{self.shuffled(second, self.attribute())} int f(int x){noexcept} {{ return x + 1; }}\n"
        return declared + defined + self.uses(self.one("f(x)", "f(2)", "f(f(x))"))

    def piece_overloads(self):
        """Two of one name."""
        first = f"{self.specifier()} int f({self.one(*NUMBERS)} x) {{ return 1; }}\n"
        second = f"{self.specifier()} int f({self.one(*NUMBERS)} x) {{ return 2; }}\n"
        third = self.maybe(f"{self.specifier()} int f(...) {{ return 3; }}\n", 0.2)
        return first + second + third + self.uses(self.one("f(x)", "f(2.5)", "f('a')", "f(short(x))"))

    def piece_function_template(self):
        parameters = self.one("class T", "typename T", "class T, int N = 3", "class T = int", "int N, class T = int")
        given = {"int N, class T = int": "<4>"}.get(parameters, self.one("", "<int>"))
        argument = self.one("T x", "const T& x", "T x, T y = T()")
        text = ""
        if self.random.random() < 0.3:
            text += f"template <{parameters.replace(' = 3', '').replace(' = int', '')}> " \
                    f"{self.specifier()} T f({argument.replace(' = T()', '')});\n"
        attribute = self.attribute()
        text += f"template <{parameters}> {self.shuffled(self.specifier(), attribute)} T f({argument}) " \
                f"{{ return x; }}\n"
        if self.random.random() < 0.3 and "N" not in parameters and argument == "T x":
            text += f"template <> {self.shuffled(self.specifier(), self.attribute(0.1))} " \
                    f"float f{self.one('<float>', '')}(float x) {{ return 2; }}\n"
        if self.random.random() < 0.2 and "N" not in parameters and argument == "T x":
            text += f"{self.one('template', 'extern template')} {self.specifier()} long f<long>(long);\n"
        return text + self.uses(self.one(f"f{given}(x)", f"int(f{given}(x))"))

    def piece_template_body(self):
        """What a template says before anybody asks for it."""
        statement = self.one("return p->v;", "return (*p).v;", "return p[1].v;", "return r.v;", "p->m(); return 0;",
                             "return sizeof(Later);", "Later l; return 0;", "return undeclared;", "return undeclared(t);",
                             "return later(t);", "return later(3);", "const int c = 3; return c;", "return T::v;",
                             "return t.template m<3>();", "return t.m<3>(1);", "typename T::type y = 3; return y;",
                             "return static_cast<T*>(&t)->template m<3>();", "return p->inner.v + p->v;",
                             "return int(Later::s);", "delete p; return 1;", "return p == nullptr;",
                             "return t.f(3);", "return p->template n<T>();")
        side = self.specifier()
        text = f"struct Later;\ntemplate <class T> {side} int f(T t, Later* p, Later& r) {{ {statement} }}\n"
        text += "struct Inner { int v; };\n"
        text += f"struct Later {{ int v; Inner inner; static const int s = 3; {self.specifier()} void m() {{}} " \
                f"template <class U> {self.specifier()} int n() {{ return 1; }} }};\n"
        text += self.maybe(f"{self.specifier()} int later(int x) {{ return x; }}\n", 0.5)
        text += "struct Good { static const int v = 3; typedef int type; template <int I> __host__ __device__ int m(int = 0) " \
                "{ return I; } __host__ __device__ int f(int x) { return x; } };\n"
        if self.random.random() < 0.5:
            text += f"{self.one(*SPECIFIERS)} int use(Later* p) {{ return f(Good(), p, *p); }}\n"
        return text

    # Classes.
    def piece_members(self):
        """A member declared with some specifiers and defined, inside or not, with others."""
        inside = self.specifier()
        kind = self.one("int m(int x)", "int m(int x) const", "static int m(int x)", "S(int x)", "~S()",
                        "int operator()(int x)", "int operator[](int x) const", "operator int() const",
                        "S& operator+=(int x)", "virtual int m(int x)", "explicit S(int x)", "S& operator=(const S& o)")
        returned = "" if "S(" in kind and "operator" not in kind else \
            "return *this;" if "S&" in kind else "return 1;"
        bare = kind
        for word in ("static ", "virtual ", "explicit "):
            bare = bare.replace(word, "")
        name = "S::" + bare
        if bare.startswith("int "):
            name = "int S::" + bare[4:]
        elif bare.startswith("S& "):
            name = "S& S::" + bare[3:]
        others = self.maybe(f"{self.specifier()} S() {{}}\n", 0.5)
        attribute = self.maybe(self.one("inline", "[[nodiscard]]", "__forceinline__", "constexpr", "__noinline__"), 0.2)
        if self.random.random() < 0.4:
            text = f"struct S {{ int a; {others} {self.shuffled(inside, attribute)} {kind} {{ {returned} }} }};\n"
        else:
            outside = inside if self.random.random() < 0.5 else self.specifier()
            text = f"struct S {{ int a; {others} {self.shuffled(inside, attribute)} {kind}; }};\n" \
                   f"{self.shuffled(outside, self.maybe('inline', 0.2))} {name} {{ {returned} }}\n"
        call = {"int m": "s.m(x)", "static": "S::m(x)", "S(int": "S(x).a", "int operator(": "s(x)",
                "int operator[": "s[x]", "operator int": "int(s)", "S& operator+": "(s += x).a",
                "virtual": "s.m(x)", "explicit": "S(x).a"}
        expression = next((text for start, text in call.items() if kind.startswith(start)), "s.a")
        if "s" in expression.replace("S::", ""):
            caller = self.one("__global__ void use(S s, int x, int* out) { *out = EXPR; }",
                              "__device__ int use(S& s, int x) { return EXPR; }", "int use(S& s, int x) { return EXPR; }",
                              "__host__ __device__ int use(S& s, int x) { return EXPR; }")
            return text + caller.replace("EXPR", expression) + "\n"
        return text + self.uses(expression, 1)

    def piece_class_template(self):
        """Members of class templates, defined outside."""
        inside, outside = self.specifier(), self.specifier()
        if self.random.random() < 0.5:
            outside = inside
        text = self.one(
            f"template <class T> struct A {{ T v; {inside} T m(T x) const; }};\n"
            f"template <class T> {outside} T A<T>::m(T x) const {{ return x + v; }}\n",
            f"template <class T> struct A {{ T v; template <class U> {inside} T m(U x) const; }};\n"
            f"template <class T> template <class U> {outside} T A<T>::m{self.one('', '<U>')}(U x) const "
            f"{{ return T(x) + v; }}\n",
            f"template <class T> struct A {{ T v; {inside} T m(T x) const {{ return x; }} }};\n"
            f"template <> {outside} int A<int>::m(int x) const {{ return 5; }}\n",
            f"template <class T, int N = 2> struct A {{ T v; {inside} T m(T x) const {{ return x * N; }} }};\n"
            f"template <int N> struct A<float, N> {{ float v; {outside} float m(float x) const {{ return x; }} }};\n",
            f"template <class T> struct B {{ T v; {inside} T m(T x) const {{ return x; }} }};\n"
            f"template <class T> struct A : B<T> {{ {outside} T k(T x) const {{ return {self.one('this->', 'B<T>::', '')}m(x); }} }};\n")
        return text + self.uses(self.one("A<int>{2}.m(x)", "A<int>().m(x)", "A<float>().m(x)"))

    def piece_friends(self):
        inside, outside = self.specifier(), self.specifier()
        if self.random.random() < 0.4:
            outside = inside
        text = self.one(
            f"struct S {{ int a; friend {inside} int f(S s, int x) {{ return s.a + x; }} }};\n",
            f"struct S {{ int a; friend {inside} int f(S s, int x); }};\n{outside} int f(S s, int x) {{ return s.a; }}\n",
            f"struct S {{ int a; {inside} friend int f(S s, int x); }};\n{outside} int f(S s, int x) {{ return s.a; }}\n",
            f"struct S;\n{outside} int f(S s, int x);\nstruct S {{ int a; friend int f(S s, int x); }};\n"
            f"{inside} int f(S s, int x) {{ return s.a; }}\n",
            f"struct S {{ int a; template <class T> friend {inside} int f(S s, T x) {{ return x; }} }};\n",
            f"struct S {{ int a; friend __global__ void kernel(int*); {inside} int b; }};\n")
        return text + self.uses("f(S{1}, x)")

    def piece_special_members(self):
        """Defaulted, deleted and inherited ones; what implicit ones are."""
        base = f"struct B {{ int a = 1; {self.specifier()} B() {{}} {self.maybe(self.specifier() + ' B(const B& o) : a(o.a) {}')} " \
               f"{self.maybe(self.specifier() + ' ~B() {}')} {self.specifier()} B(int x) : a(x) {{}} }};\n"
        derived = self.one(
            "struct S : B { };\n", "struct S { B b; int a = 2; };\n", f"struct S : B {{ {self.specifier()} S() = default; }};\n",
            "struct S : B { using B::B; };\n", f"struct S : B {{ {self.specifier()} S() {{}} }};\n",
            f"struct S : B {{ S() = delete; {self.specifier()} S(int x) : B(x) {{}} }};\n",
            f"struct S : {self.maybe('virtual ')}B {{ {self.specifier()} virtual int v() {{ return 3; }} }};\n")
        return base + derived + self.uses(self.one("S().a", "S(S()).a", "(S(), 1)", "int(sizeof(S))"), 1)

    # Variables.
    def piece_variable(self):
        space = self.one("__device__", "__constant__", "__shared__", "__managed__", "__device__ __constant__",
                         "__device__ __managed__", "", "__host__")
        storage = self.one("", "", "static", "extern", "inline", "const", "constexpr", "static const", "volatile",
                           "alignas(16)", "[[maybe_unused]]", "__align__(8)", "thread_local", "static constexpr")
        declared = self.one("{t} v", "{t} v[3]", "{t} v[2][2]", "{t} v[]", "{t}* v", "{t}& v")
        initial = self.one("", "", " = 3", "{{}}", " = {{1, 2}}", "{{3}}", " = start()", "(4)", " = {{}}")
        typename = self.one("int", "float", "double", "S", "E", "P", "unsigned char", "int3")
        text = "struct S { int a; __host__ __device__ S() : a(3) {} __host__ __device__ S(int x) : a(x) {} };\n" \
               "struct E { int a, b; };\nstruct P { int a; constexpr P(int x = 1) : a(x) {} };\n" \
               f"{self.specifier()} int start() {{ return 3; }}\n"
        variable = f"{self.shuffled(space, storage)} {declared.format(t=typename)}{initial.format()};"
        where = self.random.random()
        if where < 0.5:
            text += variable + "\n" + self.maybe(self.body(self.one("(int)sizeof(v)", "(v, 1)", "(&v, 1)")), 0.5)
        elif where < 0.65:
            text += f"struct C {{ {variable} int other; }};\n"
        else:
            text += f"{self.one('__global__', '__device__', '', '__host__ __device__')} void f() {{ {variable} (void)v; }}\n"
        return text

    def piece_constants(self):
        """Host variables in device code."""
        declared = self.one("const int v = 3;", "constexpr int v = 3;", "static const int v = 3;", "const float v = 3;",
                            "const double v = 2.5;", "int v = 3;", "const int v = start();", "enum { v = 3 };",
                            "constexpr float v = 2;", "const bool v = true;", "static constexpr double v = 4;",
                            "inline constexpr int v = 3;", "extern const int v;", "template <class T> constexpr T w = 3; constexpr int v = w<int>;")
        text = "int start();\n" + declared + "\n"
        return text + self.uses(self.one("v", "v + x", "int(v * 2)", "x < v ? v : x"), 1)

    # Initialisers and casts.
    def piece_braces(self):
        target = self.one(*NUMBERS)
        source = self.one(*NUMBERS)
        caller = self.one("__global__ void k", "__device__ void f", "void f", "__host__ __device__ void f")
        statement = self.one(
            f"{target} v{{s}};", f"{target} v = {{s}};", f"{target} v[] = {{s, s}};", f"struct L {{ {target} a, b; }} v = {{s, 1}};",
            f"struct L {{ {target} a; }} v{{s}};", f"auto v = {target}{{s}};", f"float2 v = {{s, s}};", "dim3 v{(unsigned)s};",
            f"dim3 v{{s}};", f"dim3 v = {{s, 1}};", f"const {target}& v{{s}};", f"{target} v{{ {self.value(target)} }};" if self.random.random() < 0.3 else f"{target} v(s);",
            f"const {source} c = 3; {target} v{{c}};" if self.random.random() < 0.3 else f"{target} v{{}};")
        return f"{caller}({source} s) {{ {statement} (void)v; }}\n"

    def piece_casts(self):
        pointer = self.one("void*", "const void*", "int*", "char*", "void**")
        caller = self.one("__global__ void k", "__device__ void f", "void f", "__host__ __device__ void f",
                          "template <class T> __device__ void f", "template <class T> void f")
        expression = self.one("p + 1", "p - n", "1 + p", "p += n", "p++", "--p", "p - q", "p < q", "p == q", "*p", "p[2]", "&p[2]",
                              "sizeof(void)", "sizeof(*p)", "(unsigned)p", "(int)p", "unsigned(n)", "(long)p", "(short)p", "(bool)p",
                              "reinterpret_cast<unsigned>(p)", "reinterpret_cast<unsigned long>(p)", "(int*)p", "static_cast<int*>(p)",
                              "(char*)(p + n) + 1", "(unsigned)(p + n) & 15", "(float*)n", "(void*)n", "(int*)0 + n", "__alignof__(void)",
                              "*(int*)(p + 4 * n)", "reinterpret_cast<long long>(p)", "(unsigned long long)p", "(unsigned char)p")
        return f"{caller}({pointer} p, {pointer} q, int n) {{ (void)({expression}); }}\n"

    def piece_enums(self):
        text = self.one("enum E { a = 1, b = 2 };", "enum E : unsigned char { a = 1, b = 255 };", "enum class E { a, b };",
                        "enum class E : short { a = 1, b };", "enum E { a = -1, b = 3000000000 };", "enum E : char { a = 300, b };",
                        "enum [[maybe_unused]] E { a [[maybe_unused]], b };")
        text += "\n"
        text += self.maybe(self.one("constexpr E c = (E)77;", "constexpr E c = static_cast<E>(-1);", "enum class E d;", "enum E d = E::a;",
                                    "E d = E(1);", "E d = 1;", "E d{1};", "static_assert((int)E::b > 0, \"\");", "enum class E e = E::a;"), 0.7)
        return text + "\n" + self.uses(self.one("(int)E::a", "E::a", "a", "int(E(x))", "E::a == E::b"))

    # Lambdas.
    def piece_lambda(self):
        side = self.one("", "__device__", "__host__ __device__", "__host__")
        capture = self.one("", "=", "&", "x", "&x", "y = x", "=, &x")
        tail = self.one("", "mutable", "-> int", "noexcept", "constexpr")
        generic = self.maybe("auto", 0.3) or "int"
        lambda_text = f"[{capture}] {side} ({generic} z) {tail} {{ return z + 1{self.maybe(' + x', 0.2)}; }}"
        return self.one(
            f"{self.one(*CALLERS[:3])} use(int x{', int* out' if False else ''}) {{ auto f = {lambda_text}; {self.maybe('return f(x);', 0)} (void)f; }}\n".replace("int use", "void use"),
            f"template <class F> __global__ void run(F f, int* out) {{ *out = f(3); }}\n"
            f"void use(int x, int* out) {{ run<<<1, 1>>>({lambda_text}, out); }}\n",
            f"void use(int x) {{ auto f = {lambda_text}; f(x); }}\n",
            f"__device__ int use(int x) {{ return {lambda_text}(x); }}\n")

    # Kernels.
    def piece_kernel(self):
        bounds = self.maybe(self.one("__launch_bounds__(128)", "__launch_bounds__(128, 2)"), 0.3)
        returned = self.one("void", "void", "void", "int", "auto") if self.random.random() < 0.3 else "void"
        parameters = self.one("int* p", "int* p, int n = 3", "const int* __restrict__ p", "int& r", "int* p, ...", "S s",
                              "const S s", "int (*p)[3]", "__grid_constant__ const S s", "S&& s", "int*", "void")
        words = self.shuffled("__global__", bounds, self.attribute(0.3))
        order = f"{words} {returned} k({parameters}) {{ }}" if self.random.random() < 0.7 else \
            f"{self.maybe('static ')}{returned} __global__ {bounds} k({parameters}) {{ }}"
        wrapper = self.one("{}", "{}", "template <class T> {}", "extern \"C\" {{ {} }}", "namespace {{ {} }}", "struct W {{ {} }};",
                           "struct W {{ friend {} }};", "{} ")
        text = "struct S { int a; };\n" + wrapper.format(order) + "\n"
        arguments = {"int* p": "(int*)0", "S s": "S()", "const S s": "S{3}", "void": ""}.get(parameters)
        if arguments is not None and self.random.random() < 0.5:
            name = "k<int>" if wrapper.startswith("template") else "k"
            launch = self.one("<<<1, 1>>>", "<<<dim3(1), dim3(1)>>>", "<<<1, 1, 0, 0>>>", "<<<1>>>", "<<<1, {1}>>>", "<<<x, x>>>", "<<<1, 1, 4>>>")
            text += f"{self.one('void', '__host__ void', '__device__ void')} use(int x) {{ {name}{launch}({arguments}); }}\n"
        return text

    def piece_deduction(self):
        """Class template arguments from constructors and guides."""
        text = f"template <class T> struct A {{ T v; {self.specifier()} A(T x) : v(x) {{}} }};\n"
        text += self.maybe(f"{self.maybe(self.specifier())} A(char) -> A<int>;\n", 0.4)
        return text + self.uses(self.one("A(x).v", "A('a').v", "A<int>(x).v", "A{x}.v"), 1)

    def piece_attributes(self):
        """Attributes before, among and behind the specifiers."""
        place = [self.maybe("[[nodiscard]]", 0.3), self.specifier(), self.maybe(self.one("[[nodiscard]]", "[[maybe_unused]]", "__attribute__((unused))", "alignas(8)"), 0.3)]
        where = self.one("{} int f(int x) {{ return x; }}", "struct S {{ {} int f(int x) {{ return x; }} }};", "struct S {{ {} int f(int x); }};",
                         "template <class T> {} int f(T x) {{ return x; }}", "struct S {{ {} static int f(int x) {{ return x; }} }};",
                         "struct S {{ {} explicit S(int x) {{}} }};", "struct S {{ {} ~S() {{}} }};", "struct S {{ {} operator int() const {{ return 1; }} }};",
                         "{} int f(int x);", "{} int f [[deprecated]] (int x) {{ return x; }}", "struct S {{ virtual {} int f(int x) {{ return x; }} }};",
                         "struct {} S {{ int a; }};", "struct S {{ {} int a; }};", "using F = {} int(int);", "typedef {} int F(int);")
        return where.format(" ".join(word for word in place if word)) + "\n"

    def piece_nested(self):
        """Calls through several functions."""
        chain = ["{} int f0(int x) {{ return x; }}\n".format(self.specifier())]
        depth = self.random.randint(1, 3)
        for level in range(1, depth + 1):
            kind = self.one("{s} int f{n}(int x) {{ return f{m}(x); }}\n", "template <class T> {s} int f{n}(T x) {{ return f{m}(x); }}\n",
                            "static inline {s} int f{n}(int x) {{ return f{m}(x); }}\n", "inline {s} int f{n}(int x) {{ return f{m}(x); }}\n")
            chain.append(kind.format(s=self.specifier(), n=level, m=level - 1))
        return "".join(chain) + self.uses(f"f{depth}(x)")

    def piece_unevaluated(self):
        """Types of calls, which nobody makes."""
        text = f"struct F {{ {self.specifier()} int operator()(int x) const {{ return x; }} }};\n{self.specifier()} long g(int);\n"
        use = self.one("decltype(F()(1)) v = 3;", "typedef decltype(g(1)) T;", "template <class G> auto h(G g) -> decltype(g(1));",
                       "static_assert(sizeof(g(1)) == 8, \"\");", "template <class G> struct R { typedef decltype(G()(1)) type; }; R<F>::type v;",
                       "template <class G> __global__ void k(G g, decltype(g(1))* out) { *out = g(1); } void use() { k<<<1, 1>>>(F(), (int*)0); }",
                       "void use() { decltype(g(1)) v = 3; (void)v; }", "__device__ void use() { decltype(g(1)) v = 3; (void)v; }",
                       "int use() { return noexcept(g(1)) + sizeof(F()(1)); }", "template <int N> struct I {}; I<sizeof(g(1))> i;")
        return text + use + "\n"

    def piece_pointers(self):
        """Functions by address."""
        text = f"{self.specifier()} int f(int x) {{ return x; }}\ntypedef int (*P)(int);\n"
        use = self.one("P p = f;", "__device__ P p = f;", "__device__ P p = &f;", "__constant__ P p = f;", "void use(P); void g() { use(f); }",
                       "__global__ void k(P* o) { *o = f; }", "__device__ int g(int x) { P p = f; return p(x); }", "int g(int x) { P p = f; return p(x); }",
                       "template <P p> __global__ void k(int* o) { *o = p(1); } void g() { k<f><<<1, 1>>>((int*)0); }",
                       "struct T { P p; }; __device__ T t = {f};", "template <P p> __device__ int g() { return p(1); } __global__ void k(int* o) { *o = g<f>(); }")
        return text + use + "\n"

    def piece_operators(self):
        """Operators between classes and numbers, of any side."""
        text = f"struct V {{ int a; {self.maybe(self.specifier() + ' V operator-() const { return V{-a}; }')} " \
               f"{self.maybe(self.specifier() + ' operator bool() const { return a; }', 0.2)} }};\n" \
               f"{self.specifier()} V operator+(V x, V y) {{ return V{{x.a + y.a}}; }}\n" \
               f"{self.specifier()} V operator*(int x, V y) {{ return V{{x * y.a}}; }}\n" \
               f"{self.specifier()} bool operator<(const V& x, const V& y) {{ return x.a < y.a; }}\n"
        return text + self.uses(self.one("(V{x} + V{2}).a", "(3 * V{x}).a", "V{x} < V{2}", "(-V{x}).a", "(V{x} * 3).a"), 1)


def piece(seed, number):
    """(kind, text, functions that may be asked for a value) of a piece."""
    maker = Maker(seed, number)
    text = maker.make()
    if 'extern "C"' in text:  # which namespaces do not keep apart
        text = text.replace(" k(", f" k{number}(").replace(" k<<<", f" k{number}<<<")
    # Constructors of these leave members as they are. Not every function that was made is kept.
    functions = [] if maker.kind == "piece_members" else [use for use in maker.functions if f" {use[0]}(" in text]
    return maker.kind.removeprefix("piece_"), text, functions
