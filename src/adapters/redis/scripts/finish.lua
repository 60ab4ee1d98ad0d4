-- Ends the staging of a session whose handshake is claimed. KEYS: meta, log.
local kept = redis.call('HMGET', KEYS[1], 'staged', 'ttl')
if not kept[1] then return 0 end
redis.call('HDEL', KEYS[1], 'staged', 'ttl')
redis.call('PEXPIRE', KEYS[1], kept[2])
redis.call('PEXPIRE', KEYS[2], kept[2])
return 1
