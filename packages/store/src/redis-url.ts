import { type Field, field, withDefault } from '@courier-fleet/process'

const example = 'redis://127.0.0.1:6379'

/** REDIS_URL; a Redis of this machine when it is missing. */
export const redisUrl: Field<string> = withDefault(
  field(`a URL such as ${example}`, (given) => (/^rediss?:\/\/./.test(given) ? given : undefined)),
  example,
)
