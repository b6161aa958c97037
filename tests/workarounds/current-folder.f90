! RUN: mkdir -p modules && cufc -c -w %S/inputs/old_module.f90 && cufc -c -w -module modules %S/inputs/new_module.f90 && cufc -fsyntax-only -module modules %s
! SYMPTOM: error.*'new'
program p
  use settings, only: new
  print *, new
end program
