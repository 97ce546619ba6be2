import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { channelNames } from '@courier-fleet/channels'
import { createClient } from '@courier-fleet/client'
import { type FreshRedis, freshRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { readJson } from '../../scripts/fleet-lock.mjs'
import { freePort } from '../../scripts/free-port.mjs'

interface Fleet {
  apiUrl: string
  apiKey: string
  redisUrl: string
  sandboxUrl: string
  processes: { name: string; pid: number }[]
}

describe('npm start', () => {
  let redis: FreshRedis
  let dir: string
  let up: ChildProcess
  let output = ''
  let env: NodeJS.ProcessEnv
  const fleet = () => readJson(join(dir, 'fleet.json')) as Fleet | undefined
  const pidOf = (name: string) => fleet()?.processes.find((each) => each.name === name)?.pid

  function start(): ChildProcess {
    return spawn(process.execPath, ['scripts/up.mjs'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  }

  before(async () => {
    redis = await freshRedis()
    dir = mkdtempSync(join(tmpdir(), 'courier-fleet-up-'))
    env = {
      PATH: process.env.PATH,
      FLEET_DATA: dir,
      REDIS_URL: redis.url,
      TEST_PORTS: process.env.TEST_PORTS,
      PORT: String(await freePort()),
      SANDBOX_PORT: String(await freePort()),
      RETENTION_DAYS: '30',
      // a busy machine is no Redis that is away
      REDIS_TIMEOUT_MS: '60000',
    }
    up = start()
    for (const stream of [up.stdout, up.stderr])
      stream?.on('data', (chunk) => {
        output += chunk
      })
    const ended = once(up, 'exit').then(() => {
      throw new Error(`npm start ended: ${output}`)
    })
    ended.catch(() => {})
    await Promise.race([ended, until(() => fleet() !== undefined, 'fleet.json is written')])
  })

  after(async () => {
    if (up.exitCode === null && up.signalCode === null) {
      up.kill('SIGTERM')
      await once(up, 'exit')
    }
    await redis.stop()
    rmSync(dir, { recursive: true })
  })

  it('tells where everything is once all of it is ready', async () => {
    const { apiUrl, apiKey, sandboxUrl, processes } = fleet() as Fleet
    const couriers = channelNames.map((name) => `courier-${name}-1`)
    const others = ['bot', 'notifier', 'queue', 'sandbox', 'sms-inbound', 'timekeeper', 'vk-inbound']
    expect(processes.map(({ name }) => name)).to.have.members([...couriers, ...others])
    const list = await until(async () => {
      const channels = await fetch(`${apiUrl}/v1/channels`, { headers: { authorization: `Bearer ${apiKey}` } })
      const { channels: all } = (await channels.json()) as { channels: { channel: string; ready: boolean }[] }
      // one that has said nothing for a while, on a busy machine, is not
      return all.every(({ ready }) => ready) && all
    }, 'all channels are ready')
    expect(list.map(({ channel }) => channel)).to.have.members([...channelNames])
    expect((await fetch(`${sandboxUrl}/phones`)).ok).to.equal(true)
    expect(readFileSync(join(dir, 'api-key'), 'utf8').trim()).to.equal(apiKey)
    await until(() => output.includes(`in ${join(dir, 'api-key')}`), 'it is said where the key is')
    expect(output, 'output may be kept where others read it').not.to.contain(apiKey)
  })

  it('has loaded the demo: people, and groups, cohorts and topics by the names that people use', async () => {
    const { apiUrl, apiKey } = fleet() as Fleet
    const client = createClient({ apiUrl, apiKey })
    expect((await client.people({ limit: 1000 })).people).to.have.length(328)
    const { groups } = await client.groups()
    expect(groups.find(({ id }) => id === 'ivt-102')).to.deep.include({ name: 'ИВТ-102', owners: ['t-01'], size: 27 })
    const { cohorts } = await client.cohorts()
    expect(cohorts.find(({ id }) => id === 'stream-1')).to.deep.include({
      name: 'Поток 1',
      owners: ['t-01'],
      groups: ['ivt-101', 'ivt-102', 'pmi-101'],
    })
    for (const { id, name } of [...groups, ...cohorts]) expect(name).not.to.equal(id)
    expect((await client.topics()).topics.map(({ id }) => id)).to.deep.equal(['jobs', 'library', 'rehearsals'])
    // the one that the README suggests
    const suggested = 'npm run send -- --to "group:ivt-102" --text "Занятие переносится на 18:00" --wait 30'
    await until(() => output.includes(suggested), 'it is suggested')
  })

  it('starts a killed courier again, and says under which pid', async () => {
    const killed = pidOf('courier-vk-1') as number
    process.kill(killed, 'SIGKILL')
    await until(() => ![undefined, killed].includes(pidOf('courier-vk-1')), 'it runs again')
    // said before, and perhaps heard after
    await until(
      () => /courier-vk-1 was ended by SIGKILL; starting it again (at once|in 0\.5 s) /.test(output),
      'it is said',
    )
  })

  it('lets the wall of phones kill a courier, and starts it again; a Redis that was given is left alone', async () => {
    const { sandboxUrl } = fleet() as Fleet
    const post = (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' }
      return fetch(`${sandboxUrl}/fleet/${path}`, { method: 'POST', body: JSON.stringify(body), headers })
    }
    const killed = pidOf('courier-telegram-1') as number
    expect((await post('kill', { channel: 'telegram' })).status).to.equal(200)
    await until(() => ![undefined, killed].includes(pidOf('courier-telegram-1')), 'it runs again')
    const now = async () =>
      (await (await fetch(`${sandboxUrl}/fleet`)).json()) as {
        answers: boolean
        channels: { channel: string; running: number; ready: boolean; killedMsAgo?: number }[]
      }
    await until(async () => {
      const { answers, channels } = await now()
      return answers && channels.every(({ running, ready }) => running === 1 && ready)
    }, 'the page is told that every courier is ready')
    const told = (await now()).channels.filter(({ killedMsAgo }) => killedMsAgo !== undefined)
    expect(told.map(({ channel }) => channel)).to.deep.equal(['telegram'])
    expect((await post('redis-away', {})).status).to.equal(409)
  })

  it('runs as many couriers of a channel as are set live; one too many hands back what it has and ends well', async () => {
    const { apiUrl, apiKey } = fleet() as Fleet
    const client = createClient({ apiUrl, apiKey })
    const set = async (processes: number | 'auto' | null) =>
      client.changeSettings((await client.settings()).version, { channels: { sms: { processes } } })
    const running = () => fleet()?.processes.filter(({ name }) => name.startsWith('courier-sms-'))
    const names = () => running()?.map(({ name }) => name)
    await set(3)
    await until(() => names()?.length === 3, 'three run')
    expect(names()).to.deep.equal(['courier-sms-1', 'courier-sms-2', 'courier-sms-3'])
    const pids = running()?.map(({ pid }) => pid) as number[]
    const couriers = async () => (await client.channels()).channels.find(({ channel }) => channel === 'sms')?.couriers
    await until(async () => (await couriers())?.filter(({ ready }) => ready).length === 3, 'three are ready')
    await set(1)
    await until(async () => names()?.length === 1 && (await couriers())?.length === 1, 'one is left')
    for (const pid of pids.slice(1)) expect(() => process.kill(pid, 0)).to.throw('ESRCH')
    expect(() => process.kill(pids[0] as number, 0)).not.to.throw()
    for (const said of ['sms: couriers 3, before 1', 'sms: couriers 1, before 3'])
      await until(() => output.includes(said), `"${said}" is said`)
    expect(output).not.to.contain('courier-sms-2 ended')
    await set('auto')
    await until(async () => (await client.channels()).settings.version === 3, 'auto is set')
    expect(names()).to.deep.equal(['courier-sms-1'])
  })

  it('begins with what the environment says; what is set live wins, and is told to differ', async () => {
    const { apiUrl, apiKey } = fleet() as Fleet
    const client = createClient({ apiUrl, apiKey })
    const before = await client.settings()
    expect(before.settings.retentionDays).to.equal(30)
    expect(before.differs).to.deep.equal([])
    await client.changeSettings(before.version, { retentionDays: 60 })
    const { settings, differs } = await client.settings()
    expect(settings.retentionDays).to.equal(60)
    expect(differs).to.deep.equal([{ setting: 'retentionDays', environment: 30, live: 60 }])
    const ready = (await (await fetch(`${apiUrl}/readyz`)).json()) as { warnings: string[] }
    expect(ready.warnings).to.deep.equal(['set live, and other than the environment says: retentionDays'])
    // couriers, queue, notifier and timekeeper
    const all = channelNames.length + 3
    await until(async () => {
      const { settings: use } = await client.channels()
      return use.using === all && use.of === all
    }, 'every process uses it')
  })

  it('refuses to run twice on one data folder', async () => {
    const second = start()
    let said = ''
    second.stderr?.on('data', (chunk) => {
      said += chunk
    })
    const [code] = await once(second, 'close')
    expect(code).to.equal(1)
    expect(said).to.contain(`pid ${up.pid}`)
    expect(fleet()).to.not.equal(undefined)
  })

  it('stops everything on SIGTERM and takes fleet.json away', async () => {
    const pids = (fleet() as Fleet).processes.map(({ pid }) => pid)
    up.kill('SIGTERM')
    const [code] = await once(up, 'exit')
    expect(code).to.equal(0)
    expect(existsSync(join(dir, 'fleet.json'))).to.equal(false)
    expect(existsSync(join(dir, 'running.json'))).to.equal(false)
    for (const pid of pids) expect(() => process.kill(pid, 0)).to.throw('ESRCH')
  })
})
