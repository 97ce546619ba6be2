--[[ discard: takes the oldest entries off the streams of one shard where their message has been retired
KEYS[1] orders:{tag}:urgent  stream
KEYS[2] orders:{tag}:normal  stream
KEYS[3] orders:{tag}:bulk    stream
ARGV[1] tag of the shard
ARGV[2] most entries to look at, a stream
Computed: batches:{tag}:<channel>:<class> stream; history:{tag}:<m> hash
Returns: how many were taken off; while there are any there may be more
Errors: none
Replay: what was taken off is gone; the second run looks at what has become the oldest
Flags: allow-oom

Only a channel that does not come leaves entries for so long. Where a group still has one pending, its next take-over drops it.
]]
--#include keys
local orders = { urgent = KEYS[1], normal = KEYS[2], bulk = KEYS[3] }
local tag, most = ARGV[1], ARGV[2]
local taken = 0

local function discard(stream)
  for _, entry in ipairs(redis.call('XRANGE', stream, '-', '+', 'COUNT', most)) do
    local message = entry[2][2]
    if redis.call('EXISTS', history_key(tag, message)) == 0 then
      taken = taken + redis.call('XDEL', stream, entry[1])
    end
  end
end

for class, stream in pairs(orders) do
  discard(stream)
  local groups = redis.call('EXISTS', stream) == 1 and redis.call('XINFO', 'GROUPS', stream) or {}
  for _, info in ipairs(groups) do discard('batches:{' .. tag .. '}:' .. info[2] .. ':' .. class) end
end
return taken
