-- A message that others went with to a contact that did not get it goes on alone, and so does each of them: they are told which contact was tried, and have no
-- share in its claims any more. `go_on(theirs, other)` says of each what becomes of it. Needs settle, next-contact and announce().
local function part_carried(history, tag, message, leg, now, go_on)
  local known = redis.call('HMGET', history, leg .. ':carries', leg .. ':open')
  if (known[1] or '') == '' then return end
  redis.call('HSET', history, leg .. ':carries', '')
  for other in string.gmatch(known[1], '%S+') do
    local theirs = history_key(tag, other)
    share_tries(tag, message, other, leg)
    go_on(theirs, other)
    -- the claim that is of all of them is not finished yet
    local is_over = tonumber(known[2]) > 0 and redis.call('HINCRBY', theirs, leg .. ':open', '-1') <= 0
    if is_over and settle_leg(theirs, tag, other, leg, now) then
      redis.call('ZADD', retention_key(tag), string.format('%.0f', now), other)
      redis.call('ZREM', expiry_key(tag), other)
    end
    announce(tag, other)
  end
end
