! Structures by value to and from C behind so many arguments that no registers are left for them, and where the last
! registers are not enough for all of one.
module values
  use, intrinsic :: iso_c_binding
  implicit none
  type, bind(c) :: handle
    type(c_ptr) :: p
  end type
  type, bind(c) :: triple ! 12 bytes
    integer(c_int) :: a
    real(c_float) :: b
    integer(c_short) :: c(2)
  end type
  type, bind(c) :: pair ! 16 bytes
    integer(c_long) :: a
    integer(c_int) :: b
  end type
  type, bind(c) :: vector ! in registers for reals
    real(c_double) :: x, y
  end type
  type, bind(c) :: large
    integer(c_long) :: a(3)
  end type
  interface
    integer(c_long) function in_c(i1, i2, i3, i4, i5, i6, i7, p, h, t, v, q, l, i8) bind(c)
      import
      integer(c_int), value :: i1, i2, i3, i4, i5, i6, i7, i8
      type(pair), value :: p, q
      type(handle), value :: h
      type(triple), value :: t
      type(vector), value :: v
      type(large), value :: l
    end function
    real(c_double) function reals_in_c(r1, r2, r3, r4, r5, r6, r7, v, w, r8) bind(c)
      import
      real(c_double), value :: r1, r2, r3, r4, r5, r6, r7, r8
      type(vector), value :: v, w
    end function
    integer(c_long) function behind_reals_in_c(r1, r2, r3, r4, r5, r6, r7, r8, r9, p, h) bind(c)
      import
      real(c_double), value :: r1, r2, r3, r4, r5, r6, r7, r8, r9
      type(pair), value :: p
      type(handle), value :: h
    end function
    integer(c_int) function calls_fortran(function) bind(c)
      import
      type(c_funptr), value :: function
    end function
  end interface
contains
  integer(c_long) function in_fortran(i1, i2, i3, i4, i5, i6, i7, p, h, t, v, q, l, i8) bind(c)
    integer(c_int), value :: i1, i2, i3, i4, i5, i6, i7, i8
    type(pair), value :: p, q
    type(handle), value :: h
    type(triple), value :: t
    type(vector), value :: v
    type(large), value :: l
    integer(c_intptr_t) :: address
    address = transfer(h%p, address)
    in_fortran = i1 + 2*i2 + 3*i3 + 4*i4 + 5*i5 + 6*i6 + 7*i7 + 8*i8 + 10*p%a + 20*p%b + 30*address + 40*t%a + int(50*t%b) &
                 + 60*t%c(1) + 70*t%c(2) + int(80*v%x + 90*v%y) + 100*q%a + 200*q%b + 300*l%a(1) + 400*l%a(2) + 500*l%a(3)
  end function
end module

program values_on_stack
  use values
  implicit none
  type(pair) :: p = pair(11, 12), q = pair(13, 14)
  type(handle) :: h
  type(triple) :: t = triple(15, 16.5, [17_c_short, 18_c_short])
  type(vector) :: v = vector(1.5, 2.5), w = vector(3.5, 4.5)
  type(large) :: l = large([21, 22, 23])
  procedure(in_c), pointer :: either
  integer(c_long) :: expected
  h%p = transfer(5_c_intptr_t, h%p)
  expected = in_fortran(1, 2, 3, 4, 5, 6, 7, p, h, t, v, q, l, 8)
  if (expected /= 204 + 110 + 240 + 150 + 600 + 825 + 1020 + 1260 + 345 + 1300 + 2800 + 6300 + 8800 + 11500) error stop 'Fortran'
  if (in_c(1, 2, 3, 4, 5, 6, 7, p, h, t, v, q, l, 8) /= expected) error stop 'C'
  either => in_c
  if (either(1, 2, 3, 4, 5, 6, 7, p, h, t, v, q, l, 8) /= expected) error stop 'by a pointer'
  if (abs(reals_in_c(1d0, 2d0, 3d0, 4d0, 5d0, 6d0, 7d0, v, w, 8d0) - 248d0) > 1d-12) error stop 'reals'
  if (behind_reals_in_c(1d0, 2d0, 3d0, 4d0, 5d0, 6d0, 7d0, 8d0, 9d0, p, h) /= 11 + 24 + 15 + 45) error stop 'behind reals'
  if (calls_fortran(c_funloc(in_fortran)) /= expected) error stop 'from C'
  print '(a)', 'PASS'
end program
