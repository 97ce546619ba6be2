-- Whether a leg does not go on, for its message was cancelled: of one that was withdrawn the leg that takes it back does. `cancelled` and `recalled`
-- are the fields of the history.
local function is_stopped(cancelled, recalled, leg)
  return cancelled ~= false and (not recalled or string.match(leg, '~(%d+)$') ~= recalled)
end
