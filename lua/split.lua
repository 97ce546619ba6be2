--[[ split: cuts a claimed entry into pieces, on its own stream, for all processes of the channel
KEYS[1] work:{tag}:<channel>:<class>  stream
KEYS[2] history:{tag}:<m>             hash
ARGV[1] channel, the group
ARGV[2] consumer
ARGV[3] entry id
ARGV[4] delivery count of the claim
ARGV[5] <m>, <sender>:<id>
ARGV[6] leg
ARGV[7] first ordinal
ARGV[8] ordinal after the last
ARGV[9] people a piece, at least
ARGV[10] tag of the shard
ARGV[11] class, which is told to the channel's processes
ARGV[12..] further fields of each piece, name and value
Returns: how many pieces there are
Errors: FENCED the claim has gone to another, or its message was purged
Replay: the second run is fenced, for the entry was released by the first
]]
--#include keys
--#include generation
--#include lease
--#include release
local stream, history = KEYS[1], KEYS[2]
local channel, consumer, entry, deliveries = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local message, leg, first, after, people = ARGV[5], ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local tag, class = ARGV[10], ARGV[11]

if not owns(stream, channel, consumer, entry, deliveries) or purged(stream, channel, entry, history) then
  return redis.error_reply('FENCED the entry was taken over, or its message purged')
end
-- bounded: a larger audience gets larger pieces, never more than 2000 of them
people = math.max(people, math.ceil((after - first) / 2000))
local pieces = 0
for from = first, after - 1, people do
  redis.call('XADD', stream, '*', 'message', message, 'from', from, 'to', math.min(from + people, after), unpack(ARGV, 12))
  pieces = pieces + 1
end
redis.call('HINCRBY', history, leg .. ':open', pieces - 1)
release(stream, channel, entry)
redis.call('SPUBLISH', work_of_channel(tag, channel), class)
return pieces
