-- How long the pause of an account still lasts, ms. Its value is for how long it was called: where more is left, Redis's clock has been set back
-- since, or a replica that is behind has taken over, and it lasts for that long from now on.
local function paused_for(pause)
  local left, meant = redis.call('PTTL', pause), tonumber(redis.call('GET', pause) or '')
  if meant and left > meant then
    redis.call('PEXPIRE', pause, meant)
    left = meant
  end
  return math.max(0, left)
end
