-- `legs`: channels it waits for, and legs of corrections, between commas.
local function others_have_settled(history, legs, leg)
  for name in string.gmatch(legs, '[^,]+') do
    if name ~= leg and redis.call('HEXISTS', history, name .. ':settled') == 0 then return false end
  end
  return true
end

-- A leg settles once; the last leg settles the history. Says whether it did.
local function settle_leg(history, tag, message, leg, now)
  -- a time that is written anew is written slowly
  local now_text = string.format('%.0f', now)
  if redis.call('HSETNX', history, leg .. ':settled', now_text) == 0 then return false end
  local fields = redis.call('HMGET', history, 'expected', 'secret', 'corrections')
  if not others_have_settled(history, (fields[1] or '') .. ',' .. (fields[3] or ''), leg) then return false end
  if fields[2] then redis.call('UNLINK', secret_key(tag, message)) end
  redis.call('HSET', history, 'state', 'settled', 'settled', now_text)
  return true
end
