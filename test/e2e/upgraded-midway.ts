/**
 * `npm run measure -- upgrade`: while 50 000 people, or as many as `--people` says, are sent to by Telegram, VK and SMS, and others write to a group all the time, every process is
 * replaced by one of another version (tools/launch/src/next-version.mjs) as docs/upgrading.md has it, and then all the way back. What became of each person is what the
 * stand-ins took and the API says.
 */
import { nextVersion } from '@courier-fleet/launch'
import { startFleet } from './fleet.ts'
import { startLoad } from './load.ts'
import { addressesIn, goodContacts, membersOf } from './roster.ts'
import { peopleAsked, sendOnce, trackLong } from './sent-once.ts'

const people = peopleAsked()
/** Telegram and SMS are at it from the first process to the last, beside what others write; VK takes thousands with a call */
const perSecond = String(Math.max(100, Math.ceil(people / 240)))
const group = 'ivt-102'
const text = 'Расписание на завтра'
const couriers = ['vk-1', 'vk-2', 'telegram-1', 'telegram-2', 'sms-1', 'sms-2'].map((name) => `courier-${name}`)
/** what writes comes after what reads, and goes back before it */
const there = [...couriers, 'timekeeper', 'queue']
const back = [...there].reverse()
const isNext = new Set<string>()

const fleet = await startFleet({
  couriers: { telegram: 2, vk: 2, sms: 2 },
  env: { TELEGRAM_RATE_PER_SECOND: perSecond, SMS_PER_SECOND: perSecond, VK_CALLS_PER_SECOND: '10' },
  nodeArguments: nextVersion.nodeArguments,
  envOf: (name) => (isNext.has(name) ? nextVersion.env : {}),
})

try {
  const message = await sendOnce(fleet, people, text)
  await message.untilTaken(100)
  const load = startLoad(fleet.api, group)
  const startedAt = performance.now()
  for (const name of there) await restart(name, 'the next version', () => isNext.add(name))
  for (const name of back) await restart(name, 'this version', () => isNext.delete(name))
  const wasUnderWay = !(await message.isOver())
  console.log(
    `${there.length + back.length} restarts in ${((performance.now() - startedAt) / 1000).toFixed(0)} s; sending went on meanwhile: ${wasUnderWay}`,
  )
  const sent = await load.stop()
  const isWell = await message.judge(0)
  const areWell = await judgeLoad(sent)
  process.exitCode = isWell && areWell && wasUnderWay ? 0 : 1

  async function restart(name: string, version: string, change: () => void): Promise<void> {
    const code = await fleet.kill(name, 'SIGTERM')
    if (code !== 0) throw new Error(`${name} ended with ${code}`)
    change()
    await fleet.start(name)
    console.log(`${name} is of ${version}: ${await message.progress()}`)
  }
} finally {
  await fleet.stop()
}

/** Each message of the load, exactly once to each member whose phone takes it. */
async function judgeLoad(sent: readonly { readonly key: string; readonly text: string }[]): Promise<boolean> {
  const expected = goodContacts(membersOf(group)).join()
  const settled = await Promise.all(sent.map(async ({ key }) => (await trackLong(fleet, key)).settled))
  const byText = new Map<string, { channel: string; address: string }[]>()
  for await (const row of fleet.sandbox.acceptedRows()) byText.set(row.text, [...(byText.get(row.text) ?? []), row])
  const wrong = sent.filter((message) => addressesIn(byText.get(message.text) ?? []).join() !== expected).length
  const open = settled.filter((isSettled) => !isSettled).length
  console.log(
    `${sent.length} messages to a group meanwhile: ${wrong} not to everyone exactly once, ${open} not settled`,
  )
  return sent.length > 0 && wrong + open === 0
}
