-- Takes an entry off its stream for this group. An order leaves the stream when the last expected channel has let go of it;
-- a batch has one group only and leaves at once.
local function release(stream, group, entry, history_key, is_order)
  redis.call('XACK', stream, group, entry)
  if not is_order or redis.call('HINCRBY', history_key, 'orders', -1) <= 0 then
    redis.call('XDEL', stream, entry)
  end
end

-- A claim on a message that has been retired: there is nothing left to do, for this channel or another. The entry goes, and
-- nothing of the message may be written again.
local function retired(stream, group, entry, history_key)
  if redis.call('EXISTS', history_key) == 1 then return false end
  redis.call('XACK', stream, group, entry)
  redis.call('XDEL', stream, entry)
  return true
end
