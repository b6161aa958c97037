! Strings over several lines, characters of several bytes, numbers, directives, macros, conditions.
#define LIMIT 10
#if defined(__cufc__) && LIMIT > 5
#define NAME shown
#else
this is no Fortran: it's left out
#endif
program p
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  integer, parameter :: wp = kind(1.0d0)
  character(*), parameter :: text = 'äöü &
    & 𝄞 goes on' // "it''s" ! ä comment
  real(wp) :: if, x = 1.5e-3_wp, do(3)
  integer :: i, mask = z'FF'
  logical :: l = .true. .and. .not. .false.
  if = 2
  if (if > 1) do(1) = LIMIT; x = 1.
  if (l .eqv. .false.) then; x = 2.e0
  end if
  do i = 1, 3
    if (i.eq.2) cycle
    do(i) = do(i) ** 2 / 3
  end do
10 continue
  open (unit=10, file='x', iostat=i)
  write (10, *) 'ä', x
#ifdef UNKNOWN
  goto 10
#elif LIMIT == 10
  print *, 'active'
#else
  stop
#endif
end program
!! textDocument/semanticTokens/full
