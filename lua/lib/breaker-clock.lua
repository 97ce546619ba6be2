-- What was noted ahead is as far ahead of now as it was when the endpoint last said something, where Redis's clock has been set back since.
local function heed_breaker_clock(breaker, now)
  local set_back = tonumber(redis.call('HGET', breaker, 'at') or '0') - now
  if set_back <= 0 then return end
  for _, field in ipairs({ 'at', 'until', 'probe' }) do
    if redis.call('HEXISTS', breaker, field) == 1 then redis.call('HINCRBY', breaker, field, string.format('%.0f', -set_back)) end
  end
end
