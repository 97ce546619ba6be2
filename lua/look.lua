--[[ look: what a channel finds in a shard that no hint has told of; changes nothing
KEYS[1] due:{tag}  zset
ARGV[1] tag of the shard
ARGV[2] channel, the group
ARGV[3] how long a claim is its owner's unless renewed, ms
ARGV[4..] the classes
Computed: work:{tag}:<channel>:<class> stream
Returns: Unix ms now; when the next delivery is due, nil for none; 2 when a lease has run out, 1 when there are claims, else 0; then a class each 1 when its stream has what nobody has read, else 0
Errors: none
Replay: reads only
]]
--#include clock
--#include keys
local due, tag, channel, lease_ms = KEYS[1], ARGV[1], ARGV[2], ARGV[3]

-- Up to where the group has read; nil where there is no group, or no stream.
local function read_up_to(stream)
  local groups = redis.pcall('XINFO', 'GROUPS', stream)
  for _, group in ipairs(groups.err and {} or groups) do
    local fields = {}
    for i = 1, #group, 2 do fields[group[i]] = group[i + 1] end
    if fields.name == channel then return fields['last-delivered-id'], fields.pending end
  end
  return nil, 0
end

local claims, unread = 0, {}
for i = 4, #ARGV do
  local stream = work_key(tag, channel, ARGV[i])
  local last, pending = read_up_to(stream)
  -- whoever reads makes a group that is missing
  unread[#unread + 1] = (not last or #redis.call('XRANGE', stream, '(' .. last, '+', 'COUNT', 1) > 0) and 1 or 0
  if pending > 0 then
    local has_run_out = #redis.call('XPENDING', stream, channel, 'IDLE', lease_ms, '-', '+', 1) > 0
    claims = math.max(claims, has_run_out and 2 or 1)
  end
end
return { now_ms(), tonumber(redis.call('ZRANGE', due, 0, 0, 'WITHSCORES')[2]) or false, claims, unpack(unread) }
