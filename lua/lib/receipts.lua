-- Which receipt may follow which; drawn in README.md. 'a' is attempting, '\0' is pending.
local follows = {
  ['\0'] = 'afnxep',
  a = '\0asdrcfuxe',
  u = 'sdrcf',
  s = 'drcf',
  d = 'rc',
  r = 'c',
}

local function may_follow(old, new)
  local allowed = follows[old]
  return allowed ~= nil and string.find(allowed, new, 1, true) ~= nil
end

-- Pending and attempting are not counted: they are what is left of the size.
local function count(deltas, old, new, people)
  if old ~= '\0' and old ~= 'a' then deltas[old] = (deltas[old] or 0) - people end
  if new ~= '\0' and new ~= 'a' then deltas[new] = (deltas[new] or 0) + people end
end

-- The fields of a history that count receipts of a leg.
local function counters_of(leg)
  local fields = {}
  for state in string.gmatch('sdrcfunpxe', '.') do fields[#fields + 1] = leg .. ':' .. state end
  return fields
end

-- Needs write_waiting() at the end of the run.
local function move_counters(history, leg, deltas)
  local moved, told = false, 0
  for state, delta in pairs(deltas) do
    if delta ~= 0 then
      redis.call('HINCRBY', history, leg .. ':' .. state, delta)
      moved, told = true, told + delta
    end
  end
  change_waiting(leg, -told)
  return moved
end
