-- How many of a leg have a state that is counted: neither pending nor attempting.
local function told_people(history, leg)
  local fields, sum = {}, 0
  for state in string.gmatch('sdrcfunpxe', '.') do fields[#fields + 1] = leg .. ':' .. state end
  for _, people in ipairs(redis.call('HMGET', history, unpack(fields))) do sum = sum + (tonumber(people) or 0) end
  return sum
end
