--[[ retire: removes messages of one shard that have been over for longer than they are kept
KEYS[1] kept:{tag}  zset
KEYS[2] due:{tag}   zset
ARGV[1] tag of the shard
ARGV[2] how long a message is kept once it is over, ms
ARGV[3] most messages to remove
Computed: history, record, audience:{tag}:<m>; receipts, evidence:{tag}:<m>:<channel>; delivery:{tag}:<m>:<wave>; sent:{tag}:<sender> stream
Returns: how many were removed; as many as ARGV[3] means there may be more
Errors: none
Replay: what was removed has left the kept set; the second run removes only what has become old enough since
Flags: allow-oom

Its orders and batches, where a channel never took them, are left to discard.
]]
--#include clock
local kept, due = KEYS[1], KEYS[2]
local tag, kept_ms, limit = ARGV[1], tonumber(ARGV[2]), ARGV[3]

local function retire(message)
  local name = ':{' .. tag .. '}:' .. message
  local history = 'history' .. name
  local gone = { history, 'record' .. name, 'audience' .. name }
  local fields = redis.call('HMGET', history, 'expected', 'accepted')
  for channel in string.gmatch(fields[1] or '', '[^,]+') do
    gone[#gone + 1] = 'receipts' .. name .. ':' .. channel
    gone[#gone + 1] = 'evidence' .. name .. ':' .. channel
  end
  -- a wave still waits where nobody was there to wake it
  for _, field in ipairs(redis.call('HKEYS', history)) do
    local wave = string.match(field, '^wave:(%d+)$')
    if wave then
      redis.call('ZREM', due, message .. ':' .. wave)
      redis.call('UNLINK', 'delivery' .. name .. ':' .. wave)
    end
  end
  local sent = 'sent:{' .. tag .. '}:' .. string.match(message, '^[^:]+')
  if fields[2] then redis.call('XDEL', sent, fields[2]) end
  -- an empty stream does not go by itself
  if redis.call('XLEN', sent) == 0 then redis.call('UNLINK', sent) end
  redis.call('UNLINK', unpack(gone))
  redis.call('ZREM', kept, message)
end

local old = redis.call('ZRANGEBYSCORE', kept, '-inf', now_ms() - kept_ms, 'LIMIT', 0, limit)
for _, message in ipairs(old) do retire(message) end
return #old
