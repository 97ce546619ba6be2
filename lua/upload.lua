--[[ upload: one piece of a large audience on its way in
KEYS[1] upload:{tag}:<m>:<attempt>  string
ARGV[1] where the piece begins, bytes
ARGV[2] the piece
ARGV[3] how long it waits for its message, ms
Returns: 1
Errors: UPLOAD what comes before is not there (begin anew)
Replay: the second run writes the same bytes in the same place

Pieces come in order, one after the other. Nobody else writes under this attempt's key.
]]
local upload, from, piece, lapse_ms = KEYS[1], tonumber(ARGV[1]), ARGV[2], ARGV[3]

if redis.call('STRLEN', upload) < from then
  return redis.error_reply('UPLOAD what comes before is not there; put it again')
end
redis.call('SETRANGE', upload, from, piece)
redis.call('PEXPIRE', upload, lapse_ms)
return 1
