/**
 * `npm run measure -- reshard`: while 50 000 people, or as many as `--people` says, are sent to by Telegram, VK and SMS, one master of a cluster of three gives two hundred of its
 * slots to another, key by key; the slot of the message goes first. Where the engine can, the next master then gives all of its slots away
 * whole. What became of each person is what the stand-ins took and the API says.
 */
import { silentLog } from '@courier-fleet/process'
import { connectRedis, keys, reachRedis } from '@courier-fleet/store'
import { type OwnMember, ownCluster } from '@courier-fleet/testkit'
import { startFleet } from './fleet.ts'
import { peopleAsked, sendOnce } from './sent-once.ts'
import { keysOfSlots, moveWhole, ownSlots } from './slots.ts'

const people = peopleAsked()
const window = 20
const smsCouriers = 2
const movedTogether = 100
/** every slot has something: addresses of people lie anywhere */
const slotsKeyByKey = 200

const cluster = await ownCluster()
const redis = connectRedis(cluster.url, { name: 'e2e' })
await reachRedis(silentLog, redis)
const fleet = await startFleet({
  redis: { url: cluster.url, redis: () => redis },
  couriers: { telegram: 2, vk: 1, sms: smsCouriers },
  env: {
    SMS_WINDOW: String(window),
    SMS_PER_SECOND: '600',
    TELEGRAM_RATE_PER_SECOND: '600',
    VK_CALLS_PER_SECOND: '0.4',
  },
})

try {
  const message = await sendOnce(fleet, people, 'Переезд')
  const shardKey = keys.due(message.key.slice(0, message.key.indexOf('.')))
  await message.untilTaken(100)
  const [first, second, third] = await mastersFrom(shardKey)
  console.log(`begins: ${await message.progress()}`)
  await emptyKeyByKey(first, second)
  console.log(`half way: ${await message.progress()}`)
  const isWhole = await emptyWhole(second, third)
  const wasUnderWay = !(await message.isOver())
  console.log(`sending went on meanwhile: ${wasUnderWay}`)
  // the slot of the message has moved once, or twice: claims on it are read anew
  const isWell = await message.judge(smsCouriers * window * (isWhole ? 2 : 1))
  process.exitCode = isWell && wasUnderWay ? 0 : 1

  async function emptyKeyByKey(from: OwnMember, to: OwnMember): Promise<void> {
    const startedAt = performance.now()
    const found = (await keysOfSlots(from)).slice(0, slotsKeyByKey)
    let moved = 0
    for (const key of [shardKey, ...found])
      for await (const each of moveOf(key, from, to)) moved += each === undefined ? 0 : 1
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`key by key: ${moved} keys of ${found.length} slots in ${seconds} s`)
  }

  async function* moveOf(key: string, from: OwnMember, to: OwnMember) {
    if ((await cluster.masterOf(key)) === from) yield* cluster.moveSlot(key, to, movedTogether)
  }

  /** @returns whether the engine can */
  async function emptyWhole(from: OwnMember, to: OwnMember): Promise<boolean> {
    const startedAt = performance.now()
    const { ranges } = await ownSlots(from)
    const isMoved = await moveWhole(from, to)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    const slots = ranges.reduce((sum, [begin, end]) => sum + end - begin + 1, 0)
    console.log(isMoved ? `whole: ${slots} slots in ${seconds} s` : 'this engine does not move slots whole')
    return isMoved
  }
} finally {
  await fleet.stop()
  redis.disconnect()
  await cluster.stop()
}

/** the three masters, the one that has this key first */
async function mastersFrom(key: string): Promise<[OwnMember, OwnMember, OwnMember]> {
  const owner = await cluster.masterOf(key)
  const others = cluster.nodes.slice(0, 3).filter((node) => node !== owner)
  return [owner, ...others] as [OwnMember, OwnMember, OwnMember]
}
