-- `legs`: channels it waits for, and legs of corrections, between commas.
local function others_have_settled(history, legs, leg)
  for name in string.gmatch(legs, '[^,]+') do
    if name ~= leg and redis.call('HEXISTS', history, name .. ':settled') == 0 then return false end
  end
  return true
end

-- A leg settles once; the last leg settles the history. Says whether it did.
local function settle_leg(history, tag, message, leg, now)
  local fields = redis.call('HMGET', history, leg .. ':settled', 'expected', 'secret', 'corrections')
  if fields[1] then return false end
  -- a time that is written anew is written slowly
  local now_text = string.format('%.0f', now)
  if not others_have_settled(history, (fields[2] or '') .. ',' .. (fields[4] or ''), leg) then
    redis.call('HSET', history, leg .. ':settled', now_text)
    return false
  end
  if fields[3] then redis.call('UNLINK', secret_key(tag, message)) end
  redis.call('HSET', history, leg .. ':settled', now_text, 'state', 'settled', 'settled', now_text)
  return true
end
