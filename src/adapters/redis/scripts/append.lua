-- Appends to the log of a session.
-- KEYS: meta, log. ARGV: the end of the node's lease, the channel, position and id of the last record
-- it knows, id of this append, when the session expires, how long that is, the position and the text
-- of a snapshot ('0' without one), the announcement, whether the session ends, its summary, and the
-- records.
local time = redis.call('TIME')
if time[1] * 1000 + math.floor(time[2] / 1000) > tonumber(ARGV[1]) then return {'fenced'} end
local kept = redis.call('HMGET', KEYS[1], 'head', 'last', 'staged', 'expires', 'code')
if not kept[1] or kept[3] then return {'missing'} end
local head, expected = tonumber(kept[1]), tonumber(ARGV[3])
local answer = {'ok', kept[5], tonumber(kept[4]) > tonumber(ARGV[6]) and '1' or '0'}
if head > expected then
  local next = string.format('%.0f-0', expected + 1)
  local found = redis.call('XRANGE', KEYS[2], next, next)[1]
  if found and found[2][4] == ARGV[5] then return answer end
  return {'conflict'}
end
if ARGV[4] ~= '' and (head < expected or ARGV[4] ~= kept[2]) then return {'lost'} end
if head < expected then return {'conflict'} end
local base = tonumber(ARGV[8])
if base > 0 then
  redis.call('HSET', KEYS[1], 'snapshot', ARGV[9])
  redis.call('XTRIM', KEYS[2], 'MINID', string.format('%.0f', base + 1))
end
for number = 13, #ARGV do
  head = head + 1
  redis.call('XADD', KEYS[2], string.format('%.0f-0', head), 'record', ARGV[number], 'id', ARGV[5])
end
if ARGV[11] == '1' then
  redis.call('DEL', KEYS[1], KEYS[2])
else
  redis.call('HSET', KEYS[1], 'last', ARGV[5], 'expires', ARGV[6], 'summary', ARGV[12],
    'head', string.format('%.0f', head))
  redis.call('PEXPIRE', KEYS[1], ARGV[7])
  redis.call('PEXPIRE', KEYS[2], ARGV[7])
end
redis.call('PUBLISH', ARGV[2], ARGV[10])
return answer
