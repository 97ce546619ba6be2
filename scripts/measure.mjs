/**
 * `npm run measure -- fanout|punctuality`: figures of a running fleet (npm start), through the public API and the sandbox.
 *   fanout        one message to many people on VK with the sandbox's limits off: acceptance, sending, reading meanwhile
 *   punctuality   how late doorbells ring with very many deliveries pending
 */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { fleetFile } from './data-dir.mjs'

const usage = 'usage: npm run measure -- fanout [--people 100000] | punctuality [--pending 1000000] [--messages 200]'
const { positionals, values } = readArguments()
const fleet = JSON.parse(readFileSync(fleetFile, 'utf8'))

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        people: { type: 'string', default: '100000' },
        pending: { type: 'string', default: '1000000' },
        messages: { type: 'string', default: '200' },
      },
    })
  } catch (error) {
    return fail(`${error.message}\n${usage}`)
  }
}

function fail(text) {
  console.error(text)
  process.exit(2)
}

async function call(method, path, body, type = 'application/json') {
  const response = await fetch(`${fleet.apiUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${fleet.apiKey}`, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return response
}

const callJson = async (...args) => (await call(...args)).json()
const sandbox = (path, init) => fetch(`${fleet.sandboxUrl}${path}`, init)
const sandboxJson = (path, body) =>
  sandbox(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)]
}

function spread(figures) {
  const sorted = figures.toSorted((a, b) => a - b)
  const show = (value) => value.toFixed(1)
  return `p50 ${show(percentile(sorted, 0.5))} ms, p99 ${show(percentile(sorted, 0.99))} ms, max ${show(sorted.at(-1))} ms (${sorted.length})`
}

function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r${text.padEnd(70)}`)
}

async function fanout() {
  const people = Number(values.people)
  const { generatedId, generatedAddress, generatePeople } = await import('@courier-fleet/testkit')
  const importedAt = performance.now()
  const chunks = generatePeople(people, { channels: ['vk'], stream: `measured-${people}`, groupSize: people })
  const report = await callJson('POST', '/v1/imports', Readable.toWeb(Readable.from(chunks)), 'text/csv')
  const importMs = performance.now() - importedAt
  const before = await (await sandbox('/limits')).json()
  await sandboxJson('/limits', { vk: { callsPerSecond: null } })
  const firstSeq = (await acceptedRows(0)).length

  const startedAt = performance.now()
  const to = [`stream:measured-${people}`]
  const { key } = await callJson(
    'POST',
    '/v1/messages',
    JSON.stringify({ to, text: 'Экзамен перенесён', channels: ['vk'] }),
  )
  const acceptMs = performance.now() - startedAt
  const reads = []
  let history
  do {
    const readAt = performance.now()
    history = await callJson('GET', `/v1/histories/${key}`)
    reads.push(performance.now() - readAt)
    progress(`sent ${history.channels.vk?.sent ?? 0} of ${people}`)
    await new Promise((wake) => setTimeout(wake, 5))
  } while (history.state !== 'settled')
  const sentMs = Date.parse(history.settledAt) - Date.parse(history.startedAt)
  progress('')
  await sandboxJson('/limits', { vk: before.vk })

  const rows = (await acceptedRows(firstSeq)).filter(({ channel }) => channel === 'vk')
  const addresses = new Set(rows.map(({ address }) => address))
  const missing = []
  let wrong = 0
  for (let i = 0; i < people; i += 1) if (!addresses.has(generatedAddress.vk(i))) missing.push(generatedId(i))
  for (let from = 0; from !== undefined; ) {
    const page = await callJson('GET', `/v1/histories/${key}/receipts?from=${from}&limit=1000`)
    for (const row of page.receipts) if (row.channels.vk.state !== 'sent') wrong += 1
    from = page.next
  }
  const [recount] = (await callJson('GET', `/v1/histories/${key}/recount`)).channels
  console.log(`people              ${people} (VK only, sandbox limits off)`)
  console.log(`import              ${(importMs / 1000).toFixed(1)} s, ${report.rejected} lines rejected`)
  console.log(`accepted by API in  ${acceptMs.toFixed(0)} ms`)
  console.log(
    `sent                ${history.channels.vk.sent} in ${sentMs} ms: ${Math.round(people / (sentMs / 1000))} people/s`,
  )
  console.log(
    `provider accepted   ${rows.length}, of them different people ${addresses.size}, missing ${missing.length}`,
  )
  console.log(`receipts not sent   ${wrong}; ledger and bytes ${recount.balanced ? 'agree' : 'DISAGREE'}`)
  console.log(`GET meanwhile       ${spread(reads)}`)
  if (rows.length !== people || addresses.size !== people || wrong > 0 || !recount.balanced) process.exitCode = 1
}

async function acceptedRows(since) {
  const response = await sandbox(`/accepted?since=${since}`)
  const rows = []
  for await (const line of createInterface({ input: Readable.fromWeb(response.body) })) rows.push(JSON.parse(line))
  return rows
}

async function punctuality() {
  const pending = Number(values.pending)
  const count = Number(values.messages)
  const person = 'measured-person'
  await callJson('PUT', `/v1/people/${person}`, JSON.stringify({ name: 'Измеряемый', role: 'student', language: 'ru' }))
  const already = await pendingDeliveries()
  const filledAt = performance.now()
  await fill(Math.max(0, pending - already), person)
  const fillSeconds = (performance.now() - filledAt) / 1000
  console.log(
    `pending             ${await pendingDeliveries()} deliveries, ${Math.max(0, pending - already)} put in ${fillSeconds.toFixed(0)} s through POST /v1/messages:bulk`,
  )

  const { Redis } = await import('ioredis')
  const subscriber = new Redis(fleet.redisUrl)
  const rungAt = new Map()
  subscriber.on('message', (_channel, key) => rungAt.set(key, Date.now()))
  await subscriber.subscribe(`__keyevent@${subscriber.options.db ?? 0}__:expired`)
  const firstDue = Date.now() + 5000
  const messages = []
  for (let i = 0; i < count; i += 1) {
    const at = firstDue + Math.round((i * 5000) / count)
    const body = { to: [`user:${person}`], text: `Пора ${i}`, at: new Date(at).toISOString() }
    messages.push({ at, key: (await callJson('POST', '/v1/messages', JSON.stringify(body))).key })
  }
  await new Promise((wake) => setTimeout(wake, messages.at(-1).at + 2000 - Date.now()))
  subscriber.disconnect()
  const rings = []
  const starts = []
  for (const { at, key } of messages) {
    const [shard, sender, id] = key.split('.')
    const rung = rungAt.get(`delivery:{${shard}}:${sender}:${id}:0`)
    rings.push(rung === undefined ? Number.POSITIVE_INFINITY : rung - at)
    const { startedAt } = await callJson('GET', `/v1/histories/${key}`)
    starts.push(startedAt ? Date.parse(startedAt) - at : Number.POSITIVE_INFINITY)
  }
  console.log(`doorbell − due      ${spread(rings)}`)
  console.log(`start − due         ${spread(starts)}`)
  if (Math.max(...rings) > 20) process.exitCode = 1
}

async function pendingDeliveries() {
  const { Redis } = await import('ioredis')
  const redis = new Redis(fleet.redisUrl)
  const shards = Number(await redis.hget('fleet', 'shards'))
  let sum = 0
  for (let i = 0; i < shards; i += 1) sum += await redis.zcard(`due:{${String(i).padStart(2, '0')}}`)
  redis.disconnect()
  return sum
}

async function fill(count, person) {
  if (count === 0) return
  const at = new Date(Date.now() + 30 * 86_400_000).toISOString()
  let put = 0
  async function* lines() {
    for (; put < count; ) {
      const chunk = []
      for (let i = 0; i < 500 && put < count; i += 1, put += 1) {
        chunk.push(JSON.stringify({ to: [`user:${person}`], text: `Напоминание номер ${put}`, at }))
      }
      yield Buffer.from(`${chunk.join('\n')}\n`)
    }
  }
  const body = Readable.toWeb(Readable.from(lines()))
  const response = await call('POST', '/v1/messages:bulk', body, 'application/x-ndjson')
  let answered = 0
  for await (const line of createInterface({ input: Readable.fromWeb(response.body) })) {
    const { status, ...rest } = JSON.parse(line)
    if (status !== 201) throw new Error(`a line was refused: ${JSON.stringify(rest)}`)
    answered += 1
    if (answered % 1000 === 0) progress(`put ${answered} of ${count}`)
  }
  progress('')
}

const run = { fanout, punctuality }[positionals[0]]
if (!run) fail(usage)
await run()
