-- Keeps a blueprint under its key, in place of the one that was looked at.
-- KEYS: ids by key, the blueprint, the one it replaces. ARGV: its key, its id, the id it replaces
-- ('' for none), its text, its documents, hits, when it was used.
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[3] then return 'conflict' end
if ARGV[3] ~= '' then redis.call('DEL', KEYS[3]) end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HSET', KEYS[2], 'row', ARGV[4], 'documents', ARGV[5], 'hits', ARGV[6], 'used', ARGV[7],
  'key', ARGV[1])
return 'ok'
