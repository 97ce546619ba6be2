--[[ stage: one piece of a large audience on its way in
KEYS[1] staged:{tag}:<m>:<attempt>  string
ARGV[1] where the piece begins, bytes
ARGV[2] the piece
ARGV[3] how long it waits for its message, ms
Returns: 1
Errors: STAGE what comes before is not there (begin anew)
Replay: the second run writes the same bytes in the same place

Pieces come in order, one after the other. Nobody else writes under this attempt's key.
]]
local staged, from, piece, lapse_ms = KEYS[1], tonumber(ARGV[1]), ARGV[2], ARGV[3]

if redis.call('STRLEN', staged) < from then
  return redis.error_reply('STAGE what comes before is not there; put it again')
end
redis.call('SETRANGE', staged, from, piece)
redis.call('PEXPIRE', staged, lapse_ms)
return 1
