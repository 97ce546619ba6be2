/** How late doorbells ring, and messages start, with very many deliveries pending. */
import { parseHistoryKey } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { progress, shardNames, spread } from './running-fleet.mjs'

const latestRingMs = 20

/** @returns {Promise<boolean>} whether every doorbell rang in time */
export async function measure(fleet, values) {
  const pending = Number(values.pending)
  const count = Number(values.messages)
  const person = 'measured-person'
  const details = { name: 'Измеряемый', role: 'student', language: 'ru' }
  await fleet.callJson('PUT', `/v1/people/${person}`, JSON.stringify(details))
  const already = await fleet.withRedis(pendingDeliveries)
  const missing = Math.max(0, pending - already)
  const filledAt = performance.now()
  if (missing > 0) await fill(fleet, missing, person)
  const fillSeconds = (performance.now() - filledAt) / 1000
  console.log(
    `pending             ${await fleet.withRedis(pendingDeliveries)} deliveries, ${missing} put in ${fillSeconds.toFixed(0)} s through POST /v1/messages:bulk`,
  )

  const rungAt = new Map()
  const messages = []
  await fleet.withRedis(async (subscriber) => {
    subscriber.on('message', (_channel, key) => rungAt.set(key, Date.now()))
    await subscriber.subscribe(`__keyevent@${subscriber.options.db ?? 0}__:expired`)
    const firstDue = Date.now() + 5000
    for (let i = 0; i < count; i += 1) {
      const at = firstDue + Math.round((i * 5000) / count)
      const body = { to: [`user:${person}`], text: `Пора ${i}`, at: new Date(at).toISOString() }
      messages.push({ at, key: (await fleet.callJson('POST', '/v1/messages', JSON.stringify(body))).key })
    }
    await new Promise((wake) => setTimeout(wake, messages.at(-1).at + 2000 - Date.now()))
  })
  const rings = []
  const starts = []
  for (const { at, key } of messages) {
    const rung = rungAt.get(keys.delivery(parseHistoryKey(key), 0))
    rings.push(rung === undefined ? Number.POSITIVE_INFINITY : rung - at)
    const { startedAt } = await fleet.callJson('GET', `/v1/histories/${key}`)
    starts.push(startedAt ? Date.parse(startedAt) - at : Number.POSITIVE_INFINITY)
  }
  console.log(`doorbell − due      ${spread(rings)}`)
  console.log(`start − due         ${spread(starts)}`)
  return Math.max(...rings) <= latestRingMs
}

async function pendingDeliveries(redis) {
  const counts = await Promise.all((await shardNames(redis)).map((shard) => redis.zcard(keys.due(shard))))
  return counts.reduce((sum, each) => sum + each, 0)
}

async function fill(fleet, count, person) {
  const at = new Date(Date.now() + 30 * 86_400_000).toISOString()
  async function* lines() {
    for (let put = 0; put < count; ) {
      const chunk = []
      for (let i = 0; i < 500 && put < count; i += 1, put += 1) {
        chunk.push(JSON.stringify({ to: [`user:${person}`], text: `Напоминание номер ${put}`, at }))
      }
      yield Buffer.from(`${chunk.join('\n')}\n`)
    }
  }
  let answered = 0
  for await (const _line of fleet.bulk(lines())) {
    answered += 1
    if (answered % 1000 === 0) progress(`put ${answered} of ${count}`)
  }
  progress('')
}
