/** What an error of Redis means to whoever asked: told apart from a defect of ours, and worded by what is wrong. */
import { isCluster, isDisconnected, lastRefusal, type Redis } from '@courier-fleet/store'

export interface RedisTrouble {
  /** stable name of the problem */
  readonly code: string
  /** says what is wrong, and what helps */
  readonly sentence: string
  /** when trying again may help, s; absent where somebody has to do something first */
  readonly retryAfter?: number
}

const away: RedisTrouble = { code: 'redis-away', sentence: 'Redis does not answer; try again soon', retryAfter: 2 }
const partIsAway: RedisTrouble = {
  ...away,
  sentence: 'a node of the Redis cluster does not answer; try again when it is back, or another has taken over',
}
const takesNone = (why: string): RedisTrouble => ({
  code: 'redis-read-only',
  sentence: `Redis takes no writes: ${why}. Nothing was accepted; try again later`,
  retryAfter: 10,
})
const refuses = (why: string): RedisTrouble => ({
  code: 'redis-refuses',
  sentence: `Redis refuses this process: ${why}. Trying again does not help; whoever runs the fleet must mend it`,
})

/** By the first word of what Redis says. */
const troubles: Readonly<Record<string, RedisTrouble>> = {
  LOADING: { code: 'redis-away', sentence: 'Redis is loading its data; try again soon', retryAfter: 2 },
  MASTERDOWN: { ...away, sentence: 'Redis has lost its primary; try again soon' },
  CLUSTERDOWN: { ...away, sentence: 'a part of the Redis cluster is down; try again soon' },
  TRYAGAIN: {
    code: 'redis-moving',
    sentence: 'the Redis cluster moves these keys to another node; they wait until they have arrived. Try again soon',
    retryAfter: 2,
  },
  BUSY: {
    code: 'redis-busy',
    sentence:
      'Redis is busy with a script and serves nobody else; it must end by itself, or by SCRIPT KILL. Try again soon',
    retryAfter: 5,
  },
  OOM: {
    code: 'redis-full',
    sentence: 'Redis has used all the memory it may (maxmemory). Nothing new is accepted; what was accepted goes on',
    retryAfter: 60,
  },
  MISCONF: takesNone('it could not save to its disk, as its own log says'),
  READONLY: takesNone('REDIS_URL leads to a replica'),
  NOREPLICAS: takesNone('fewer replicas are connected than min-replicas-to-write asks for'),
  NOPERM: refuses('its user may not use a command or a key that is needed'),
  NOAUTH: refuses('REDIS_URL has no password, and one is needed'),
  WRONGPASS: refuses('the user or the password of REDIS_URL is wrong, or the user is switched off'),
}

/**
 * Undefined for what is no trouble of Redis's.
 * @param redis the connection it came by: where there is none any more, what Redis said when it was tried again is the reason
 */
export function redisTrouble(error: unknown, redis?: Redis): RedisTrouble | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.name === 'ReplyError') return troubles[wordOf(error.message)]
  if (!isDisconnected(error)) return undefined
  const refusal = redis && lastRefusal(redis)
  const nobody = redis && isCluster(redis) && redis.status === 'ready' ? partIsAway : away
  return (refusal && redisTrouble(refusal)) ?? nobody
}

/** Redis 7.0 has no word for what the user of a script may not do. */
const inScript = /^ERR (The user executing the script can't|ACL failure in script)/

const wordOf = (message: string): string => (inScript.test(message) ? 'NOPERM' : (message.split(' ', 1)[0] as string))
