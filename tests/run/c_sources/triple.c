// Called from Fortran.
int triple(int x) { return 3*x; }
