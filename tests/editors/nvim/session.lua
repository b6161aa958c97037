-- What a user does in Neovim with the project that test.py has made; prints "ok ..." or "FAILED ..." for each.
local failures, latest = 0, vim.loop.hrtime()

local function check(name, good, detail)
  if not good then failures = failures + 1 end
  local text = good and '' or (': ' .. vim.inspect(detail):gsub('%s+', ' '):sub(1, 600))
  local now = vim.loop.hrtime()
  io.stdout:write(('%s %s (%.1f s)%s\n'):format(good and 'ok' or 'FAILED', name, (now - latest) / 1e9, text))
  latest = now
end

-- The server needs a second of a core for its first answer, and a loaded machine gives it that late.
local function wait(condition) return vim.wait(60000, condition, 20) end

local function cufls() return require('cufls').clients()[1] end

-- Errors and warnings: what kernels cost is information.
local function diagnostics() return vim.diagnostic.get(0, { severity = { min = vim.diagnostic.severity.WARN } }) end

-- Line and column (from 0) of the first place where a text stands.
local function place(text, skip)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local at = line:find(text, 1, true)
    if at then return { line = number - 1, character = at - 1 + (skip or 0) } end
  end
  error('no ' .. text)
end

local function request(method, position, extra)
  local parameters = { textDocument = vim.lsp.util.make_text_document_params(0), position = position }
  local answers = vim.lsp.buf_request_sync(0, method, vim.tbl_extend('force', parameters, extra or {}), 60000) or {}
  for _, answer in pairs(answers) do
    if answer.result then return answer.result end
  end
end

local function set_line(number, text) vim.api.nvim_buf_set_lines(0, number, number + 1, false, { text }) end

local function text_of(buffer) return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') end

local function opening()
  vim.cmd('edit main.cuf')
  check('file type', vim.bo.filetype == 'cuda-fortran', vim.bo.filetype)
  check('highlighting', vim.b.current_syntax == 'cuda-fortran', vim.b.current_syntax)
  local chevron = place('<<<')
  local group = vim.fn.synIDattr(vim.fn.synID(chevron.line + 1, chevron.character + 1, 1), 'name')
  check('launch is highlighted', group == 'cufChevrons', group)
  check('server starts', wait(function() return cufls() ~= nil end), vim.bo.filetype)
  check('file belongs to the server', wait(function()
    local client = cufls()
    return client and (client.attached_buffers or {})[vim.api.nvim_get_current_buf()] or vim.lsp.buf_is_attached(0, client.id)
  end))
end

local function errors_while_typing()
  check('no diagnostics in a right file', not vim.wait(1500, function() return #diagnostics() > 0 end, 20), diagnostics())
  local line = place('status = cudaDevice').line
  local right = vim.api.nvim_buf_get_lines(0, line, line + 1, false)[1]
  set_line(line, right:gsub('Synchronize', 'Sinchronize'))
  check('error is shown', wait(function() return #diagnostics() > 0 end))
  vim.wait(1500, function() return false end)
  check('it stands once', #diagnostics() == 1, diagnostics())
  local first = diagnostics()[1] or {}
  check('at its place, with a code', first.lnum == line and tostring(first.code):match('^CUF%d%d%d%d$'), first)
  vim.api.nvim_win_set_cursor(0, { line + 1, first.col or 0 })
  if vim.fn.has('nvim-0.8') == 1 then
    vim.lsp.buf.code_action({ apply = true, filter = function(action) return action.kind == 'quickfix' and action.isPreferred end })
  else
    set_line(line, right)
  end
  check('fix is applied', wait(function() return vim.api.nvim_buf_get_lines(0, line, line + 1, false)[1]:lower() == right:lower() end),
    vim.api.nvim_buf_get_lines(0, line, line + 1, false))
  set_line(line, right)
  check('error is gone', wait(function() return #diagnostics() == 0 end), diagnostics())
end

local function hover_and_completion()
  for _, name in ipairs({ 'cudaMalloc', 'cudaMemcpy', 'cudaEventRecord', 'cudaStreamCreate', 'cudaGetDeviceCount' }) do
    local line = place('status = cuda').line
    vim.api.nvim_buf_set_lines(0, line, line, false, { '  status = ' .. name .. '(' })
    local result = request('textDocument/hover', place(name, 3))
    local value = result and (result.contents.value or '') or ''
    check('hover of ' .. name, value:find(name, 1, true) and #value > 100, result)
    vim.api.nvim_buf_set_lines(0, line, line + 1, false, {})
  end
  vim.api.nvim_win_set_cursor(0, { place('call scale').line + 1, 8 })
  vim.lsp.buf.hover()
  check('hover window', wait(function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        return text_of(vim.api.nvim_win_get_buf(window)):find('Multiplies each element', 1, true)
      end
    end
  end))
  local line = place('status = cudaDevice').line
  vim.api.nvim_buf_set_lines(0, line, line, false, { '  status = cudaDeviceSy' })
  local result = request('textDocument/completion', { line = line, character = 23 })
  local labels = vim.tbl_map(function(item) return item.label end, result and (result.items or result) or {})
  check('completion', vim.tbl_contains(labels, 'cudaDeviceSynchronize'), labels)
  vim.api.nvim_buf_set_lines(0, line, line + 1, false, {})
  wait(function() return #diagnostics() == 0 end)
end

local function rename_over_files()
  vim.api.nvim_win_set_cursor(0, { place('call scale').line + 1, place('scale<<<').character + 1 })
  vim.lsp.buf.rename('multiply')
  check('rename here', wait(function() return text_of(0):find('call multiply<<<', 1, true) ~= nil end), text_of(0))
  local other = vim.fn.bufnr('kernels.cuf')
  check('rename in the other file', other > 0 and text_of(other):find('end subroutine multiply', 1, true), other)
  vim.cmd('silent wall')
end

local function of_newer_versions()
  if vim.lsp.semantic_tokens then
    check('semantic tokens', wait(function()
      local at = place('x = 1.0')
      for _, token in ipairs(vim.lsp.semantic_tokens.get_at_pos(0, at.line, at.character) or {}) do
        if token.modifiers.device then return true end
      end
    end))
  end
  if vim.lsp.inlay_hint then
    local count = 0
    check('inlay hints', wait(function()
      count = #vim.lsp.inlay_hint.get({ bufnr = 0 })
      return count > 0
    end), count)
  end
end

local function terminal_text()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.bo[buffer].buftype == 'terminal' then return text_of(buffer) end
  end
  return ''
end

local function close_terminals()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.bo[buffer].buftype == 'terminal' then vim.cmd('bwipeout! ' .. buffer) end
  end
end

local function lens_runs()
  local function lenses() return vim.lsp.codelens.get(vim.fn.has('nvim-0.12') == 1 and { bufnr = 0 } or 0) end
  local function command(lens) return (lens.lens or lens).command end
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  if not vim.lsp.codelens.enable then vim.lsp.codelens.refresh() end
  check('code lenses', wait(function()
    for _, lens in ipairs(lenses()) do
      if command(lens) and command(lens).command == 'cufls.run' then return true end
    end
  end), lenses())
  local select = vim.ui.select
  vim.ui.select = function(items, _, done) done(items[1], 1) end
  vim.lsp.codelens.run()
  check('code lens runs the program', wait(function() return terminal_text():find('PASS', 1, true) end), terminal_text())
  vim.ui.select = select
  close_terminals()
end

local function window_text(name)
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local buffer = vim.api.nvim_win_get_buf(window)
    if vim.api.nvim_buf_get_name(buffer):find(name, 1, true) then return text_of(buffer) end
  end
  return ''
end

local function commands()
  check('subcommands are completed', vim.tbl_contains(vim.fn.getcompletion('Cufls ru', 'cmdline'), 'run-cpu'))
  vim.cmd('Cufls run')
  check(':Cufls run', wait(function() return terminal_text():find('PASS', 1, true) end), terminal_text())
  close_terminals()
  vim.cmd('Cufls doctor')
  check(':Cufls doctor', wait(function() return window_text('cufls doctor'):find('Programs can be built', 1, true) end))
  vim.cmd('Cufls explain CUF0203')
  check(':Cufls explain', wait(function() return window_text('CUF0203'):find('CUF0203', 1, true) end))
  if not vim.fn.system('cufls --help'):find('cufls occupancy', 1, true) then return end
  vim.cmd('silent edit kernels.cuf')
  vim.cmd('Cufls occupancy')
  vim.cmd('silent edit main.cuf')
  check(':Cufls occupancy', wait(function() return window_text('cufls occupancy'):lower():find('multiply', 1, true) end),
    window_text('cufls occupancy'))
end

local function building()
  local line = place('h = x').line
  set_line(line, '  h = y')
  vim.cmd('Cufls build')
  check(':Cufls build shows errors', wait(function()
    local list = vim.fn.getqflist()
    return list[1] and list[1].lnum == line + 1 and list[1].type:upper() == 'E' and vim.fn.bufname(list[1].bufnr):find('main.cuf')
  end), vim.fn.getqflist())
  vim.cmd('wincmd p | cclose')
  set_line(line, '  h = x')
  vim.cmd('silent write | compiler cufc | silent make')
  check(':make builds', vim.v.shell_error == 0 and #vim.fn.getqflist() == 0, vim.fn.getqflist())
end

local function restarting()
  local before = cufls().id
  vim.cmd('Cufls restart')
  check(':Cufls restart', wait(function() return cufls() and cufls().id ~= before end), before)
end

-- Of files that no one has opened, and that cufls.json leaves out later.
local function of_other_files()
  local function aside()
    for _, diagnostic in ipairs(vim.diagnostic.get()) do
      if vim.api.nvim_buf_get_name(diagnostic.bufnr):find('aside.cuf', 1, true) then return diagnostic end
    end
  end
  local function write(name, lines)
    vim.fn.writefile(lines, name)
    cufls().notify('workspace/didChangeWatchedFiles', { changes = { { uri = vim.uri_from_fname(vim.fn.getcwd() .. '/' .. name), type = 2 } } })
  end
  local before = vim.fn.readfile('cufls.json')
  vim.fn.writefile({ 'subroutine aside(a)', '  implicit none', '  real :: a', '  a = nothing', 'end subroutine' }, 'aside.cuf')
  write('cufls.json', before)
  check('a closed file has diagnostics', wait(function() return aside() ~= nil end), vim.diagnostic.get())
  write('cufls.json', { '{"targets": {"app": {"sources": ["kernels.cuf", "main.cuf"]}}}' })
  check('an excluded file has none', wait(function() return aside() == nil end), aside())
  vim.fn.delete('aside.cuf')
  write('cufls.json', before)
end

local function help()
  vim.cmd('help cufls')
  check(':help cufls', vim.fn.expand('%:t') == 'cufls.txt', vim.fn.expand('%'))
  vim.cmd('helpclose')
end

local function broken_path()
  vim.g.cufls = { cmd = { '/nowhere/cufls' } }
  local said
  local notify = vim.notify
  vim.notify = function(text) said = text end
  vim.cmd('Cufls run')
  vim.notify = notify
  check('a server that is not there is said', said and said:find('/nowhere/cufls is not on PATH', 1, true), said)
end

local good, message = xpcall(function()
  for _, part in ipairs({ opening, errors_while_typing, hover_and_completion, rename_over_files, of_newer_versions, lens_runs,
    commands, building, of_other_files, help, restarting, broken_path }) do
    part()
  end
end, debug.traceback)
if not good then check('session', false, message) end
io.stdout:write((failures == 0 and 'PASS' or failures .. ' failed') .. '\n')
io.stdout:flush()
vim.cmd(failures == 0 and 'qall!' or 'cquit!')
