-- A contact as a hash field holds it: a bare address is one that was never marked or heard, and whose person has no wishes and has not agreed to it.
local function read_contact(stored)
  if string.sub(stored, 1, 1) == '{' then return cjson.decode(stored) end
  return { address = stored, state = 'active' }
end

local function write_contact(contact)
  local is_marked = contact.state ~= 'active' or contact.reason or contact.since or contact.heard or contact.wishes or contact.agreed
  if not is_marked and string.sub(contact.address, 1, 1) ~= '{' then return contact.address end
  return cjson.encode(contact)
end
