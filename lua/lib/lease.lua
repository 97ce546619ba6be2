-- A claim belongs to a consumer for a delivery count: whoever took it over since has another count. Where another Redis may take the
-- master's place the name ends with the generation under which its owner read it, and no later master knows it: what the owner wrote
-- since may be lost, and the entry may have been read again under the same count.
local function is_of_this_master(consumer)
  local generation = string.match(consumer, '@(%x+)$')
  return generation == nil or generation_of(redis.call('INFO', 'replication')) == generation
end

local function owns(stream, group, consumer, entry, deliveries)
  if not is_of_this_master(consumer) then return false end
  local pending = redis.call('XPENDING', stream, group, entry, entry, 1, consumer)[1]
  return pending ~= nil and pending[4] == tonumber(deliveries)
end

-- Of many entries, in the order of a stream or nearly so, what XPENDING says: mostly one question instead of one each.
local function pending_of(stream, group, consumer, entries)
  local known = {}
  if not is_of_this_master(consumer) then return known end
  local found = redis.call('XPENDING', stream, group, entries[1], entries[#entries], 2 * #entries, consumer)
  for _, pending in ipairs(found) do known[pending[1]] = pending end
  for _, entry in ipairs(entries) do
    known[entry] = known[entry] or redis.call('XPENDING', stream, group, entry, entry, 1, consumer)[1]
  end
  return known
end

-- Starts leases anew without counting a delivery.
local function renew(stream, group, consumer, entries)
  local named = { unpack(entries) }
  named[#named + 1] = 'JUSTID'
  redis.call('XCLAIM', stream, group, consumer, 0, unpack(named))
end
