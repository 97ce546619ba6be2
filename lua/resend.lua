--[[ resend: has recipients of one leg sent to again who are unknown, as a later wave of it, because somebody has decided so
KEYS[1] history:{tag}:<m>         hash
KEYS[2] receipts:{tag}:<m>:<leg>  string
KEYS[3] due:{tag}                 zset
ARGV[1] leg
ARGV[2] <m>, <sender>:<id>
ARGV[3] tag of the shard
ARGV[4] id of whoever decided so
ARGV[5..] ordinals, ascending
Computed: delivery, pieces:{tag}:<m>:<wave> string; retention, expiry:{tag} zset; watched, dirty:{tag} zset
Returns: how many will be sent to again
Errors: UNKNOWN no such history; STOPPED it was cancelled; EXPIRED it is not to be sent any more
Replay: whoever is to be sent to again is not unknown as others are: the second run finds nobody

Nothing of what is known gets lost: they are w, unknown to everyone outside, until the attempt is marked. A leg and a history that had
settled run again; they settle when this wave is finished.
]]
--#include clock
--#include keys
--#include expiry
--#include due
--#include dirty
--#include change
--#include decisions
--#include waves
--#include again
--#include waiting
--#include stats
--#include receipts
local history, receipts, due = KEYS[1], KEYS[2], KEYS[3]
local leg, message, tag, by = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local cause = 'sent-again'

local known = redis.call('HMGET', history, 'state', 'cancelled', 'expires', 'due')
if not known[1] then return redis.error_reply('UNKNOWN there is no such history') end
if known[2] then return redis.error_reply('STOPPED the message was cancelled') end
local now = now_ms()
local expires = tonumber(known[3]) or (tonumber(known[4]) or now) + 86400000
if now >= expires then return redis.error_reply('EXPIRED the message has expired') end

local pieces, people = {}, 0
for i = 5, #ARGV do
  local ordinal = tonumber(ARGV[i])
  if byte_at(receipts, ordinal) == 'u' then
    redis.call('SETRANGE', receipts, ordinal, 'w')
    people = people + 1
    add_to_pieces(pieces, ordinal)
  end
end
if people == 0 then return 0 end

-- what is sent again is this message alone; that others went with it stays known, for none of them is edited
if redis.call('HEXISTS', history, leg .. ':carries') == 1 then redis.call('HSET', history, leg .. ':carries', '') end
send_again(history, due, tag, message, leg, cause, pieces, people, expires, now)
keep_decision(history, cause, leg, by, people, now)
announce_head(due, tag)
announce(tag, message)
return people
