-- Takes an entry off its stream for this group. An order leaves the stream when the last expected channel has let go of it;
-- a batch has one group only and leaves at once.
local function release(stream, group, entry, history_key, is_order)
  redis.call('XACK', stream, group, entry)
  if not is_order or redis.call('HINCRBY', history_key, 'orders', -1) <= 0 then
    redis.call('XDEL', stream, entry)
  end
end
