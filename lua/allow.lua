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
ARGV[12] ids of the people, a JSON list: arguments of their own would cost more than all that is decided
ARGV[13] their ordinals, four bytes each, as an entry has them
ARGV[14] of each the how manieth of these calendar days, a JSON list; empty where that is the first for all
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
local people, ordinals, day_of = cjson.decode(ARGV[12]), ARGV[13], cjson.decode(ARGV[14])
local pages, rules, days, texts = pages_of(newest, ptag, days_before), {}, {}, {}
local today, shown = now < newest_ms and 2 or 1, 16
local today_ms = newest_ms - (today - 1) * day_ms
for rank, of, n, window, waits in string.gmatch(ARGV[10], '(%d) (%S+) (%d+) (%d+) (%d)') do
  rules[#rules + 1] = { rank = rank, of = of, kind = tonumber(of), n = tonumber(n), window = tonumber(window), waits = waits == '1' }
end
for from, to in string.gmatch(ARGV[11], '(%d+) (%d+)') do days[#days + 1] = { from = tonumber(from), to = tonumber(to) } end
-- Of a day on which nobody was sent anything there is no page.
for number, page in ipairs(pages) do
  texts[number] = redis.call('EXISTS', page) == 1 and redis.call('HMGET', page, unpack(people)) or {}
end

local has_entries = {}
for number = 1, #pages do
  local found = texts[number]
  for i = 1, #found do
    if found[i] then has_entries[i] = true end
  end
end

-- An entry up to its ordinal; the same for nearly everyone.
local function head_with(channels)
  return struct.pack(entry_start, entry_head - 1 + #message, now - today_ms, type_number, channels, text_hash)
end
local head = head_with(channel)

-- Its ordinal goes through no string of its own: Lua looks each string up among all it has, and clears it away again.
local packed_entry, pack, unpack_from = '>c' .. entry_head - 4 .. 'I4c' .. #message, struct.pack, struct.unpack
-- People and their entries, in turn. It begins with room for half of them: a table that grows is gone through anew whenever it is full.
local allowed, written = { unpack(people) }, 0

local function write_allowed()
  if written == 0 then return end
  redis.call('HSET', pages[today], unpack(allowed, 1, written))
  redis.call('PEXPIRE', pages[today], today_ms + day_ms - now + kept_ms)
end

-- Whoever was sent nothing in these days, most people of most messages, is in nobody's way: nothing is read or judged. Where it is so
-- for all, the functions that would are not even made, which Redis does anew in each call.
if not next(has_entries) then
  for i = 1, #people do
    allowed[2 * i - 1] = people[i]
    allowed[2 * i] = pack(packed_entry, head, unpack_from('>I4', ordinals, 4 * i - 3), message)
  end
  written = 2 * #people
  write_allowed()
  return {}
end

local function write_entry(i, own_head)
  local before = texts[today][i]
  local entry = pack(packed_entry, own_head, unpack_from('>I4', ordinals, 4 * i - 3), message)
  allowed[written + 1] = people[i]
  allowed[written + 2] = before and folded(before) .. entry or entry
  written = written + 2
end

-- What somebody was sent of other messages, the newest first and of each message its newest: a column for each thing known of an entry,
-- used for one person after the other, for a table an entry would cost more than all else.
local count, page_of, from_of, to_of, times, kinds, hashes, weights = 0, {}, {}, {}, {}, {}, {}, {}
-- `seen`: by message, for whom of these people an entry of it was found last.
local starts, seen = {}, {}

local function add_entry(number, from, length, time, kind, hash, weight)
  count = count + 1
  page_of[count], from_of[count], to_of[count] = number, from, from + length
  times[count], kinds[count], hashes[count], weights[count] = time, kind, hash, weight
end

-- Says where this message's own entry stands, if it has one.
local function read_page(number, text, i)
  local own, entries, at, size = nil, 0, 1, #text
  while at <= size do -- bounded: an entry has at least the byte of its length
    entries = entries + 1
    starts[entries] = at
    at = at + 1 + string.byte(text, at)
  end
  local page_ms = newest_ms - (number - 1) * day_ms
  for place = entries, 1, -1 do
    local from = starts[place]
    local length, time, kind, _, hash, ordinal = struct.unpack(entry_format, text, from)
    local of = string.sub(text, from + entry_head, from + length)
    if of == message then
      own = own or { page = number, place = place }
    elseif of == '' then
      add_entry(number, from, length, page_ms + time, kind, hash, ordinal)
    elseif seen[of] ~= i then
      seen[of] = i
      add_entry(number, from, length, page_ms + time, kind, hash, 1)
    end
  end
  return own
end

local function read_diary(i)
  local own
  count = 0
  for number = 1, #pages do
    local text = texts[number][i]
    local found = text and read_page(number, text, i)
    own = own or found
  end
  return own
end

local function is_meant(rule, since, k)
  if times[k] < since then return false end
  return rule.of == '*' or rule.kind == kinds[k] or rule.of == 'T' and hashes[k] == text_hash
end

-- Nil where the rule allows one more.
local function forbid(i, number, rule, day)
  local since = rule.window > 0 and now - rule.window + 1 or day.from
  local used, until_ms, answer = 0, nil, { i, number }
  for k = 1, count do
    if is_meant(rule, since, k) then
      used = used + weights[k]
      if used >= rule.n then until_ms = until_ms or rule.window > 0 and times[k] + rule.window or day.to end
    end
  end
  if not until_ms then return nil end
  answer[3], answer[4] = until_ms, used - rule.n + 1
  for k = 1, count do
    if #answer < 4 + 2 * shown and is_meant(rule, since, k) then
      answer[#answer + 1], answer[#answer + 2] = page_of[k], string.sub(texts[page_of[k]][i], from_of[k], to_of[k])
    end
  end
  return { waits = rule.waits, until_ms = until_ms, answer = answer }
end

local function judge(i, day)
  local worst
  for number, rule in ipairs(rules) do
    if worst and rules[number - 1].rank ~= rule.rank then break end
    local found = forbid(i, number, rule, day)
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

local refusals = {}
for i = 1, #people do
  if not has_entries[i] then
    write_entry(i, head)
  else
    local own = read_diary(i)
    local refusal = judge(i, days[day_of[i] or 1])
    if refusal then
      refusals[#refusals + 1] = refusal
    else
      write_entry(i, own and head_with(bit.bor(channel, take_own(i, own))) or head)
    end
  end
end
write_allowed()
return refusals
