/** Whether a message may have the type it names, and ask for less or more than that. */
import {
  builtInTypes,
  defaultType,
  findType,
  type MessageBody,
  type MessageType,
  nearest,
  Problem,
  type Role,
  roles,
  serviceType,
} from '@courier-fleet/api-types'
import type { Principal } from '@courier-fleet/directory'

/**
 * Everybody may ask for less: a lower level, and quiet hours where the type ignores them.
 * @throws Problem 422 `unknown-type` · 403 `not-your-type`, `raises-level`, `ignores-quiet`
 */
export function requireAllowedRules(
  types: readonly MessageType[],
  body: Pick<MessageBody, 'type' | 'level' | 'quiet'>,
  by: Principal,
): void {
  const type = body.type === serviceType ? undefined : findType(types, body.type)
  if (!type) throw unknownType(types, body.type)
  requireSender(type, by)
  const { level, quiet } = body
  if (level !== undefined && level > type.level && !atLeast('operator', by)) {
    const detail = `messages of the type ${type.id} have the level ${type.level}: only an operator may send one with ${level}`
    throw new Problem(403, 'raises-level', detail, 'level')
  }
  if (quiet === 'ignore') requireMayIgnoreQuiet(type, by)
}

/** @throws Problem 403 `ignores-quiet` */
export function requireMayIgnoreQuiet(type: MessageType, by: Principal): void {
  if (mayIgnoreQuiet(type, by)) return
  const detail = `messages of the type ${type.id} keep quiet hours: only staff may send one that does not`
  throw new Problem(403, 'ignores-quiet', detail, 'quiet')
}

export const mayIgnoreQuiet = ({ quiet }: MessageType, by: Principal): boolean =>
  quiet === 'ignore' || atLeast('staff', by)

function requireSender({ id, senders }: MessageType, by: Principal): void {
  const { role, ownRole = role } = by
  if (senders.length === 0 || senders.includes(role) || senders.includes(ownRole)) return
  throw new Problem(403, 'not-your-type', `the type ${id} is for ${senders.join(', ')}, and you are ${ownRole}`, 'type')
}

function unknownType(types: readonly MessageType[], id: string): Problem {
  const known = [...new Set([...builtInTypes, ...types].map((type) => type.id))].filter((each) => each !== serviceType)
  const meant = nearest(id, known)
  const what =
    id === serviceType
      ? `the type "${id}" is for the fleet's own words.`
      : `there is no type "${id}"${meant === undefined ? '.' : `; did you mean ${meant}?`}`
  return new Problem(422, 'unknown-type', `${what} There are ${known.sort().join(', ')}`, 'type')
}

const atLeast = (role: Role, by: Principal) => (roles as readonly string[]).indexOf(by.role) >= roles.indexOf(role)

/** What it says of the rules about people, for the audit; empty when that is nothing. */
export function wordsOfRules({ type, level, quiet, duplicates }: MessageBody): string {
  const asked = [
    type === defaultType ? '' : `type ${type}`,
    level === undefined ? '' : `level ${level}`,
    quiet === undefined ? '' : `quiet: ${quiet}`,
    duplicates === undefined ? '' : `duplicates: ${duplicates}`,
  ]
  return asked.filter((each) => each !== '').join(', ')
}
