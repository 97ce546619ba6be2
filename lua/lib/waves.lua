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
