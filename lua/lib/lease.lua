-- A claim belongs to a consumer for a delivery count: whoever took it over since has another count.
local function owns(stream, group, consumer, entry, deliveries)
  local pending = redis.call('XPENDING', stream, group, entry, entry, 1, consumer)[1]
  return pending ~= nil and pending[4] == tonumber(deliveries)
end

-- Starts the lease anew without counting a delivery.
local function renew(stream, group, consumer, entry)
  redis.call('XCLAIM', stream, group, consumer, 0, entry, 'JUSTID')
end
