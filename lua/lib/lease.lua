-- A claim belongs to a consumer for a delivery count: whoever took it over since has another count.
local function owns(stream, group, consumer, entry, deliveries)
  local pending = redis.call('XPENDING', stream, group, entry, entry, 1, consumer)[1]
  return pending ~= nil and pending[4] == tonumber(deliveries)
end

-- Starts leases anew without counting a delivery.
local function renew(stream, group, consumer, entries)
  local named = { unpack(entries) }
  named[#named + 1] = 'JUSTID'
  redis.call('XCLAIM', stream, group, consumer, 0, unpack(named))
end
