--[[ backlog: what waits in a shard, and which of its streams hold anything; changes nothing
KEYS[1] due:{tag}       zset
KEYS[2] channels:{tag}  hash
KEYS[3] waiting:{tag}   hash
ARGV[1] tag of the shard
ARGV[2] Unix ms, before which what is due is overdue
ARGV[3..] channels that have couriers
Computed: work:{tag}:<channel>:<class> stream
Returns: how many deliveries are overdue; when the first of all is due, nil for none; channels, each with its use; channels, each with how many people wait for it; of each stream that holds anything channel and class
Errors: none
Replay: reads only
]]
--#include keys
local due, channels, waiting, tag, now = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2]
local known = redis.call('HGETALL', channels)

local wanted, names = {}, {}
local function want(channel)
  if not wanted[channel] then names[#names + 1] = channel end
  wanted[channel] = true
end
for i = 1, #known, 2 do want(known[i]) end
for i = 3, #ARGV do want(ARGV[i]) end

local streams = {}
for _, channel in ipairs(names) do
  for _, class in ipairs({ 'urgent', 'normal', 'bulk' }) do
    if redis.call('XLEN', work_key(tag, channel, class)) > 0 then
      streams[#streams + 1] = channel
      streams[#streams + 1] = class
    end
  end
end
local overdue = redis.call('ZCOUNT', due, '-inf', '(' .. now)
return { overdue, tonumber(redis.call('ZRANGE', due, 0, 0, 'WITHSCORES')[2]) or false, known, redis.call('HGETALL', waiting), streams }
