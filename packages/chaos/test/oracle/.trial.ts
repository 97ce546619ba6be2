import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { courierSettings } from '../../../../scripts/courier-settings.mjs'
import { createBook } from '../../src/book.ts'
import { startFleet } from '../../src/fleet.ts'
import { createOracle } from '../../src/oracle/index.ts'
import { seededRandom } from '../../src/random.ts'
import { createPeople, createTraffic } from '../../src/traffic/index.ts'
const root = join(import.meta.dirname, '../../../..')
const rounds = Number(process.argv[2] ?? 6)
const kills = process.argv[3] === 'kill'
const dir = mkdtempSync(join(tmpdir(), 'trial-'))
const fleet = await startFleet({ root, dir, redisServer: '/tmp/devredis/run.sh', courierSettings, couriers: { telegram: 2, vk: 2, sms: 2 }, leaseMs: 3000, smsWindow: 10 })
await fleet.ready()
const { apiUrl, apiKey, sandbox } = fleet
let t = performance.now()
const people = createPeople({ everyone: 50_000, first: 3_000 })
console.log('people', performance.now() - t, people.roster.length, people.phones.length)
const book = createBook(people)
const traffic = createTraffic({ apiUrl, apiKey, people, book })
const oracle = createOracle({ apiUrl, apiKey, sandboxUrl: sandbox.url, book })
await sandbox.phones(traffic.phones)
t = performance.now()
const imported = await fetch(`${apiUrl}/v1/imports`, { method: 'POST', headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'text/csv' }, body: traffic.roster })
const { lines: _l, ...report } = await imported.json() as any
console.log('imported', performance.now() - t, JSON.stringify(report).slice(0, 300))
for (let index = 0; index < rounds; index += 1) {
  const before = process.cpuUsage()
  const t0 = performance.now()
  const random = seededRandom(`trial ${index}`)
  const talking = traffic.round(index, random)
  if (kills) for (let i = 0; i < 3; i++) { await new Promise(r => setTimeout(r, 500)); const p = random.pick(fleet.fleet); console.log('  kill', p.name); p.member.kill() }
  await talking
  const t1 = performance.now()
  const r = await oracle.untilSettled(Date.now(), 60_000)
  const c = process.cpuUsage(before)
  console.log(index, 'talk', Math.round(t1 - t0), 'settle', Math.round(performance.now() - t1), 'recovery', r, 'cpu', Math.round((c.user + c.system) / 1000), JSON.stringify(oracle.soFar()), 'rss', process.memoryUsage().rss >> 20)
}
t = performance.now()
const c0 = process.cpuUsage()
const verdict = await oracle.verdict()
console.log('verdict', performance.now() - t, process.cpuUsage(c0).user/1000, verdict)
console.log('standings', ['accepted','refused','unanswered','asked'].map((k) => [k, book.messages.filter((m) => m.standing === k).length]).join(' '), book.messages.map((m) => m.cancellation).filter(Boolean).join(' '))
console.log(await fleet.stop(), fleet.processes.scriptErrors(), dir)
