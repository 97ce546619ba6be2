-- When a message goes by itself that has been started before it was due, to go along with another; nil for one that is due, or is not to be sent any more.
local function own_due(history, now)
  local known = redis.call('HMGET', history, 'due', 'cancelled', 'erased', 'expires')
  local due_ms, expires = tonumber(known[1]), tonumber(known[4])
  if known[2] or known[3] or expires and expires <= now or due_ms <= now then return nil end
  return due_ms
end

-- A wave of one piece, in the place of its entry. Needs waves, wave-for, due and announce().
local function wait_until_due(history, tag, other, leg, due_ms)
  local waiting = waiting_waves(history)
  local wave = wave_for(history, due_key(tag), tag, other, waiting, { leg = leg, cause = 'handed-back', unless = '-' }, due_ms, 64)
  wave.people = tonumber(wave.people) + 1
  write_wave(history, wave.number, wave)
  redis.call('APPEND', pieces_key(tag, other, wave.number), struct.pack('>I4I4I4', 0, 1, 0))
  redis.call('HSET', history, 'waiting', table.concat(waiting, ' '))
  announce(tag, other)
end

-- Whom it carries, unmarked, goes by itself from now on, and not before it is due: an entry each, as one that was handed back, or a wave.
-- `stream`: of the leg and the class.
local function release_carried(history, tag, leg, stream, now)
  local carries = redis.call('HGET', history, leg .. ':carries')
  if not carries then return end
  redis.call('HDEL', history, leg .. ':carries')
  for other in string.gmatch(carries, '%S+') do
    local theirs = history_key(tag, other)
    if redis.call('HDEL', theirs, leg .. ':carried-by') == 1 then
      local due_ms = own_due(theirs, now)
      if due_ms then
        wait_until_due(theirs, tag, other, leg, due_ms)
      else
        redis.call('XADD', stream, '*', 'message', other, 'from', 0, 'to', 1, 'cause', 'handed-back')
      end
    end
  end
  redis.call('SPUBLISH', work_of_channel(tag, leg), string.match(stream, '[^:]+$'))
end
