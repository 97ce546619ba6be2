/**
 * A fleet beside `npm start`'s: the built programs as processes of their own on a Redis that is given, the sandbox in place
 * of the providers. What each process is comes from scripts/programs.mjs, as it does for `npm start`.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ChannelName, channelOf, type Endpoints } from '@courier-fleet/channels'
import type { LimitChanges } from '@courier-fleet/sandbox'
import { noLimits } from '@courier-fleet/sandbox/limits'
import { keys, type Redis } from '@courier-fleet/store'
import { sandboxCalls } from '../../../scripts/call-settings.mjs'
import { freePort } from '../../../scripts/free-port.mjs'
import {
  commandOf,
  courierProgram,
  notifierProgram,
  type Program,
  queueProgram,
  sandboxProgram,
  timekeeperProgram,
} from '../../../scripts/programs.mjs'
import { untilReady } from '../../../scripts/readiness.mjs'
import { untilEndpoints } from '../../../scripts/sandbox-link.mjs'
import type { Environment, Processes } from './processes.ts'
import { connectSandbox, type Sandbox } from './sandbox.ts'

export interface Courier {
  readonly name: string
  readonly channel: ChannelName
}

export interface FleetDescription {
  readonly processes: Processes
  /** `connection`: for whoever looks on; the processes are given the URL */
  readonly redis: { readonly url: string; readonly connection: Redis }
  /** an own folder, for the couriers' sessions */
  readonly dir: string
  /** processes of each channel */
  readonly couriers: Readonly<Partial<Record<ChannelName, number>>>
  /** processes that tell subscribers; none when absent */
  readonly notifiers?: number
  /** of the sandbox, over "no limits" */
  readonly limits?: LimitChanges
  /** with the priorities that `npm start` gives */
  readonly withPriorities?: boolean
  /** for node, before the program */
  readonly nodeArguments?: readonly string[]
  /** where a process finds Redis, when not at its URL */
  readonly redisUrlOf?: (name: string) => Promise<string>
  /** where a courier finds its provider, when not in the sandbox itself; asked at every start */
  readonly endpointsOf?: (courier: Courier, endpoints: Endpoints) => Promise<Endpoints>
  /** for one process, over all other settings; asked at every start */
  readonly env?: (program: Program, endpoints: Endpoints | undefined) => Environment | Promise<Environment>
}

export interface Fleet {
  readonly apiUrl: string
  readonly sandbox: Sandbox
  readonly endpoints: Endpoints
  readonly couriers: readonly Courier[]
  /** names of all processes but the sandbox */
  readonly names: readonly string[]
  /** Starts processes that have ended; resolves when they are ready. */
  start(...names: readonly string[]): Promise<void>
  /** The same, and waits for nothing; one that runs is as it is now when it is started next. */
  run(...names: readonly string[]): Promise<void>
}

const startMs = 120_000
/** each takes about a second of a core until it is ready: of fifty that begin at once the last would seem dead */
const startedTogether = 8
/** of no use outside of tests */
const FLEET_SECRET = 'the secret of fleets that are launched for tests'

/** Resolves when all are ready; whatever happens then, `processes` has them. @throws Error when one ends, or takes too long */
export async function launchFleet(description: FleetDescription): Promise<Fleet> {
  const { processes, limits = {} } = description
  mkdirSync(join(description.dir, 'sessions'), { recursive: true })
  const [apiPort, sandboxPort] = await Promise.all([freePort(), freePort()])
  const [apiUrl, sandboxUrl] = [apiPort, sandboxPort].map((port) => `http://127.0.0.1:${port}`) as [string, string]
  const couriers = couriersOf(description)
  const notifiers = Array.from({ length: description.notifiers ?? 0 }, (_unused, index) => `notifier-${index + 1}`)
  const names = ['queue', 'timekeeper', ...notifiers, ...couriers.map(({ name }) => name)]
  let endpoints: Endpoints | undefined

  async function programOf(name: string): Promise<Program> {
    const redisUrl = (await description.redisUrlOf?.(name)) ?? description.redis.url
    const files = { filesDir: join(description.dir, 'files'), publicUrl: apiUrl }
    if (name === 'queue') return queueProgram({ redisUrl, port: apiPort, phonesPageUrl: sandboxUrl, ...files })
    if (name === 'timekeeper') return timekeeperProgram({ redisUrl })
    if (notifiers.includes(name)) return notifierProgram({ redisUrl, name })
    const courier = couriers.find((each) => each.name === name)
    if (!courier || !endpoints) throw new Error(`there is no ${name}`)
    const seen = (await description.endpointsOf?.(courier, endpoints)) ?? endpoints
    const program = courierProgram({ ...courier, redisUrl, env: {}, endpoints: seen, dataDir: description.dir })
    return { ...program, env: { [channelOf(courier.channel).settings.rate]: 'off', ...program.env } }
  }

  async function run(name: string, program: Program): Promise<void> {
    const base = { NODE_ENV: 'production', PROCESS_NAME: name, LOG_LEVEL: 'info', ...sandboxCalls, FLEET_SECRET }
    processes.run(name, {
      ...commandOf(program, description.nodeArguments),
      env: { ...base, ...program.env, ...(await description.env?.(program, endpoints)) },
      niceness: description.withPriorities ? program.niceness : undefined,
    })
  }

  async function start(...wanted: readonly string[]): Promise<void> {
    await Promise.all(wanted.map(async (name) => run(name, await programOf(name))))
  }
  const ready = (wanted: readonly string[]) => untilAllReady(description, apiUrl, wanted)

  async function startInGroups(wanted: readonly string[]): Promise<void> {
    for (let first = 0; first < wanted.length; first += startedTogether) {
      const group = wanted.slice(first, first + startedTogether)
      await start(...group)
      await ready(group)
    }
  }

  await run('sandbox', sandboxProgram({ port: sandboxPort }))
  await start('queue', 'timekeeper', ...notifiers)
  const { member } = processes
  const giveUpAt = performance.now() + startMs
  const isAlive = () => member('sandbox').pid !== undefined && performance.now() < giveUpAt
  endpoints = await untilEndpoints({ url: sandboxUrl, isAlive })
  if (!endpoints) throw new Error(`the sandbox did not start: ${member('sandbox').output}`)
  const sandbox = connectSandbox(sandboxUrl)
  await Promise.all([startInGroups(couriers.map(({ name }) => name)), sandbox.limits({ ...noLimits(), ...limits })])
  await ready(names)
  return {
    apiUrl,
    sandbox,
    endpoints,
    couriers,
    names,
    async start(...wanted) {
      await start(...wanted)
      await ready(wanted)
    },
    run: start,
  }
}

const couriersOf = ({ couriers }: FleetDescription): Courier[] =>
  (Object.entries(couriers) as [ChannelName, number][]).flatMap(([channel, count]) =>
    Array.from({ length: count }, (_unused, index) => ({ channel, name: `courier-${channel}-${index + 1}` })),
  )

async function untilAllReady({ processes, redis }: FleetDescription, apiUrl: string, names: readonly string[]) {
  const pidOf = (name: string) => processes.member(name).pid
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(), startMs)
  const died = setInterval(() => names.some((name) => !pidOf(name)) && giveUp.abort(), 50)
  const { connection } = redis
  const { signal } = giveUp
  await untilReady({ redis: connection, apiUrl, names, pidOf, keyOf: keys.process, say() {}, signal })
  clearTimeout(timer)
  clearInterval(died)
  if (!signal.aborted) return
  throw new Error(names.map((name) => `not ready: ${name} ${processes.member(name).output}`).join('\n'))
}
