-- Writes the log of a session that is only there once its handshake is claimed.
-- KEYS: meta, log. ARGV: id of this write, position of the last record, when the session expires, how
-- long that is, how long the claim may take, its short code, its summary, and the records.
local first = tonumber(ARGV[2]) - (#ARGV - 7)
if redis.call('HEXISTS', KEYS[1], 'head') == 1 then
  local at = string.format('%.0f-0', first + 1)
  local found = redis.call('XRANGE', KEYS[2], at, at)[1]
  if not found or found[2][4] ~= ARGV[1] then return 'conflict' end
  if redis.call('HEXISTS', KEYS[1], 'staged') == 1 then
    redis.call('PEXPIRE', KEYS[1], ARGV[5])
    redis.call('PEXPIRE', KEYS[2], ARGV[5])
  end
  return 'ok'
end
for number = 8, #ARGV do
  local id = string.format('%.0f-0', first + number - 7)
  redis.call('XADD', KEYS[2], id, 'record', ARGV[number], 'id', ARGV[1])
end
redis.call('HSET', KEYS[1], 'head', ARGV[2], 'last', ARGV[1], 'expires', ARGV[3], 'ttl', ARGV[4],
  'code', ARGV[6], 'summary', ARGV[7], 'staged', '1')
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('PEXPIRE', KEYS[2], ARGV[5])
return 'ok'
