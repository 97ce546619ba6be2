import { expect } from 'chai'
import { inOrder } from '../src/http/in-order.ts'

/** A promise and the way to keep it. */
function promised<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((keep) => {
    resolve = keep
  })
  return { promise, resolve }
}

async function* numbers(count: number, read: number[] = []): AsyncGenerator<number> {
  for (let number = 0; number < count; number += 1) {
    read.push(number)
    yield number
  }
}

describe('work in order', () => {
  it('answers in the order of the items, whichever is ready first', async () => {
    const slow = promised<string>()
    const answers = inOrder(numbers(3), 2, (number) => (number === 0 ? slow.promise : Promise.resolve(`${number}`)))
    const first = answers.next()
    slow.resolve('0')
    expect((await first).value).to.equal('0')
    expect([(await answers.next()).value, (await answers.next()).value]).to.deep.equal(['1', '2'])
    expect((await answers.next()).done).to.equal(true)
  })

  it('answers what is ready while the next item has not come', async () => {
    const never = promised<IteratorResult<number>>()
    let asked = 0
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: () => (asked++ === 0 ? Promise.resolve({ value: 7, done: false as const }) : never.promise),
      }),
    }
    const answers = inOrder(source, 3, async (number) => number * 2)
    expect((await answers.next()).value).to.equal(14)
    never.resolve({ value: undefined, done: true })
    expect((await answers.next()).done).to.equal(true)
  })

  it('reads no further than it may work on', async () => {
    const read: number[] = []
    const waiting = Array.from({ length: 5 }, () => promised<number>())
    const answers = inOrder(numbers(5, read), 2, (number) => (waiting[number] as (typeof waiting)[0]).promise)
    const first = answers.next()
    await new Promise((resolve) => setImmediate(resolve))
    expect(read).to.deep.equal([0, 1])
    waiting[0]?.resolve(0)
    await first
    expect(read).to.deep.equal([0, 1])
    await answers.return(undefined)
  })

  it('passes on what goes wrong, in its place', async () => {
    const answers = inOrder(numbers(2), 2, async (number) => {
      if (number === 1) throw new Error('the second')
      return number
    })
    expect((await answers.next()).value).to.equal(0)
    const error = await answers.next().then(
      () => undefined,
      (reason: Error) => reason,
    )
    expect(error?.message).to.equal('the second')
  })

  it('waits with what goes wrong for its place, however long those before it take', async () => {
    const slow = promised<number>()
    const answers = inOrder(numbers(2), 2, async (number) => {
      if (number === 1) throw new Error('the second')
      return slow.promise
    })
    const first = answers.next()
    // a rejection that nobody handles is told by now, and fails the run
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    slow.resolve(0)
    expect((await first).value).to.equal(0)
    const error = await answers.next().then(
      () => undefined,
      (reason: Error) => reason,
    )
    expect(error?.message).to.equal('the second')
  })

  it('lets its source go when nobody asks for more', async () => {
    let left = false
    async function* source() {
      try {
        yield* numbers(10)
      } finally {
        left = true
      }
    }
    for await (const _answer of inOrder(source(), 2, async (number) => number)) break
    await new Promise((resolve) => setImmediate(resolve))
    expect(left).to.equal(true)
  })
})
