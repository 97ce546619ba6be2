-- Makes due now what waits for later waves of a message: for this cause, or for any, on this leg, or on all. Says how many people wait in them. Needs
-- announce_head() at the end of the run.
local function call_forward(history, due, tag, message, now, cause, leg)
  local people = 0
  for _, number in ipairs(waiting_waves(history)) do
    local wave = read_wave(redis.call('HGET', history, 'wave:' .. number))
    local at = redis.call('ZSCORE', due, message .. ':' .. number)
    if at and (not cause or wave.cause == cause) and (not leg or wave.leg == leg) then
      people = people + tonumber(wave.people)
      if tonumber(at) > now + 1 then
        wave.due_ms = string.format('%.0f', now + 1)
        write_wave(history, number, wave)
        put_due(due, tag, message, number, wave.due_ms)
      end
    end
  end
  return people
end
