--[[ record: writes what is known of a range of recipients, by the owner of the claim; also the mark before sending
KEYS[1] orders:{NN}:<class> or batches:{NN}:<channel>:<class>  stream
KEYS[2] history:{NN}:<sender>:<id>                             hash
KEYS[3] receipts:{NN}:<sender>:<id>:<channel>                  string
KEYS[4] evidence:{NN}:<sender>:<id>:<channel>                  hash
ARGV[1] channel, the group
ARGV[2] consumer
ARGV[3] entry id
ARGV[4] delivery count of the claim
ARGV[5] first ordinal
ARGV[6] one state byte an ordinal; = leaves it, a asks to attempt it, ? whether it is still wanted, NUL gives it back
ARGV[7] done: order or batch when this claim is finished, empty when it goes on
ARGV[8..] pairs of ordinal and evidence, kept where the state was taken, or where a receipt was faster than the answer
Computed: kept:{NN} zset
Returns: the bytes as they are now; an attempt was granted where both say a
Errors: FENCED the claim has gone to another, or its message was retired
Replay: a state follows itself as nothing; after a finished claim the second run is fenced and has changed nothing

An attempt on a cancelled or expired message is not granted: it becomes x or e, or u where an earlier attempt is unresolved.
So does whoever ? asks for; while the message is wanted ? changes nothing.
]]
--#include clock
--#include change
--#include kept
--#include lease
--#include release
--#include receipts
local stream, history, receipts, evidence = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local channel, consumer, entry, deliveries = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local first, wanted, done = tonumber(ARGV[5]), ARGV[6], ARGV[7]

if not owns(stream, channel, consumer, entry, deliveries) or retired(stream, channel, entry, history) then
  return redis.error_reply('FENCED the claim was taken over, or its message retired')
end

local now = now_ms()
local fields = redis.call('HMGET', history, 'cancelled', 'expires', 'due', 'expected')
local expires = tonumber(fields[2]) or (tonumber(fields[3]) or now) + 86400000
local stopped = (fields[1] and 'x') or (now >= expires and 'e') or nil

local count_of = #wanted
local before = redis.call('GETRANGE', receipts, first, first + count_of - 1)
before = before .. string.rep('\0', count_of - #before)
local after, deltas, taken, outrun = {}, {}, {}, {}
for i = 1, count_of do
  local old, new = string.sub(before, i, i), string.sub(wanted, i, i)
  if (new == 'a' or new == '?') and stopped then new = (old == 'a' and 'u') or stopped end
  if new ~= '=' and new ~= '?' and new ~= old and may_follow(old, new) then
    count(deltas, old, new)
    taken[first + i - 1] = true
    old = new
  elseif new == 's' and (old == 'd' or old == 'r' or old == 'c') then
    -- the receipt's state stands; the answer still brings the provider's id
    outrun[first + i - 1] = true
  end
  after[i] = old
end
local bytes = table.concat(after)
if bytes ~= before then redis.call('SETRANGE', receipts, first, bytes) end
-- many fields a call: a call each would be most of this script's time for a batch of thousands
local known = {}
local function keep()
  if #known > 0 then redis.call('HSET', evidence, unpack(known)) end
  known = {}
end
for i = 8, #ARGV, 2 do
  local ordinal = tonumber(ARGV[i])
  if taken[ordinal] then
    known[#known + 1] = ARGV[i]
    known[#known + 1] = ARGV[i + 1]
    if #known == 1000 then keep() end
  elseif outrun[ordinal] then
    redis.call('HSETNX', evidence, ARGV[i], ARGV[i + 1])
  end
end
keep()
local changed = move_counters(history, channel, deltas)

if done == '' then
  renew(stream, channel, consumer, entry)
else
  release(stream, channel, entry, history, done == 'order')
  if redis.call('HINCRBY', history, channel .. ':open', -1) <= 0 then
    redis.call('HSET', history, channel .. ':settled', now)
    local unsettled = false
    for name in string.gmatch(fields[4] or '', '[^,]+') do
      unsettled = unsettled or redis.call('HEXISTS', history, name .. ':settled') == 0
    end
    if not unsettled then
      redis.call('HSET', history, 'state', 'settled', 'settled', now)
      keep_from(history, now)
    end
    changed = true
  end
end
if changed then announce(history) end
return bytes
