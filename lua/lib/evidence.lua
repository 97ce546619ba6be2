-- What is kept of recipients beside their bytes. A provider's id that is a number lies with those of its hundred, five bytes each, in one field of the
-- hash, `#<hundred>`; what else there is has a field of its own, by ordinal. Where there is a number it counts, whatever the other says.
-- Five bytes are 35 bits: the first is the highest seven, and none is above 0x7f. Five NUL are none.
local ids_a_field, id_bytes = 100, 5
local no_id = string.rep('\0', id_bytes)

-- of most messages the first: a number is written down slowly
local function ids_field(ordinal) return tonumber(ordinal) < ids_a_field and '#0' or '#' .. math.floor(ordinal / ids_a_field) end
local function place_of(ordinal) return ordinal % ids_a_field * id_bytes end

local function id_in(ids, ordinal)
  local id = ids and string.sub(ids, place_of(ordinal) + 1, place_of(ordinal) + id_bytes) or ''
  if id == '' or id == no_id then return nil end
  local number = 0
  for i = 1, id_bytes do number = number * 128 + string.byte(id, i) end
  return '#' .. string.format('%.0f', number)
end

-- nil where there is none
local function evidence_of(key, ordinal)
  local found = redis.call('HMGET', key, ids_field(ordinal), ordinal)
  return id_in(found[1], ordinal) or found[2] or nil
end

-- Takes the numbers of these ordinals away, in their order or nearly so.
local function drop_ids(key, ordinals)
  local field, ids
  local changed = false
  local function keep()
    if changed then redis.call('HSET', key, field, ids) end
    changed = false
  end
  for _, ordinal in ipairs(ordinals) do
    if ids_field(ordinal) ~= field then
      keep()
      field = ids_field(ordinal)
      ids = redis.call('HGET', key, field)
    end
    if id_in(ids, ordinal) then
      ids = string.sub(ids, 1, place_of(ordinal)) .. no_id .. string.sub(ids, place_of(ordinal) + id_bytes + 1)
      changed = true
    end
  end
  keep()
end

local function put_evidence(key, ordinal, text)
  redis.call('HSET', key, ordinal, text)
  drop_ids(key, { ordinal })
end

local function drop_evidence(key, ordinal)
  redis.call('HDEL', key, ordinal)
  drop_ids(key, { ordinal })
end

-- `before`, as long as `ids`, where those have none.
local function merged(ids, before)
  local all = {}
  for at = 1, #ids, id_bytes do
    local id = string.sub(ids, at, at + id_bytes - 1)
    all[#all + 1] = id ~= no_id and id or string.sub(before, at, at + id_bytes - 1)
  end
  return table.concat(all)
end

-- Keeps numbers of neighbours; of whom there is none, what is there stays. `size`: people of the message.
local function put_ids(key, first, ids, size)
  local ordinal, after = tonumber(first), first + #ids / id_bytes
  while ordinal < after do -- bounded: by the neighbours
    local from = place_of(ordinal)
    local count = math.min(after - ordinal, ids_a_field - ordinal % ids_a_field)
    local at = (ordinal - first) * id_bytes
    local own, field = string.sub(ids, at + 1, at + count * id_bytes), ids_field(ordinal)
    local is_gapless = not string.find(own, no_id, 1, true)
    if is_gapless and from == 0 and count == math.min(ids_a_field, size - ordinal) then
      redis.call('HSET', key, field, own)
    elseif string.find(own, '[^%z]') then
      local before = redis.call('HGET', key, field) or ''
      before = before .. string.rep('\0', from + #own - #before)
      if not is_gapless then own = merged(own, string.sub(before, from + 1, from + #own)) end
      redis.call('HSET', key, field, string.sub(before, 1, from) .. own .. string.sub(before, from + #own + 1))
    end
    ordinal = ordinal + count
  end
end
