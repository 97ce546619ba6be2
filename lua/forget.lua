--[[ forget: removes entries of what people were not sent after all, as their receipts say, where they still are as they were seen
KEYS[1] diary:{ptag}:<day>  hash
ARGV[1..] two of each entry: person, the entry as it was seen
Returns: how many were removed
Errors: none
Replay: they are gone already

Whoever has been allowed it anew meanwhile, or contests it, has changed the entry: that one stays.
]]
--#include keys
--#include diary
local page, removed = KEYS[1], 0

for i = 1, #ARGV, 2 do
  local person, seen = ARGV[i], ARGV[i + 1]
  local entries = entries_of(redis.call('HGET', page, person) or '')
  for place, entry in ipairs(entries) do
    if entry == seen and not is_contested(entry) then
      table.remove(entries, place)
      write_page(page, person, entries)
      removed = removed + 1
      break
    end
  end
end
return removed
