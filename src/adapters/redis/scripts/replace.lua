-- Replaces a log of which the end was lost by a snapshot and the records after it.
-- KEYS: meta, log. ARGV: position and id of the last record that is left, the new position, the id of
-- this write, the snapshot, the record after it, the channel, the announcement. What lists show is
-- read from the log until the next append.
local kept = redis.call('HMGET', KEYS[1], 'head', 'last')
if kept[1] ~= ARGV[1] or kept[2] ~= ARGV[2] then return 'conflict' end
local ttl = redis.call('PTTL', KEYS[1])
redis.call('DEL', KEYS[2])
redis.call('XADD', KEYS[2], ARGV[3] .. '-0', 'record', ARGV[6], 'id', ARGV[4])
redis.call('HSET', KEYS[1], 'head', ARGV[3], 'last', ARGV[4], 'snapshot', ARGV[5])
redis.call('HDEL', KEYS[1], 'summary')
if ttl > 0 then redis.call('PEXPIRE', KEYS[2], ttl) end
redis.call('PUBLISH', ARGV[7], ARGV[8])
return 'ok'
