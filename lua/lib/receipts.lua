-- Which receipt may follow which; drawn in README.md. 'a' is attempting, '\0' is pending; 'w' is unknown and to be sent to again, 'b'
-- that attempt when it is marked.
local follows = {
  ['\0'] = 'afnxep',
  a = '\0asdrcfuxe',
  u = 'sdrcf',
  w = 'busdrc',
  b = 'wusdrc',
  s = 'drcf',
  d = 'rc',
  r = 'c',
}

local function may_follow(old, new)
  local allowed = follows[old]
  return allowed ~= nil and string.find(allowed, new, 1, true) ~= nil
end

-- Of two attempts, reasons: of whoever is sent, and of whoever is unknown. A failure of one says nothing of the other.
local sent_again, still_unknown = 'g', 'h'
-- Reasons of what a person has told of somebody who was unknown.
local told_delivered, told_failed = 'Y', 'N'

local function byte_at(key, ordinal)
  local byte = redis.call('GETRANGE', key, ordinal, ordinal)
  return byte == '' and '\0' or byte
end

-- Pending and attempting are not counted: they are what is left of the size. Whoever is sent to again is unknown meanwhile.
local counted_as = { ['\0'] = '', a = '', w = 'u', b = 'u' }

-- `moves`, by how much the counters of a leg change, and what the statistics are told of it.
local function no_moves() return { deltas = {}, stats = {} } end

-- `why`: the reason that is given now; nil, empty or NUL for none.
local function count(moves, old, new, people, why)
  old, new = counted_as[old] or old, counted_as[new] or new
  if old == new or people == 0 then return end
  local deltas, stats = moves.deltas, moves.stats
  if old ~= '' then
    local left = '-' .. old
    deltas[old] = (deltas[old] or 0) - people
    stats[left] = (stats[left] or 0) + people
  end
  if new ~= '' then
    local came = new
    if why and why ~= '' and why ~= '\0' then came = new .. ':' .. why end
    deltas[new] = (deltas[new] or 0) + people
    stats[came] = (stats[came] or 0) + people
  end
end

-- Needs write_waiting() and write_stats() at the end of the run.
local function tell_moves(type_id, leg, moves)
  local told = 0
  for _, delta in pairs(moves.deltas) do told = told + delta end
  change_waiting(leg, -told)
  add_moves(type_id, leg, moves.stats)
end

-- The same; says whether any has moved.
local function move_counters(history, type_id, leg, moves)
  local moved = false
  for state, delta in pairs(moves.deltas) do
    if delta ~= 0 then
      redis.call('HINCRBY', history, leg .. ':' .. state, delta)
      moved = true
    end
  end
  tell_moves(type_id, leg, moves)
  return moved
end
