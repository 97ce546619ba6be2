--[[ resolve: settles receipts of one leg that are unknown, by the word of somebody who has found out
KEYS[1] history:{tag}:<m>         hash
KEYS[2] receipts:{tag}:<m>:<leg>  string
KEYS[3] reasons:{tag}:<m>:<leg>   string
KEYS[4] evidence:{tag}:<m>:<leg>  hash
ARGV[1] leg
ARGV[2] <m>, <sender>:<id>
ARGV[3] tag of the shard
ARGV[4] state byte: d or f
ARGV[5] id of whoever says so
ARGV[6..] ordinals
Computed: tried:{tag}:<m>:<leg>, waiting:{tag}, stats:{tag}:<hour> hash; confirmed, in-time:{tag}:<m>, delivery, pieces:{tag}:<m>:<wave>, secret:{tag}:<m> string; due, retention, expiry:{tag} zset; watched, dirty:{tag} zset
Returns: how many receipts were settled
Errors: UNKNOWN no such history
Replay: a word follows itself as nothing

Whoever is unknown, is to be sent to again and is not yet, or was settled by such a word before: what a person has told, a person may
correct. The history counts, by who said it, of how many; the evidence names them, before what stood there. Who did not get it by one contact and has
another on the channel is sent it there.
]]
--#include clock
--#include keys
--#include expiry
--#include due
--#include dirty
--#include change
--#include decisions
--#include waiting
--#include stats
--#include receipts
--#include times
--#include told
--#include settle
--#include waves
--#include again
--#include padded
--#include in-time
--#include steps
--#include spare
--#include evidence
--#include corrections
--#include next-contact
--#include part-carried
local history, receipts, reasons, evidence = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local leg, message, tag, new, by = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local why = new == 'd' and told_delivered or told_failed

local known = redis.call('HMGET', history, 'size', 'started', 'type', 'steps', 'due', 'deadline', leg .. ':tried')
if not known[1] then return redis.error_reply('UNKNOWN there is no such history') end
local now = now_ms()
local size, time = tonumber(known[1]), time_bytes(known[2], now)

local function may_be_told(old, old_why)
  if old == 'u' or old == 'w' then return true end
  return (old_why == told_delivered or old_why == told_failed) and old ~= new
end

local moves, people, reached = no_moves(), 0, {}
for i = 6, #ARGV do
  local ordinal = ARGV[i]
  local old = byte_at(receipts, ordinal)
  if may_be_told(old, byte_at(reasons, ordinal)) then
    people = people + 1
    if new == 'd' then reached[#reached + 1] = tonumber(ordinal) end
    count(moves, old, new, 1, why)
    redis.call('SETRANGE', receipts, ordinal, new)
    redis.call('SETRANGE', reasons, ordinal, why)
    keep_time(receipts, size, ordinal, 1, time)
    local before = evidence_of(evidence, ordinal) or ''
    put_evidence(evidence, ordinal, '@' .. by .. ' ' .. (string.match(before, '^@%S+ (.*)$') or before))
  end
end
if people > 0 then
  keep_decision(history, new == 'd' and 'told-delivered' or 'told-failed', leg, by, people, now)
  local deadline = deadline_of(history, tag, message, type_of(known[3]), { due = known[5], deadline = known[6] }, now)
  for _, ordinal in ipairs(reached) do note_told(deadline, leg, ordinal, 1) end
  move_counters(history, type_of(known[3]), leg, moves)
  local steps = #reached > 0 and stepped(known[4], history, due_key(tag), tag, message, now)
  if steps then
    for _, ordinal in ipairs(reached) do spare_reached(steps, ordinal, ordinal + 1) end
  end
  for i = 6, known[7] and new == 'f' and #ARGV or 0 do
    if who_goes_on(history, tag, message, leg, ARGV[i], now) then
      -- of those that went with it nothing was told: they stay as they are
      part_carried(history, tag, message, leg, now, function() end)
      begin_next(history, tag, message, leg, ARGV[i], now)
    end
  end
  announce_head(due_key(tag), tag)
  write_waiting(tag)
  write_stats(tag, now)
  announce(tag, message)
end
return people
