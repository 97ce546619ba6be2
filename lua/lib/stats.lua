-- What has come of messages, hour by hour: sums that only grow, written in the step that moves the receipts. Their fields are read by
-- packages/store/src/stats/fields.ts.
local stats = {}

local function add_stat(field, by)
  if by ~= 0 then stats[field] = (stats[field] or 0) + by end
end

-- Of a message that names no type; as message-types.ts has it.
local function type_of(stored)
  if not stored or stored == '' then return 'general' end
  return stored
end

-- What is said of messages and not of receipts: messages, and people in them.
local function add_messages(type_id, what, size)
  add_stat(type_id .. '::' .. what, 1)
  add_stat(type_id .. '::' .. what .. '-to', tonumber(size))
end

-- `moves`: by <state>, <state>:<reason> or -<state>. A correction counts nobody anew: what is counted is who has the message.
local function add_moves(type_id, leg, moves)
  if string.find(leg, '~', 1, true) then return end
  local of = type_id .. ':' .. leg .. ':'
  for move, people in pairs(moves) do add_stat(of .. move, people) end
end

-- Whoever is first in an hour adds the one before to the sums of all hours, and lets it be forgotten 35 days after its end. Of a clock
-- that was set back, what is counted until it is where it was stands in its hour only.
local function begin_hour(tag, hour)
  local all = stats_key(tag, 'all')
  local before = tonumber(redis.call('HGET', all, 'hour') or 0)
  if before >= hour then return end
  local of_before = stats_key(tag, before)
  local sums = redis.call('HGETALL', of_before)
  for i = 1, #sums, 2 do redis.call('HINCRBY', all, sums[i], sums[i + 1]) end
  redis.call('EXPIREAT', of_before, (before + 1 + 35 * 24) * 3600)
  redis.call('HSET', all, 'hour', hour)
end

-- After the last of them, in the same run.
local function write_stats(tag, now)
  local hour = math.floor(now / 3600000)
  local is_new = false
  for field, by in pairs(stats) do
    is_new = redis.call('HINCRBY', stats_key(tag, hour), field, by) == by or is_new
  end
  -- an hour begins with a field that was not there
  if is_new then begin_hour(tag, hour) end
end
