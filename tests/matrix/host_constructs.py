"""The constructs of host code that read data, as a table.

Each row is a name and statements. In them @x, @m, ... stand for data of the form under test and, in a second copy of
the statements, for its mirror on the host; #2 is the subscript of the second element. What the statements set are the
variables of module `results` (results.cuf), which must be equal after both copies. $1 is a label."""

SCALARS = """
add: r = @x(#1) + t*@x(#2)
interpolate: r = @m(i1, j2) + t*(@m(i2, j2) - @m(i1, j2))
scalar: r = @s*2 - 1
negate: r = -@x(#3)
parentheses: r = (@x(#3))
power: r = @x(#3)**2 + 2**@is
real_power: r = @x(#3)**0.5
divide: r = 1/@x(#2) + @x(#4)/@s
kinds: r8 = @x(#2)*2d0 + @dx(#3)
narrow: r = @dx(#2)*2; k = @dx(#3) + 0.7d0
converts: k = @x(#3); r8 = @ix(#2); r = @is
to_complex: z = @x(#2); r = @zx(#2)
element: r = @x(#5)
element_variable: r = @x(i1 + #1)
indirect: r = @x(@ix(#2) + #0)
indirect_host: h(@ix(#2)) = @x(#1)*2
indirect_twice: r = @x(@ix(@ix(#1) + #0) + #0)
compare: l = @x(#2) > 2
compare_all: l = @x(#2) >= t .and. @ix(#1) == 3 .or. .not. @lx(#2)
logical: l = @lx(#1) .and. .not. @lx(#2)
logical_scalar: l = @ls .neqv. @lx(#3)
complex: z = @zx(#2)*(1.0, 2.0) - conjg(@zx(#3))
complex_parts: r = @zx(#2)%re + aimag(@zx(#3)); r8 = real(@zs)
complex_compare: l = @zx(#2) == (2.0, -2.0)
intrinsics: r = sqrt(@x(#2)) + abs(@x(#3)) + max(@x(#1), @x(#4), t)
intrinsics_integer: k = mod(@ix(#4), 4) + iand(@is, 6) + ishft(@ix(#1), 2)
rounding: k = nint(@x(#2)) + int(@x(#3)) + floor(@dx(#2)) + ceiling(@x(#5))
sign_dim: r = sign(@x(#2), -t) + dim(@x(#5), 2.0)
merge: r = merge(@x(#2), t, @lx(#1)) + merge(t, @s, @ls)
real_of: r8 = real(@x(#2), 8) + dble(@ix(#2)); r = real(@ix(#3))/2
cmplx: z = cmplx(@x(#2), @x(#3)) + cmplx(@s)
transfer: k = transfer(@x(#2), k)
is_contiguous: l = btest(@ix(#3), 1)
self: r = 3; r = r + @x(#2)*r
expression_of_one: r = @x(#1)*@x(#2) - @x(#3)
functions: r = twice(@x(#2) + 1) + twice((@x(#3)))
function_of_integer: k = successor((@ix(#2))) + successor(@is + 1)
function_result: r = twice(1.0) + @x(#2)
pure_call: call take_value(@x(#2)*2)
call_parentheses: call take_value((@s))
call_array: call take_array((@x)); call take_array(@x*2)
call_section: call take_array((@x(#2:#4))); call take_array(@x(#2:#5:2) + 1)
call_character: call take_text((@cx(#2))); call take_text(@cs // 'z')
call_mask: call take_logical(@x(#2) > 1 .and. @lx(#1))
"""

CONTROL = """
if: if (@x(#2) > 2) r = 1
if_block: if (@x(#2) > 100) then; r = 1; else if (@ix(#1) == 3) then; r = 2; else; r = 3; end if
if_logical: if (@ls) r = 1; if (@lx(#2)) r = r + 2
if_character: if (@cx(#2) == 'bcd') r = 1; if (@cs < 'zzz') r = r + 2
select_integer: select case (@ix(#2)); case (1); r = 1; case (2:); r = 2; case default; r = 3; end select
select_expression: select case (@is + @is); case (:7); r = 1; case (8); r = 2; end select
select_character: select case (@cx(#3)); case ('aaa'); r = 1; case ('cde'); r = 2; end select
select_logical: select case (@lx(#1)); case (.true.); r = 1; case (.false.); r = 2; end select
do_bounds: do i = @ix(#2), @ix(#1), @ix(#2); r = r + i; end do
do_body: do i = 1, 6; r = r + @x(i + #0); end do
do_body_store: do i = 1, 6; h(i) = 2*@x(i + #0) + @ix(i + #0); end do
do_sections: do i = 1, 3; h2(:, i) = @m(:, i) + i; end do
do_while: i = 1; do while (@x(i + #0) < 4); i = i + 1; end do; k = i
exit: do i = 1, 6; if (@x(i + #0) > 4) exit; k = i; end do
concurrent: do concurrent (i = 1:6); h(i) = @x(i + #0)*2; end do
concurrent_mask: do concurrent (i = 1:6, @x(i + #0) > 2); h(i) = i; end do
concurrent_local: do concurrent (i = 1:2, j = 1:3); h2(i, j) = @m(i, j) + @s; end do
forall: forall (i = 1:6) h(i) = @x(i + #0) + i
forall_mask: forall (i = 1:6, @lx(i + #0)) h(i) = @x(i + #0)
where: where (@x > 2) h = 1
where_value: where (h < 1) h = @x + 1
where_plain: where (h < 1) h = @x
where_mask_logical: where (@lx) h = @x*2
where_else: where (@x > 3); h = @x; elsewhere (@ix > 3); h = -@x; elsewhere; h = 7; end where
arithmetic_if: if (@x(#2) - 2) $1, $2, $3; $1 r = 1; goto $4; $2 r = 2; goto $4; $3 r = 3; $4 continue
computed_goto: goto ($1, $2, $3) @ix(#2); goto $4; $1 r = 1; goto $4; $2 r = 2; goto $4; $3 r = 3; $4 continue
allocate_extent: allocate (ha(@ix(#1))); ha = 1
allocate_bounds: allocate (ha(@ix(#2):@is + 1)); ha = 2; k = lbound(ha, 1)
allocate_source: allocate (ha, source=@x + 1)
associate_value: associate (v => @x(#2) + 1); r = v*2; end associate
associate_array: associate (v => @x*2); h = v; end associate
block: block; real :: v; v = @x(#3)*2; r = v; end block
automatic: block; real :: v(@is); v = 1; r = size(v); end block
"""

ARRAYS = """
copy: h = @x
copy_section: h(1:3) = @x(#2:#4)
copy_stride: h(1:3) = @x(#1:#5:2); h(4:6) = @x(#6:#4:-1)
copy_matrix: h2 = @m
copy_row: h(1:3) = @m(2, :)
copy_column: h(1:2) = @m(:, 3)
copy_convert: h8 = @x; kh = @x
copy_allocates: ha = @x
plus: h = @x + 1
section: h(1:3) = 2*@x(#2:#4)
open_sections: h(1:3) = @x(:#3) + 1; h(4:6) = @x(#4:) + 1
stride: h(1:3) = @x(#1:#5:2)*2; h(4:6) = @x(#6:#4:-1) - 1
matrix: h2 = @m*2 + 1
matrix_column: h(1:2) = @m(:, 2) + t
matrix_row: h(1:3) = @m(2, :) + t
matrix_part: h2(1:1, 1:2) = @m(2:2, 2:3)*t
with_host: h = h + t*@x - h(6)
broadcast: h = @s + 1
broadcast_element: h = @x(#2)*2
broadcast_plain: h = @x(#2)
allocates: ha = @x + 1
allocates_section: ha = @x(#2:#3)*2
comparison: lh = @x > 2
logicals: lh = .not. @lx
complexes: zh = @zx*(0.0, 1.0)
complex_plus: zh = conjg(@zx) + 1
kinds_array: h8 = @x*2d0; h = @dx + 1
integers: kh = @ix*2 + @is
elemental_intrinsic: h = sqrt(@x)
elemental_intrinsic_sum: h = sqrt(@x + 1) + h
elemental_function: h = twice((@x)) + 1
elemental_function_sum: h = twice(@x*2)
merge_array: h = merge(@x, h, @lx)
merge_mask: h = merge(h, 1.0, @x > 2)
vector_subscript: h(1:3) = @x([#3, #1, #2]) + 1
vector_subscript_plain: h(1:3) = @x([#3, #1, #2])
vector_subscript_host: h(kp) = @x*2
vector_subscript_left: h(@ix) = 1
vector_subscript_left_plain: h(kp) = @x
vector_subscript_device: h = hp(@ix) + 1
constructor: h(1:3) = [@x(#1), @x(#3), t]
constructor_array: h = [@x(#4:#6), @x(#1:#3)]
constructor_whole: h = [@x]
constructor_implied: h(1:3) = [(@x(i + #0)*2, i = 1, 3)]
constructor_expression: h(1:4) = [@x(#1:#3)*2, @s]
constructor_matrix: h = [@m]
constructor_nested: h2 = reshape([@x(#1:#6)], [2, 3])
reshape: h2 = reshape(@x, [2, 3])
reshape_plus: h2 = reshape(@x + 1, [2, 3])
transpose: h3 = transpose(@m)
transpose_plus: h3 = transpose(@m) + 1
matmul: h(1:2) = matmul(@m, hp(1:3))
spread: h4 = spread(@x, 2, 2)
pack: ha = pack(@x, @x > 2)
pack_host_mask: ha = pack(@x, hp > 2)
unpack: h = unpack(@x(#1:#3), hp > 3, hp)
cshift: h = cshift(@x, 2)
eoshift: h = eoshift(@x, 1)
real_parts: h = real(@zx) + aimag(@zx)
complex_components: h = @zx%re
characters: lh = @cx == 'bcd'
self_array: h = hp; h = h + @x*h
"""

REDUCTIONS = """
sum: r = sum(@x)
sum_expression: r = sum(@x*2) + 1
sum_section: r = sum(@x(#2:#4))
sum_dim: h(1:3) = sum(@m, 1)
sum_with_host: r = sum(@x + hp)
product: r = product(@x(#1:#3))
maxval: r = maxval(@x) - minval(@x(#2:))
maxval_expression: r = maxval(abs(@x - 3))
maxval_integer: k = maxval(@ix)
maxloc: kh(1:1) = maxloc(@x); k = minloc(@x, 1)
any: l = any(@x > 5); lh(1) = all(@lx)
count: k = count(@x > 2) + count(@lx)
if_any: if (any(@x > 5)) r = 1
dot: r = dot_product(@x, hp)
dot_both: r = dot_product(@x, @x)
norm: r = norm2(@x(#3:#3))
size: k = size(@x) + size(@m, 2)
bounds: k = lbound(@x, 1) + ubound(@m, 2)
shape: kh(1:2) = shape(@m)
findloc: k = findloc(@ix, 6, 1)
"""

CHARACTERS = """
text: c = @cs
text_element: c = @cx(#2)
concatenation: c = @cx(#1) // @cs // 'x'
substring: c = @cx(#2)(2:3)
substring_scalar: c = @cs(2:)
substring_concatenation: c = 'a' // @cs(1:2)
substring_bounds: c = text(@ix(#2):@ix(#1))
text_functions: k = len_trim(@cx(#2)) + index(@cs, 'r') + scan(@cx(#1), 'bc')
text_results: c = trim(@cs) // adjustl(@cx(#3)); k = ichar(@cx(#2)(1:1))
text_compare: l = @cx(#1) < @cx(#2) .and. @cs /= 'abc'
text_length: k = len(@cs) + len(@cx)
text_intrinsics: c = repeat(@cs, 2); l = llt(@cs, 'zzz')
text_array: ch = @cx
text_array_concatenation: ch = @cx // 'y'
text_conversion: c = char(@ix(#1) + 64)
text_merge: c = merge(@cs, 'xyz', @ls)
text_constructor: ch(1:2) = [@cx(#1), @cs]
text_maximum: c = max(@cs, 'aaa')
"""

TYPES = """
component: r = @ts%a + 1
component_plain: r = @ts%a
component_element: r = @ts%v(2)*2
component_of_element: r = @tx(#2)%a*2 + @tx(#3)%n
component_of_element_plain: r = @tx(#2)%a
component_section: h = @tx%a + 1
component_section_plain: h = @tx%a
component_array: h(1:3) = @tx(#2)%v + 1
component_array_plain: h(1:3) = @tx(#2)%v
component_array_section: h(1:2) = @tx(#2)%v(2:3)*2
component_text: c = @tx(#2)%c // 'x'
component_text_plain: c = @tx(#2)%c
component_text_compare: l = @ts%c == 'sts'
component_integer: k = @tx(#3)%n + @ts%n
type: tc = @ts
type_element: tc = @tx(#2)
type_array: th = @tx
type_section: th(1:2) = @tx(#2:#3)
type_constructor: tc = cell(@ix(#2), @x(#2), @x(#1:#3), @cs)
type_in_constructor: th(1:2) = [@tx(#2), @ts]
type_loop: do i = 1, 6; r = r + @tx(i + #0)%a*@tx(i + #0)%n; end do
type_condition: if (@tx(#2)%n == 2 .and. @ts%a > 0) r = 1
type_sum: r = sum(@tx%a)
type_function: r = area((@ts)) + area((@tx(#2)))
type_merge: tc = merge(@ts, th(1), @ls)
"""

OUTPUT = """
write_scalar: write (str, *) @s, @is, @ls, @zs, @cs
write_element: write (str, *) @x(#2), @ix(#2), @lx(#2), @cx(#2)
write_expression: write (str, *) @x(#2) + 1, @is*2, @cs // 'x'
write_array: write (str, '(6f6.2)') @x
write_arrays: write (str, *) @ix, @lx, @cx
write_section: write (str, '(6f6.2)') @x(#2:#5:2), @m(2, :)
write_array_expression: write (str, '(6f6.2)') @x*2
write_implied: write (str, '(6f6.2)') (@x(i + #0), i = 1, 6)
write_implied_bounds: write (str, '(6f6.2)') (hp(i), i = 1, @ix(#1))
write_implied_nested: write (str, '(6f6.2)') ((@m(i, j), i = 1, 2), j = 1, 3)
write_type: write (str, *) @ts, @tx(#2)
write_component: write (str, *) @ts%a, @tx(#3)%c, @tx(#2)%v
write_function: write (str, *) sum(@x), maxval(@ix)
write_record: write (scratch, rec=@ix(#2)) @x(#1:#6); read (scratch, rec=1) h
write_unformatted: write (scratch, rec=1) @x; read (scratch, rec=1) h
"""

GROUPS = {"scalars": SCALARS, "control": CONTROL, "arrays": ARRAYS, "reductions": REDUCTIONS,
          "characters": CHARACTERS, "types": TYPES, "output": OUTPUT}


def constructs(group):
    """Names and statements of a group."""
    rows = []
    for row in GROUPS[group].strip().splitlines():
        name, statements = row.split(": ", 1)
        rows.append((name, statements))
    return rows
