import { expect } from 'chai'
import fc from 'fast-check'
import { randomIdOf } from '../../src/vk/random-id.ts'
import { readVkSettings } from '../../src/vk/settings.ts'

describe('vk: settings', () => {
  const sandbox = { VK_TOKEN: 'vk1.a.secret', VK_TARGET: 'sandbox', VK_API_BASE_URL: 'http://127.0.0.1:1/method/' }

  it('talks to the real service unless told otherwise', () => {
    expect(readVkSettings({ VK_TOKEN: 'vk1.a.secret' })).to.deep.equal({
      token: 'vk1.a.secret',
      target: 'real',
      apiBaseUrl: undefined,
      callsPerSecond: 20,
      deadlineMs: 19_000,
    })
  })

  it('takes what it is given', () => {
    expect(readVkSettings({ ...sandbox, VK_CALLS_PER_SECOND: '5' })).to.include({
      target: 'sandbox',
      apiBaseUrl: 'http://127.0.0.1:1/method',
      callsPerSecond: 5,
    })
    expect(readVkSettings({ ...sandbox, VK_CALLS_PER_SECOND: 'off' }).callsPerSecond).to.equal(undefined)
  })

  it('says which setting is wrong, and never repeats the token', () => {
    const wrong: [Record<string, string>, string][] = [
      [{ VK_TOKEN: '' }, 'VK_TOKEN'],
      [{ ...sandbox, VK_API_BASE_URL: '' }, 'VK_API_BASE_URL'],
      [{ ...sandbox, VK_API_BASE_URL: 'no url' }, 'VK_API_BASE_URL'],
      [{ ...sandbox, VK_CALLS_PER_SECOND: 'many' }, 'VK_CALLS_PER_SECOND'],
      [{ ...sandbox, VK_DEADLINE_MS: '0' }, 'VK_DEADLINE_MS'],
    ]
    for (const [env, name] of wrong)
      expect(() => readVkSettings(env))
        .to.throw(name)
        .with.property('message')
        .that.does.not.include('secret')
  })
})

describe('vk: random_id', () => {
  it('is a positive int32, always the same for the same key and part', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), fc.nat(10), (key, part) => {
        const id = randomIdOf(key, part)
        expect(id).to.be.within(1, 2 ** 31 - 1)
        expect(Number.isInteger(id)).to.equal(true)
        expect(randomIdOf(key, part)).to.equal(id)
      }),
    )
  })

  it('tells neighbouring keys and parts apart', () => {
    const ids = new Set<number>()
    for (let key = 1n; key <= 1000n; key++) for (let part = 0; part < 5; part++) ids.add(randomIdOf(key, part))
    expect(ids.size).to.be.at.least(4990)
  })
})
