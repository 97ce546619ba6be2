-- Waves of a message that wait. The field `waiting` names them by number; `wave:<n>` holds leg, cause, due time, people and
-- condition (- for none), separated by blanks.
local function waiting_waves(history)
  local numbers = {}
  for number in string.gmatch(redis.call('HGET', history, 'waiting') or '', '%d+') do numbers[#numbers + 1] = number end
  return numbers
end

local function read_wave(text)
  local leg, cause, due_ms, people, unless = string.match(text, '^(%S+) (%S+) (%d+) (%d+) (%S+)$')
  return { leg = leg, cause = cause, due_ms = due_ms, people = people, unless = unless }
end

local function write_wave(history, number, wave)
  local text = table.concat({ wave.leg, wave.cause, wave.due_ms, wave.people, wave.unless }, ' ')
  redis.call('HSET', history, 'wave:' .. number, text)
end

local function forget_wave(history, tag, message, number)
  local left = {}
  for _, each in ipairs(waiting_waves(history)) do
    if each ~= number then left[#left + 1] = each end
  end
  redis.call('HDEL', history, 'wave:' .. number)
  if #left > 0 then
    redis.call('HSET', history, 'waiting', table.concat(left, ' '))
  else
    redis.call('HDEL', history, 'waiting')
  end
  redis.call('UNLINK', pieces_key(tag, message, number))
end
