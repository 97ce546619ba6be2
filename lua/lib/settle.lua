-- `legs`: channels it waits for, and legs of corrections, between commas.
local function others_have_settled(history, legs, leg)
  if legs == leg then return true end
  for name in string.gmatch(legs, '[^,]+') do
    if name ~= leg and redis.call('HEXISTS', history, name .. ':settled') == 0 then return false end
  end
  return true
end

-- What is to be written where a leg settles, which it does once; the last leg settles the history: says whether it does. `is_settled` and the
-- others: what the fields hold that settle_leg() reads.
local function settling(history, tag, message, leg, now_text, is_settled, expected, secret, corrections)
  if is_settled then return {}, false end
  local legs = corrections and (expected or '') .. ',' .. corrections or expected or ''
  if not others_have_settled(history, legs, leg) then return { leg .. ':settled', now_text }, false end
  if secret then redis.call('UNLINK', secret_key(tag, message)) end
  return { leg .. ':settled', now_text, 'state', 'settled', 'settled', now_text }, true
end

-- A leg settles once; the last leg settles the history. Says whether it did.
local function settle_leg(history, tag, message, leg, now)
  local fields = redis.call('HMGET', history, leg .. ':settled', 'expected', 'secret', 'corrections')
  -- a time that is written anew is written slowly
  local changes, is_over = settling(history, tag, message, leg, string.format('%.0f', now), unpack(fields, 1, 4))
  if #changes > 0 then redis.call('HSET', history, unpack(changes)) end
  return is_over
end
