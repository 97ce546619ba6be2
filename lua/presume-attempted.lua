--[[ presume-attempted: after a restore: whoever of an entry may have been sent to since the backup is attempting
KEYS[1] history:{tag}:<m>             hash
KEYS[2] work:{tag}:<channel>:<class>  stream
ARGV[1] tag of the shard
ARGV[2] <m>, <sender>:<id>
ARGV[3] channel, as the stream's group is named
ARGV[4] id of the entry
ARGV[5] first ordinal of those who are asked about
ARGV[6] for each of them and of those behind, as far as the entry goes at most: 1 where they can be reached on the channel
Computed: receipts, presence:{tag}:<m>:<leg> string
Returns: how many of them were pending, or to be sent to again
Errors: none
Replay: they are attempting by then, and with the last of them the entry is another, which says handed-back: nobody is marked again

No counter knows attempting from pending. Nobody is told of it: no process is there yet.
]]
--#include keys
--#include padded
--#include presence
--#include times
local history, stream = KEYS[1], KEYS[2]
local tag, message, channel, id, from, reachable = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]), ARGV[6]
local to = from + #reachable
local presumed = { ['\0'] = 'a', w = 'b' }

local entry = redis.call('XRANGE', stream, id, id)[1]
if not entry then return 0 end
local fields = {}
for i = 1, #entry[2], 2 do fields[entry[2][i]] = entry[2][i + 1] end
local leg = fields.leg or channel
local known = redis.call('HMGET', history, 'state', 'size', leg .. ':online', leg .. ':carries')
if known[1] ~= 'running' then return 0 end

local receipts = receipts_key(tag, message, leg)
-- who waits until they are online belongs to no entry, whatever it spans
local presence = known[3] and read_padded(presence_key(tag, message, leg), from, to)
local marked = 0
local place = 0
local bytes = string.gsub(read_padded(receipts, from, to), '.', function(byte)
  place = place + 1
  local new = presumed[byte]
  if not new or string.sub(reachable, place, place) ~= '1' then return byte end
  if presence and string.sub(presence, place, place) == 'w' then return byte end
  marked = marked + 1
  return new
end)
if marked > 0 then
  if redis.call('EXISTS', receipts) == 0 then make_room(receipts, tonumber(known[2])) end
  redis.call('SETRANGE', receipts, from, bytes)
  for other in string.gmatch(known[4] or '', '%S+') do
    local theirs = receipts_key(tag, other, leg)
    if redis.call('EXISTS', theirs) == 0 then make_room(theirs, 1) end
    if read_padded(theirs, 0, 1) == '\0' then redis.call('SETRANGE', theirs, 0, 'a') end
  end
end
-- an entry without a cause is taken for one that nobody has touched, and its receipts are not read
if not fields.cause and to >= tonumber(fields.to) then
  local copy = entry[2]
  copy[#copy + 1] = 'cause'
  copy[#copy + 1] = 'handed-back'
  redis.call('XADD', stream, '*', unpack(copy))
  redis.call('XACK', stream, channel, id)
  redis.call('XDEL', stream, id)
end
return marked
