/**
 * `npm run measure -- corrections`: a message to 10 000 people is given another text while it is sent, couriers are killed before and after, and then it is taken back. What
 * each person reads is what the stand-ins say; whoever has the older text alone, or the message after all, must be among those whom the history counts.
 */
import type { HistoryView } from '@courier-fleet/api-types'
import { noLimits } from '@courier-fleet/sandbox/limits'
import { generatePeople, until } from '@courier-fleet/testkit'
import { startFleet } from './fleet.ts'

const people = 10_000
const patienceSeconds = 200
const channels = ['telegram', 'vk', 'sms'] as const
const [old, corrected] = ['Экзамен в понедельник', 'Экзамен во вторник'] as const

type Channel = (typeof channels)[number]

const fleet = await startFleet({
  couriers: { telegram: 2, vk: 1, sms: 2 },
  env: { TELEGRAM_RATE_PER_SECOND: '1000', VK_CALLS_PER_SECOND: '16', SMS_PER_SECOND: '1000', LEASE_MS: '3000' },
})

/** By channel and address: what stands there now, and how many messages there ever were. */
async function readPhones(): Promise<Map<string, { texts: string[]; sent: number }>> {
  const now = new Map(
    (await fleet.sandbox.revisions()).map((each) => [`${each.channel} ${each.providerId}`, each.text]),
  )
  const phones = new Map<string, { texts: string[]; sent: number }>()
  for await (const { channel, address, providerId, text } of fleet.sandbox.acceptedRows()) {
    const key = `${channel} ${address}`
    const phone = phones.get(key) ?? { texts: [], sent: 0 }
    const id = `${channel} ${providerId}`
    const shown = now.has(id) ? now.get(id) : text
    phone.sent += 1
    if (shown !== undefined) phone.texts.push(shown)
    phones.set(key, phone)
  }
  return phones
}

async function judge(
  what: string,
  counts: HistoryView,
  listed: (channel: Channel) => number,
  isWrong: (texts: readonly string[]) => boolean,
) {
  const phones = [...(await readPhones())]
  let isWell = true
  for (const channel of channels) {
    const own = phones.filter(([key]) => key.startsWith(channel)).map(([, phone]) => phone)
    const wrong = own.filter(({ texts }) => isWrong(texts)).length
    const most = channel === 'sms' ? 2 : 1
    const doubled = own.filter(({ sent }) => sent > most).length
    console.log(
      `${what}, ${channel}: ${own.length} people, ${wrong} not reached by it, ${listed(channel)} listed, ${doubled} twice`,
    )
    isWell &&= wrong <= listed(channel) && doubled === 0
  }
  console.log(`${what}: ${JSON.stringify(counts.recalled?.channels ?? counts.versions?.at(-1)?.corrected)}`)
  return isWell
}

const sentOn = async (channel: Channel) => (await fleet.sandbox.accepted(undefined, channel)).length

try {
  await fleet.sandbox.limits(noLimits())
  const csv: Buffer[] = []
  for await (const chunk of generatePeople(people, { cohort: 'ten-thousand' })) csv.push(chunk)
  const { status } = await fleet.api.call('POST', '/v1/imports', Buffer.concat(csv).toString())
  if (status !== 200) throw new Error(`the import was answered ${status}`)
  const key = await fleet.api.send({ to: ['cohort:ten-thousand'], text: old, channels: [...channels] })
  await until(async () => (await sentOn('telegram')) > people / 5 && (await sentOn('vk')) > 0, 'sending has begun')
  await fleet.kill('courier-sms-1')
  const answer = await fleet.api.call('POST', `/v1/histories/${key}/corrections`, { text: corrected })
  if (answer.status !== 202) throw new Error(`the correction was answered ${answer.status}`)
  console.log(
    `corrected when ${await sentOn('telegram')} had it on Telegram, ${await sentOn('vk')} in VK, ${await sentOn('sms')} by SMS`,
  )
  await fleet.kill('courier-telegram-1')
  await fleet.start('courier-sms-1', 'courier-telegram-1')
  const after = (await fleet.api.track(key, patienceSeconds)).history
  const counts = after.versions?.at(-1)?.corrected ?? {}
  const hasOldAlone = (texts: readonly string[]) => texts.length > 0 && texts.every((text) => text.endsWith(old))
  const unlisted = (channel: Channel) => (counts[channel]?.unknown ?? 0) + (counts[channel]?.uncorrected ?? 0)
  const isCorrected = await judge('correction', after, unlisted, hasOldAlone)

  await fleet.api.call('DELETE', `/v1/histories/${key}?recall=true`)
  const end = (await fleet.api.track(key, patienceSeconds)).history
  const remaining = (channel: Channel) => end.recalled?.channels[channel]?.remaining ?? 0
  const isRecalled = await judge('recall', end, remaining, (texts) => texts.length > 0)
  const { balanced } = await fleet.api.recount(key)
  console.log(`settled: ${after.state}, ${end.state}; every count agrees: ${balanced}`)
  process.exitCode = isCorrected && isRecalled && balanced && end.state === 'settled' ? 0 : 1
} finally {
  await fleet.stop()
}
