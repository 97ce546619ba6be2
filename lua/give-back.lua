--[[ give-back: people were certainly not sent a message on a channel; where no other channel has it and nobody contests it, it counts no more
KEYS[1] diary:{ptag}:<day>  hash, of the newest day
ARGV[1] tag of the people
ARGV[2] days before it to look at, the newest first, separated by blanks
ARGV[3] history key of the message
ARGV[4] bit of the channel
ARGV[5..] people
Computed: diary:{ptag}:<day> hash
Returns: how many entries were removed
Errors: none
Replay: the bit is cleared already, or the entry gone
]]
--#include keys
--#include diary
local newest, ptag, days_before, message, channel = KEYS[1], ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local removed = 0

local function clear(entry)
  if is_contested(entry) then return entry end
  local left = bit.band(channels_of(entry), bit.bnot(channel))
  if left > 0 then return with_channels(entry, left) end
  removed = removed + 1
  return nil
end

local pages = pages_of(newest, ptag, days_before)
for i = 5, #ARGV do change_entry(pages, ARGV[i], message, clear) end
return removed
