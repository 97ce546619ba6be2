/**
 * Each Redis that docker-compose.yml offers has the settings that `npm start -- --redis …` gives, and its commands, run here without containers, make a
 * cluster, or a Redis with Sentinels, in which every user may do what it must, and which fails over.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { silentLog } from '@courier-fleet/process'
import { connectRedis, reachRedis } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { parse } from 'yaml'
import { runCluster, runSentinel } from '../../scripts/fleet-redis-replicated.mjs'
import { freePort, freePorts } from '../../scripts/free-port.mjs'
import { redisCommand, untilPong } from '../../scripts/redis-process.mjs'
import { failOver } from '../../scripts/redis-sentinel.mjs'
import { nodesUser, redisUsers } from '../../scripts/redis-users.mjs'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
interface Service {
  readonly command: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly profiles?: readonly string[]
  readonly networks?: readonly string[] | { readonly redis: { readonly ipv4_address?: string } }
}
const { services } = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, Service> }
const serviceOf = (name: string) => services[name] as Service
const namesOf = (start: string) => Object.keys(services).filter((name) => name.startsWith(start) && /\d$/.test(name))
const scriptOf = (name: string) => (serviceOf(name).command.at(-1) as string).replaceAll('$$', '$')

type Settings = ReadonlyMap<string, string>
/** where it listens, and where the others are */
const places = new Set(['bind', 'port', 'dir', 'cluster-port', 'replicaof', 'sentinel monitor'])
/** of containers, whose Redis is not reached by loopback alone */
const ofContainers = [
  'masteruser',
  'masterauth',
  'aclfile',
  'protected-mode',
  'sentinel auth-user',
  'sentinel auth-pass',
]

/** `--name value value …` */
function fromArguments(words: readonly string[]): Settings {
  const line = words.map((word) => (word === '' ? "''" : word)).join(' ')
  const pairs = line
    .split(/(?:^| )--/)
    .slice(1)
    .map((part) => part.split(' '))
  return new Map(pairs.map(([name = '', ...values]) => [name, values.join(' ').replace(/^(''|"")$/, '')]))
}

/** as in redis.conf; names of Sentinel's settings are two words, and the master they are of */
function fromFile(text: string): Settings {
  const lines = text.split('\n').flatMap((line) => /^(sentinel [\w-]+|[\w-]+) (.*)$/.exec(line.trim()) ?? [])
  const found = new Map<string, string>()
  for (let at = 0; at < lines.length; at += 3)
    found.set(lines[at + 1] as string, (lines[at + 2] as string).replace(/^(''|"")$/, ''))
  return found
}

/** what the shell of a container executes in the end */
const executedIn = (script: string) =>
  fromArguments(
    (/exec redis-server (.*)$/s.exec(script)?.[1] ?? '')
      .replace('--sentinel ', '')
      .replaceAll('\\\n', ' ')
      .trim()
      .split(/\s+/),
  )

function expectSame(ours: Settings, theirs: Settings, name: string): void {
  for (const [setting, value] of theirs)
    if (!places.has(setting)) expect(ours.get(setting), `${name} ${setting}`).to.equal(value)
  const more = [...ours.keys()].filter((setting) => !theirs.has(setting) && !places.has(setting))
  expect(ofContainers, `${name} has nothing else`).to.include.members(more)
}

describe('each Redis of docker-compose.yml', () => {
  let dir: string

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'courier-fleet-compose-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  /** what a start of `npm start -- --redis …` would run, and the files it has written for that */
  async function started(start: typeof runCluster) {
    const commands: { name: string; args: string[] }[] = []
    const run = async ({ name, command }: { name: string; command: { args: string[] } }) => {
      commands.push({ name, args: command.args })
      throw new Error('enough')
    }
    await start({ server: 'redis-server', dir, run, say: () => {} }).catch((error: Error) => {
      if (error.message !== 'enough') throw error
    })
    return commands
  }

  it('has its profile, and the settings of npm start', async () => {
    const one = redisCommand({ server: '', dir, port: 1, settings: { appendonly: 'yes' } })
    for (const kind of ['redis', 'valkey']) {
      expect(serviceOf(kind).profiles).to.deep.equal([kind])
      expect(serviceOf(kind).command[0]).to.equal(`${kind}-server`)
      expectSame(fromArguments(serviceOf(kind).command.slice(1)), fromArguments(one.args), kind)
    }

    const [node] = await started(runCluster)
    expect(namesOf('redis-cluster')).to.have.length(6)
    for (const name of namesOf('redis-cluster')) {
      expect(serviceOf(name).profiles).to.deep.equal(['cluster'])
      expectSame(executedIn(scriptOf(name)), fromArguments(node?.args ?? []), name)
    }

    await started(runSentinel)
    const fileOf = (name: string, file: string) => fromFile(readFileSync(join(dir, name, file), 'utf8'))
    expect(namesOf('redis-replicated')).to.have.length(3)
    for (const name of namesOf('redis-replicated'))
      expectSame(executedIn(scriptOf(name)), fileOf('node-1', 'redis.conf'), name)
    expect(namesOf('redis-sentinel')).to.have.length(3)
    for (const name of namesOf('redis-sentinel')) {
      const written = fromFile(scriptOf(name).replace(/^(?!sentinel ).*$/gm, ''))
      const ours = new Map([...written, ...executedIn(scriptOf(name))])
      expectSame(ours, fileOf('sentinel-1', 'sentinel.conf'), name)
    }
    const sentinel = readFileSync(join(dir, 'sentinel-1', 'sentinel.conf'), 'utf8')
    expect(
      /monitor (\w+) .* (\d)$/m.exec(scriptOf('redis-sentinel-1').replace('$MASTER', 'x'))?.slice(1),
    ).to.deep.equal(/monitor (\w+) .* (\d)$/m.exec(sentinel)?.slice(1))
  })

  it('has an address for each node, and the master is the first that replicates nobody', () => {
    const nodes = [...namesOf('redis-cluster'), ...namesOf('redis-replicated'), ...namesOf('redis-sentinel')]
    const addresses = nodes.map((name) => {
      const { networks } = serviceOf(name)
      return networks && 'redis' in networks ? networks.redis.ipv4_address : undefined
    })
    expect(new Set(addresses).size).to.equal(12)
    expect(addresses).not.to.include(undefined)
    for (const name of nodes)
      expect(`${addresses[nodes.indexOf('redis-replicated-1')]} 6379`).to.equal(serviceOf(name).environment?.MASTER)
    const replicas = namesOf('redis-replicated').filter((name) => serviceOf(name).environment?.REPLICA === 'yes')
    expect(replicas).to.deep.equal(['redis-replicated-2', 'redis-replicated-3'])
  })

  describe('its commands, run here', () => {
    const nodesPassword = 'nodes-password-1'
    const password = 'queue-password-1'
    /** Redis gives its nodes 5 s to agree on a new master */
    const agreementMs = 6_000
    let running: ChildProcess[] = []

    beforeEach(() => {
      mkdirSync(join(dir, 'bin'))
      writeFileSync(join(dir, 'bin/redis-server'), `#!/bin/sh\nexec "${process.env.REDIS_SERVER}" "$@"\n`)
      chmodSync(join(dir, 'bin/redis-server'), 0o755)
      const users = redisUsers({ queue: password, courier: password, notifier: password, timekeeper: password })
      const first = 'user default on nopass resetkeys resetchannels -@all +ping'
      writeFileSync(join(dir, 'users.acl'), `${[first, ...users, nodesUser(nodesPassword)].join('\n')}\n`)
    })
    afterEach(async () => {
      await Promise.all(running.map(end))
      running = []
    })

    const end = async (child: ChildProcess) => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
    }
    const env = (more: NodeJS.ProcessEnv = {}) => ({
      PATH: [join(dir, 'bin'), process.env.PATH].join(delimiter),
      REDIS_NODES_PASSWORD: nodesPassword,
      ...more,
    })

    /** Its command, in a folder of its own instead of a container: on loopback, on this port. */
    async function run(name: string, port: number, { more = '', master }: { more?: string; master?: number } = {}) {
      const own = join(dir, name)
      mkdirSync(own, { recursive: true })
      const script = scriptOf(name).replace('/usr/local/etc/redis-users.acl', join(dir, 'users.acl')).trimEnd()
      const { REPLICA } = serviceOf(name).environment ?? {}
      const child = spawn('sh', ['-c', `${script} --bind 127.0.0.1 --port ${port} ${more}`], {
        cwd: own,
        env: env({ MASTER: `127.0.0.1 ${master}`, ...(REPLICA && { REPLICA }) }),
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          said += chunk
        })
      running.push(child)
      await untilPong(port, () => (child.exitCode === null ? undefined : new Error(`${name}: ${said}`)))
      return child
    }

    const asNodes = (port: number) => new Redis(port, '127.0.0.1', { username: 'nodes', password: nodesPassword })
    const roleOf = async (redis: Redis) => String(((await redis.call('ROLE')) as unknown[])[0])

    /** The queue writes, and a replica has it. */
    async function expectServed(url: string): Promise<void> {
      const redis = connectRedis(url, { name: 'test' })
      try {
        await reachRedis(silentLog, redis)
        await Promise.all([1, 2, 3, 4, 5].map((each) => redis.set(`limit:${each}`, 'x')))
        expect(await redis.get('limit:3')).to.equal('x')
      } finally {
        redis.disconnect()
      }
    }

    it('nodes form a cluster, once, and a replica takes over', async () => {
      const names = namesOf('redis-cluster')
      const ports = await freePorts(2 * names.length)
      const nodes = names.map((name, at) => ({ name, port: ports[2 * at] as number, bus: ports[2 * at + 1] as number }))
      await Promise.all(nodes.map(({ name, port, bus }) => run(name, port, { more: `--cluster-port ${bus}` })))
      const form = async (more: NodeJS.ProcessEnv = {}) => {
        const { entrypoint } = serviceOf('redis-cluster') as unknown as { entrypoint: string[] }
        expect(serviceOf('redis-cluster').command).to.deep.equal(names.map((name) => `${name}:6379`))
        const told = nodes.map(({ port, bus }) => `localhost:${port}@${bus}`)
        const child = spawn(process.execPath, [...entrypoint.slice(1), ...told], {
          cwd: root,
          env: env(more),
          stdio: ['ignore', 'ignore', 'pipe'],
        })
        let said = ''
        child.stderr.on('data', (chunk: Buffer) => {
          said += chunk
        })
        const [code] = await once(child, 'close')
        return { code, said }
      }
      expect(await form({ REDIS_NODES_PASSWORD: '' })).to.deep.equal({
        code: 1,
        said: 'form-cluster: REDIS_NODES_PASSWORD is missing in .env\n',
      })
      expect(await form()).to.deep.equal({ code: 0, said: '' })
      const url = `redis+cluster://queue:${password}@127.0.0.1:${nodes[0]?.port}`
      await expectServed(url)
      const replica = asNodes(nodes[5]?.port as number)
      try {
        expect(await roleOf(replica)).to.equal('slave')
        let askAgainAt = 0
        await until(async () => {
          if ((await roleOf(replica)) === 'master') return true
          if (performance.now() < askAgainAt) return false
          // nodes that have not agreed by then have given it up
          askAgainAt = performance.now() + agreementMs
          await replica.cluster('FAILOVER').catch((error: Error) => {
            if (!/^ERR You should send/.test(error.message)) throw error // it is master by now
          })
          return false
        }, 'it has taken over')
      } finally {
        replica.disconnect()
      }
      expect(await form(), 'it stays as it is').to.deep.equal({ code: 0, said: '' })
      await expectServed(url)
    })

    it('Sentinels make another the master, and the first is a replica when it comes back', async () => {
      const ports = await freePorts(6)
      const nodes = namesOf('redis-replicated').map((name, at) => ({ name, port: ports[at] as number }))
      const sentinels = namesOf('redis-sentinel').map((name, at) => ({ name, port: ports[3 + at] as number }))
      const master = nodes[0]?.port as number
      const [first] = await Promise.all(nodes.map(({ name, port }) => run(name, port, { master })))
      const former = asNodes(master)
      former.on('error', () => {}) // while it is away
      await until(
        async () => (await former.info('replication')).match(/state=online/g)?.length === 2,
        'replicas are in step',
      )
      await Promise.all(sentinels.map(({ name, port }) => run(name, port, { master })))
      const url = `redis+sentinel://queue:${password}@${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/fleet`
      await expectServed(url)

      const watcher = new Redis(sentinels[0]?.port as number, '127.0.0.1')
      try {
        await until(async () => (await watcher.info()).includes('slaves=2,sentinels=3'), 'the Sentinels know all')
        expect(await failOver(watcher)).not.to.equal(master)
        await until(async () => (await roleOf(former)) === 'slave', 'the first is a replica')
        await until(
          async () => readFileSync(join(dir, 'redis-replicated-1/redis.conf'), 'utf8').includes('replicaof'),
          'that is in its file',
        )
        await end(first as ChildProcess)
        await run('redis-replicated-1', master, { master })
        await until(async () => (await roleOf(former)) === 'slave', 'it is one still')
        await expectServed(url)
      } finally {
        watcher.disconnect()
        former.disconnect()
      }
      expect(readdirSync(join(dir, 'redis-sentinel-1'))).to.deep.equal(['sentinel.conf'])
    })

    it('a node without the password of the nodes says so, and ends', async () => {
      const child = spawn('sh', ['-c', scriptOf('redis-cluster-1')], {
        cwd: dir,
        env: env({ REDIS_NODES_PASSWORD: '', PORT: String(await freePort()) }),
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let said = ''
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk
      })
      const [code] = await once(child, 'close')
      expect(code).to.be.above(0)
      expect(said).to.contain('REDIS_NODES_PASSWORD').and.to.contain('is missing in .env')
    })
  })
})
