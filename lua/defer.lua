--[[ defer: hands a claimed range back as a later wave, with a due time and a doorbell of its own
KEYS[1] orders:{tag}:<class> or batches:{tag}:<channel>:<class>  stream
KEYS[2] history:{tag}:<sender>:<id>                             hash
KEYS[3] due:{tag}                                               zset
ARGV[1] channel, the group
ARGV[2] consumer
ARGV[3] entry id
ARGV[4] delivery count of the claim
ARGV[5] kind of the entry: order or batch
ARGV[6] <sender>:<id>
ARGV[7] first ordinal
ARGV[8] ordinal after the last
ARGV[9] how often it was deferred, this time included
ARGV[10] delay, ms
ARGV[11] tag of the shard
Computed: delivery:{tag}:<sender>:<id>:<wave> string, expiring
Returns: the number of the wave
Errors: FENCED the claim has gone to another, or its message was retired
Replay: the second run is fenced, for the entry was released by the first
]]
--#include clock
--#include keys
--#include ring
--#include lease
--#include release
local stream, history, due = KEYS[1], KEYS[2], KEYS[3]
local channel, consumer, entry, deliveries, kind = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local message, from, to, tries, delay_ms, tag = ARGV[6], ARGV[7], ARGV[8], ARGV[9], tonumber(ARGV[10]), ARGV[11]

if not owns(stream, channel, consumer, entry, deliveries) or retired(stream, channel, entry, history) then
  return redis.error_reply('FENCED the claim was taken over, or its message retired')
end
local wave = redis.call('HINCRBY', history, 'waves', 1)
redis.call('HSET', history, 'wave:' .. wave, table.concat({ channel, from, to, tries }, ' '))
local member = message .. ':' .. wave
ring_at(due, member, delivery_key(tag, message, wave), now_ms() + delay_ms)
tell_head(due)
release(stream, channel, entry, history, kind == 'order')
return wave
