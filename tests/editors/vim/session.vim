" What a user does in Vim; writes "ok ..." or "FAILED ..." for each to the file $RESULT.
let s:failures = 0

function! s:Check(name, good, ...) abort
  let s:failures += !a:good
  let l:text = (a:good ? 'ok ' : 'FAILED ') . a:name . (a:good ? '' : ': ' . string(a:000))
  call writefile([l:text], $RESULT, 'a')
endfunction

function! s:Wait(condition) abort
  for l:try in range(1200)
    if a:condition()
      return 1
    endif
    sleep 50m
  endfor
  return 0
endfunction

function! s:Problems() abort
  return ale#engine#GetLoclist(bufnr(''))
endfunction

edit main.cuf
doautocmd BufRead
call s:Check('file type', &filetype ==# 'cuda-fortran', &filetype)
call s:Check('highlighting', get(b:, 'current_syntax', '') ==# 'cuda-fortran', get(b:, 'current_syntax', ''))
let s:line = search('<<<', 'w')
let s:name = synIDattr(synID(s:line, stridx(getline(s:line), '<<<') + 1, 1), 'name')
call s:Check('launch is highlighted', s:name ==# 'cufChevrons', s:name)

let s:line = search('cudaDeviceSynchronize', 'w')
let s:right = getline(s:line)
call setline(s:line, substitute(s:right, 'Synchronize', 'Sinchronize', ''))
ALELint
call s:Check('error is shown', s:Wait({-> !empty(s:Problems())}))
let s:first = get(s:Problems(), 0, {})
call s:Check('at its place', get(s:first, 'lnum') == s:line && get(s:first, 'col') == 12, s:first)
call setline(s:line, s:right)
ALELint
call s:Check('error is gone', s:Wait({-> empty(s:Problems())}), s:Problems())

call cursor(search('call scale', 'w'), 9)
let g:ale_hover_to_preview = 1
ALEHover
call s:Check('hover', s:Wait({-> !empty(filter(range(1, winnr('$')),
      \ {_, n -> join(getbufline(winbufnr(n), 1, '$')) =~# 'Multiplies each element'}))}))

pclose!
call cursor(search('call scale', 'w'), 9)
ALEGoToDefinition
call s:Check('definition', s:Wait({-> expand('%:t') ==# 'kernels.cuf'}), expand('%'))

silent make
call s:Check(':make builds', v:shell_error == 0, getqflist())
call writefile([s:failures == 0 ? 'PASS' : s:failures . ' failed'], $RESULT, 'a')
qall!
