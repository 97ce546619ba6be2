--[[ to-recount: which messages of a shard are recounted next: what has settled lately, and some of the round through everything; changes nothing
KEYS[1] retention:{tag}  zset
ARGV[1] what was over by then has been recounted, Unix ms
ARGV[2] what is over by then is recounted, Unix ms
ARGV[3] how many the round has come past
ARGV[4] max of either
Returns: what was over in between, each with when, the first of them first; those of the round
Errors: none
Replay: reads only
]]
local retention, after, up_to, rank, max = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
return {
  redis.call('ZRANGEBYSCORE', retention, '(' .. after, up_to, 'WITHSCORES', 'LIMIT', 0, max),
  redis.call('ZRANGE', retention, rank, rank + max - 1),
}
