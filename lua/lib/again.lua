-- Recipients of a leg who are sent to again, as a later wave of it, because somebody has decided so.
-- `pieces` of an ascending run of ordinals, one more.
local function add_to_pieces(pieces, ordinal)
  local last = pieces[#pieces]
  if last and last.after == ordinal then
    last.after = ordinal + 1
  else
    pieces[#pieces + 1] = { first = ordinal, after = ordinal + 1 }
  end
end

-- The wave of those of this leg who are to be sent to at once for the same cause already, or a new one. `unless`: its condition, - for none.
local function wave_at_once(history, due, tag, message, leg, cause, now, unless)
  local waiting = waiting_waves(history)
  for _, number in ipairs(waiting) do
    local wave = read_wave(redis.call('HGET', history, 'wave:' .. number))
    if wave.leg == leg and wave.cause == cause and wave.unless == unless and tonumber(wave.due_ms) <= now + 1 then return number, wave end
  end
  local number = tostring(redis.call('HINCRBY', history, 'waves', 1))
  waiting[#waiting + 1] = number
  redis.call('HSET', history, 'waiting', table.concat(waiting, ' '))
  local due_ms = string.format('%.0f', now + 1)
  put_due(due, tag, message, number, due_ms)
  return number, { leg = leg, cause = cause, due_ms = due_ms, people = 0, unless = unless }
end

-- A leg and a history that had settled run again; they settle when this wave is finished. Needs announce_head() and announce().
local function send_again(history, due, tag, message, leg, cause, pieces, people, expires, now, unless)
  local number, wave = wave_at_once(history, due, tag, message, leg, cause, now, unless or '-')
  wave.people = tonumber(wave.people) + people
  write_wave(history, number, wave)
  for _, piece in ipairs(pieces) do
    redis.call('APPEND', pieces_key(tag, message, number), struct.pack('>I4I4I4', piece.first, piece.after, 0))
  end
  redis.call('HINCRBY', history, leg .. ':open', #pieces)
  redis.call('HDEL', history, leg .. ':settled')
  redis.call('HSET', history, 'state', 'running')
  redis.call('HDEL', history, 'settled')
  redis.call('ZADD', retention_key(tag), string.format('%.0f', expires), message)
  redis.call('ZADD', expiry_key(tag), expiry_of(expires), message)
end
