-- Completion as fingers use it: keys go to a second Neovim, which this one starts, and its text afterwards is what is checked.
-- Before 0.11 by i_CTRL-X_CTRL-O, from then on by Neovim's own completion while typing, snippets included.
local failures = 0
local automatic = vim.fn.has('nvim-0.11') == 1

local function check(name, good, detail)
  if not good then failures = failures + 1 end
  local text = good and '' or (': ' .. vim.inspect(detail):gsub('%s+', ' '):sub(1, 600))
  io.stdout:write(('%s %s%s\n'):format(good and 'ok' or 'FAILED', name, text))
end

local child = vim.fn.jobstart({ vim.v.progpath, '--embed', '--headless', '-i', 'NONE', '-n' }, { rpc = true })
local function lua(text, ...) return vim.rpcrequest(child, 'nvim_exec_lua', text, { ... }) end
local function keys(text) vim.rpcrequest(child, 'nvim_input', text) end
local function wait(condition) return vim.wait(60000, condition, 20) end

-- Typed in insert mode, and then as many steps `back`. `list` is the entry that is taken, `after` the line then, `plain` without snippets.
local CASES = {
  { 'status = cudaDeviceSy', list = 'cudaDeviceSynchronize', after = '  status = cudaDeviceSynchronize()', plain = '  status = cudaDeviceSynchronize' },
  { 'status = cudaStreamCr', list = 'cudaStreamCreate', after = '  status = cudaStreamCreate()', plain = '  status = cudaStreamCreate' },
  { 'call sca', list = 'scale', after = '  call scale<<<grid, block>>>(x, factor, n)', plain = '  call scale' },
  { 'call scale<<<1, n>>>(x, 2.0, st', list = 'status', after = '  call scale<<<1, n>>>(x, 2.0, status' },
  { 'h(1:st) = 0', back = 5, list = 'status', after = '  h(1:status) = 0' },
  { 'real, dev', list = 'device', after = '  real, device' },
  { 'type(di', list = 'dim3', after = '  type(dim3' },
  { 'use cudaf', list = 'cudafor', after = '  use cudafor' },
  { 'use cudafor, only: cudaEventRec', list = 'cudaEventRecord', after = '  use cudafor, only: cudaEventRecord' },
  { '!$cuf ker', list = 'kernel do', after = '  !$cuf kernel do' },
  { 'call sca<<<1, n>>>(x, 2.0, n)', back = 21, list = 'scale', after = '  call scale<<<1, n>>>(x, 2.0, n)' },
}

local function begin()
  lua([[vim.cmd('edit main.cuf')]])
  check('the server starts', wait(function() return lua([[local one = require('cufls').clients()[1]
    return one ~= nil and (vim.lsp.buf_is_attached == nil or vim.lsp.buf_is_attached(0, one.id)) and
      (one.initialized or one.server_capabilities ~= nil)]]) end))
  if automatic then
    lua([[vim.lsp.completion.enable(true, require('cufls').clients()[1].id, 0, { autotrigger = true })
      vim.opt.completeopt = { 'menu', 'menuone', 'noselect' }]])
  else
    lua([[vim.opt.completeopt = { 'menu', 'menuone', 'noselect' }]])
  end
end

local function words() return lua([[return vim.tbl_map(function(item) return item.word end, vim.fn.complete_info({ 'items' }).items)]]) end
local function labels() return lua([[return vim.tbl_map(function(item) return item.abbr end, vim.fn.complete_info({ 'items' }).items)]]) end

local function complete(case)
  lua([[local at = vim.fn.search('^  status = cudaDevice', 'nw')
    vim.api.nvim_buf_set_lines(0, at - 1, at - 1, false, { '' })
    vim.api.nvim_win_set_cursor(0, { at, 0 })]])
  keys('A  ' .. case[1]:gsub('<', '<lt>') .. ('<Left>'):rep(case.back or 0))
  if not lua([[return vim.fn.pumvisible() == 1]]) then keys('<C-x><C-o>') end
  local shown = wait(function() return lua([[return vim.fn.pumvisible() == 1]]) end)
  local found = shown and labels() or {}
  local number
  for index, label in ipairs(found) do
    if label:match('^[%w_ ]*') == case.list then number = index break end
  end
  if not number then return check(case[1] .. ': offered', false, found) end
  keys(('<C-n>'):rep(number) .. '<C-y>')
  local line
  local wanted = not automatic and case.plain or case.after
  local good = vim.wait(3000, function()
    line = lua([[return vim.api.nvim_get_current_line()]])
    return line == wanted
  end, 20)
  check(('%s|: %s'):format(case[1], wanted), good, { line, words()[number] })
  keys('<Esc><Esc>')
  lua([[if vim.snippet then vim.snippet.stop() end vim.api.nvim_del_current_line()]])
end

local good, message = xpcall(function()
  begin()
  for _, case in ipairs(CASES) do complete(case) end
end, debug.traceback)
if not good then check('typing', false, message) end
vim.fn.jobstop(child)
io.stdout:write((failures == 0 and 'PASS' or failures .. ' failed') .. '\n')
io.stdout:flush()
vim.cmd(failures == 0 and 'qall!' or 'cquit!')
