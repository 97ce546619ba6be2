import { Problem } from '@courier-fleet/api-types'

/** @throws Problem 404 `unknown-key`, always: of a message that never was, and of one that is purged */
export function unknownHistory(): never {
  throw new Problem(404, 'unknown-key', 'there is no history with this key', 'key')
}

/** @throws Problem 404 `unknown-<kind>`, always */
export function unknown(
  kind:
    | 'person'
    | 'group'
    | 'cohort'
    | 'topic'
    | 'application'
    | 'template'
    | 'contact'
    | 'channel'
    | 'api-key'
    | 'session'
    | 'type'
    | 'role'
    | 'subscription',
  name: string,
): never {
  throw new Problem(404, `unknown-${kind}`, `there is no ${kind} "${name}"`)
}
