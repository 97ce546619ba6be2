--[[ schedule: accepts a message; history, record, audience, delivery and due entry in one step
KEYS[1] history:{NN}:<sender>:<id>     hash
KEYS[2] record:{NN}:<sender>:<id>      string
KEYS[3] audience:{NN}:<sender>:<id>    string
KEYS[4] staged:{NN}:<sender>:<id>:<digest>  string, expiring
KEYS[5] delivery:{NN}:<sender>:<id>:0  string, expiring
KEYS[6] due:{NN}                       zset
KEYS[7] sent:{NN}:<sender>             zset
ARGV[1] member of the due set, <sender>:<id>:0
ARGV[2] 1 when the key must have been issued, 0 when it is new
ARGV[3] digest of the body
ARGV[4] record, JSON
ARGV[5] audience, fixed-width ids; empty when it was staged under KEYS[4] beforehand
ARGV[6] size of the audience, people
ARGV[7] due, Unix ms; 0 for now
ARGV[8] expires, Unix ms; 0 for a day after due
ARGV[9] class
ARGV[10] channels, comma-separated; empty for all
Returns: 1 when accepted, 0 when the same body was accepted before
Errors: UNKNOWN not issued or lapsed; CONFLICT another body was accepted; STAGE the staged audience is not there (put again)
Replay: the second run finds the digest and changes nothing
]]
--#include clock
--#include ring
--#include change
local history, record, audience, staged = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local delivery, due, sent = KEYS[5], KEYS[6], KEYS[7]
local member, must_be_issued, digest, record_json, audience_ids = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local size, due_ms, expires_ms, class, channels = ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9], ARGV[10]

local before = redis.call('HMGET', history, 'state', 'digest')
if before[2] then
  if before[2] == digest then return 0 end
  return redis.error_reply('CONFLICT another message was accepted under this key')
end
if not before[1] and must_be_issued == '1' then
  return redis.error_reply('UNKNOWN this key was not issued, or it has lapsed')
end
if before[1] == 'cancelled' then
  return redis.error_reply('CONFLICT this key was cancelled before anything was put')
end

if audience_ids ~= '' then
  redis.call('SET', audience, audience_ids)
elseif redis.call('EXISTS', staged) == 1 then
  redis.call('RENAME', staged, audience)
  redis.call('PERSIST', audience)
else
  return redis.error_reply('STAGE the audience is not there; put it again')
end

local now = now_ms()
if due_ms <= now then due_ms = now + 1 end
redis.call('HSET', history, 'state', 'scheduled', 'digest', digest, 'size', size, 'due', due_ms, 'accepted', now, 'class', class)
if expires_ms > 0 then redis.call('HSET', history, 'expires', expires_ms) end
if channels ~= '' then redis.call('HSET', history, 'channels', channels) end
redis.call('PERSIST', history)
redis.call('SET', record, record_json)
redis.call('ZADD', sent, now, string.match(member, ':([^:]+):0$'))
ring_at(due, member, delivery, due_ms)
announce(history)
return 1
