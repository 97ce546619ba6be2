import { expect } from 'chai'
import fc from 'fast-check'
import { VkError } from '../../src/vk/vk-error.ts'
import { compile } from '../../src/vk/vk-script/compile.ts'
import { type Fixture, startFixture } from './fixture.ts'

const run = (code: string, args: Record<string, string> = {}) =>
  compile(code)(new Map(Object.entries(args)), (method, params) => ({ method, ...params }))

const failure = (code: string): number | undefined => {
  try {
    run(code)
  } catch (error) {
    if (error instanceof VkError) return error.code
    throw error
  }
  return undefined
}

describe('VK stand-in: VKScript', () => {
  it('speaks what sending needs', () => {
    expect(run('return [1, -2.5, "а\\n\\"б\\u0416", \'в\', true, null];')).to.deep.equal([
      1,
      -2.5,
      'а\n"бЖ',
      'в',
      true,
      null,
    ])
    expect(run('var m = Args.m, n = m + "!"; n = n + 1; return {"a": n, b: [m][0]};', { m: 'да' })).to.deep.equal({
      a: 'да!1',
      b: 'да',
    })
    expect(run('/* so */ return API.users.get({"user_ids": Args.ids}); // and so', { ids: '1,2' })).to.deep.equal({
      method: 'users.get',
      user_ids: '1,2',
    })
    expect(run('return API.groups.getById().method;')).to.equal('groups.getById')
    expect(run('return 1 + 2 - 4;')).to.equal(-1)
    expect(run('return [Args.none, {a: 1}.b, "text".length];')).to.deep.equal([null, null, null])
    expect(run('API.users.get();')).to.equal(null)
  })

  it('reaches nothing of the process it runs in', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'prototype'])
      for (const object of ['{}', '[]', 'Args', '"x"', '1'])
        expect(run(`return (${object}).${name};`), `${object}.${name}`).to.equal(null)
    for (const name of ['process', 'globalThis', 'require', 'Function']) expect(failure(`return ${name};`)).to.equal(13)
    expect(failure('return (() => 1)();')).to.equal(12)
    expect(run('return {"__proto__": {"x": 1}};')).to.have.own.property('__proto__')
  })

  it('does not compile what it does not speak', () => {
    for (const code of [
      'return [1',
      'return API.x;',
      'while (1) {}',
      'return "open',
      'var 1 = 2;',
      'return #;',
      'return 1 2;',
    ])
      expect(failure(code), code).to.equal(12)
    expect(failure(`return ${'['.repeat(5000)};`)).to.equal(12)
  })

  it('fails with nothing but errors of VK, whatever it is given', () => {
    const piece = fc.constantFrom(
      'return ',
      'var ',
      'API.',
      'Args',
      '.',
      'x',
      '=',
      '[',
      ']',
      '{',
      '}',
      '(',
      ')',
      '"a"',
      '1',
      ',',
      ';',
      '-',
      '+',
      ':',
      '/*',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (code) => {
          failure(code)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('VK stand-in: execute', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await startFixture()
  })
  afterEach(() => fixture.vk.stop())
  const send = (peers: string, randomId: number, message = 'Args.m') =>
    `API.messages.send({"peer_ids":"${peers}","random_id":${randomId},"message":${message}})`
  const execute = (code: string, m = 'раз') => fixture.call('execute', { code, m })

  it('answers `false` for a call that failed as a whole, and says why in order', async () => {
    const { response, execute_errors } = await execute(
      `return [${send('1', 1)},${send('x', 2)},${send('2', 3)},API.no.such({}),${send('3', 4, `"${'ё'.repeat(4097)}"`)}];`,
    )
    expect((response as unknown[]).map((result) => result !== false)).to.deep.equal([true, false, true, false, false])
    expect(execute_errors?.map(({ method, error_code }) => [method, error_code])).to.deep.equal([
      ['messages.send', 100],
      ['no.such', 3],
      ['messages.send', 914],
    ])
    expect(fixture.world.accepted.map(({ address }) => address)).to.deep.equal(['1', '2'])
  })

  it('takes 25 calls and not one more', async () => {
    const calls = (count: number, from: number) =>
      Array.from({ length: count }, (_, i) => send(String(i + 1), from + i))
    expect((await execute(`return [${calls(25, 100)}];`)).response).to.have.length(25)
    expect((await execute(`return [${calls(26, 200)}];`)).error?.error_code).to.equal(13)
  })

  it('does nothing of a script with a mistake', async () => {
    expect((await execute(`${send('1', 1)}; return [;`)).error?.error_code).to.equal(12)
    expect((await fixture.call('execute')).error?.error_code).to.equal(100)
    expect(fixture.world.accepted).to.have.length(0)
  })

  it('loses a plain object on the way, as VK does', async () => {
    const withKeyboard = `return [API.messages.send({peer_id:1,random_id:1,message:"а",keyboard:{buttons:[]}})];`
    expect((await execute(withKeyboard)).execute_errors?.[0]?.error_code).to.equal(911)
  })
})
