--[[ split: cuts a claimed order into batches that all processes of the channel share
KEYS[1] orders:{tag}:<class>             stream
KEYS[2] batches:{tag}:<channel>:<class>  stream
KEYS[3] history:{tag}:<sender>:<id>      hash
ARGV[1] channel, the group
ARGV[2] consumer
ARGV[3] entry id of the order
ARGV[4] delivery count of the claim
ARGV[5] <sender>:<id>
ARGV[6] size of the audience, people
ARGV[7] people a batch, at least
ARGV[8] tag of the shard
Returns: how many batches there are
Errors: FENCED the claim has gone to another, or its message was retired
Replay: the second run is fenced, for the order was released by the first
]]
--#include lease
--#include release
local stream, batches, history = KEYS[1], KEYS[2], KEYS[3]
local channel, consumer, entry, deliveries = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local message, size, people, tag = ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7]), ARGV[8]

if not owns(stream, channel, consumer, entry, deliveries) or retired(stream, channel, entry, history) then
  return redis.error_reply('FENCED the order was taken over, or its message retired')
end
-- bounded: a larger audience gets larger batches, never more than 2000 of them
people = math.max(people, math.ceil(size / 2000))
local pieces = 0
for from = 0, size - 1, people do
  redis.call('XADD', batches, '*', 'm', message, 'f', from, 't', math.min(from + people, size), 'n', 0)
  pieces = pieces + 1
end
redis.call('HINCRBY', history, channel .. ':open', pieces - 1)
release(stream, channel, entry, history, true)
redis.call('PUBLISH', 'batches-of:' .. channel, tag)
return pieces
