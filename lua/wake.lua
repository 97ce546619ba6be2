--[[ wake: turns due deliveries of one shard into work for the channels; whoever is first does it, for everyone
KEYS[1] due:{tag}  zset
ARGV[1] tag of the shard
ARGV[2] max deliveries to wake
Computed: history:{tag}:<m> hash; record:{tag}:<m>, delivery, pieces:{tag}:<m>:<wave> string; work:{tag}:<channel>:<class> stream; channels, waiting, barred:{tag}, stats:{tag}:<hour> hash; retention, expiry, held:{tag}, merge:{tag}:<sender>:<person>:<type> zset; watched, dirty:{tag} zset
Returns: how many were woken, without those that go with others or before them, ARGV[2] means there may be more; Unix ms now; when the next delivery is due, nil for none
Errors: none
Replay: what was woken has left the due set; the second run wakes only what became due since
]]
--#include clock
--#include keys
--#include expiry
--#include due
--#include dirty
--#include change
--#include waves
--#include waiting
--#include stats
--#include steps
--#include merge
local due, tag, limit = KEYS[1], ARGV[1], tonumber(ARGV[2])
-- pieces of waves to wake in one call; the rest of a wave stays due
local max_pieces = 200
-- whom one message carries: what is longer fits hardly anywhere
local max_carried = 9
local piece_bytes = 12
local now = now_ms()
-- once: Redis turns every number it is given into text as if it were a fraction
local now_text = string.format('%.0f', now)
-- Redis expires a key once its time is over, a millisecond later: woken sooner it would go without an event
local members = redis.call('ZRANGEBYSCORE', due, '-inf', '(' .. now, 'LIMIT', 0, limit)
-- place of the first of the newest
local newest_from = limit + 1
if #members == limit then
  -- more than can be woken at once: some of the newest, too, or an urgent message would wait behind all of a burst
  local newest = redis.call('ZREVRANGEBYSCORE', due, '(' .. now, '-inf', 'LIMIT', 0, math.floor(limit / 5))
  local chosen = {}
  newest_from = limit - #newest + 1
  for i = 1, limit do
    if i >= newest_from then members[i] = nil else chosen[members[i]] = true end
  end
  for _, member in ipairs(newest) do
    if not chosen[member] then members[#members + 1] = member end
  end
end

-- The channels in use, which every message is for that names none.
local in_use
local function channels_in_use()
  if not in_use then
    local known, names = redis.call('HGETALL', channels_key(tag)), {}
    for i = 1, #known, 2 do
      if known[i + 1] == 'in-use' then names[#names + 1] = known[i] end
    end
    table.sort(names)
    in_use = table.concat(names, ',')
  end
  return in_use
end

local woken, triggers, retention, expiry, changed = {}, {}, {}, {}, {}
local function note_woken(member, message, number)
  woken[#woken + 1] = member
  triggers[#triggers + 1] = delivery_key(tag, message, number)
end
local pieces_left, has_more = max_pieces, false

-- Whether any sender of the shard may send less than before: hardly ever.
local is_anybody_barred = redis.call('EXISTS', barred_key(tag)) == 1

-- Whether a message names anybody whom its sender has lost since it was accepted: a group, a cohort, a person.
local function names_lost(message, sender, accepted_ms)
  local record = redis.call('GET', record_key(tag, message))
  -- behind the first ids, none of which has a bracket; half a character, as data of a sender may have it, is refused by cjson
  local whole = string.gsub(string.match(record, '%[.*'), '\\ud[89a-f]%x%x', '\\n')
  local to = cjson.decode(whole)[3]
  -- at most a thousand
  for _, token in ipairs(to) do
    local any = string.match(token, '^user:') and 'user:*' or token
    for _, until_ms in ipairs(redis.call('HMGET', barred_key(tag), sender .. ' ' .. token, sender .. ' ' .. any)) do
      if until_ms and accepted_ms <= tonumber(until_ms) then return true end
    end
  end
  return false
end

-- What was accepted while its sender might send more than now waits for an operator, until it expires. Says whether it does.
local function hold(history, message, expires)
  local sender = string.match(message, '^[^:]+')
  local barred = redis.call('HGET', barred_key(tag), sender)
  if not barred or now >= tonumber(expires) then return false end
  local accepted_ms = tonumber(string.match(redis.call('HGET', history, 'accepted'), '^%d+'))
  if accepted_ms > tonumber(string.match(barred, '^%d+')) and not names_lost(message, sender, accepted_ms) then return false end
  redis.call('HSET', history, 'held', now_text)
  redis.call('ZADD', held_key(tag), now_text, message)
  put_due(due, tag, message, 0, expires)
  changed[#changed + 1] = message
  return true
end

-- What messages of one class, for the same channels and by the same steps, have in common, and what they come to in this run: made and counted once for
-- all of them. `late`: how many started how late, by bound.
local routes = {}
local function route_of(class, expected, steps)
  local key = class .. ' ' .. expected .. ' ' .. (steps or '')
  local route = routes[key]
  if route then return route end
  route = { class = class, channels = {}, changes = { 'state', 'running', 'started', now_text, 'expected', expected }, people = {}, late = {}, late_us = 0 }
  for channel in string.gmatch(expected, '[^,]+') do
    local is_later = is_of_later_step(steps, channel)
    route.channels[#route.channels + 1] = { name = channel, is_later = is_later, stream = work_key(tag, channel, class) }
    route.changes[#route.changes + 1] = channel .. ':open'
    route.changes[#route.changes + 1] = is_later and '0' or '1'
  end
  routes[key] = route
  return route
end

-- Upper bounds of how late messages start, s; as fields.ts has them.
local lateness_bounds = { 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300 }
local function note_lateness(route, late_ms)
  local at = 1
  while lateness_bounds[at] and late_ms > lateness_bounds[at] * 1000 do at = at + 1 end -- bounded: by the bounds
  route.late[at] = (route.late[at] or 0) + 1
  route.late_us = route.late_us + math.max(0, late_ms) * 1000
end

-- What the messages of a route have come to. Needs write_waiting() and write_stats() after it.
local function tell_route(route)
  local function tell_lateness(of)
    for at, messages in pairs(route.late) do add_stat(of .. (lateness_bounds[at] or 'more'), messages) end
    add_stat(of .. 'us', route.late_us)
  end
  tell_lateness('::' .. route.class .. ':')
  for _, channel in ipairs(route.channels) do
    if not channel.is_later then tell_lateness('::' .. route.class .. ':' .. channel.name .. '/') end
    for type_id, people in pairs(route.people) do
      change_waiting(channel.name, people)
      add_moves(type_id, channel.name, { ['0'] = people })
    end
  end
end

-- So that what waits for a channel nobody has started is found again: noted once in a run.
local is_noted = {}
local function note_named(channel)
  if not is_noted[channel] then redis.call('HSETNX', channels_key(tag), channel, 'named') end
  is_noted[channel] = true
end

local start

-- Starts what is due within the window after a message, and may go with it; at most nine. Says which, between blanks; empty for none.
local function start_others(message, merge, class, channels, due_ms, type_id)
  local window_ms, joining = read_merge(merge)
  local key, started = merge_key_of(merge, tag, message, type_id), {}
  for _, other in ipairs(redis.call('ZRANGEBYSCORE', key, due_ms, due_ms + window_ms, 'LIMIT', 0, max_carried)) do
    local history = history_key(tag, other)
    local known = redis.call('HMGET', history, 'state', 'class', 'channels')
    if known[1] ~= 'scheduled' then redis.call('ZREM', key, other) end
    if known[1] == 'scheduled' and known[2] == class and known[3] == channels and start(history, other, message, joining) then
      started[#started + 1] = other
      note_woken(other .. ':0', other, '0')
    end
  end
  return table.concat(started, ' '), joining
end

-- One of the newest starts after what is overdue for the same person: else that would be left behind, where both go as one.
local function start_earlier(message, merge, type_id, due_text)
  local key = merge_key_of(merge, tag, message, type_id)
  for _, other in ipairs(redis.call('ZRANGEBYSCORE', key, '-inf', '(' .. due_text, 'LIMIT', 0, max_carried)) do
    if start(history_key(tag, other), other) then note_woken(other .. ':0', other, '0') end
  end
end

-- The entry of a message on a channel; and in its history whom it carries there, between blanks.
local function add_entry(channel, history, message, size, carries)
  local entry = { 'message', message, 'from', '0', 'to', size }
  if carries then
    redis.call('HSET', history, channel.name .. ':carries', carries)
    entry[#entry + 1] = 'carries'
    entry[#entry + 1] = carries
  end
  redis.call('XADD', channel.stream, '*', unpack(entry))
end

-- What is due together mostly expires together, and a time that is written anew is written slowly.
local times_by_due = {}
local function times_of(due_text, expires)
  local times = not expires and times_by_due[due_text]
  if times then return times end
  local due_ms = tonumber(due_text)
  local expires_ms = tonumber(expires) or due_ms + 86400000
  times = { due_ms = due_ms, expires = expires or string.format('%.0f', expires_ms), look = expiry_of(expires_ms) }
  if not expires then times_by_due[due_text] = times end
  return times
end

-- Wave 0 is the message itself: an entry for each channel of its first step, even one that has never started; not on those that join texts,
-- where another carries it. Says whether it is no longer due: where it names no channel and none is in use, it waits for the first; it may
-- have to wait for an operator.
function start(history, message, carrier, joining, is_newest)
  local fields = redis.call('HMGET', history, 'state', 'class', 'channels', 'expires', 'due', 'size', 'released', 'held', 'type', 'steps', 'merge')
  if fields[1] ~= 'scheduled' then return true end
  local class, channels, size, released, held, type_id, merge = fields[2], fields[3], fields[6], fields[7], fields[8], fields[9], fields[11]
  if is_newest and merge then
    start_earlier(message, merge, type_id, fields[5])
    return start(history, message)
  end
  local times = times_of(fields[5], fields[4])
  if is_anybody_barred and not released and hold(history, message, times.expires) then return false end
  local expected = channels or channels_in_use()
  if expected == '' then return false end
  local route = route_of(class, expected, fields[10])
  -- one that waited for an operator is not late by the fleet
  if not released and not held then note_lateness(route, now - times.due_ms) end
  local carries = ''
  if merge then take_off_merge(history, tag, message) end
  if merge and not carrier then
    carries, joining = start_others(message, merge, class, channels, times.due_ms, type_id)
  end
  for _, channel in ipairs(route.channels) do
    local joins = joining and string.find(joining, ',' .. channel.name .. ',', 1, true)
    if joins and carrier then
      redis.call('HSET', history, channel.name .. ':carried-by', carrier)
    elseif not channel.is_later then
      add_entry(channel, history, message, size, joins and carries ~= '' and carries)
    end
    if channels then note_named(channel.name) end
  end
  type_id = type_of(type_id)
  route.people[type_id] = (route.people[type_id] or 0) + size
  redis.call('HSET', history, unpack(route.changes))
  -- settling says better; whose channel never comes is over when it expires
  retention[#retention + 1] = times.expires
  retention[#retention + 1] = message
  expiry[#expiry + 1] = times.look
  expiry[#expiry + 1] = message
  if held then redis.call('ZREM', held_key(tag), message) end
  changed[#changed + 1] = message
  return true
end

local function add_piece(stream, message, wave, channel, carries, from, to, tries)
  local fields = { 'message', message, 'from', from, 'to', to, 'tries', tries, 'cause', wave.cause }
  if wave.leg ~= channel then
    fields[#fields + 1] = 'leg'
    fields[#fields + 1] = wave.leg
  end
  if wave.unless ~= '-' then
    fields[#fields + 1] = 'unless'
    fields[#fields + 1] = wave.unless
  end
  if carries then
    fields[#fields + 1] = 'carries'
    fields[#fields + 1] = carries
  end
  redis.call('XADD', stream, '*', unpack(fields))
end

-- A later wave concerns one leg: its pieces go straight to the channel's processes. Says whether all of them have.
local function resume(history, message, number)
  local fields = redis.call('HMGET', history, 'wave:' .. number, 'class')
  if not fields[1] then return true end
  local wave = read_wave(fields[1])
  local channel = string.match(wave.leg, '^[^~]+')
  local stream, carries = work_key(tag, channel, fields[2]), redis.call('HGET', history, wave.leg .. ':carries')
  local pieces = redis.call('GET', pieces_key(tag, message, number)) or ''
  local at = 1
  while at <= #pieces and pieces_left > 0 do -- bounded: by max_pieces
    local from, to, tries = struct.unpack('>I4I4I4', pieces, at)
    add_piece(stream, message, wave, channel, carries, from, to, tries)
    at, pieces_left = at + piece_bytes, pieces_left - 1
  end
  redis.call('SPUBLISH', work_of_channel(tag, channel), fields[2])
  if at <= #pieces then
    redis.call('SET', pieces_key(tag, message, number), string.sub(pieces, at))
    has_more = true
    return false
  end
  forget_wave(history, tag, message, number)
  changed[#changed + 1] = message
  return true
end

local over = 0
for place, member in ipairs(members) do
  local message, number = string.match(member, '^(.+):(%d+)$')
  local history = history_key(tag, message)
  local is_over
  if number == '0' then is_over = start(history, message, nil, nil, place >= newest_from) else is_over = resume(history, message, number) end
  if is_over then
    note_woken(member, message, number)
    over = over + 1
  end
end
if #woken > 0 then
  redis.call('UNLINK', unpack(triggers))
  redis.call('ZREM', due, unpack(woken))
end
for _, route in pairs(routes) do tell_route(route) end
write_waiting(tag)
announce_head(due, tag)
announce_all(tag, changed)
write_stats(tag, now)
if #retention > 0 then
  redis.call('ZADD', retention_key(tag), unpack(retention))
  redis.call('ZADD', expiry_key(tag), unpack(expiry))
end
return { has_more and limit or over, now, tonumber(redis.call('ZRANGE', due, 0, 0, 'WITHSCORES')[2]) or false }
