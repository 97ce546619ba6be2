import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createSlots } from '../src/slots.ts'

/** Calls that are answered when the test says so. */
function openCalls() {
  const made: string[] = []
  const answers = new Map<string, { resolve(answer: string): void; reject(error: Error): void }>()
  return {
    made,
    call: (name: string) => () => {
      made.push(name)
      return new Promise<string>((resolve, reject) => answers.set(name, { resolve, reject }))
    },
    answer: (name: string) => answers.get(name)?.resolve(`answer to ${name}`),
    fail: (name: string) => answers.get(name)?.reject(new Error(`${name} failed`)),
  }
}

describe('slots', () => {
  it('are for as many at once as there are, for the others in the order they came', async () => {
    const { made, call, answer } = openCalls()
    const inSlot = createSlots(2)
    const answers = ['a', 'b', 'c', 'd'].map((name) => inSlot(call(name)))
    expect(made).to.deep.equal(['a', 'b'])
    answer('b')
    expect(await answers[1]).to.equal('answer to b')
    await until(() => made.length === 3, 'the next is made')
    expect(made).to.deep.equal(['a', 'b', 'c'])
    answer('a')
    await until(() => made.length === 4, 'the last is made')
    answer('c')
    answer('d')
    expect(await Promise.all(answers)).to.deep.equal(['a', 'b', 'c', 'd'].map((name) => `answer to ${name}`))
  })

  it('are free again where the work in them fails', async () => {
    const { made, call, answer, fail } = openCalls()
    const inSlot = createSlots(1)
    const failing = inSlot(call('a')).catch((error: Error) => error.message)
    const next = inSlot(call('b'))
    fail('a')
    expect(await failing).to.equal('a failed')
    await until(() => made.length === 2, 'the next is made')
    answer('b')
    expect(await next).to.equal('answer to b')
  })

  it('are held for no longer than they may be', async () => {
    const { made, call, answer } = openCalls()
    const inSlot = createSlots(1, 20)
    const slow = inSlot(call('slow'))
    void inSlot(call('next'))
    expect(made).to.deep.equal(['slow'])
    await until(() => made.length === 2, 'the next is made')
    answer('slow')
    expect(await slow).to.equal('answer to slow')
    answer('next')
  })
})
