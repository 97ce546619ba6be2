import { receiptBytes } from '@courier-fleet/api-types'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Claim } from '../../src/engine/claims/claim.ts'
import { type ClaimBuffer, createClaimBuffer } from '../../src/engine/claims/claim-buffer.ts'
import { type Candidate, createInFlightWindow, type Holder } from '../../src/engine/jobs/in-flight-window.ts'
import type { Note } from '../../src/engine/jobs/receipt-writer.ts'

const { attempting, cancelled, sent } = receiptBytes
const never = new AbortController().signal
const tick = () => new Promise((resolve) => setImmediate(resolve))

function bufferFor(stream: string, people: number): ClaimBuffer {
  const claim: Claim = {
    stream,
    entry: '1-1',
    consumer: 'a',
    deliveries: 1,
    ref: { shard: '00', sender: 'dean', id: 'm' },
    class: 'normal',
    leg: 'sms',
    from: 0,
    to: people,
    tries: 0,
    unless: '',
  }
  return createClaimBuffer(claim, { version: 1, width: 1, text: '', said: { text: '' }, firstPeople: [] })
}

const candidatesOf = (stream: string, people: number): Candidate[] => {
  const buffer = bufferFor(stream, people)
  return Array.from({ length: people }, (_unused, ordinal) => ({ buffer, ordinal }))
}

/** What Redis would hold, and the most of it that was ever in doubt. */
function fakeRedis(delays: () => number, refuses: (candidate: Candidate) => boolean = () => false) {
  const bytes = new Map<ClaimBuffer, Map<number, number>>()
  let inDoubt = 0
  let most = 0
  let writes = 0

  const stands = ({ buffer, ordinal }: Candidate) => bytes.get(buffer)?.get(ordinal)

  function apply(note: Note): number {
    const own = bytes.get(note.buffer) ?? new Map<number, number>()
    bytes.set(note.buffer, own)
    const before = own.get(note.ordinal)
    const isRefused = note.byte === attempting && (before === cancelled || (before === undefined && refuses(note)))
    const byte = isRefused ? cancelled : note.byte
    inDoubt += Number(byte === attempting) - Number(before === attempting)
    own.set(note.ordinal, byte)
    return byte
  }

  return {
    stands,
    most: () => most,
    writes: () => writes,
    /** Runs late, and more often than it is heard of, as a script whose reply is lost does. */
    async write(notes: readonly Note[]): Promise<number[]> {
      writes += 1
      expect(new Set(notes.map(({ buffer }) => buffer.claim.stream)).size, 'streams in one write').to.equal(1)
      for (;;) {
        for (let ticks = delays(); ticks > 0; ticks -= 1) await tick()
        const standing = notes.map(apply)
        most = Math.max(most, inDoubt)
        if (delays() < 3) return standing
      }
    },
  }
}

describe('the in-flight window', () => {
  it('never holds more than its size, whoever comes, is refused, waits, or is answered twice', async () => {
    const scene = fc.record({
      size: fc.integer({ min: 1, max: 9 }),
      jobs: fc.array(
        fc.array(fc.record({ stream: fc.constantFrom('x', 'y'), people: fc.integer({ min: 1, max: 12 }) }), {
          minLength: 1,
          maxLength: 3,
        }),
        { minLength: 1, maxLength: 4 },
      ),
      delays: fc.infiniteStream(fc.nat(3)),
      refused: fc.nat(12),
    })
    await fc.assert(
      fc.asyncProperty(scene, async ({ size, jobs, delays, refused }) => {
        const next = () => delays.next().value as number
        const window = createInFlightWindow(() => size)
        const redis = fakeRedis(next, ({ ordinal }) => ordinal === refused)
        let inside = 0
        const run = async (requests: readonly { stream: string; people: number }[]) => {
          const candidates = requests.flatMap(({ stream, people }) => candidatesOf(stream, people))
          const visits: Promise<void>[] = []
          const holder: Holder<Candidate> = {
            write: redis.write,
            passesOver: () => false,
            isHeldUp: () => false,
            putBack() {},
            send(granted) {
              for (const candidate of granted) visits.push(visit(candidate))
            },
          }
          async function visit(candidate: Candidate): Promise<void> {
            expect(redis.stands(candidate)).to.equal(attempting)
            inside += 1
            expect(inside).to.be.at.most(size)
            for (let ticks = next(); ticks > 0; ticks -= 1) await tick()
            inside -= 1
            await window.release([{ ...candidate, byte: sent }], 1, holder)
          }
          expect(await window.acquire(candidates, holder, never)).to.deep.equal([])
          await Promise.all(visits)
          for (const candidate of candidates)
            expect(redis.stands(candidate)).to.equal(candidate.ordinal === refused ? cancelled : sent)
        }
        await Promise.all(jobs.map(run))
        expect(redis.most()).to.be.at.most(size)
      }),
      { numRuns: 150 },
    )
  })

  it('takes an answer and the mark that follows it in one write', async () => {
    const window = createInFlightWindow(() => 2)
    const redis = fakeRedis(() => 0)
    const visits: Promise<void>[] = []
    const holder: Holder<Candidate> = {
      write: redis.write,
      passesOver: () => false,
      isHeldUp: () => false,
      putBack() {},
      send(granted) {
        for (const candidate of granted) visits.push(window.release([{ ...candidate, byte: sent }], 1, holder))
      },
    }
    await window.acquire(candidatesOf('x', 10), holder, never)
    await Promise.all(visits)
    // two are marked, eight are marked as another is answered, the last two are answered
    expect(redis.writes()).to.equal(12)
    expect(redis.most()).to.equal(2)
  })

  it('is entered in the order of asking: who wants many is not overtaken by who wants few', async () => {
    const window = createInFlightWindow(() => 3)
    const redis = fakeRedis(() => 0)
    const order: string[] = []
    const inside: Candidate[] = []
    const holderOf = (name: string): Holder<Candidate> => ({
      write: redis.write,
      passesOver: () => false,
      isHeldUp: () => false,
      putBack() {},
      send(granted) {
        order.push(...granted.map(() => name))
        inside.push(...granted)
      },
    })
    const all = [
      window.acquire(candidatesOf('x', 5), holderOf('many'), never),
      window.acquire(candidatesOf('y', 1), holderOf('few'), never),
      window.acquire(candidatesOf('x', 2), holderOf('last'), never),
    ]
    for (let left = 8; left > 0; left -= 1) {
      for (let ticks = 0; inside.length === 0 && ticks < 100; ticks += 1) await tick()
      const candidate = inside.shift() as Candidate
      await window.release([{ ...candidate, byte: sent }], 1, holderOf(''))
    }
    expect(await Promise.all(all)).to.deep.equal([[], [], []])
    expect(order).to.deep.equal(['many', 'many', 'many', 'many', 'many', 'few', 'last', 'last'])
  })

  it('gives nothing to who gave up, was held up or has lost the claim: what is left of them comes back', async () => {
    const window = createInFlightWindow(() => 2)
    const redis = fakeRedis(() => 0)
    let isHeldUp = false
    const inside: Candidate[] = []
    const holder: Holder<Candidate> = {
      write: redis.write,
      passesOver: () => false,
      isHeldUp: () => isHeldUp,
      putBack() {},
      send: (all) => inside.push(...all),
    }
    const impatience = new AbortController()
    const [gaveUp, heldUp, lost] = [candidatesOf('x', 4), candidatesOf('x', 2), candidatesOf('x', 2)]
    const first = window.acquire(gaveUp, holder, impatience.signal)
    for (let ticks = 0; inside.length < 2 && ticks < 100; ticks += 1) await tick()
    const second = window.acquire(heldUp, holder, never)
    const third = window.acquire(lost, holder, never)
    impatience.abort()
    expect(await first).to.deep.equal(gaveUp.slice(2))
    isHeldUp = true
    await window.release([{ ...(inside[0] as Candidate), byte: sent }], 1, holder)
    expect(await second).to.deep.equal(heldUp)
    expect(await third).to.deep.equal(lost)
    isHeldUp = false
    for (const { buffer } of lost) buffer.lost = true
    expect(await window.acquire(lost, holder, never)).to.deep.equal([])
    expect(inside).to.have.length(2)
    expect(redis.most()).to.equal(2)
  })

  it('is free again when those in it could not be written', async () => {
    const window = createInFlightWindow(() => 1)
    const redis = fakeRedis(() => 0)
    const broken: Holder<Candidate> = {
      write: () => Promise.reject(new Error('broken')),
      passesOver: () => false,
      isHeldUp: () => false,
      putBack() {},
      send() {},
    }
    const failure = await window.acquire(candidatesOf('x', 3), broken, never).catch((error: Error) => error.message)
    expect(failure).to.equal('broken')
    const inside: Candidate[] = []
    await window.acquire(
      candidatesOf('x', 1),
      { ...broken, write: redis.write, send: (all) => inside.push(...all) },
      never,
    )
    expect(inside).to.have.length(1)
  })
})
