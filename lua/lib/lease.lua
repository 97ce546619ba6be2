-- A claim belongs to a consumer for a delivery count: whoever took it over since has another count.
local function owns(stream, group, consumer, entry, deliveries)
  local pending = redis.call('XPENDING', stream, group, entry, entry, 1, consumer)[1]
  return pending ~= nil and pending[4] == tonumber(deliveries)
end

-- The same for many, in the order of a stream or nearly so: mostly one question instead of one each.
local function pending_counts(stream, group, consumer, entries)
  local counts = {}
  local found = redis.call('XPENDING', stream, group, entries[1], entries[#entries], 2 * #entries, consumer)
  for _, pending in ipairs(found) do counts[pending[1]] = pending[4] end
  for _, entry in ipairs(entries) do
    if not counts[entry] then
      local pending = redis.call('XPENDING', stream, group, entry, entry, 1, consumer)[1]
      counts[entry] = pending and pending[4]
    end
  end
  return counts
end

-- Starts leases anew without counting a delivery.
local function renew(stream, group, consumer, entries)
  local named = { unpack(entries) }
  named[#named + 1] = 'JUSTID'
  redis.call('XCLAIM', stream, group, consumer, 0, unpack(named))
end
