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
!! completion $1
!! completion $2
!! hover $3
!! signatureHelp $4
!! signatureHelp $3
!! completion $5
