-- How many people of a running message wait for each channel: whoever nothing has been told of. `sign`: 1 where they are to be counted, -1
-- where they are to be counted no more.
local function change_waiting_of(history, sign)
  local fields = redis.call('HGETALL', history)
  local values, told = {}, {}
  for i = 1, #fields, 2 do
    values[fields[i]] = fields[i + 1]
    local leg = string.match(fields[i], '^(.+):[sdrcfunpxe]$')
    if leg then told[leg] = (told[leg] or 0) + fields[i + 1] end
  end
  for channel in string.gmatch(values.expected or '', '[^,]+') do
    change_waiting(channel, sign * (values.size - (told[channel] or 0)))
  end
end
