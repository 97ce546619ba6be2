import type { MessageFile } from '@courier-fleet/api-types'
import { contentOn } from '@courier-fleet/channels'
import { silentLog, systemClock } from '@courier-fleet/process'
import { World } from '@courier-fleet/sandbox'
import { startStandIn } from '@courier-fleet/sandbox/telegram'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Courier, Edit, Item, Outcome } from '../../src/courier.ts'
import { createUploads } from '../../src/engine/uploads.ts'
import { buildTelegramCourier } from '../../src/telegram/courier.ts'
import { linkOf, messageFiles } from '../message-files.ts'
import { settingsFor } from './settings-for.ts'

const signal = new AbortController().signal
const deadlineMs = 20_000
const { bytesOf, file, asSent } = messageFiles()
const plan = file('plan00000000', 'План.pdf', Buffer.from('%PDF-1.7 the plan\0\xff\r\n', 'latin1'))
/** in several parts, of which the last is shorter; and so large that it is saved by another call */
const parted = file('parted000000', 'map.png', Buffer.alloc(1_200_000, 'map'))
const large = file('large0000000', 'book.pdf', Buffer.alloc(11 * 1_048_576, 'book'))

describe('telegram: a message with a file', () => {
  let redis: FreshRedis
  let world: World
  let dc: Awaited<ReturnType<typeof startStandIn>>
  let courier: Courier
  let uploads: ReturnType<typeof createUploads>
  let reads: string[]
  let key = 0n

  beforeEach(async () => {
    redis = await freshRedis()
    reads = []
    world = new World()
    world.limits.telegram = { perSecond: null, perChatPerSecond: null }
    dc = await startStandIn({ world, log: silentLog })
    uploads = createUploads({
      redis: redis.redis,
      courier: () => courier,
      readFile: async ({ id }) => {
        reads.push(id)
        return bytesOf.get(id) ?? 'gone'
      },
      clock: systemClock,
      log: silentLog,
    })
    courier = buildTelegramCourier(
      { ...settingsFor(dc.endpoint), deadlineMs, lostPatienceMs: deadlineMs },
      { log: silentLog, clock: systemClock, pacer: { take: async () => {} }, uploads, onReport: async () => {} },
    )
    await courier.start(signal)
  })
  afterEach(async () => {
    uploads.stop()
    await courier.stop()
    await dc.stop()
    await redis.stop()
  })

  /** As the runner has them from a record. */
  const itemsFor = (count: number, text: string, ...files: MessageFile[]): Item[] =>
    Array.from({ length: count }, (_, i) => ({
      class: 'normal' as const,
      address: String(501 + i),
      key: ++key,
      ...contentOn('telegram', { text, files }),
    }))
  const kinds = (outcomes: readonly Outcome[] = []) => [...new Set(outcomes.map(({ kind }) => kind))]
  const sentTo = async (items: readonly Item[]) => {
    let outcomes = await courier.send(items, signal)
    while (outcomes.some(({ kind }) => kind === 'throttled')) outcomes = await courier.send(items, signal)
    return outcomes
  }
  const shown = (address: string) => world.chats.telegram?.read(address).messages ?? []
  const seen = (address: string) => shown(address).map(({ text, files }) => [text, files])

  it('is one message with its text as the caption, byte for byte, uploaded once for everybody, in parts', async () => {
    for (const each of [plan, parted, large])
      expect(kinds(await sentTo(itemsFor(40, 'Look', each)))).to.deep.equal(['sent'])
    expect(kinds(await sentTo(itemsFor(10, 'Once more', plan)))).to.deep.equal(['sent'])
    expect(reads).to.deep.equal([plan.id, parted.id, large.id])
    expect(world.uploads.map(({ channel: _, ...sent }) => sent)).to.deep.equal([plan, parted, large].map(asSent))
    expect(world.accepted).to.have.length(130)
    expect(seen('501')).to.deep.equal([
      ...[plan, parted, large].map((each) => ['Look', [asSent(each)]]),
      ['Once more', [asSent(plan)]],
    ])
  })

  it('is folded when it is sent again, and says as what it was accepted', async () => {
    const items = itemsFor(1, 'Once', plan)
    world.addFault({ channel: 'telegram', kind: 'reply-lost', count: 1 })
    const [first] = await sentTo(items)
    expect(first).to.deep.equal({ kind: 'sent', providerId: String(shown('501')[0]?.id) })
    expect(await sentTo(items)).to.deep.equal([first])
    expect(seen('501')).to.deep.equal([['Once', [asSent(plan)]]])
  })

  it('is uploaded anew, once, when its reference has expired', async () => {
    await sentTo(itemsFor(1, 'First', plan))
    world.addFault({ channel: 'telegram', kind: 'reference-expired', count: 3 })
    expect(kinds(await sentTo(itemsFor(3, 'Second', plan)))).to.deep.equal(['sent'])
    expect(reads).to.deep.equal([plan.id, plan.id])
    for (const address of ['501', '502', '503']) expect(seen(address).at(-1)).to.deep.equal(['Second', [asSent(plan)]])
  })

  it('has links where there are several files or more text than a caption has, and where Telegram takes the file never', async () => {
    await sentTo(itemsFor(1, 'Both', plan, parted))
    const long = 'я'.repeat(1025)
    await sentTo(itemsFor(1, long, plan))
    world.addFault({ channel: 'telegram', kind: 'refuse-file', count: 1 })
    await sentTo(itemsFor(1, 'Refused', plan))
    expect(seen('501')).to.deep.equal([
      [`Both\n${linkOf(plan)}\n${linkOf(parted)}`, undefined],
      [`${long}\n${linkOf(plan)}`, undefined],
      [`Refused\n${linkOf(plan)}`, undefined],
    ])
    await sentTo(itemsFor(1, 'я'.repeat(1024), parted))
    expect(seen('501').at(-1)).to.deep.equal(['я'.repeat(1024), [asSent(parted)]])
  })

  it('is of nobody’s concern whom Telegram refuses for their own sake, and waits where it asks for patience', async () => {
    world.setPhone({ channel: 'telegram', address: '502', state: 'blocked' })
    world.addFault({ channel: 'telegram', kind: 'throttle', addresses: ['503'], seconds: 30, count: 1 })
    const outcomes = await courier.send(itemsFor(3, 'Look', plan), signal)
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal(['sent', 'rejected', 'throttled'])
    expect(outcomes[1]).to.include({ class: 'blocked' })
  })

  it('keeps its file when its caption is corrected, and whoever had a link has it then; a longer text is refused', async () => {
    world.addFault({ channel: 'telegram', kind: 'refuse-file', count: 1 })
    const [asLink] = await sentTo(itemsFor(1, 'On Monday', plan))
    await redis.redis.flushdb()
    const [withFile] = await sentTo(itemsFor(1, 'On Monday', plan))
    const edit = (outcome: Outcome | undefined, text: string): Edit => {
      const { providerId } = outcome as Outcome & { providerId: string }
      return { ...(itemsFor(1, text, plan)[0] as Item), providerId }
    }
    const edits = [edit(asLink, 'On Tuesday'), edit(withFile, 'On Tuesday')]
    for (const _ of [1, 2]) expect(kinds(await courier.edit?.(edits, signal))).to.deep.equal(['sent'])
    expect(seen('501')).to.deep.equal(Array(2).fill(['On Tuesday', [asSent(plan)]]))
    const [longer] = (await courier.edit?.([edit(withFile, 'я'.repeat(1025))], signal)) ?? []
    expect(longer).to.deep.include({ kind: 'rejected', class: 'refused' })
    expect(kinds(await courier.recall?.(edits, signal))).to.deep.equal(['sent'])
    expect(shown('501')).to.deep.equal([])
    expect(world.uploads).to.have.length(1)
  })
})
