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
!| 1: ! Strings over several lines, characters of several bytes, numbers, directives, macros, conditions. comment
!| 2: #define macro; LIMIT macro; 10 number
!| 3: #if macro; defined keyword; __cufc__ macro; && operator; LIMIT macro; > operator; 5 number
!| 4: #define macro; NAME macro; shown variable
!| 5: #else macro
!| 6: this is no Fortran: it's left out comment
!| 7: #endif macro
!| 8: program keyword; p namespace.declaration.definition
!| 9: use keyword; intrinsic keyword; iso_c_binding namespace.defaultLibrary; only keyword; c_int variable.readonly.defaultLibrary
!| 10: implicit keyword; none keyword
!| 11: integer keyword; parameter keyword; wp variable.declaration.readonly; = operator; kind function.defaultLibrary; 1.0d0 number
!| 12: character keyword; * operator; parameter keyword; text variable.declaration.readonly; = operator; 'äöü  string
!| 13:  𝄞 goes on' string; // operator; "it''s" string; ! ä comment comment
!| 14: real keyword; wp variable.readonly; if variable.declaration; x variable.declaration; = operator; 1.5e-3 number; wp variable.readonly; do variable.declaration; 3 number
!| 15: integer keyword; i variable.declaration; mask variable.declaration; = operator; z'FF' string
!| 16: logical keyword; l variable.declaration; = operator; .true. keyword; .and. operator; .not. operator; .false. keyword
!| 17: if variable.modification; = operator; 2 number
!| 18: if keyword; if variable; > operator; 1 number; do variable.modification; 1 number; = operator; LIMIT macro; x variable.modification; = operator; 1. number
!| 19: if keyword; l variable; .eqv. operator; .false. keyword; then keyword; x variable.modification; = operator; 2.e0 number
!| 20: end keyword; if keyword
!| 21: do keyword; i variable.modification; = operator; 1 number; 3 number
!| 22: if keyword; i variable; .eq. operator; 2 number; cycle keyword
!| 23: do variable.modification; i variable; = operator; do variable; i variable; ** operator; 2 number; / operator; 3 number
!| 24: end keyword; do keyword
!| 25: 10 label.declaration; continue keyword
!| 26: open keyword; unit keyword; = operator; 10 number; file keyword; = operator; 'x' string; iostat keyword; = operator; i variable.modification
!| 27: write keyword; 10 number; * operator; 'ä' string; x variable
!| 28: #ifdef macro; UNKNOWN macro
!| 29: goto 10 comment
!| 30: #elif macro; LIMIT macro; == operator; 10 number
!| 31: print keyword; * operator; 'active' string
!| 32: #else macro
!| 33: stop comment
!| 34: #endif macro
!| 35: end keyword; program keyword
