import { receiptBytes } from '@courier-fleet/api-types'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Claim } from '../../src/claim-scripts.ts'
import { type Part, partOf } from '../../src/part.ts'
import { createPlaces, type Guest, type Seeker } from '../../src/places.ts'
import type { Note } from '../../src/recorder.ts'

const { attempting, cancelled, sent } = receiptBytes
const never = new AbortController().signal
const tick = () => new Promise((resolve) => setImmediate(resolve))

function partFor(stream: string, people: number): Part {
  const claim: Claim = {
    stream,
    kind: 'batch',
    entry: '1-1',
    deliveries: 1,
    ref: { shard: '00', sender: 'dean', id: 'm' },
    class: 'normal',
    channels: ['sms'],
    from: 0,
    to: people,
    tries: 0,
  }
  return partOf(claim, { width: 1, text: '' })
}

const seekersOf = (stream: string, people: number): Seeker[] => {
  const part = partFor(stream, people)
  return Array.from({ length: people }, (_unused, ordinal) => ({ part, ordinal }))
}

/** What Redis would hold, and the most of it that was ever in doubt. */
function rehearsedRedis(delays: () => number, refuses: (seeker: Seeker) => boolean = () => false) {
  const bytes = new Map<Part, Map<number, number>>()
  let inDoubt = 0
  let most = 0
  let writes = 0

  const stands = ({ part, ordinal }: Seeker) => bytes.get(part)?.get(ordinal)

  function apply(note: Note): number {
    const own = bytes.get(note.part) ?? new Map<number, number>()
    bytes.set(note.part, own)
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
      expect(new Set(notes.map(({ part }) => part.claim.stream)).size, 'streams in one write').to.equal(1)
      for (;;) {
        for (let turns = delays(); turns > 0; turns -= 1) await tick()
        const standing = notes.map(apply)
        most = Math.max(most, inDoubt)
        if (delays() < 3) return standing
      }
    },
  }
}

describe('the places of a window', () => {
  it('are never more than it has, whoever comes, is refused, waits, or is answered twice', async () => {
    const scene = fc.record({
      size: fc.integer({ min: 1, max: 9 }),
      flights: fc.array(
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
      fc.asyncProperty(scene, async ({ size, flights, delays, refused }) => {
        const next = () => delays.next().value as number
        const places = createPlaces(size)
        const redis = rehearsedRedis(next, ({ ordinal }) => ordinal === refused)
        let inside = 0
        const fly = async (orders: readonly { stream: string; people: number }[]) => {
          const seekers = orders.flatMap(({ stream, people }) => seekersOf(stream, people))
          const visits: Promise<void>[] = []
          const guest: Guest<Seeker> = {
            write: redis.write,
            isHeldUp: () => false,
            enter(granted) {
              for (const seeker of granted) visits.push(visit(seeker))
            },
          }
          async function visit(seeker: Seeker): Promise<void> {
            expect(redis.stands(seeker)).to.equal(attempting)
            inside += 1
            expect(inside).to.be.at.most(size)
            for (let turns = next(); turns > 0; turns -= 1) await tick()
            inside -= 1
            await places.leave([{ ...seeker, byte: sent }], 1, guest)
          }
          expect(await places.letIn(seekers, guest, never)).to.deep.equal([])
          await Promise.all(visits)
          for (const seeker of seekers)
            expect(redis.stands(seeker)).to.equal(seeker.ordinal === refused ? cancelled : sent)
        }
        await Promise.all(flights.map(fly))
        expect(redis.most()).to.be.at.most(size)
      }),
      { numRuns: 150 },
    )
  })

  it('pass from hand to hand in one write', async () => {
    const places = createPlaces(2)
    const redis = rehearsedRedis(() => 0)
    const visits: Promise<void>[] = []
    const guest: Guest<Seeker> = {
      write: redis.write,
      isHeldUp: () => false,
      enter(granted) {
        for (const seeker of granted) visits.push(places.leave([{ ...seeker, byte: sent }], 1, guest))
      },
    }
    await places.letIn(seekersOf('x', 10), guest, never)
    await Promise.all(visits)
    // two are marked, eight are marked as another is answered, the last two are answered
    expect(redis.writes()).to.equal(12)
    expect(redis.most()).to.equal(2)
  })

  it('are taken in the order of asking: who wants many is not overtaken by who wants few', async () => {
    const places = createPlaces(3)
    const redis = rehearsedRedis(() => 0)
    const order: string[] = []
    const inside: Seeker[] = []
    const guestOf = (name: string): Guest<Seeker> => ({
      write: redis.write,
      isHeldUp: () => false,
      enter(granted) {
        order.push(...granted.map(() => name))
        inside.push(...granted)
      },
    })
    const all = [
      places.letIn(seekersOf('x', 5), guestOf('many'), never),
      places.letIn(seekersOf('y', 1), guestOf('few'), never),
      places.letIn(seekersOf('x', 2), guestOf('last'), never),
    ]
    for (let left = 8; left > 0; left -= 1) {
      for (let turns = 0; inside.length === 0 && turns < 100; turns += 1) await tick()
      const seeker = inside.shift() as Seeker
      await places.leave([{ ...seeker, byte: sent }], 1, guestOf(''))
    }
    expect(await Promise.all(all)).to.deep.equal([[], [], []])
    expect(order).to.deep.equal(['many', 'many', 'many', 'many', 'many', 'few', 'last', 'last'])
  })

  it('are not taken by who gave up, was held up or has lost the claim: what is left of them comes back', async () => {
    const places = createPlaces(2)
    const redis = rehearsedRedis(() => 0)
    let isHeldUp = false
    const inside: Seeker[] = []
    const guest: Guest<Seeker> = { write: redis.write, isHeldUp: () => isHeldUp, enter: (all) => inside.push(...all) }
    const impatience = new AbortController()
    const [gaveUp, heldUp, lost] = [seekersOf('x', 4), seekersOf('x', 2), seekersOf('x', 2)]
    const first = places.letIn(gaveUp, guest, impatience.signal)
    for (let turns = 0; inside.length < 2 && turns < 100; turns += 1) await tick()
    const second = places.letIn(heldUp, guest, never)
    const third = places.letIn(lost, guest, never)
    impatience.abort()
    expect(await first).to.deep.equal(gaveUp.slice(2))
    isHeldUp = true
    await places.leave([{ ...(inside[0] as Seeker), byte: sent }], 1, guest)
    expect(await second).to.deep.equal(heldUp)
    expect(await third).to.deep.equal(lost)
    isHeldUp = false
    for (const { part } of lost) part.lost = true
    expect(await places.letIn(lost, guest, never)).to.deep.equal([])
    expect(inside).to.have.length(2)
    expect(redis.most()).to.equal(2)
  })

  it('are free again when those who had them could not be written', async () => {
    const places = createPlaces(1)
    const redis = rehearsedRedis(() => 0)
    const broken: Guest<Seeker> = {
      write: () => Promise.reject(new Error('broken')),
      isHeldUp: () => false,
      enter() {},
    }
    const failure = await places.letIn(seekersOf('x', 3), broken, never).catch((error: Error) => error.message)
    expect(failure).to.equal('broken')
    const inside: Seeker[] = []
    await places.letIn(seekersOf('x', 1), { ...broken, write: redis.write, enter: (all) => inside.push(...all) }, never)
    expect(inside).to.have.length(1)
  })
})
