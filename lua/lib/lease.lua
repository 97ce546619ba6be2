-- A claim belongs to a consumer for a delivery count: whoever took it over since has another count.
local function owns(stream, group, consumer, entry, deliveries)
  local pending = redis.call('XPENDING', stream, group, entry, entry, 1, consumer)[1]
  return pending ~= nil and pending[4] == tonumber(deliveries)
end

-- Of many entries, in the order of a stream or nearly so, what XPENDING says: mostly one question instead of one each.
local function pending_of(stream, group, consumer, entries)
  local known = {}
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
