-- Begins a correction, or a recall: a leg of its own for each channel on which anybody has the message, or may have it. Needs keys, waves, again, and announce_head()
-- and announce() at the end.

-- `x` for whoever has it not, NUL for whoever has it or may.
local function whom_to_correct(tag, message, size, channel)
  local bytes = redis.call('GETRANGE', receipts_key(tag, message, channel), 0, size - 1)
  bytes = string.gsub(bytes, '[^asdrcuwb]+', function(run) return string.rep('x', #run) end)
  return string.gsub(bytes, '[^x]', '\0') .. string.rep('x', size - #bytes)
end

-- `of`: channels it waits for, those whose edits are told of besides, and legs of earlier corrections, between commas or false; its version, and the cause of
-- its wave. Says how many legs there are.
local function begin_corrections(history, due, tag, message, size, of, expires, now)
  local legs = {}
  local function begin(leg, bytes, people)
    redis.call('SET', receipts_key(tag, message, leg), bytes)
    redis.call('SETRANGE', receipts_key(tag, message, leg), 5 * size - 1, '\0')
    redis.call('SET', reasons_key(tag, message, leg), (string.gsub(bytes, 'x', 'v')))
    redis.call('HSET', history, leg .. ':x', size - people)
    send_again(history, due, tag, message, leg, of.cause, { { first = 0, after = size } }, people, expires, now)
    legs[#legs + 1] = leg
  end
  for channel in string.gmatch(of.channels or '', '[^,]+') do
    local bytes = whom_to_correct(tag, message, size, channel)
    local _, people = string.gsub(bytes, '%z', '')
    if people > 0 then
      local leg = channel .. '~' .. of.version
      begin(leg, bytes, people)
      if string.find(',' .. (of.told or '') .. ',', ',' .. channel .. ',', 1, true) then begin(leg .. '~told', bytes, people) end
    end
  end
  if #legs > 0 then
    redis.call('HSET', history, 'corrections', (of.earlier and of.earlier .. ',' or '') .. table.concat(legs, ','))
  end
  return #legs
end
