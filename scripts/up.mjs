/**
 * `npm start`: from a bare clone to a running fleet, every process on its own, restarted when it dies, until Ctrl-C.
 * What it takes from the environment stands in .env.example.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureFleetSecret, sandboxCalls } from './call-settings.mjs'
import { dataDir } from './data-dir.mjs'
import { anyGroup, createCall, ensureApiKey, importDemo } from './first-start.mjs'
import { createFleet, isRedis } from './fleet.mjs'
import { lockFleet } from './fleet-lock.mjs'
import { givenRedis, runRedis } from './fleet-redis.mjs'
import { createFleetTrouble } from './fleet-trouble.mjs'
import { freePort } from './free-port.mjs'
import { buildPrograms, installDependencies } from './prepare.mjs'
import { createProcessLog } from './process-log.mjs'
import { untilReady } from './readiness.mjs'
import { findRedisServer } from './redis.mjs'
import { parseUpOptions, usage } from './up-options.mjs'

const root = join(import.meta.dirname, '..')
if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'))
const stopping = new AbortController()
const startedAt = Date.now()
const say = (text) => console.log(text)
let lock
let log
let fleet
/** how many there are of each channel, from the settings */
let couriers
/** what can be imported only once everything is installed and built */
let built
/** what calling URLs of users takes */
let calls

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal)
// npm hands SIGTERM to a shell that dies of it without passing it on: whoever loses its parent has been told to stop
const parent = process.ppid
const orphaned = () => process.ppid !== parent && !stopping.signal.aborted
if (process.env.npm_lifecycle_event) setInterval(() => orphaned() && onSignal(), 250).unref()
process.on('exit', () => {
  fleet?.kill()
  lock?.release()
})
try {
  const { help, redis } = parseUpOptions(process.argv.slice(2), process.env)
  if (help) say(usage)
  else await up(redis)
} catch (error) {
  if (!stopping.signal.aborted) {
    console.error(`npm start: ${error.message}`)
    await down(1)
  }
}

/** @param {string | undefined} redisKind */
async function up(redisKind) {
  const couriersPerChannel = process.env.COURIERS_PER_CHANNEL === 'auto' ? 'auto' : countOf('COURIERS_PER_CHANNEL', 1)
  lock = await lockFleet(dataDir, { say })
  // while npm installs, a Redis is looked for
  const [, redisServer] = await Promise.all([installDependencies(say), redisOnThisMachine()])
  await buildPrograms(say)
  log = createProcessLog({ dir: join(dataDir, 'logs'), print: (text) => console.error(text) })
  fleet = createFleet({ dataDir, lock, log, say })

  built = await import('../dist/programs/scripts.js')
  const { checkRedis, connectRedis, joinFleet, wantedShards, keys, reachRedis, systemClock, createApiKeys } = built
  const { channels, isReal, inboundProcesses, hears } = built
  const sandboxed = channels.filter((channel) => !isReal(channel, process.env)).map(({ name }) => name)
  // before Redis is given ports, so that it gets none of these
  const apiPort = await apiPortToUse()
  const sandboxPort = sandboxed.length > 0 ? await freePort(countOf('SANDBOX_PORT', 8090)) : undefined
  const redisUrl = process.env.REDIS_URL
    ? await givenRedis({ url: process.env.REDIS_URL, built, say })
    : await runRedis({ server: redisServer, kind: redisKind, fleet, dataDir, log, say })
  const redis = connectRedis(redisUrl, { name: 'npm-start' }) // outages are told by every process of the fleet already
  await reachRedis({ warn: (_fields, text) => say(text) }, redis)
  await checkRedis(redis, { warn: say })
  const shards = await joinFleet(redis, wantedShards(process.env))
  const host = process.env.HOST || '127.0.0.1'
  const apiUrl = `http://${['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host}:${apiPort}`
  // where a sign-in code surely appears: not when a channel of it is real
  const allSandboxed = sandboxed.length === channels.length
  const phonesPageUrl = allSandboxed ? `http://127.0.0.1:${sandboxPort}` : undefined
  const fleetSecret = process.env.FLEET_SECRET || ensureFleetSecret(dataDir)
  calls = { ...(sandboxPort === undefined ? {} : sandboxCalls), FLEET_SECRET: fleetSecret }
  const filesDir = process.env.FILES_DIR || join(dataDir, 'files')
  const publicUrl = process.env.PUBLIC_URL || apiUrl
  run('queue', () => built.queueProgram({ redisUrl, port: apiPort, host, phonesPageUrl, filesDir, publicUrl }))
  run('timekeeper', () => built.timekeeperProgram({ redisUrl }))
  run('notifier', () => built.notifierProgram({ redisUrl }))
  let call
  const trouble = createFleetTrouble({
    fleet,
    // nobody real is kept waiting for a game
    channels: sandboxed,
    ...(process.env.REDIS_URL || redisKind || !allSandboxed ? {} : { redis }),
    readChannels: async (signal) => (await call('/v1/channels', { signal })).json(),
  })
  const sandbox = sandboxPort === undefined ? undefined : await runSandbox(sandboxed, sandboxPort, trouble)
  mkdirSync(join(dataDir, 'sessions'), { recursive: true, mode: 0o700 })
  const startCourier = (channel, name) => {
    const settings = { channel, name, env: process.env, dataDir }
    run(name, () => built.courierProgram({ ...settings, redisUrl, endpoints: sandbox?.endpoints }))
  }
  couriers = await runCouriers({ redis, redisUrl, shards, startCourier, otherwise: couriersPerChannel })

  const apiKeys = createApiKeys({ redis, clock: systemClock })
  const apiKey = await ensureApiKey({ apiKeys, dataDir, say })
  const names = fleet.names().filter((name) => !isRedis(name) && name !== 'sandbox')
  await untilReady({ redis, apiUrl, names, pidOf: fleet.pidOf, keyOf: keys.process, say, signal: stopping.signal })
  if (stopping.signal.aborted) return
  call = createCall({ apiUrl, apiKey })
  for (const inbound of inboundProcesses.filter((each) => hears(each, process.env)))
    await runInbound({ inbound, apiKeys, apiUrl, sandbox })
  if (process.env.FLEET_DEMO !== 'off') await importDemo({ call, folder: join(root, 'demo'), say, onProgress })
  const group = await anyGroup(call)
  if (stopping.signal.aborted) return
  fleet.publish({ apiUrl, apiKey, redisUrl, sandboxUrl: sandbox?.url })
  printSummary({ apiUrl, sandboxUrl: sandbox?.url, group })
}

/** @returns its path; undefined where REDIS_URL names one that runs already. @throws Error when there is none to be had */
async function redisOnThisMachine() {
  return process.env.REDIS_URL ? undefined : findRedisServer({ say, dataDir })
}

/** As many of each channel as the settings say. */
async function runCouriers({ redis, redisUrl, shards, startCourier, otherwise }) {
  const { connectSubscriber, startLiveSettings, firstSettings, readBacklog, channels } = built
  const subscriber = connectSubscriber(redisUrl, { name: 'npm-start' })
  const log = { error: (_fields, text) => say(text) }
  const settings = await startLiveSettings({ redis, subscriber, first: firstSettings(process.env), log })
  return built.createCourierProcesses({
    channels: channels.map(({ name }) => name),
    otherwise,
    settings,
    start: startCourier,
    stop: fleet.remove,
    readLoad: async () => built.loadOf(await readBacklog(redis, shards)),
    say,
  })
}

/** A sandbox that was restarted is given its phones again, and its couriers are restarted if it listens elsewhere now. */
async function runSandbox(sandboxed, port, trouble) {
  const sandbox = { url: `http://127.0.0.1:${port}`, endpoints: undefined }
  const link = () =>
    built.linkSandbox({
      url: sandbox.url,
      phonesFile: join(root, 'demo/sandbox-phones.json'),
      rosterFile: join(root, 'demo/roster.csv'),
      isAlive: () => fleet.pidOf('sandbox') !== undefined && !stopping.signal.aborted,
    })
  const relink = async () => {
    const endpoints = await link()
    if (!endpoints || JSON.stringify(endpoints) === JSON.stringify(sandbox.endpoints)) return
    sandbox.endpoints = endpoints
    const users = fleet.names().filter((name) => sandboxed.some((channel) => usesChannel(name, channel)))
    await Promise.all(users.map((name) => fleet.restart(name)))
  }
  const program = built.sandboxProgram({ port, dataDir: join(dataDir, 'sandbox') })
  const onStart = (restarted, child) => {
    trouble.attach(child)
    if (restarted) relink().catch((error) => say(`sandbox: ${error.message}`))
  }
  run('sandbox', () => program, onStart)
  sandbox.endpoints = await link()
  if (!sandbox.endpoints) throw new Error(`the sandbox does not start; see ${log.pathOf('sandbox')}`)
  return sandbox
}

function usesChannel(name, channel) {
  return (
    name.startsWith(`courier-${channel}-`) ||
    built.inboundProcesses.some((each) => each.name === name && each.channel === channel)
  )
}

/** With a key of its own, for its own channel. */
async function runInbound({ inbound, apiKeys, apiUrl, sandbox }) {
  const { name, channel, keyName } = inbound
  const key = { owner: name, role: 'inbound', channels: [channel] }
  const apiKey = process.env[keyName] || (await ensureApiKey({ apiKeys, dataDir, say, file: `${name}-api-key`, key }))
  const settings = { inbound, env: process.env, dataDir, apiUrl, apiKey }
  run(name, () => built.inboundProgram({ ...settings, endpoints: sandbox?.endpoints }))
}

/**
 * One process of the build.
 * @param {string} name
 * @param {() => import('./programs.mjs').Program} programOf asked at every start
 * @param {(restarted: boolean, child: import('node:child_process').ChildProcess) => void} [onStart]
 */
function run(name, programOf, onStart) {
  const { folder, niceness } = programOf()
  const main = built.mainOf(folder)
  if (!existsSync(main)) throw new Error(`${main} is not there`)
  fleet.run({
    name,
    marker: main,
    niceness,
    ipc: true,
    command() {
      const program = programOf()
      const env = { ...calls, ...process.env, NODE_ENV: 'production', PROCESS_NAME: name, ...program.env }
      return { ...built.commandOf(program), env }
    },
    onStart,
  })
}

async function apiPortToUse() {
  const wanted = countOf('PORT', 8080)
  const port = await freePort(wanted)
  if (port === wanted) return port
  if (process.env.PORT) throw new Error(`PORT ${wanted} is taken`)
  say(`API: port ${wanted} is taken, using ${port}`)
  return port
}

function countOf(name, otherwise) {
  const text = process.env[name] || String(otherwise)
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new Error(`${name} must be a whole number above 0, not "${text}"`)
  return Number(text)
}

/** one line that counts up; nothing where nobody looks */
function onProgress(done) {
  if (process.stdout.isTTY) process.stdout.write(`Demo roster: ${done} lines …\r`)
}

function printSummary({ apiUrl, sandboxUrl, group }) {
  const { channels, isReal } = built
  const targets = channels.map(
    (channel) => `${channel.name} ${isReal(channel, process.env) ? 'REAL SERVICE' : 'sandbox'}`,
  )
  say('')
  say(`courier-fleet is up, ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
  say(`  Web app   ${apiUrl}   sign in as t-01, a teacher of the demo, or o-01, who runs the service`)
  say(`  API       ${apiUrl}/v1   documented at ${apiUrl}/docs`)
  if (sandboxUrl) say(`  Sandbox   ${sandboxUrl}   the phones, and what arrives on them`)
  say(`  API key   in ${join(dataDir, 'api-key')}, the administrator's`)
  say(`  Channels  ${targets.join(', ')}`)
  say(`  Logs      ${join(dataDir, 'logs')}`)
  if (group) say(`  Try       npm run send -- --to "group:${group}" --text "Занятие переносится на 18:00" --wait 30`)
  say('  Stop      Ctrl-C')
}

function onSignal() {
  if (stopping.signal.aborted) process.exit(130) // the exit handler ends everything at once
  stopping.abort()
  say('Stopping …')
  down(0)
}

async function down(code) {
  couriers?.end()
  await fleet?.stop()
  await log?.close()
  process.exit(code)
}
