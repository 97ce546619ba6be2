--[[ purge-entries: takes the oldest entries off the work streams of one shard where their message was purged, or is over without them
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

-- Whether there is nothing left to do on an entry: its message is gone, or its leg has settled without it, as expire does.
local function is_over(fields, channel)
  local entry = {}
  for i = 1, #fields, 2 do entry[fields[i]] = fields[i + 1] end
  local known = redis.call('HMGET', history_key(tag, entry.message), 'state', (entry.leg or channel) .. ':settled')
  return not known[1] or known[2]
end

-- How many entries are left.
local function purge(stream, channel)
  for _, entry in ipairs(redis.call('XRANGE', stream, '-', '+', 'COUNT', max)) do
    if is_over(entry[2], channel) then
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
    left = left + purge(streams[#streams], channel)
  end
  if left == 0 and not in_use then
    redis.call('UNLINK', unpack(streams))
    redis.call('HDEL', channels, channel)
  end
end
return taken
