/** The service over real HTTP, with people of every role, contacts, an inbound process, and ways to sign in. */
import {
  type CallerRole,
  memberOf,
  type ProblemDocument,
  parseHistoryKey,
  type Role,
  refOfMember,
  roles,
  type SessionView,
  type SignInInput,
  shardName,
  systemSender,
} from '@courier-fleet/api-types'
import { keys, noteTarget, parseRecord, secretMark } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import type { Rules } from '../src/index.ts'
import { type Service, startService } from './service.ts'

export interface Asked<T> {
  readonly status: number
  readonly headers: Headers
  readonly json: T
}

export interface Who {
  readonly as?: CallerRole | undefined
  /** the API key itself */
  readonly apiKey?: string
  /** On-Behalf-Of, with the key of the inbound process unless said otherwise */
  readonly for?: string
  readonly browser?: Browser
  readonly headers?: Record<string, string>
}

export interface Browser {
  readonly cookie: string
  readonly csrfToken: string
}

/** A sign-in code, and the cookie of the browser it is good in. */
export interface AskedCode {
  readonly code: string
  readonly cookie: string
}

export interface University extends Service {
  ask<T = ProblemDocument & Record<string, unknown>>(call: string, who?: Who, body?: unknown): Promise<Asked<T>>
  /** What the fleet itself has sent, newest first: read where the couriers read it. */
  systemTexts(): Promise<string[]>
  /** Asks for a sign-in code, from a new browser unless a cookie says which, and reads it. */
  codeFor(who: string | SignInInput, cookie?: string): Promise<AskedCode>
  signIn(person: string): Promise<Browser>
  /**
   * A message of trainer-1 to anna, boris and clara, as it is when SMS has settled.
   * @param receipts of the three, such as `uud`. @returns its key
   */
  settledBySms(receipts: string, more?: object): Promise<string>
}

const cookieIn = ({ headers }: { headers: Headers }) => headers.get('set-cookie')?.split(';')[0] ?? ''

/**
 * trainer-1 owns `own` (anna, boris, clara) and has Telegram 7001, VK 5001 and +79001110001; staff-1 Telegram 7002, operator-1
 * 7003, admin-1 7004, student-1 7005, trainer-2 (owner of `other`) 7006. All channels are in the sandbox. Quotas are off unless the rules say otherwise.
 */
export async function startUniversity(
  rules: Rules = { timeZone: 'Europe/Moscow', quotas: {}, inboundContacts: 1000 },
  existing?: Parameters<typeof startService>[0],
): Promise<University> {
  const service = await startService(existing, rules)
  const { directory, redis } = service
  const url = await service.listen()
  const put = (id: string, role: Role) =>
    directory.putPerson({ id, name: `Имя ${id}`, role, timeZone: 'Europe/Moscow', language: 'ru' })
  for (const role of roles) await put(`${role}-1`, role)
  await put('trainer-2', 'trainer')
  const telegram = ['trainer-1', 'staff-1', 'operator-1', 'admin-1', 'student-1', 'trainer-2']
  for (const [index, person] of telegram.entries())
    await directory.linkContact('telegram', person, String(7001 + index))
  for (const channel of ['telegram', 'vk', 'sms']) await noteTarget(redis, channel, 'sandbox')
  await directory.linkContact('vk', 'trainer-1', '5001')
  await directory.linkContact('sms', 'trainer-1', '+79001110001')

  const ask: University['ask'] = async <T>(call: string, who: Who = {}, body?: unknown) => {
    const [method, path] = call.split(' ') as [string, string]
    const apiKey = who.apiKey ?? service.keyOf[who.as ?? (who.for ? 'inbound' : 'student')]
    const signed = who.as !== undefined || who.apiKey !== undefined || who.for !== undefined
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(signed ? { authorization: `Bearer ${apiKey}` } : {}),
        ...(who.for === undefined ? {} : { 'on-behalf-of': who.for }),
        ...(who.browser ? { cookie: who.browser.cookie, 'x-csrf-token': who.browser.csrfToken } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...who.headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.match(/^application\/(problem\+)?json/) && text !== ''
    return { status: answer.status, headers: answer.headers, json: (isJson ? JSON.parse(text) : text) as T }
  }

  async function systemTexts(): Promise<string[]> {
    const found: { at: number; text: string }[] = []
    for (let shard = 0; shard < 16; shard += 1) {
      const name = shardName(shard)
      for (const [accepted, fields] of await redis.xrange(keys.sent(name, systemSender), '-', '+')) {
        const ref = refOfMember(name, `${systemSender}:${fields[1]}`)
        const [record, secret] = await redis.mget(keys.record(ref), keys.secret(ref))
        const text = parseRecord(record as string).text.replace(secretMark, secret ?? secretMark)
        found.push({ at: Number.parseInt(accepted, 10), text })
      }
    }
    return found.sort((a, b) => b.at - a.at).map(({ text }) => text)
  }

  /** The fleet tells of sign-ins and links, too. */
  const sentCodes = async () => (await systemTexts()).flatMap((text) => /\d{8}/.exec(text)?.[0] ?? [])

  /** The answer comes before the work is done. */
  async function codeFor(who: string | SignInInput, cookie?: string): Promise<AskedCode> {
    const before = (await sentCodes()).length
    const headers = cookie === undefined ? {} : { cookie }
    const asked = await ask('POST /v1/sign-ins', { headers }, typeof who === 'string' ? { person: who } : who)
    if (asked.status !== 202) throw new Error(`sign-in: ${asked.status}`)
    const code = await until(async () => {
      const codes = await sentCodes()
      return codes.length > before && codes[0]
    }, 'a code is sent')
    return { code, cookie: cookieIn(asked) }
  }

  async function signIn(person: string): Promise<Browser> {
    const { code, cookie } = await codeFor(person)
    const opened = await ask<SessionView>('POST /v1/sessions', { headers: { cookie } }, { person, code })
    if (opened.status !== 201) throw new Error(JSON.stringify(opened.json))
    return { cookie: `${cookieIn(opened)}; ${cookie}`, csrfToken: opened.json.csrfToken as string }
  }

  async function settledBySms(receipts: string, more: object = {}): Promise<string> {
    const { json } = await ask<{ key: string }>(
      'POST /v1/messages',
      { as: 'trainer' },
      { to: ['group:own'], text: 'Hi', ...more },
    )
    const ref = parseHistoryKey(json.key)
    const now = Date.now()
    const counters: Record<string, number> = {}
    for (const byte of receipts) counters[`sms:${byte}`] = (counters[`sms:${byte}`] ?? 0) + 1
    await redis
      .multi()
      .set(keys.receipts(ref, 'sms'), receipts)
      .hset(keys.history(ref), { expected: 'sms', state: 'settled', started: now, settled: now, 'sms:settled': now })
      .hset(keys.history(ref), { ...counters, 'sms:open': 0 })
      .zrem(keys.due(ref.shard), `${memberOf(ref)}:0`)
      .exec()
    return json.key
  }

  return Object.assign(service, { ask, systemTexts, codeFor, signIn, settledBySms })
}
