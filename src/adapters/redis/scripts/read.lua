-- Reads the records of a log after a position, and its snapshot where that is wanted.
-- KEYS: meta, log. ARGV: the position, the id of the record there ('' where it is not known),
-- whether the snapshot is wanted.
local kept = redis.call('HMGET', KEYS[1], 'head', 'last', 'staged', 'code')
if not kept[1] then return {'missing'} end
if kept[3] then return {'staged', kept[4]} end
if tonumber(kept[1]) < tonumber(ARGV[1]) then return {'lost'} end
local at = ARGV[1] .. '-0'
if ARGV[2] ~= '' then
  local found = redis.call('XRANGE', KEYS[2], at, at)[1]
  if found and found[2][4] ~= ARGV[2] then return {'lost'} end
end
local snapshot = ARGV[3] == '1' and redis.call('HGET', KEYS[1], 'snapshot') or ''
local answer = {'ok', kept[1], kept[2], snapshot}
for _, entry in ipairs(redis.call('XRANGE', KEYS[2], '(' .. at, '+')) do
  answer[#answer + 1] = entry[2][2]
end
return answer
