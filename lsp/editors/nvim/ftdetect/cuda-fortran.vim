" .cuf and .CUF are CUDA Fortran. Other Fortran files are, if they say so: set the file type by a modeline,
" `! vim: ft=cuda-fortran`, or by an autocommand for a folder.
autocmd BufRead,BufNewFile *.cuf,*.CUF setfiletype cuda-fortran
