-- The client's side of the language server: its configuration, and how each version of Neovim starts it.
local M = {}

local defaults = {
  enabled = true, -- start the server for files of type cuda-fortran
  cmd = { 'cufls' },
  trusted = false, -- true: programs run without a question
  inlay_hints = true, -- Neovim 0.10 and later
  code_lenses = true,
  settings = {}, -- section `cufls` of the server's settings
}

local root_markers = { 'cufls.json', 'compile_commands.json', '.git' }

function M.options() return vim.tbl_deep_extend('force', defaults, vim.g.cufls or {}) end

-- The nearest folder above a file that has one of the markers, or the file's own folder.
local function root_of(path)
  local folder = vim.fn.fnamemodify(path, ':p:h')
  local at = folder
  while true do
    for _, marker in ipairs(root_markers) do
      if vim.loop.fs_stat(at .. '/' .. marker) then return at end
    end
    local parent = vim.fn.fnamemodify(at, ':h')
    if parent == at then return folder end
    at = parent
  end
end

-- A code lens or a code action that runs something does it in a terminal here.
local function client_commands()
  local function device_run(command)
    local argument = (command.arguments or {})[1] or {}
    local uri = type(argument) == 'table' and argument.uri or argument
    local device = type(argument) == 'table' and argument.device or nil
    require('cufls.commands').run_file(vim.uri_to_fname(uri), device)
  end
  return { ['cufls.run'] = device_run }
end

function M.config()
  local options = M.options()
  return {
    name = 'cufls',
    cmd = options.cmd,
    filetypes = { 'cuda-fortran' },
    root_markers = root_markers,
    init_options = vim.tbl_extend('force', options.settings, { trusted = options.trusted }),
    settings = { cufls = options.settings },
    commands = client_commands(),
    get_language_id = function() return 'cuda-fortran' end,
  }
end

-- Neovim 0.12 keeps lenses up to date by itself.
local function attach_lenses(buffer)
  if vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { bufnr = buffer })
    return
  end
  local group = vim.api.nvim_create_augroup('cufls_lenses_' .. buffer, {})
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'BufWritePost' }, {
    group = group,
    buffer = buffer,
    callback = function() vim.lsp.codelens.refresh() end,
  })
  vim.defer_fn(function()
    if vim.api.nvim_get_current_buf() == buffer then vim.lsp.codelens.refresh() end
  end, 500)
end

function M.on_attach(_, buffer)
  local options = M.options()
  -- As Neovim does by itself from 0.8 on: completion by i_CTRL-X_CTRL-O.
  if vim.bo[buffer].omnifunc == '' then vim.bo[buffer].omnifunc = 'v:lua.vim.lsp.omnifunc' end
  if options.code_lenses then
    attach_lenses(buffer)
  end
  if options.inlay_hints and vim.lsp.inlay_hint then vim.lsp.inlay_hint.enable(true, { bufnr = buffer }) end
end

-- Before 0.11: one client for each project, started when a file is opened.
local clients = {}

local function start(buffer)
  local path = vim.api.nvim_buf_get_name(buffer)
  if path == '' or vim.bo[buffer].buftype ~= '' then return end
  local config = M.config()
  config.root_dir = root_of(path)
  config.on_attach = M.on_attach
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
    return
  end
  local id = clients[config.root_dir]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = vim.lsp.start_client(config)
    clients[config.root_dir] = id
  end
  if id then vim.lsp.buf_attach_client(buffer, id) end
end

function M.enable()
  local group = vim.api.nvim_create_augroup('cufls', {})
  if vim.lsp.enable then
    vim.api.nvim_create_autocmd('LspAttach', {
      group = group,
      callback = function(event)
        local client = vim.lsp.get_client_by_id(event.data.client_id)
        if client and client.name == 'cufls' then M.on_attach(client, event.buf) end
      end,
    })
    vim.lsp.enable('cufls')
    return
  end
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = 'cuda-fortran',
    callback = function(event) start(event.buf) end,
  })
end

-- For all texts that are open.
function M.start_all()
  if vim.lsp.enable then
    vim.lsp.enable('cufls', false)
    vim.lsp.enable('cufls')
    if vim.v.vim_did_enter == 1 then return end
    -- Neovim looks at the texts that are open only once it has started.
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      local config = vim.tbl_extend('force', M.config(), { root_dir = root_of(vim.api.nvim_buf_get_name(buffer)) })
      if vim.bo[buffer].filetype == 'cuda-fortran' then vim.lsp.start(config, { bufnr = buffer }) end
    end
    return
  end
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == 'cuda-fortran' then start(buffer) end
  end
end

-- Clients of this server, in every version.
function M.clients()
  local get = vim.lsp.get_clients or vim.lsp.get_active_clients
  local found = {}
  for _, client in pairs(get()) do
    if client.name == 'cufls' then found[#found + 1] = client end
  end
  return found
end

-- Where data lies, for colour schemes that do not know this server's modifiers.
function M.highlight()
  if vim.fn.has('nvim-0.9') == 0 then return end -- no semantic tokens before
  local links = { device = 'Special', shared = 'Special', constant = 'Special', kernel = 'Function', launch = 'Function' }
  for modifier, group in pairs(links) do
    vim.api.nvim_set_hl(0, '@lsp.mod.' .. modifier .. '.cuda-fortran', { link = group, default = true })
  end
end

return M
