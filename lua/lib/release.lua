-- Takes an entry off its stream, which has one group.
local function release(stream, group, entry)
  redis.call('XACK', stream, group, entry)
  redis.call('XDEL', stream, entry)
end

-- Whether the message of a claim has been purged. There is nothing left to do then: the entry goes, and nothing of the message
-- may be written again.
local function purged(stream, group, entry, history)
  if redis.call('EXISTS', history) == 1 then return false end
  release(stream, group, entry)
  return true
end
