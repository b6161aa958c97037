module settings
  integer, parameter :: old = 1
end module
