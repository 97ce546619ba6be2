--[[ trigger-due: makes the delivery keys of one shard expire that are due, by touching them, and says when the next is due
KEYS[1] due:{tag}     zset
KEYS[2] expiry:{tag}  zset
ARGV[1] tag of the shard
ARGV[2] keys of deliveries due at or before this have been touched, Unix ms
ARGV[3] max keys to touch: one event wakes everything that is due in its shard, and of a burst the newest will do
Computed: delivery:{tag}:<member> string
Returns: up to when they are touched now; when the next delivery after that is due, nil for none; Unix ms. Redis's time is one more than the first. Then 1 while any message runs, else 0
Errors: none
Replay: a key that has expired is gone; the second run touches what became due since
]]
--#include clock
--#include keys
local due, tag, touched, max = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
-- Redis expires a key once its time is over, a millisecond later
local up_to = now_ms() - 1
local up_to_text = string.format('%.0f', up_to)
-- a script's keys expire by the time it began, which may have been a millisecond before: the last are touched again
local again_ms = 2
local members = redis.call('ZREVRANGEBYSCORE', due, up_to_text, '(' .. string.format('%.0f', touched - again_ms), 'LIMIT', 0, max)
local triggers = {}
for i = #members, 1, -1 do triggers[#triggers + 1] = delivery_key(tag, string.match(members[i], '^(.+):(%d+)$')) end
local left = #triggers > 0 and redis.call('EXISTS', unpack(triggers)) or 0
local later = redis.call('ZRANGEBYSCORE', due, '(' .. up_to_text, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
return { up_to, left > 0 and up_to + 1 or tonumber(later[2]) or false, redis.call('EXISTS', KEYS[2]) }
