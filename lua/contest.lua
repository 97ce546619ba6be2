--[[ contest: people who are marked are sent to by another process than the one that marked them; what counts of it stays counted
KEYS[1] diary:{ptag}:<day>  hash, of the newest day
ARGV[1] tag of the people
ARGV[2] days before it to look at, the newest first, separated by blanks
ARGV[3] history key of the message
ARGV[4..] people
Computed: diary:{ptag}:<day> hash
Returns: how many entries are contested now that were not
Errors: none
Replay: they are contested already

From then on a refusal by the provider proves nothing: the process that was taken over may still speak, and be accepted.
]]
--#include keys
--#include diary
local newest, ptag, days_before, message = KEYS[1], ARGV[1], ARGV[2], ARGV[3]

local function contest(entry) return with_channels(entry, bit.bor(channels_of(entry), contested)) end

local pages, changed = pages_of(newest, ptag, days_before), 0
for i = 4, #ARGV do
  if change_entry(pages, ARGV[i], message, contest) then changed = changed + 1 end
end
return changed
