! Fixed form: continuation lines, comments, columns.
      subroutine fixed_form(values, total)
      real values(*)
      integer total, amount
      total = amo$0
      call fixed_form(values,
     &   tot$1
C     comment amo$2
      values(1) = ab$3s(values(1),
     &   sin($4
      en$5
!! completion $0
!| at 5:15-5:18
!| amount | variable
!! completion $1
!| at 7:10-7:13
!| total | variable
!| total= | argument
!! completion $2
!| none
!! hover $3
!| at 9:19-9:22
!| ```cuf
!| result = abs(a)
!| ```
!| Absolute value; of a complex number its distance from zero.
!|
!| | argument | type | intent | |
!| |---|---|---|---|
!| | `a` | integer, real or complex | in |  |
!|
!| Result: type of a; real if a is complex.
!|
!| Elemental function of Fortran. In device code also. Error at most 3 ulp.
!|
!| Intrinsic procedure of Fortran.
!! signatureHelp $4
!| > sin(__x__) -> type of x
!| Sine.
!| real or complex, in radians
!! signatureHelp $3
!| none
!! completion $5
!| at 11:7-11:9
!| end subroutine | keyword
!| end subroutine fixed_form | keyword
!| end | keyword
!| endfile | keyword
!| entry | keyword
