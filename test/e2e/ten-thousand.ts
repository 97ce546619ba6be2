/**
 * `npm run measure -- corrections`: a message to 10 000 people is given another text while it is sent, couriers are killed before and after, and then it is taken back. What
 * each person reads is what the stand-ins say; whoever has the older text alone, or the message after all, must be among those whom the history counts. Who was to be
 * sent the older text after the correction, by Redis's order, must not have got it.
 */
import { type HistoryView, parseHistoryKey } from '@courier-fleet/api-types'
import { noLimits } from '@courier-fleet/sandbox/limits'
import { keys } from '@courier-fleet/store'
import { freshRedis, generatedAddress, until } from '@courier-fleet/testkit'
import { startFleet } from './fleet.ts'
import { followReceipts, type ReceiptOrder } from './receipt-order.ts'
import { importPeople } from './sent-once.ts'

/** fewer are taken: some have an address of the demo */
const people = 10_300
const patienceSeconds = 200
const channels = ['telegram', 'vk', 'sms'] as const
const [old, corrected] = ['Экзамен в понедельник', 'Экзамен во вторник'] as const

type Channel = (typeof channels)[number]

const own = await freshRedis()
const fleet = await startFleet({
  redis: { url: own.url, redis: () => own.redis },
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

/** @param answeredMs when the correction was answered. @returns whether nobody was sent the older text who was marked after it */
async function judgeMarks(order: ReceiptOrder, key: string, answeredMs: number): Promise<boolean> {
  const ref = parseHistoryKey(key)
  await order.catchUp()
  const correctedAt = order.corrected(keys.history(ref)) ?? Number.NaN
  const ordinals = new Map((await fleet.api.receipts(key)).map(({ person }, ordinal) => [person, ordinal]))
  const ordinalAt = new Map<string, number>(
    [...ordinals].flatMap(([person, ordinal]) =>
      channels.map((channel) => [`${channel} ${generatedAddress[channel](Number(person.slice(1)))}`, ordinal] as const),
    ),
  )
  const marks = { before: 0, after: 0, unmarked: 0 }
  let [late, latestMs] = [0, 0]
  for await (const { channel, address, text, at } of fleet.sandbox.acceptedRows()) {
    if (!text.endsWith(old)) continue
    const ordinal = ordinalAt.get(`${channel} ${address}`) ?? -1
    const markedAt = order.first(keys.receipts(ref, channel), ordinal, 'a')
    if (markedAt === undefined) marks.unmarked += 1
    else marks[markedAt <= correctedAt ? 'before' : 'after'] += 1
    if (at > answeredMs) [late, latestMs] = [late + 1, Math.max(latestMs, at - answeredMs)]
  }
  console.log(
    `older text: ${marks.before + marks.after} messages, ${marks.after} of them marked after the correction; ${late} came after its answer, ${latestMs} ms at most`,
  )
  return marks.after + marks.unmarked === 0 && marks.before > 0
}

let order: ReceiptOrder | undefined
const sentOn = async (channel: Channel) => (await fleet.sandbox.accepted(undefined, channel)).length

try {
  await fleet.sandbox.limits(noLimits())
  const imported = await importPeople(fleet, people)
  order = await followReceipts(own, imported.length)
  const key = await fleet.api.send({ to: ['cohort:everyone'], text: old, channels: [...channels] })
  await until(async () => (await sentOn('telegram')) > people / 5 && (await sentOn('vk')) > 0, 'sending has begun')
  await fleet.kill('courier-sms-1')
  const answer = await fleet.api.call('POST', `/v1/histories/${key}/corrections`, { text: corrected })
  if (answer.status !== 202) throw new Error(`the correction was answered ${answer.status}`)
  const answeredMs = Date.now()
  console.log(
    `corrected when ${await sentOn('telegram')} had it on Telegram, ${await sentOn('vk')} in VK, ${await sentOn('sms')} by SMS`,
  )
  await fleet.kill('courier-telegram-1')
  await fleet.start('courier-sms-1', 'courier-telegram-1')
  const after = (await fleet.api.track(key, patienceSeconds)).history
  const counts = after.versions?.at(-1)?.corrected ?? {}
  const hasOldAlone = (texts: readonly string[]) => texts.length > 0 && texts.every((text) => text.endsWith(old))
  const unlisted = (channel: Channel) => (counts[channel]?.unknown ?? 0) + (counts[channel]?.uncorrected ?? 0)
  if (after.settledAt)
    console.log(`settled ${((Date.parse(after.settledAt) - answeredMs) / 1000).toFixed(1)} s after the correction`)
  const areMarked = await judgeMarks(order, key, answeredMs)
  const isCorrected = await judge('correction', after, unlisted, hasOldAlone)

  await fleet.api.call('DELETE', `/v1/histories/${key}?recall=true`)
  const end = (await fleet.api.track(key, patienceSeconds)).history
  const remaining = (channel: Channel) => end.recalled?.channels[channel]?.remaining ?? 0
  const isRecalled = await judge('recall', end, remaining, (texts) => texts.length > 0)
  const { balanced } = await fleet.api.recount(key)
  console.log(`settled: ${after.state}, ${end.state}; every count agrees: ${balanced}`)
  process.exitCode = areMarked && isCorrected && isRecalled && balanced && end.state === 'settled' ? 0 : 1
} finally {
  order?.stop()
  await fleet.stop().finally(() => own.stop())
}
