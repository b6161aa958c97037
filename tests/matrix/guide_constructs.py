"""The constructs of the CUDA Fortran guide, as a table: rows as those of rewritten_constructs.py.

`host` rows stand in a procedure of the host, `device` rows in a kernel of 64 threads whose results are in its dummy argument. What is checked was
computed by hand, and holds with 8-byte reals, too. What the guide forbids is in ERRORS, with the code of the message."""

from rewritten_constructs import Row


def host(name, piece, check, declarations="", before="", behind="", **more):
    """@ is the name of the row."""
    put = lambda text: text.replace("@", name)
    return Row(name, put(piece), put(check), put(declarations), put(before), put(behind), **{key: put(value) if isinstance(value, str) else value for key, value in more.items()})


def declared(name, piece, check, declarations="", before="", behind="", **more):
    return host(name, piece, check, declarations, before, behind, declares=True, **more)


def kernel(name, piece, check, locals="", begin="", end="", dummy="", actual="", configuration="1, 64", head=None, before="", declares=False, **more):
    """The piece is in a kernel: @r are its 64 results, @i is the thread; @h is @r on the host."""
    body = [head or f"attributes(global) subroutine with_@(@r{', ' + dummy if dummy else ''})", "\0" if declares else "", "integer :: @r(64), @i", locals, "@i = threadidx%x", begin,
            "" if declares else "\0", end, "end subroutine"]
    if declares and head is None:  # behind the declarations that it may depend on
        body[1:4] = [*body[2:4], "\0"]
    if declares and head == "\0":
        body[1] = ""
    put = lambda text: text.replace("@", name).replace("\0", "@@")
    return Row(name, put(piece), put(check), put("integer, device :: @d(64)\ninteger :: @h(64), @j"),
               put(f"{before}\n@d = 0\ncall with_@<<<{configuration}>>>(@d{', ' + actual if actual else ''})").strip(), put("@h = @d"),
               device=put("\n".join(line for line in body if line)), declares=declares, **{key: put(value) for key, value in more.items()})


def each(name, piece, value, **more):
    """A kernel whose result is an expression of the thread's number @j."""
    return kernel(name, piece, f"all(@h == [({value}, @j = 1, 64)])", **more)


COPIES = [
    host("cph", "@d = @h", "all(@g == 7)", "integer, device :: @d(5)\ninteger :: @h(5), @g(5)", "@h = 7", "@g = @d"),
    host("cpd", "@g = @d", "all(@g == 7)", "integer, device :: @d(5)\ninteger :: @g(5)", "@d = 7"),
    host("cpp", "@e = @d", "all(@g == 7)", "integer, device :: @d(5), @e(5)\ninteger :: @g(5)", "@d = 7", "@g = @e"),
    host("cps", "@d(2:4) = @h(1:3)", "all(@g == [0, 7, 8, 9, 0])", "integer, device :: @d(5)\ninteger :: @h(3), @g(5)", "@d = 0\n@h = [7, 8, 9]", "@g = @d"),
    host("cpt", "@g(1:3) = @d(1:5:2)", "all(@g(1:3) == [1, 3, 5])", "integer, device :: @d(5)\ninteger :: @g(5)", "@d = [1, 2, 3, 4, 5]"),
    host("cpb", "@d = 4", "all(@g == 4)", "integer, device :: @d(5)\ninteger :: @g(5)", "", "@g = @d"),
    host("cpe", "@d(3) = 4", "@g(3) == 4", "integer, device :: @d(5)\ninteger :: @g(5)", "@d = 0", "@g = @d"),
    host("cpr", "@m(2, :) = 5", "all(@g(2, :) == 5) .and. all(@g(1, :) == 1)", "integer, device :: @m(2, 3)\ninteger :: @g(2, 3)", "@m = 1", "@g = @m"),
    host("cpm", "@g = @m(:, 2:3)", "all(@g == 1)", "integer, device :: @m(2, 3)\ninteger :: @g(2, 2)", "@m = 1"),
    host("cpx", "@h = @h + @d", "all(@h == 10)", "integer, device :: @d(5)\ninteger :: @h(5)", "@d = 7\n@h = 3"),
    host("cpf", "@h = 2*@d + @h", "all(@h == 17)", "integer, device :: @d(5)\ninteger :: @h(5)", "@d = 7\n@h = 3"),
    host("cpo", "@k = @d(2) + @d(3)", "@k == 14", "integer, device :: @d(5)\ninteger :: @k", "@d = 7"),
    host("cpc", "@c = 9", "@k == 9", "integer :: @k", "", "@k = @c", module="integer, constant :: @c"),
    host("cpz", "@z = (1.0, 2.0)", "all(@g == (1.0, 2.0))", "complex, device :: @z(2)\ncomplex :: @g(2)", "", "@g = @z"),
    host("cpl", "@l = .true.", "all(@g)", "logical, device :: @l(3)\nlogical :: @g(3)", "", "@g = @l"),
    host("cpw", "if (@s > 3) @k = 1", "@k == 1", "integer, device :: @s\ninteger :: @k", "@s = 4\n@k = 0"),
    host("cpn", "@k = sum(@d)", "@k == 35", "integer, device :: @d(5)\ninteger :: @k", "@d = 7"),
    host("cpi", "@k = maxval(@d)", "@k == 7", "integer, device :: @d(5)\ninteger :: @k", "@d = 7"),
    host("cpu", "@t%x = 3", "@u%x == 3", "type @p\ninteger :: x = 0\nend type\ntype(@p), device :: @t\ntype(@p) :: @u", "", "@u = @t"),
]
STORAGE = [
    host("all", "allocate (@d(5))", "allocated(@d) .and. size(@d) == 5", "integer, device, allocatable :: @d(:)"),
    host("als", "allocate (@d(5), stat=@k)", "@k == 0", "integer, device, allocatable :: @d(:)\ninteger :: @k", "@k = 3"),
    host("alc", "allocate (@d)", "@k == 6", "integer, device, allocatable :: @d\ninteger :: @k", "", "@d = 6\n@k = @d"),
    host("alo", "allocate (@d, source=@h)", "all(@g == 5)", "integer, device, allocatable :: @d(:)\ninteger :: @h(4), @g(4)", "@h = 5", "@g = @d"),
    host("alp", "allocate (@q(50), stat=@k, pinned=@l)", "@k == 0", "integer, pinned, allocatable :: @q(:)\ninteger :: @k\nlogical :: @l"),
    host("aln", "deallocate (@d)", ".not. allocated(@d)", "integer, device, allocatable :: @d(:)", "allocate (@d(5))"),
    host("alm", "@k = cudaMalloc(@d, 5)", "@k == 0", "integer, device, allocatable :: @d(:)\ninteger :: @k", "", "@k = @k + cudaFree(@d)"),
    host("mcp", "@k = cudaMemcpy(@d, @h, 5)", "@k == 0 .and. all(@g == 3)", "integer, device :: @d(5)\ninteger :: @h(5), @g(5), @k", "@h = 3", "@g = @d"),
    host("mca", "@k = cudaMemcpyAsync(@d, @h, 5, 0_8)", "@k == 0 .and. all(@g == 3)", "integer, device :: @d(5)\ninteger :: @h(5), @g(5), @k", "@h = 3", "@k = @k + cudaDeviceSynchronize()\n@g = @d"),
    host("mst", "@k = cudaMemset(@d, 0, 5)", "@k == 0 .and. all(@g == 0)", "integer, device :: @d(5)\ninteger :: @g(5), @k", "@d = 3", "@g = @d"),
    host("mcm", "@p => @d", "all(@g == 4)", "integer, device, target :: @d(3)\ninteger, device, pointer :: @p(:)\ninteger :: @g(3)", "@d = 4", "@g = @p"),
    host("mva", "call move_alloc(@d, @e)", "all(@g == 4)", "integer, device, allocatable :: @d(:), @e(:)\ninteger :: @g(3)", "allocate (@d(3))\n@d = 4", "@g = @e"),
    host("sty", "@k = cudaStreamCreate(@s)", "@k == 0", "integer(8) :: @s\ninteger :: @k", "", "@k = @k + cudaStreamDestroy(@s)"),
    host("evt", "@k = cudaEventRecord(@e, 0_8)", "@k == 0", "type(cudaEvent) :: @e\ninteger :: @k", "@k = cudaEventCreate(@e)", "@k = @k + cudaEventSynchronize(@e) + cudaEventDestroy(@e)"),
    host("cnt", "@k = cudaGetDeviceCount(@n)", "@n > 0", "integer :: @k, @n", "@n = 0"),
    host("prp", "@k = cudaGetDeviceProperties(@p, 0)", "@p%warpSize == 32", "type(cudaDeviceProp) :: @p\ninteger :: @k"),
    host("ler", "@k = cudaGetLastError()", "@k == 0", "integer :: @k"),
    host("szo", "@k = sizeof(@x)", "@k == 4", "integer(4) :: @x\ninteger :: @k", "@x = 1"),
    declared("dev", "integer, device :: @d(3)", "all(@g == 4)", "integer :: @g(3)", "@d = 4", "@g = @d"),
    declared("ats", "attributes(device) :: @d", "all(@g == 4)", "integer :: @g(3), @d(3)", "@d = 4", "@g = @d"),
    declared("atm", "integer, managed :: @d(3)", "all(@d == 4)", "", "@d = 4"),
    declared("atp", "integer, pinned, allocatable :: @d(:)", "all(@d == 4)", "", "allocate (@d(2))\n@d = 4"),
    declared("ata", "integer, allocatable, device :: @d(:)", "all(@g == 4)", "integer :: @g(2)", "allocate (@d(2))\n@d = 4", "@g = @d"),
    declared("atq", "integer, device, pointer :: @d(:)", "all(@g == 4)", "integer :: @g(2)", "allocate (@d(2))\n@d = 4", "@g = @d"),
    declared("dmt", "type(dim3) :: @b", "@b%x == 2", "", "@b = dim3(2, 3, 4)"),
    declared("two", "integer, device :: @d(2), @e(3)", "all(@g == 6)", "integer :: @g(3)", "@d = 1\n@e = 6", "@g = @e"),
    declared("ptr", "type(c_devptr) :: @p", "@k == 0", "integer, device :: @d(2)\ninteger :: @k", "@k = 0\n@p = c_devloc(@d)"),
]
def launched(name, configuration, number):
    body = f"""attributes(global) subroutine run_{name}(a, n)
integer :: a(*)
integer, value :: n
integer :: i
i = ((blockidx%x - 1)*blockdim%y + threadidx%y - 1)*blockdim%x + threadidx%x
if (i <= 64) a(i) = n
end subroutine"""
    return Row(name, f"call run_{name}<<<{configuration}>>>({name}d, {number})", f"all({name}h == {number})",
               f"integer, device :: {name}d(64)\ninteger :: {name}h(64)\ntype(dim3) :: {name}g, {name}b\ninteger(8) :: {name}s",
               f"{name}d = 0\n{name}g = dim3(2, 1, 1)\n{name}b = dim3(8, 4, 1)\n{name}s = 0", f"{name}h = {name}d", procedures=body)


LAUNCHES = [launched("lni", "2, 32", 3), launched("lnd", "lndg, lndb", 4), launched("lnb", "2, 32, 256", 5), launched("lns", "2, 32, 0, lnss", 6),
            launched("lnc", "dim3(2, 1, 1), dim3(32, 1, 1)", 7), launched("lnx", "(64 + 31)/32, 32", 8)]
DOUBLED = "attributes(device) integer function @f(k)\ninteger, value :: k\n@f = 2*k\nend function"
ADD_ONE = "attributes(device) subroutine @s(k)\ninteger :: k\nk = k + 1\nend subroutine"
DEVICE = [
    each("thx", "@r(@i) = threadidx%x", "@j"),
    each("bdx", "@r(@i) = blockdim%x + griddim%x + blockidx%x + threadidx%y", "67"),
    each("wsz", "@r(@i) = warpsize", "32"),
    each("syn", "call syncthreads()", "65 - @j", locals="integer, shared :: @s(64)", begin="@s(@i) = @i", end="@r(@i) = @s(65 - @i)"),
    each("syc", "@r(@i) = syncthreads_count(@i - 1)", "63"),
    each("sya", "@r(@i) = min(1, abs(syncthreads_and(@i)))", "1"),
    each("syo", "@r(@i) = min(1, abs(syncthreads_or(0)))", "0"),
    each("fen", "call threadfence()", "@j", end="@r(@i) = @i"),
    each("feb", "call threadfence_block()", "@j", end="@r(@i) = @i"),
    each("fes", "call threadfence_system()", "@j", end="@r(@i) = @i"),
    each("gpt", "call gpu_time(@t)", "@j", locals="integer(8) :: @t", end="@r(@i) = @i"),
    each("alt", "if (allthreads(@i > 0)) @r(@i) = 3", "3"),
    each("ant", "if (anythread(@i == 1)) @r(@i) = 3", "merge(3, 0, @j <= 32)"),
    each("bal", "@r(@i) = iand(ballot(@i - 1), 3)", "merge(2, 3, @j <= 32)"),
    each("shd", "integer, shared :: @s(64)", "65 - @j", declares=True, begin="@s(@i) = @i\ncall syncthreads()", end="@r(@i) = @s(65 - @i)"),
    each("sha", "attributes(shared) :: @s", "65 - @j", declares=True, locals="integer :: @s(64)", begin="@s(@i) = @i\ncall syncthreads()", end="@r(@i) = @s(65 - @i)"),
    each("shz", "integer, shared :: @s(*)", "65 - @j", declares=True, configuration="1, 64, 256", begin="@s(@i) = @i\ncall syncthreads()", end="@r(@i) = @s(65 - @i)"),
    each("val", "integer, value :: @n", "5", declares=True, dummy="@n", actual="5", end="@r(@i) = @n"),
    each("loc", "integer :: @s(3)", "6", declares=True, begin="@s = [1, 2, 3]", end="@r(@i) = sum(@s)"),
    each("hea", "attributes(global) subroutine with_@(@r)", "@j", declares=True, head="\0", end="@r(@i) = @i"),
    each("con", "@r(@i) = @c", "9", module="integer, constant :: @c", before="@c = 9"),
    each("dvv", "@v(@i) = @i", "@j", module="integer, device :: @v(64)", end="@r(@i) = @v(@i)"),
    each("fun", "@r(@i) = @f(@i)", "2*@j", procedures=DOUBLED),
    each("sub", "call @s(@r(@i))", "1", procedures=ADD_ONE),
    each("ifb", "if (@i > 3) then\n@r(@i) = 1\nelse\n@r(@i) = 2\nend if", "merge(1, 2, @j > 3)"),
    each("dol", "do @k = 1, 3\n@r(@i) = @r(@i) + @k\nend do", "6", locals="integer :: @k"),
    each("dow", "do while (@r(@i) < 4)\n@r(@i) = @r(@i) + 1\nend do", "4"),
    each("sel", "select case (@i)\ncase (1)\n@r(@i) = 5\ncase default\n@r(@i) = 6\nend select", "merge(5, 6, @j == 1)"),
    each("whe", "where (@s > 1)\n@s = 0\nend where", "1", locals="integer :: @s(3)", begin="@s = [1, 2, 3]", end="@r(@i) = sum(@s)"),
    each("ret", "if (@i > 3) return", "merge(0, 1, @j > 3)", end="@r(@i) = 1"),
    each("typ", "@t%x = @i", "@j", locals="type @p\ninteger :: x, y\nend type\ntype(@p) :: @t", end="@r(@i) = @t%x"),
    each("chr", "@c = 'b'", "98", locals="character :: @c", end="@r(@i) = ichar(@c)"),
    each("blk", "block\ninteger :: @b\n@b = @i\n@r(@i) = @b\nend block", "@j"),
    each("ass", "associate (@a => @r(@i))\n@a = 4\nend associate", "4"),
    each("dbl", "@x = 1.5d0*@i", "3*@j", locals="double precision :: @x", end="@r(@i) = int(2*@x)"),
    each("czx", "@z = cmplx(@i, 2)*(0.0, 1.0)", "@j - 2", locals="complex :: @z", end="@r(@i) = nint(real(@z)) + nint(aimag(@z))"),
]
ATOMICS = [kernel(name, f"@k = {call}", f"@h(1) == {value}", locals="integer :: @k", begin=f"if (@i == 1) @r(1) = {first}\ncall syncthreads()")
           for name, call, first, value in (
               ("aad", "atomicadd(@r(1), 2)", 1, 129), ("asu", "atomicsub(@r(1), 1)", 100, 36), ("ama", "atomicmax(@r(1), @i)", 0, 64), ("ami", "atomicmin(@r(1), @i)", 99, 1),
               ("aan", "atomicand(@r(1), 6)", 15, 6), ("aor", "atomicor(@r(1), @i)", 0, 127), ("axo", "atomicxor(@r(1), @i)", 0, 64), ("aex", "atomicexch(@r(1), 5)", 0, 5),
               ("aic", "atomicinc(@r(1), 9)", 0, 4), ("adc", "atomicdec(@r(1), 9)", 0, 6), ("acs", "atomiccas(@r(1), 3, 8)", 3, 8))]
INTRINSICS = [each(f"n{chr(97 + number // 26)}{chr(97 + number % 26)}", f"@r(@i) = {expression}", value, locals="integer :: @s(3), @k\nreal :: @x\nlogical :: @l(3)", begin="@s = [3, 1, 2]\n@x = 2.5\n@k = @i\n@l = [.true., .false., .true.]")
              for number, (expression, value) in enumerate((
                  ("abs(-@k)", "@j"), ("int(aint(@x))", "2"), ("nint(anint(@x + 0.1))", "3"), ("ceiling(@x)", "3"), ("floor(-@x)", "-3"), ("dim(@k, 3)", "max(@j - 3, 0)"),
                  ("int(@x)", "2"), ("merge(1, 2, logical(@l(1)))", "1"), ("max(@k, 5)", "max(@j, 5)"), ("min(@k, 5)", "min(@j, 5)"), ("mod(@k, 7)", "mod(@j, 7)"),
                  ("modulo(-@k, 7)", "modulo(-@j, 7)"), ("nint(real(@k))", "@j"), ("sign(@k, -1)", "-@j"), ("nint(acos(1.0)) + nint(asin(0.0))", "0"), ("nint(atan(0.0) + atan2(0.0, 1.0))", "0"),
                  ("nint(cos(0.0) + sin(0.0) + tan(0.0))", "1"), ("nint(cosh(0.0) + sinh(0.0) + tanh(0.0))", "1"), ("nint(exp(0.0) + log(1.0) + log10(100.0))", "3"), ("nint(sqrt(real(@k*@k)))", "@j"),
                  ("nint(abs((3.0, 4.0)))", "5"), ("nint(aimag(conjg(cmplx(1.0, @x*2))))", "-5"), ("bit_size(@k)", "32"), ("digits(@k)", "31"), ("min(1, int(1/epsilon(@x)))", "1"),
                  ("huge(@k)", "huge(1)"), ("radix(@x)", "2"), ("range(@k)", "9"), ("selected_int_kind(9)", "4"), ("selected_real_kind(6, 30)", "4"), ("merge(1, 0, btest(@k, 0))", "mod(@j, 2)"),
                  ("iand(@k, 5) + ior(@k, 5) + ieor(@k, 5)", "iand(@j, 5) + ior(@j, 5) + ieor(@j, 5)"), ("ibclr(@k, 1) + ibset(@k, 1)", "ibclr(@j, 1) + ibset(@j, 1)"), ("ibits(@k, 1, 3)", "ibits(@j, 1, 3)"),
                  ("ishft(@k, 2)", "4*@j"), ("ishftc(@k, 3)", "8*@j"), ("leadz(@k)", "leadz(@j)"), ("not(@k)", "-@j - 1"), ("popcnt(@k) + poppar(@k)", "popcnt(@j) + poppar(@j)"),
                  ("merge(1, 0, any(@l) .and. .not. all(@l))", "1"), ("count(@l)", "2"), ("maxval(@s) + minval(@s)", "4"), ("maxloc(@s, 1)", "1"), ("minloc(@s, 1)", "2"), ("product(@s)", "6"), ("sum(@s)", "6"), ("size(@s)", "3"),
                  ("dot_product(@s, @s)", "14")))]

def cuf(name, directive, **more):
    loop = f"do {name}j = 1, 4\ndo {name}i = 1, 5\n{name}a({name}i, {name}j) = {name}i*{name}j\nend do\nend do"
    return Row(name, f"!$cuf kernel {directive}", f"all({name}h == reshape([(({name}i*{name}j, {name}i = 1, 5), {name}j = 1, 4)], [5, 4]))",
               f"integer, device :: {name}a(5, 4)\ninteger :: {name}i, {name}j, {name}h(5, 4)", f"{name}a = 0", f"{loop}\n{name}h = {name}a")


KERNELS = [cuf("cka", "do <<<*, *>>>"), cuf("ckb", "do(2) <<<*, *>>>"), cuf("ckc", "do(2) <<<(*, *), (8, 8)>>>"), cuf("ckd", "do(1) <<<2, 32>>>"), cuf("cke", "do(2) <<<*, 64, 0, 0>>>"),
           host("ckr", "!$cuf kernel do <<<*, *>>> reduce(+:@s)", "@s == 15", "integer, device :: @a(5)\ninteger :: @i, @s", "@a = 3\n@s = 0", "do @i = 1, 5\n@s = @s + @a(@i)\nend do")]
ROWS = [*COPIES, *STORAGE, *LAUNCHES, *DEVICE, *ATOMICS, *INTRINSICS, *KERNELS]


def forbidden(name, piece, code, declares=False, locals="", **more):
    return each(name, piece, "0", declares=declares, locals=locals, error=code or "CUF", **more)


ERRORS = [
    forbidden("erd", "read *, @r(1)", "CUF0204"),
    forbidden("eop", "open (10)", "CUF0204"),
    forbidden("esv", "integer, save :: @v", "", True),
    forbidden("een", "entry @e(@r)", ""),
    forbidden("ecs", "@c = 3", "", module="integer, constant :: @c"),
    forbidden("esi", "integer, shared :: @v = 3", "", True),
    forbidden("esa", "integer, shared, allocatable :: @v(:)", "", True),
    forbidden("eho", "call host_only()", "", procedures="subroutine host_only()\nend subroutine"),
    forbidden("ehv", "@r(1) = @v", "", module="integer :: @v"),
    host("ela", "call with_ela(@d)", "", "integer, device :: @d(3)", procedures="attributes(global) subroutine with_@(a)\ninteger :: a(3)\na = 1\nend subroutine", error="CUF"),
    host("ead", "@d = @e + @d", "", "integer, device :: @d(3), @e(3)", error="CUF"),
    host("etx", "@k = threadidx%x", "", "integer :: @k", error="CUF"),
    declared("eds", "integer, shared :: @d(3)", "", error="CUF"),
]
