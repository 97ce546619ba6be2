--[[ allow: decides for each of these people whether a message may go to them by the rules that count, and counts it where it may
KEYS[1] diary:{ptag}:<day>  hash, of the newest day: today, or tomorrow just before it begins, for clocks differ
ARGV[1] tag of the people
ARGV[2] days before it to look at, the newest first, separated by blanks
ARGV[3] start of the newest day, ms
ARGV[4] now, ms
ARGV[5] for how long a page is kept once its day is over, ms
ARGV[6] history key of the message
ARGV[7] number of its type
ARGV[8] bit of the channel
ARGV[9] hash of the text, 8 characters
ARGV[10] rules that count, in their order, five of each: rank; T the same text, * any type, or the number of one; n; window in ms, 0 for the person's day; 1 when who is over it waits
ARGV[11] calendar days of these people, two of each: from, to, ms
ARGV[12..] three of each person: id, ordinal, the how manieth of these calendar days
Computed: diary:{ptag}:<day> hash
Returns: of each who may not be sent it, in their order, a list: the how manieth of these people; the how manieth rule forbids it; until when, ms; how many of those in its way are too many; and two of each in its way, the newest first, 16 at most: the how manieth page, the entry
Errors: none
Replay: its own entry is in nobody's way: the same answer

Whatever the channels, a message is one entry, written anew with one more bit whenever it is allowed. Of the rules of the first rank that
forbids it the strictest is told: one that does not wait, else the one that forbids it longest.
]]
--#include keys
--#include diary
local newest, ptag, days_before, newest_ms, now, kept_ms = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local message, type_number, channel, text_hash = ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9]
local pages, rules, days, people, texts, allowed = pages_of(newest, ptag, days_before), {}, {}, {}, {}, {}
local today, shown = now < newest_ms and 2 or 1, 16
local today_ms = newest_ms - (today - 1) * day_ms
for rank, of, n, window, waits in string.gmatch(ARGV[10], '(%d) (%S+) (%d+) (%d+) (%d)') do
  rules[#rules + 1] = { rank = rank, of = of, kind = tonumber(of), n = tonumber(n), window = tonumber(window), waits = waits == '1' }
end
for from, to in string.gmatch(ARGV[11], '(%d+) (%d+)') do days[#days + 1] = { from = tonumber(from), to = tonumber(to) } end
for i = 12, #ARGV, 3 do people[#people + 1] = ARGV[i] end
for number, page in ipairs(pages) do texts[number] = redis.call('HMGET', page, unpack(people)) end

-- Entries of other messages, the newest first and of each message its newest; and where this one's own stands, if it has one.
local function read_diary(i)
  local others, seen, own = {}, {}, nil
  for number = 1, #pages do
    local text, starts, at = texts[number][i] or '', {}, 1
    while at <= #text do -- bounded: an entry has at least the byte of its length
      starts[#starts + 1] = at
      at = at + 1 + string.byte(text, at)
    end
    for place = #starts, 1, -1 do
      local from = starts[place]
      local length, time, kind, _, hash, ordinal = struct.unpack(entry_format, text, from)
      local of = string.sub(text, from + entry_head, from + length)
      if of == message then
        own = own or { page = number, place = place }
      elseif of == '' or not seen[of] then
        seen[of] = true
        local weight = of == '' and ordinal or 1
        others[#others + 1] = { page = number, text = text, from = from, to = from + length, at = newest_ms - (number - 1) * day_ms + time, kind = kind, hash = hash, weight = weight }
      end
    end
  end
  return others, own
end

-- Nil where the rule allows one more.
local function forbid(i, number, rule, others, day)
  local count, until_ms, hits = 0, nil, {}
  for _, other in ipairs(others) do
    local is_within = rule.window > 0 and other.at + rule.window > now or rule.window == 0 and other.at >= day.from
    if is_within and (rule.of == '*' or rule.kind == other.kind or rule.of == 'T' and other.hash == text_hash) then
      count = count + other.weight
      if count >= rule.n then until_ms = until_ms or rule.window > 0 and other.at + rule.window or day.to end
      if #hits < 2 * shown then hits[#hits + 1], hits[#hits + 2] = other.page, string.sub(other.text, other.from, other.to) end
    end
  end
  return until_ms and { waits = rule.waits, until_ms = until_ms, answer = { i, number, until_ms, count - rule.n + 1, unpack(hits) } }
end

local function judge(i, others, day)
  local worst
  for number, rule in ipairs(rules) do
    if worst and rules[number - 1].rank ~= rule.rank then break end
    local found = forbid(i, number, rule, others, day)
    local is_worse = found and (not worst or worst.waits and not found.waits or worst.waits == found.waits and found.until_ms > worst.until_ms)
    if is_worse then worst = found end
  end
  return worst and worst.answer
end

-- The channels of its own entry, which is taken out of the page it stands in.
local function take_own(i, own)
  local entries = entries_of(texts[own.page][i])
  local channels = channels_of(table.remove(entries, own.place))
  texts[own.page][i] = table.concat(entries)
  if own.page ~= today then write_page(pages[own.page], people[i], entries) end
  return channels
end

local function write_entry(i, ordinal, own)
  local channels = own and bit.bor(channel, take_own(i, own)) or channel
  local before = folded(texts[today][i] or '')
  local entry = struct.pack(entry_format, entry_head - 1 + #message, now - today_ms, type_number, channels, text_hash, ordinal)
  allowed[#allowed + 1], allowed[#allowed + 2] = people[i], before .. entry .. message
end

-- Whoever was sent nothing in these days, most people of most messages, is in nobody's way: nothing is read or judged.
local function has_entries(i)
  for number = 1, #pages do
    if texts[number][i] then return true end
  end
  return false
end

local refusals = {}
for i = 1, #people do
  local others, own, refusal
  if has_entries(i) then
    others, own = read_diary(i)
    refusal = judge(i, others, days[tonumber(ARGV[11 + 3 * i])])
  end
  if refusal then
    refusals[#refusals + 1] = refusal
  else
    write_entry(i, tonumber(ARGV[10 + 3 * i]), own)
  end
end
if #allowed > 0 then
  redis.call('HSET', pages[today], unpack(allowed))
  redis.call('PEXPIRE', pages[today], today_ms + day_ms - now + kept_ms)
end
return refusals
