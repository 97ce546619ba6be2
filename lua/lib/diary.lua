-- A page of a diary: what somebody was sent on a day of UTC, in the order it was counted. README.md says what the bytes of an entry
-- are; in TypeScript they are read by packages/store/src/diary/entry.ts.
local entry_start, entry_format, entry_head, day_ms, contested = '>BI4BHc8', '>BI4BHc8I4', 20, 86400000, 32768

local function entries_of(page)
  local entries, at = {}, 1
  while at <= #page do -- bounded: an entry has at least the byte of its length
    local last = at + string.byte(page, at)
    entries[#entries + 1] = string.sub(page, at, last)
    at = last + 1
  end
  return entries
end

-- The page of the newest day, which is a key of the script, and those of days before it.
local function pages_of(newest, ptag, days_before)
  local pages = { newest }
  for day in string.gmatch(days_before, '%S+') do pages[#pages + 1] = diary_key(ptag, day) end
  return pages
end

local function message_of(entry) return string.sub(entry, entry_head + 1) end

-- How many messages an entry stands for.
local function weight_of(entry) return #entry > entry_head and 1 or string.byte(entry, 19) * 256 + string.byte(entry, 20) end

-- The two bytes of the channels: a bit each, and one that says that the entry is contested.
local function channels_of(entry) return string.byte(entry, 7) * 256 + string.byte(entry, 8) end
local function is_contested(entry) return channels_of(entry) >= contested end
local function with_channels(entry, channels)
  return string.sub(entry, 1, 6) .. struct.pack('>H', channels) .. string.sub(entry, 9)
end

-- A page has 64 entries of a person: above that the oldest two of a type become one, which counts as both until the later of them would not
-- count any more. It names no message, and where its ordinal would be is how many it stands for.
local max_entries = 64
local function folded(page)
  if #page < max_entries * entry_head then return page end
  local entries, first = entries_of(page), {}
  for place, entry in ipairs(entries) do
    local kind = string.byte(entry, 6)
    local other = first[kind]
    if #entries >= max_entries and other then
      local _, time = struct.unpack(entry_format, entry)
      local weight = weight_of(entries[other]) + weight_of(entry)
      entries[place] = struct.pack(entry_format, entry_head - 1, time, kind, 0, string.rep('\0', 8), weight)
      table.remove(entries, other)
      break
    end
    first[kind] = place
  end
  return table.concat(entries)
end

local function write_page(page, person, entries)
  if #entries == 0 then return redis.call('HDEL', page, person) end
  redis.call('HSET', page, person, table.concat(entries))
end

-- Changes the entry of a message in the newest page that has one: `change` says what it is to be, nil for nothing. Says whether it did.
local function change_entry(pages, person, message, change)
  for _, page in ipairs(pages) do
    local entries = entries_of(redis.call('HGET', page, person) or '')
    for place = #entries, 1, -1 do
      local before = entries[place]
      if message_of(before) == message then
        local after = change(before)
        if after == before then return false end
        if after then entries[place] = after else table.remove(entries, place) end
        write_page(page, person, entries)
        return true
      end
    end
  end
  return false
end
