--[[ confirm: keeps that somebody of a message has confirmed it, and by which channel; their receipt there says so, too, where it may
KEYS[1] history:{tag}:<m>         hash
KEYS[2] confirmed:{tag}:<m>       string
KEYS[3] receipts:{tag}:<m>:<leg>  string
KEYS[4] reasons:{tag}:<m>:<leg>   string
KEYS[5] evidence:{tag}:<m>:<leg>  hash
ARGV[1] leg
ARGV[2] <m>, <sender>:<id>
ARGV[3] tag of the shard
ARGV[4] ordinal
ARGV[5] byte of the channel: its number, and one
ARGV[6] number of the text that was confirmed
Computed: waiting:{tag}, stats:{tag}:<hour> hash; delivery, pieces:{tag}:<m>:<wave>, secret, in-time:{tag}:<m> string; due, retention, expiry:{tag} zset; watched, dirty:{tag} zset
Returns: 1 where they had not confirmed it before, else 0
Errors: UNKNOWN there is no such history, it has not started, or it does not ask for it; OLDER the message has another text by now
Replay: who has confirmed it stays so, by the channel and at the time of the first

It is taken whatever has become of the message: a press may come after a cancel or months later. A receipt that says failed, cancelled or expired stays:
what was pressed proves nothing of that attempt. Whoever has confirmed it is not sent the message by later steps of it.
]]
--#include clock
--#include keys
--#include dirty
--#include change
--#include waiting
--#include stats
--#include receipts
--#include times
--#include told
--#include settle
--#include waves
--#include padded
--#include in-time
--#include steps
--#include spare
--#include evidence
local history, confirmed, receipts, reasons, evidence = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local leg, message, tag, ordinal, channel_byte = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]

local known = redis.call('HMGET', history, 'size', 'started', 'type', 'confirm', 'steps', 'due', 'deadline', 'version', 'recalled')
if not known[2] or not known[4] then return redis.error_reply('UNKNOWN there is nothing to confirm') end
-- what withdraws a message has a number, too, and no text
local version = (tonumber(known[8]) or 1) - (known[9] and 1 or 0)
if tonumber(ARGV[6]) ~= version then return redis.error_reply('OLDER the message has been corrected since') end
local now = now_ms()
local size, time = tonumber(known[1]), time_bytes(known[2], now)

local is_first = byte_at(confirmed, ordinal) == '\0'
if is_first then
  redis.call('SETRANGE', confirmed, ordinal, channel_byte)
  keep_time(confirmed, size, ordinal, 1, time)
  redis.call('HINCRBY', history, 'confirmed', 1)
end

local old = byte_at(receipts, ordinal)
local moves = no_moves()
if may_follow(old, 'c') then
  count(moves, old, 'c', 1)
  note_told(deadline_of(history, tag, message, type_of(known[3]), { due = known[6], deadline = known[7] }, now), leg, ordinal, 1)
  redis.call('SETRANGE', receipts, ordinal, 'c')
  keep_time(receipts, size, ordinal, 1, time)
  if byte_at(reasons, ordinal) ~= '\0' then redis.call('SETRANGE', reasons, ordinal, '\0') end
  if string.find('uwb', old, 1, true) then drop_evidence(evidence, ordinal) end
end
local moved = move_counters(history, type_of(known[3]), leg, moves)
local steps = stepped(known[5], history, due_key(tag), tag, message, now)
if steps then spare_reached(steps, ordinal, ordinal + 1) end
if is_first or moved then announce(tag, message) end
write_waiting(tag)
write_stats(tag, now)
return is_first and 1 or 0
