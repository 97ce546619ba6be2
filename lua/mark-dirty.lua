--[[ mark-dirty: marks resources that have changed and lie in slots of their own, right after the change
KEYS[1] watched:{tag}  zset
ARGV[1] tag of the bucket
ARGV[2] resource: person, group, cohort, ownership, channel or type
ARGV[3..] ids
Computed: dirty:{tag} zset
Returns: 1
Errors: none
Replay: a resource that is marked twice is looked at as if it were marked once
Flags: allow-oom
]]
--#include keys
--#include dirty
local tag, resource = ARGV[1], ARGV[2]

if redis.call('EXISTS', KEYS[1]) == 1 then
  for i = 3, #ARGV do mark_dirty(tag, resource, ARGV[i]) end
end
return 1
