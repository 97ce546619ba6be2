--[[ tell-by-voice: keeps that somebody of a message was told it by voice, or takes that back; no receipt is touched
KEYS[1] history:{tag}:<m>   hash
KEYS[2] by-voice:{tag}:<m>  hash
ARGV[1] <m>, <sender>:<id>
ARGV[2] tag of the shard
ARGV[3] id of whoever says so; empty where it is taken back
ARGV[4] ordinal
Computed: watched, dirty:{tag} zset
Returns: <ms> <person> of whoever says so now, an empty string where nobody does
Errors: UNKNOWN no such history; STOPPED it was cancelled before it started
Replay: who has said so first stays, and is answered; what is taken back is not there the second time

Whoever is told stays with the receipts they have, and so do all counters. `by-voice` of the history says how many there are, and how often that
has changed, for what is counted of its people is kept until something has.
]]
--#include clock
--#include keys
--#include dirty
--#include change
local history, told = KEYS[1], KEYS[2]
local message, tag, by, ordinal = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local known = redis.call('HMGET', history, 'state', 'size', 'by-voice')
if not known[2] then return redis.error_reply('UNKNOWN there is no such history') end
if known[1] == 'cancelled' then return redis.error_reply('STOPPED the message was cancelled') end

local before = redis.call('HGET', told, ordinal)
if by == '' then
  if not before then return '' end
  redis.call('HDEL', told, ordinal)
else
  if before then return before end
  redis.call('HSET', told, ordinal, string.format('%.0f %s', now_ms(), by))
end
local changes = tonumber(string.match(known[3] or '0 0', ' (%d+)$')) + 1
redis.call('HSET', history, 'by-voice', redis.call('HLEN', told) .. ' ' .. changes)
announce(tag, message)
return redis.call('HGET', told, ordinal) or ''
