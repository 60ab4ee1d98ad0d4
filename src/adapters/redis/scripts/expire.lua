-- Forgets a session if it has expired; gives when it does otherwise. KEYS: meta, log. ARGV: now.
local expires = redis.call('HGET', KEYS[1], 'expires')
if expires and tonumber(expires) > tonumber(ARGV[1]) then return expires end
redis.call('DEL', KEYS[1], KEYS[2])
return ''
