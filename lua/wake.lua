--[[ wake: turns due deliveries of one shard into orders; whoever is first does it, for everyone
KEYS[1] due:{tag}             zset
KEYS[2] orders:{tag}:urgent   stream
KEYS[3] orders:{tag}:normal   stream
KEYS[4] orders:{tag}:bulk     stream
ARGV[1] tag of the shard
ARGV[2] most deliveries to wake
Computed: history:{tag}:<member> hash; delivery:{tag}:<member>:<wave> string; batches:{tag}:<channel>:<class> stream; kept:{tag} zset
Returns: how many were woken; as many as ARGV[2] means there may be more
Errors: none
Replay: what was woken has left the due set; the second run wakes only what became due since
]]
--#include clock
--#include change
local due, tag, limit = KEYS[1], ARGV[1], tonumber(ARGV[2])
local orders = { urgent = KEYS[2], normal = KEYS[3], bulk = KEYS[4] }
local now = now_ms()
-- once: Redis turns every number it is given into text as if it were a fraction
local now_text = string.format('%.0f', now)
-- Redis expires a key once its time is over, a millisecond later: woken sooner it would go without ringing
local members = redis.call('ZRANGEBYSCORE', due, '-inf', '(' .. now, 'LIMIT', 0, limit)
if #members == limit then
  -- more than can be woken at once: some of the newest, too, or an urgent message would wait behind all of a burst
  local newest = redis.call('ZREVRANGEBYSCORE', due, '(' .. now, '-inf', 'LIMIT', 0, math.floor(limit / 5))
  local chosen = {}
  for i = 1, limit do
    if i > limit - #newest then members[i] = nil else chosen[members[i]] = true end
  end
  for _, member in ipairs(newest) do
    if not chosen[member] then members[#members + 1] = member end
  end
end

-- the channels that have an ear on this stream, read once
local groups = {}
local function ears(stream)
  if not groups[stream] then
    local names = {}
    for _, info in ipairs(redis.call('XINFO', 'GROUPS', stream)) do names[#names + 1] = info[2] end
    groups[stream] = table.concat(names, ',')
  end
  return groups[stream]
end

local bells, over = {}, {}

-- wave 0 is the message itself: an order for every channel it is meant for, even one that has never started. The entry says
-- how many people and which channels it is for: whom it does not concern lets go of it without asking further.
local function start(history, message)
  local fields = redis.call('HMGET', history, 'state', 'class', 'channels', 'expires', 'due', 'size')
  if fields[1] ~= 'scheduled' then return end
  local stream = orders[fields[2]]
  local expected = fields[3] or ears(stream)
  local open = {}
  for channel in string.gmatch(expected, '[^,]+') do
    open[#open + 1] = channel .. ':open'
    open[#open + 1] = '1'
  end
  redis.call('HSET', history, 'state', 'running', 'started', now_text, 'expected', expected, 'orders', #open / 2, unpack(open))
  redis.call('XADD', stream, '*', 'm', message, 's', fields[6], 'c', expected)
  -- settling says better; whose channel never comes is over when it expires
  over[#over + 1] = tonumber(fields[4]) or tonumber(fields[5]) + 86400000
  over[#over + 1] = message
  announce(history)
end

-- a later wave concerns one channel and a range of ordinals: it goes straight to that channel's processes
local function resume(history, message, wave)
  local fields = redis.call('HMGET', history, 'wave:' .. wave, 'class')
  if not fields[1] then return end
  local channel, from, to, tries = string.match(fields[1], '^(%S+) (%d+) (%d+) (%d+)$')
  redis.call('HDEL', history, 'wave:' .. wave)
  redis.call('XADD', 'batches:{' .. tag .. '}:' .. channel .. ':' .. fields[2], '*', 'm', message, 'f', from, 't', to, 'n', tries)
  redis.call('PUBLISH', 'batches-of:' .. channel, tag)
end

for _, member in ipairs(members) do
  local message, wave = string.match(member, '^(.+):(%d+)$')
  local history = 'history:{' .. tag .. '}:' .. message
  if wave == '0' then start(history, message) else resume(history, message, wave) end
  bells[#bells + 1] = 'delivery:{' .. tag .. '}:' .. member
end
if #members > 0 then
  redis.call('UNLINK', unpack(bells))
  redis.call('ZREM', due, unpack(members))
  if #over > 0 then redis.call('ZADD', 'kept:{' .. tag .. '}', unpack(over)) end
end
return #members
