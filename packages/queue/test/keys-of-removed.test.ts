/** An API key ends with its owner, also one that is made at the very moment at which they are removed. */
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { InterruptedRedis } from '../../directory/test/interrupted-redis.ts'
import { type Service, startService } from './service.ts'

describe('an API key that is made while its owner is removed', () => {
  let service: Service
  let frail: InterruptedRedis
  beforeEach(async () => {
    service = await startService(undefined, undefined, undefined, (url) => {
      frail = new InterruptedRedis(url)
      return frail
    })
    const person = { id: 'dean', name: 'Dean', role: 'staff', timeZone: 'Europe/Moscow', language: 'en' } as const
    await service.directory.putPerson(person)
  })
  afterEach(() => service.stop())

  const make = () =>
    service.call<{ apiKey?: string; code?: string }>('/v1/api-keys', {
      method: 'POST',
      as: 'admin',
      body: { owner: 'dean', role: 'staff', label: 'laptop' },
    })
  const remove = async () => {
    const { status } = await service.call('/v1/people/dean', { method: 'DELETE', as: 'admin' })
    expect(status).to.equal(204)
  }
  const ofOwner = async () => (await service.apiKeys.list()).filter(({ owner }) => owner === 'dean')

  it('ends with them', async () => {
    let made: Awaited<ReturnType<typeof make>> | undefined
    frail.interruptBeforeScript('put-people', async () => {
      made = await make()
    })
    await remove()
    expect(made?.status, 'they were there still').to.equal(201)
    const headers = { authorization: `Bearer ${made?.json.apiKey}` }
    expect((await service.call('/v1/sessions/current', { headers })).status).to.equal(401)
    expect(await ofOwner()).to.deep.equal([])
  })

  it('is not made where they are gone before it is there', async () => {
    frail.before = (command, key) => {
      if (command !== 'sadd' || key !== keys.apiKeys) return undefined
      frail.before = undefined
      return remove()
    }
    const { status, json } = await make()
    expect([status, json.code]).to.deep.equal([404, 'unknown-person'])
    expect(await ofOwner()).to.deep.equal([])
  })
})
