import { hostname } from 'node:os'
import type { Endpoints } from '@courier-fleet/channels'
import { type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { dump } from '../../packages/store/test/scripts/dump.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { membersOf, type Student } from './roster.ts'

const teacher = membersOf('trainers').find(({ id }) => id === 't-01') as Student

/** Every value of the stand-ins' settings that is a secret, and no common word. */
const secretsOf = (endpoints: Endpoints): string[] =>
  Object.values(endpoints).flatMap((endpoint) =>
    Object.entries(endpoint).flatMap(([name, value]) =>
      /token|password|hash|secret/i.test(name) && String(value).length > 9 ? [String(value)] : [],
    ),
  )

describe('secrets', () => {
  let redis: OwnRedis
  let fleet: Fleet
  let logs = ''
  const planted = new Set<string>()
  before(async () => {
    redis = await ownRedis()
    fleet = await startFleet({
      redis,
      onOutput: (_name, text) => {
        logs += text
      },
      settings: ({ endpoints }) => {
        for (const secret of secretsOf(endpoints)) planted.add(secret)
        return {}
      },
    })
    planted.add(fleet.apiKey)
  })
  after(async () => {
    await fleet.stop()
    await redis.stop()
  })

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${fleet.apiUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const ask = async () => {
    const asked = await post('/v1/sign-ins', { person: teacher.id })
    expect(asked.status).to.equal(202)
    return asked.headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  const codes = async () =>
    (await fleet.sandbox.accepted()).flatMap(({ text }) => (/(?:code|вход).*?(\d{8})/.exec(text) ?? []).slice(1))
  const everythingInRedis = async () => JSON.stringify(await dump(redis.redis()))

  it('of a sign-in stand in no key of Redis once the code has arrived, and in no log', async () => {
    const cookie = await ask()
    const [code = ''] = await until(async () => {
      const found = await codes()
      return found.length >= Object.keys(teacher.contacts).length && found
    }, 'the code is on every phone')
    const opened = await post('/v1/sessions', { person: teacher.id, code }, { cookie })
    expect(opened.status).to.equal(201)
    planted.add(code)
    planted.add(/=([^;]+)/.exec(opened.headers.get('set-cookie') ?? '')?.[1] as string)
    await until(async () => !(await everythingInRedis()).includes('"secret:'), 'the message has settled')
    const stored = await everythingInRedis()
    expect(stored, 'the message itself is there').to.contain(Buffer.from('Код для входа: ••••••••').toString('latin1'))
    for (const secret of planted) expect(stored).not.to.contain(secret)
  })

  it('stand in no log when what they were given to fails', async () => {
    const before = (await codes()).length
    const admin = redis.redis()
    // all keys but those of secrets: what is answered 202 fails afterwards, with a code in its hands
    const others = [...'abcdefghijklmnopqrtuvwxyz'].map((letter) => `~${letter}*`)
    const own = ['sent', 'session', 'sign-in', 'slots'].map((kind) => `~${kind}:*`)
    await admin.acl('SETUSER', 'default', 'resetkeys', ...others, ...own)
    await ask()
    await until(() => logs.includes('could not send a sign-in code'), 'it has failed and was logged')
    await admin.acl('SETUSER', 'default', 'allkeys')
    const asked = Promise.all([post('/v1/sign-ins', { person: teacher.id }), redis.kill()])
    await asked.catch(() => {})
    await redis.restart()
    await until(async () => (await fetch(`${fleet.apiUrl}/readyz`)).status === 200, 'Redis is there again')
    for (const code of (await codes()).slice(before)) planted.add(code)
    expect([...planted].length).to.be.above(5)
    for (const secret of planted) expect(logs).not.to.contain(secret)
    // the name of a machine may have eight digits in a row, as a code has
    expect(logs.replaceAll(`"hostname":"${hostname()}"`, ''), 'nor any code that never arrived').not.to.match(
      /(?<![\d.:-])\d{8}(?![\d.])/,
    )
    expect(logs).not.to.contain('"args"')
  })
})
