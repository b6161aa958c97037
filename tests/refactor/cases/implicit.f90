! REFACTOR: implicit-none
! Names that had their types from the first letter, also in an internal procedure.
program implicit
  dimension a(4)
  n = 4
  do i = 1, n
    a(i) = 0.5 * i + twice(i)
  end do
  x = total(a)
  print *, x, n
contains
  function total(values)
    dimension values(:)
    total = 0
    do k = 1, n
      total = total + values(k)
    end do
  end function total
end program implicit
function twice(k)
  twice = 2 * k
end function twice
