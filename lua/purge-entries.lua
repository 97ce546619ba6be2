--[[ purge-entries: takes the oldest entries off the work streams of one shard where their message has been purged
KEYS[1] channels:{tag}  hash
ARGV[1] tag of the shard
ARGV[2] max entries to look at, a stream
Computed: work:{tag}:<channel>:<class> stream; history:{tag}:<m> hash
Returns: how many were taken off; while there are any there may be more
Errors: none
Replay: what was taken off is gone; the second run looks at what has become the oldest
Flags: allow-oom

Only a channel that does not come leaves entries for so long. Where its group still has one pending, its next take-over drops
it. A channel that is not in use and has nothing left is forgotten.
]]
--#include keys
local channels, tag, max = KEYS[1], ARGV[1], ARGV[2]
local classes = { 'urgent', 'normal', 'bulk' }
local taken = 0

local function message_of(fields)
  for i = 1, #fields, 2 do
    if fields[i] == 'message' then return fields[i + 1] end
  end
end

-- How many entries are left.
local function purge(stream)
  for _, entry in ipairs(redis.call('XRANGE', stream, '-', '+', 'COUNT', max)) do
    if redis.call('EXISTS', history_key(tag, message_of(entry[2]))) == 0 then
      taken = taken + redis.call('XDEL', stream, entry[1])
    end
  end
  return redis.call('XLEN', stream)
end

local known = redis.call('HGETALL', channels)
for i = 1, #known, 2 do
  local channel, in_use, left, streams = known[i], known[i + 1] == 'in-use', 0, {}
  for _, class in ipairs(classes) do
    streams[#streams + 1] = work_key(tag, channel, class)
    left = left + purge(streams[#streams])
  end
  if left == 0 and not in_use then
    redis.call('UNLINK', unpack(streams))
    redis.call('HDEL', channels, channel)
  end
end
return taken
