--[[ retry: tries recipients of one leg again who have failed because their endpoint took it in no try, as a later wave of it
KEYS[1] history:{tag}:<m>         hash
KEYS[2] receipts:{tag}:<m>:<leg>  string
KEYS[3] reasons:{tag}:<m>:<leg>   string
KEYS[4] due:{tag}                 zset
ARGV[1] leg
ARGV[2] <m>, <sender>:<id>
ARGV[3] tag of the shard
ARGV[4] when they are not tried any more, Unix ms
ARGV[5] so long after it has settled nobody is, ms
ARGV[6..] ordinals, ascending
Computed: delivery, pieces:{tag}:<m>:<wave> string; retention, expiry:{tag} zset; waiting:{tag}, stats:{tag}:<hour> hash; watched, dirty:{tag} zset
Returns: how many will be tried again
Errors: UNKNOWN no such history; STOPPED it was cancelled; RUNNING it has expired, and not settled yet; OLD it settled too long ago
Replay: whoever is to be tried again is pending, and has no reason any more: the second run finds nobody

They are pending as before the first try, under the same key: whoever has taken it after all folds it. The message expires later than it
did, never sooner. It was settled, or runs because others of it are tried again: while it runs and has not expired nobody else has
such a receipt.
]]
--#include clock
--#include keys
--#include expiry
--#include due
--#include dirty
--#include change
--#include waves
--#include again
--#include waiting
--#include stats
--#include receipts
--#include times
local history, receipts, reasons, due = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local leg, message, tag, until_ms, max_age_ms = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local not_taken = 'W'
local never = '\0\0\0\0'

local known = redis.call('HMGET', history, 'state', 'cancelled', 'expires', 'due', 'settled', 'size', 'type')
if not known[1] then return redis.error_reply('UNKNOWN there is no such history') end
if known[2] then return redis.error_reply('STOPPED the message was cancelled') end
local now, size = now_ms(), tonumber(known[6])
local expires = tonumber(known[3]) or (tonumber(known[4]) or now) + 86400000
if known[1] == 'settled' then
  if now - tonumber(known[5]) > max_age_ms then return redis.error_reply('OLD the message settled too long ago') end
elseif now >= expires then
  return redis.error_reply('RUNNING the message has not settled yet')
end

local pieces, people = {}, 0
for i = 6, #ARGV do
  local ordinal = tonumber(ARGV[i])
  if byte_at(receipts, ordinal) == 'f' and byte_at(reasons, ordinal) == not_taken then
    redis.call('SETRANGE', receipts, ordinal, '\0')
    redis.call('SETRANGE', reasons, ordinal, '\0')
    keep_time(receipts, size, ordinal, 1, never)
    add_to_pieces(pieces, ordinal)
    people = people + 1
  end
end
if people == 0 then return 0 end

expires = math.max(expires, until_ms)
redis.call('HSET', history, 'expires', string.format('%.0f', expires))
local moves = no_moves()
count(moves, 'f', '\0', people)
move_counters(history, type_of(known[7]), leg, moves)
send_again(history, due, tag, message, leg, 'not-taken', pieces, people, expires, now)
write_waiting(tag)
write_stats(tag, now)
announce_head(due, tag)
announce(tag, message)
return people
