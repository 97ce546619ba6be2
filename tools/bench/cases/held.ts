/** A message to a million people that comes at night: what waiting for the morning costs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseHistoryKey } from '@courier-fleet/api-types'
import { keys, writeSettings } from '@courier-fleet/store'
import type { Bench, Case } from '../case.ts'
import { textOf } from '../messages.ts'
import { startFleet } from '../ours/fleet.ts'
import { groupToken, zones } from '../ours/people.ts'
import { number } from '../report/number.ts'

const audience = 1_000_000
const hourMs = 3_600_000
const patienceMs = 600_000
const lookEveryMs = 100
/** a hash field, and its number among those that wait */
const fieldBytes = 40

/** In Moscow; in all of the zones it is night then. */
const clockAt = (atMs: number) =>
  new Date(atMs).toLocaleTimeString('en-GB', { timeZone: 'Europe/Moscow', hour: '2-digit', minute: '2-digit' })

async function measureHeld({ server, record, size, clear, say }: Bench): Promise<void> {
  const people = size(audience)
  await clear([people])
  const now = Date.now()
  const quiet = { from: clockAt(now - 12 * hourMs), to: clockAt(now + 8 * hourMs) }
  await writeSettings(server.redis, { expected: 0, stored: { quiet }, by: 'bench' })
  const fleet = await startFleet({ server, couriers: { vk: 2 } })
  try {
    const startedAt = performance.now()
    const key = await fleet.api.send({ to: [groupToken(people)], text: textOf(0), channels: ['vk'] })
    const history = keys.history(parseHistoryKey(key))
    for (;;) {
      const waves = wavesIn(await server.redis.hgetall(history))
      if (waves.reduce((sum, wave) => sum + wave.people, 0) === people) {
        record.ours('held', people / ((performance.now() - startedAt) / 1000))
        record.ours('waves', waves.length)
        record.ours('bytes', (await bytesOf(waves)) / people)
        return
      }
      if (performance.now() - startedAt > patienceMs) return record.spoil('ours', 'not all of them are held')
      await sleep(lookEveryMs)
    }

    async function bytesOf(waves: readonly Wave[]): Promise<number> {
      const ref = parseHistoryKey(key)
      const pieces = await Promise.all(
        waves.map(({ wave }) => server.redis.call('MEMORY', 'USAGE', keys.pieces(ref, wave), 'SAMPLES', '0')),
      )
      const fields = waves.reduce((sum, { text }) => sum + text.length + fieldBytes, 0)
      say(`${waves.length} waves of ${waves.map((wave) => wave.people).join(', ')} people`)
      return pieces.reduce<number>((sum, each) => sum + Number(each), fields)
    }
  } finally {
    await fleet.stop()
  }
}

interface Wave {
  readonly wave: number
  readonly people: number
  readonly text: string
}

const wavesIn = (hash: Readonly<Record<string, string>>): Wave[] =>
  Object.entries(hash).flatMap(([field, text]) => {
    const [, wave] = /^wave:(\d+)$/.exec(field) ?? []
    return wave === undefined ? [] : [{ wave: Number(wave), people: Number(text.split(' ')[3]), text }]
  })

export const held: Case = {
  name: 'held',
  title: 'Held overnight',
  about: `One message on VK to ${number(audience)} people in ${zones.length} time zones, neighbours of the audience in different ones, at night in all of
them. Everybody is read, decided and held; nothing is sent. What waiting costs is the waves of the message: \`MEMORY USAGE\` of their pieces
and their fields in its history.`,
  maxRuns: 1,
  metrics: {
    waves: { unit: 'waves', target: { most: 64 } },
    bytes: { unit: 'bytes per person held', target: { most: 2 } },
    held: { unit: 'people/s', note: 'from the call that sends it until the last of them is held' },
  },
  plots: [],
  async measure(bench) {
    for (let run = 1; run <= bench.runs; run++) {
      bench.say(`run ${run} of ${bench.runs}`)
      await measureHeld(bench)
    }
  },
}
