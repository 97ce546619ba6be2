-- A contact as a hash field holds it: a bare address is one that was never marked.
local function read_contact(stored)
  if string.sub(stored, 1, 1) == '{' then return cjson.decode(stored) end
  return { address = stored, state = 'active' }
end
