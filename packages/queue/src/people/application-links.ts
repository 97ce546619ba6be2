/**
 * Two links of pages for people who are not in the list: one that names a group to apply for, made by who may read it, and one of a single
 * applicant, which shows their code and what has become of the application. Both are signed with the secret of the fleet; nothing is kept for them.
 */
import { createHmac } from 'node:crypto'
import { isSameSecret } from '@courier-fleet/process'
import { oneClickSecret, type Redis } from '@courier-fleet/store'

export interface GroupLink {
  readonly group: string
  /** Unix ms */
  readonly untilMs: number
}

export interface OwnLink {
  readonly id: string
  readonly channel: string
  readonly code: string
  /** Unix ms: until then the code is good */
  readonly codeUntilMs: number
}

const signatureLength = 22

async function sign(redis: Redis, kind: string, parts: readonly string[]): Promise<string> {
  const said = parts.join('.')
  const signature = createHmac('sha256', await oneClickSecret(redis)).update(`${kind} ${said}`)
  return `${said}.${signature.digest('base64url').slice(0, signatureLength)}`
}

/** @returns undefined for what the fleet has not made */
async function read(redis: Redis, kind: string, token: string): Promise<readonly string[] | undefined> {
  const parts = token.split('.').slice(0, -1)
  return isSameSecret(token, await sign(redis, kind, parts)) ? parts : undefined
}

const written = (ms: number) => ms.toString(36)
const msOf = (text = '') => Number.parseInt(text, 36)

/** @returns what stands behind `/a/` */
export const signGroupLink = (redis: Redis, { group, untilMs }: GroupLink) =>
  sign(redis, 'apply', [group, written(untilMs)])

/** @returns undefined for what the fleet has not made, and what has lapsed */
export async function readGroupLink(redis: Redis, token: string, nowMs: number): Promise<GroupLink | undefined> {
  const [group, end] = (await read(redis, 'apply', token)) ?? []
  const untilMs = msOf(end)
  return group !== undefined && untilMs > nowMs ? { group, untilMs } : undefined
}

/** @returns what stands behind `/a/own/` */
export const signOwnLink = (redis: Redis, { id, channel, code, codeUntilMs }: OwnLink) =>
  sign(redis, 'applicant', [id, channel, code, written(codeUntilMs)])

/** Good for as long as there is something to see. @returns undefined for what the fleet has not made */
export async function readOwnLink(redis: Redis, token: string): Promise<OwnLink | undefined> {
  const [id, channel, code, end] = (await read(redis, 'applicant', token)) ?? []
  if (id === undefined || channel === undefined || code === undefined) return undefined
  return { id, channel, code, codeUntilMs: msOf(end) }
}
