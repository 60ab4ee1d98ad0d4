-- Appends to the logs of sessions, to all of them or to none.
-- KEYS: of each session its meta and its log.
-- ARGV: the end of the node's lease, the channel, how many sessions; then of each session: position
-- and id of the last record it knows, id of this append, when it expires, how long that is, the
-- position and the text of a snapshot ('0' without one), the announcement, whether it ends, its
-- summary, how many records, and their texts.
local time = redis.call('TIME')
if time[1] * 1000 + math.floor(time[2] / 1000) > tonumber(ARGV[1]) then return {'fenced'} end
local sessions = {}
local at = 4
for number = 1, tonumber(ARGV[3]) do
  local session = {
    meta = KEYS[2 * number - 1], log = KEYS[2 * number],
    expected = tonumber(ARGV[at]), last = ARGV[at + 1], id = ARGV[at + 2],
    expires = ARGV[at + 3], ttl = ARGV[at + 4], base = tonumber(ARGV[at + 5]), snapshot = ARGV[at + 6],
    announcement = ARGV[at + 7], ends = ARGV[at + 8] == '1',
    summary = ARGV[at + 9], first = at + 11, count = tonumber(ARGV[at + 10]),
  }
  at = session.first + session.count
  local kept = redis.call('HMGET', session.meta, 'head', 'last', 'staged', 'expires', 'code')
  if not kept[1] or kept[3] then return {'missing'} end
  local head = tonumber(kept[1])
  if head > session.expected then
    local next = string.format('%.0f-0', session.expected + 1)
    local found = redis.call('XRANGE', session.log, next, next)[1]
    if not found or found[2][4] ~= session.id then return {'conflict'} end
    session.done = true
  elseif session.last ~= '' and (head < session.expected or session.last ~= kept[2]) then
    return {'lost', tostring(number)}
  elseif head < session.expected then
    return {'conflict'}
  end
  session.shrinks, session.code = tonumber(kept[4]) > tonumber(session.expires), kept[5]
  sessions[number] = session
end
local answer = {'ok'}
for _, session in ipairs(sessions) do
  if not session.done then
    if session.base > 0 then
      redis.call('HSET', session.meta, 'snapshot', session.snapshot)
      redis.call('XTRIM', session.log, 'MINID', string.format('%.0f', session.base + 1))
    end
    for number = 1, session.count do
      local id = string.format('%.0f-0', session.expected + number)
      redis.call('XADD', session.log, id, 'record', ARGV[session.first + number - 1], 'id', session.id)
    end
    if session.ends then
      redis.call('DEL', session.meta, session.log)
    else
      redis.call('HSET', session.meta, 'last', session.id, 'expires', session.expires,
        'summary', session.summary,
        'head', string.format('%.0f', session.expected + session.count))
      redis.call('PEXPIRE', session.meta, session.ttl)
      redis.call('PEXPIRE', session.log, session.ttl)
    end
    redis.call('PUBLISH', ARGV[2], session.announcement)
  end
  answer[#answer + 1] = session.code
  answer[#answer + 1] = session.shrinks and '1' or '0'
end
return answer
