-- Appends to the log of a session.
-- KEYS: meta, log. ARGV: the end of the node's lease, the channel, the position it appends at, position
-- and id of the last record it knows ('0' and '' for none), id of this append, when the session
-- expires, how long that is, the position and the text of a snapshot ('0' without one), the
-- announcement, whether the session ends, its summary, and the records.
local time = redis.call('TIME')
if time[1] * 1000 + math.floor(time[2] / 1000) > tonumber(ARGV[1]) then return {'fenced'} end
local kept = redis.call('HMGET', KEYS[1], 'head', 'last', 'staged', 'expires', 'code')
if not kept[1] or kept[3] then return {'missing'} end
local head, expected, known = tonumber(kept[1]), tonumber(ARGV[3]), tonumber(ARGV[4])
local answer = {'ok', kept[5], tonumber(kept[4]) > tonumber(ARGV[7]) and '1' or '0'}
local function written_by(position)
  if position == head then return kept[2] end
  local id = string.format('%.0f-0', position)
  local found = redis.call('XRANGE', KEYS[2], id, id)[1]
  return found and found[2][4]
end
if head < known then return {'lost'} end
if ARGV[5] ~= '' and (written_by(known) or ARGV[5]) ~= ARGV[5] then return {'lost'} end
if head > expected then return written_by(expected + 1) == ARGV[6] and answer or {'conflict'} end
if head < expected then return {'conflict'} end
local base = tonumber(ARGV[9])
if base > 0 then
  redis.call('HSET', KEYS[1], 'snapshot', ARGV[10])
  redis.call('XTRIM', KEYS[2], 'MINID', string.format('%.0f', base + 1))
end
for number = 14, #ARGV do
  head = head + 1
  redis.call('XADD', KEYS[2], string.format('%.0f-0', head), 'record', ARGV[number], 'id', ARGV[6])
end
if ARGV[12] == '1' then
  redis.call('DEL', KEYS[1], KEYS[2])
  -- So that no node takes it for lost.
  redis.call('HSET', KEYS[1], 'ended', '1')
  redis.call('PEXPIRE', KEYS[1], ARGV[8])
else
  redis.call('HSET', KEYS[1], 'last', ARGV[6], 'expires', ARGV[7], 'summary', ARGV[13],
    'head', string.format('%.0f', head))
  redis.call('PEXPIRE', KEYS[1], ARGV[8])
  redis.call('PEXPIRE', KEYS[2], ARGV[8])
end
redis.call('PUBLISH', ARGV[2], ARGV[11])
return answer
