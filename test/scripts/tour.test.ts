/** The tour of README.md: its lines are run as they stand there, beside a whole `npm start`. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@courier-fleet/client'
import { connectSandbox } from '@courier-fleet/launch'
import { type FreshRedis, freshRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { freePort } from '../../scripts/free-port.mjs'
import { addressesIn, goodContacts, studentsOf } from '../e2e/roster.ts'
import { type NpmStart, npmStart } from './npm-start.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const text = 'Экзамен переносится на 12 января'
/** a sixth of what npm start takes by itself: what the shell does is not so often overtaken by the courier on a busy machine */
const perSecond = '5'

/** What README.md says of killing a courier, and the lines that it has one type, block by block. */
function readTour(): { told: string; blocks: string[] } {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, told = ''] = readme.split('**Kill a courier in the middle of sending.**')
  return { told, blocks: [...told.matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, lines]) => lines as string) }
}

describe('the tour of README.md', () => {
  let redis: FreshRedis
  /** what README.md takes for the checkout: what npm start writes lies elsewhere than that of the one there may be */
  let folder: string
  let started: NpmStart
  let env: NodeJS.ProcessEnv

  before(async () => {
    redis = await freshRedis()
    folder = mkdtempSync(join(tmpdir(), 'courier-fleet-tour-'))
    for (const name of ['package.json', 'scripts']) symlinkSync(join(root, name), join(folder, name))
    const sandboxPort = await freePort()
    // to curl the phones are where README.md says, whoever else has that port now
    writeFileSync(join(folder, '.curlrc'), `connect-to = "127.0.0.1:8090:127.0.0.1:${sandboxPort}"\n`)
    const dataDir = join(folder, '.data')
    env = { PATH: process.env.PATH, FLEET_DATA: dataDir, CURL_HOME: folder }
    started = await npmStart({
      folder: root,
      dataDir,
      env: {
        ...env,
        REDIS_URL: redis.url,
        TEST_PORTS: process.env.TEST_PORTS,
        PORT: String(await freePort()),
        SANDBOX_PORT: String(sandboxPort),
        TELEGRAM_RATE_PER_SECOND: perSecond,
      },
    })
  })
  after(async () => {
    await started?.stop()
    await redis.stop()
    rmSync(folder, { recursive: true })
  })

  const type = async (lines: string) => (await run('sh', ['-c', lines], { cwd: folder, env })).stdout

  it('kills a courier in the middle of sending; it is started again, and everyone has the message once', async () => {
    const { apiUrl, apiKey, sandboxUrl, processes } = started.fleet()
    const pidOf = (name: string) => started.fleet().processes.find((each) => each.name === name)?.pid
    const killed = processes.find(({ name }) => name === 'courier-telegram-1')?.pid
    const { told, blocks } = readTour()
    const [kill = '', twice = ''] = blocks
    expect(kill.split('\n'), 'three lines, one of which kills').to.have.lengthOf(3)
    expect(kill).to.contain('kill -9').and.to.contain(`--text "${text}"`)

    const said = await type(kill)
    expect(said).to.match(/^Accepted (\S+) for 306 people/m)
    const [, key = ''] = /^Accepted (\S+) /m.exec(said) ?? []
    await until(() => ![undefined, killed].includes(pidOf('courier-telegram-1')), 'it runs again')
    await until(() => started.output().includes('courier-telegram-1 was ended by SIGKILL'), 'npm start says so')
    const client = createClient({ apiUrl, apiKey })
    // whoever waited for it gave up after 60 s
    await until(async () => (await client.history(key)).state === 'settled', 'it has settled')
    await until(
      () => started.output().includes('courier-telegram-1: took over what another process left'),
      'npm start says that another process went on',
    )
    const { marks } = await client.replay(key)
    expect(marks.map(({ what, channel }) => [what, channel])).to.deep.include(['taken-over', 'telegram'])

    const students = studentsOf('all-students')
    const onTelegram = students.filter(({ contacts }) => contacts.telegram !== undefined)
    expect(told).to.contain(`${onTelegram.length} have Telegram, which takes`)
    const rows = await connectSandbox(sandboxUrl).accepted(text)
    expect(addressesIn(rows)).to.deep.equal(goodContacts(students))
    expect(await type(twice), 'so many have it twice').to.equal('0\n')
  })
})
