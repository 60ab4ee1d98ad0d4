-- Reads the records of a log after a position, and the snapshot that stands for those that are
-- forgotten.
-- KEYS: meta, log. ARGV: the position, position and id of the last record that the node knows ('0' and
-- '' for none).
local kept = redis.call('HMGET', KEYS[1], 'head', 'last', 'staged', 'code', 'snapshot')
if not kept[1] then return {'missing'} end
if kept[3] then return {'staged', kept[4]} end
local after = tonumber(ARGV[1])
if tonumber(kept[1]) < math.max(after, tonumber(ARGV[2])) then return {'lost'} end
if ARGV[3] ~= '' then
  local known = ARGV[2] .. '-0'
  local found = redis.call('XRANGE', KEYS[2], known, known)[1]
  if found and found[2][4] ~= ARGV[3] then return {'lost'} end
end
local entries = redis.call('XRANGE', KEYS[2], '(' .. ARGV[1] .. '-0', '+')
local is_forgotten = entries[1] and tonumber(string.match(entries[1][1], '^%d+')) > after + 1
local answer = {'ok', kept[1], kept[2], is_forgotten and kept[5] or ''}
for _, entry in ipairs(entries) do
  answer[#answer + 1] = entry[2][2]
end
return answer
