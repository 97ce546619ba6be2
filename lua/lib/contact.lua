-- A contact as a hash field holds it: a bare address is one that was never marked or heard, is the only one on its channel, and whose person has no wishes and
-- has not agreed to it. Where somebody has several the first has the `others`, in their order.
local function read_contact(stored)
  if string.sub(stored, 1, 1) == '{' then return cjson.decode(stored) end
  return { address = stored, state = 'active' }
end

local function write_contact(contact)
  local is_marked = contact.state ~= 'active' or contact.reason or contact.since or contact.heard or contact.wishes or contact.agreed or contact.others
  if not is_marked and string.sub(contact.address, 1, 1) ~= '{' then return contact.address end
  return cjson.encode(contact)
end

-- All of somebody on a channel, the first first.
local function contacts_in(contact)
  local all = { contact }
  for _, other in ipairs(contact.others or {}) do all[#all + 1] = other end
  return all
end

-- The first of these, with the others; nil for none. That its person has wishes is noted in the first.
local function joined(all, has_wishes)
  local first = all[1]
  if not first then return nil end
  first.wishes, first.others = has_wishes or nil, nil
  if #all > 1 then first.others = { unpack(all, 2) } end
  return first
end

-- A STOP is of the person: it outlives the last contact that they have on the channel, kept beside until they have one again.
local function keep_stop(stops, person, last)
  if last.state == 'opted-out' then
    redis.call('HSET', stops, person, last.since or 0)
  else
    redis.call('HDEL', stops, person)
  end
end

-- It is of the contact that they have again from now on: what that one is to say of it; nil where they have said none.
local function take_stop(stops, person)
  local since = redis.call('HGET', stops, person)
  if not since then return nil end
  redis.call('HDEL', stops, person)
  return { state = 'opted-out', since = tonumber(since) }
end
