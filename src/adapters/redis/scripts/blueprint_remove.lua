-- Forgets a blueprint. KEYS: ids by key, the blueprint.
local key = redis.call('HGET', KEYS[2], 'key')
if not key then return 0 end
redis.call('HDEL', KEYS[1], key)
redis.call('DEL', KEYS[2])
return 1
