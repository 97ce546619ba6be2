--[[ standings: the receipts of a block of ordinals on one leg and when each was last written, of one moment; changes nothing
KEYS[1] receipts:{tag}:<m>:<leg>  string
ARGV[1] size of the audience
ARGV[2] first ordinal
ARGV[3] ordinal after the last
Returns: the state bytes, then the times, both as far as they were written
Errors: none
Replay: reads only
]]
local key, size, first, after = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
return {
  redis.call('GETRANGE', key, first, after - 1),
  redis.call('GETRANGE', key, size + 4 * first, size + 4 * after - 1),
}
