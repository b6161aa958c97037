-- :Cufls: programs of cufls about the current file, in a terminal, in the quickfix list or in a window.
local M = {}

local function executable() return require('cufls').options().cmd[1] end

local function report(text) vim.notify('cufls: ' .. text, vim.log.levels.ERROR) end

-- The current file, saved; nil, with a message, if it has no name.
local function saved_file()
  local path = vim.api.nvim_buf_get_name(0)
  if path == '' then
    report('this text has no file')
    return nil
  end
  if vim.bo.modified then vim.cmd('silent write') end
  return path
end

local function in_terminal(command)
  if vim.fn.executable(command[1]) == 0 then
    report(command[1] .. ' is not on PATH; set vim.g.cufls = { cmd = { "/path/of/cufls" } }')
    return
  end
  vim.cmd('botright 12new')
  if vim.fn.has('nvim-0.11') == 1 then
    vim.fn.jobstart(command, { term = true })
  else
    vim.fn.termopen(command)
  end
  vim.b.cufls_command = command
  vim.cmd('normal! G')
  vim.cmd('wincmd p')
end

-- Calls done(lines, exit status) with what a program printed.
local function collect(command, folder, done)
  if vim.fn.executable(command[1]) == 0 then
    report(command[1] .. ' is not on PATH; set vim.g.cufls = { cmd = { "/path/of/cufls" } }')
    return
  end
  local lines = {}
  local function take(_, data)
    for _, line in ipairs(data) do
      if line ~= '' then lines[#lines + 1] = line end
    end
  end
  vim.fn.jobstart(command, {
    cwd = folder,
    stdout_buffered = true,
    stderr_buffered = true,
    on_stdout = take,
    on_stderr = take,
    on_exit = function(_, status) done(lines, status) end,
  })
end

local function in_window(name, lines)
  vim.cmd('botright 15new')
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].buftype, vim.bo[buffer].bufhidden, vim.bo[buffer].swapfile = 'nofile', 'wipe', false
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
  pcall(vim.api.nvim_buf_set_name, buffer, 'cufls ' .. name)
  vim.keymap.set('n', 'q', '<cmd>close<cr>', { buffer = buffer })
  vim.cmd('wincmd p')
end

function M.run_file(path, device, arguments)
  local command = { executable(), 'run', path }
  if device then command[#command + 1] = '--device=' .. device end
  if arguments and #arguments > 0 then
    command[#command + 1] = '--'
    vim.list_extend(command, arguments)
  end
  in_terminal(command)
end

local subcommands = {}

function subcommands.run(arguments)
  local path = saved_file()
  if path then M.run_file(path, nil, arguments) end
end

subcommands['run-cpu'] = function(arguments)
  local path = saved_file()
  if path then M.run_file(path, 'host', arguments) end
end

-- The project of the current folder; errors go to the quickfix list.
function subcommands.build()
  if vim.bo.modified and vim.api.nvim_buf_get_name(0) ~= '' then vim.cmd('silent write') end
  local folder = vim.fn.getcwd()
  collect({ executable(), 'build' }, folder, function(lines, status)
    local format = '%f:%l:%c: %trror: %m,%f:%l:%c: %tarning: %m,%f:%l:%c: %tote: %m,%-G%.%#'
    vim.fn.setqflist({}, ' ', { title = 'cufls build', lines = lines, efm = format })
    if status == 0 then
      vim.cmd('cclose')
      vim.notify('cufls: built')
    else
      vim.cmd('botright copen')
      if vim.tbl_isempty(vim.fn.getqflist()) then report(lines[#lines] or ('exit status ' .. status)) end
    end
  end)
end

-- Asks the build of the current folder (make, cmake, fpm) for the flags of its sources.
function subcommands.flags(arguments)
  local command = { executable(), 'flags', vim.fn.getcwd() }
  if arguments[1] then table.insert(command, '--from=' .. arguments[1]) end
  collect(command, nil, function(lines, status)
    in_window('flags', lines)
    if status == 0 and arguments[1] then subcommands.restart() end
  end)
end

function subcommands.occupancy(arguments)
  local path = saved_file()
  if not path then return end
  local command = vim.list_extend({ executable(), 'occupancy', path }, arguments)
  collect(command, nil, function(lines) in_window('occupancy', lines) end)
end

-- Of the code given, or of the diagnostic in the current line.
function subcommands.explain(arguments)
  local code = arguments[1]
  if not code then
    local line = vim.api.nvim_win_get_cursor(0)[1] - 1
    for _, diagnostic in ipairs(vim.diagnostic.get(0, { lnum = line })) do
      code = code or diagnostic.code or vim.tbl_get(diagnostic, 'user_data', 'lsp', 'code')
    end
  end
  if not code then return report('no diagnostic in this line') end
  collect({ executable(), 'explain', tostring(code) }, nil, function(lines) in_window(tostring(code), lines) end)
end

function subcommands.doctor()
  collect({ executable(), 'doctor' }, nil, function(lines) in_window('doctor', lines) end)
end

local function stop(force)
  for _, client in ipairs(require('cufls').clients()) do
    if vim.fn.has('nvim-0.11') == 1 then client:stop(force) else vim.lsp.stop_client(client.id, force) end
  end
end

function subcommands.restart()
  stop(false)
  -- A server that is ending would be taken for the new one; one that does not end is killed.
  local function start_again(tries)
    if #require('cufls').clients() == 0 then
      require('cufls').start_all()
    elseif tries > 0 then
      if tries == 20 then stop(true) end
      vim.defer_fn(function() start_again(tries - 1) end, 50)
    else
      report('the server does not end')
    end
  end
  start_again(60)
end

function M.complete(lead, line)
  if line:match('^%s*%S+%s+%S*$') == nil then return {} end
  local names = vim.tbl_keys(subcommands)
  table.sort(names)
  return vim.tbl_filter(function(name) return vim.startswith(name, lead) end, names)
end

function M.run(arguments)
  local subcommand = subcommands[arguments[1]]
  if not subcommand then return report('no command ' .. arguments[1]) end
  subcommand(vim.list_slice(arguments, 2))
end

return M
