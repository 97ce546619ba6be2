-- The wave of a message for a piece: one of its kind of the same due time, else a new one. Where there are `max` waves already it is the next of its
-- kind, or the last of them. `waiting`: numbers of those that wait, which the caller writes when all pieces are in.
local function wave_for(history, due, tag, message, waiting, kind, due_ms, max)
  local nearest
  for _, number in ipairs(waiting) do
    local wave = read_wave(redis.call('HGET', history, 'wave:' .. number))
    if wave.leg == kind.leg and wave.cause == kind.cause and wave.unless == kind.unless then
      wave.number = number
      local at = tonumber(wave.due_ms)
      if at == due_ms then return wave end
      local is_later, was_later = at > due_ms, nearest and tonumber(nearest.due_ms) > due_ms
      if not nearest or (is_later and not was_later) or (is_later == was_later and math.abs(at - due_ms) < math.abs(tonumber(nearest.due_ms) - due_ms)) then
        nearest = wave
      end
    end
  end
  if nearest and #waiting >= max then return nearest end
  local number = tostring(redis.call('HINCRBY', history, 'waves', 1))
  waiting[#waiting + 1] = number
  put_due(due, tag, message, number, string.format('%.0f', due_ms))
  return { leg = kind.leg, cause = kind.cause, due_ms = string.format('%.0f', due_ms), people = 0, unless = kind.unless, number = number }
end
