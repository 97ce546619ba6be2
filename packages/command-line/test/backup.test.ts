/** The commands as they are typed, with a Redis of their own; what is in the file is the concern of packages/backup. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { restoreBackup, takeBackup } from '@courier-fleet/backup'
import { joinFleet } from '@courier-fleet/store'
import { type OwnRedis, ownRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { fleetCommand } from '../src/index.ts'

describe('fleet backup and fleet restore', () => {
  let dir: string
  let source: OwnRedis
  let target: OwnRedis

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'courier-fleet-backup-command-'))
    source = await ownRedis({ config: { 'repl-diskless-sync-delay': '0' } })
    target = await ownRedis()
    await joinFleet(source.redis())
    writeFileSync(join(dir, 'fleet.json'), JSON.stringify({ redisUrl: source.url }))
  })
  after(async () => {
    await source.stop()
    await target.stop()
    rmSync(dir, { recursive: true })
  })

  async function run(args: string[], env: NodeJS.ProcessEnv = {}, hasBackups = true) {
    const out: string[] = []
    const lines: string[] = []
    const err = new PassThrough()
    err.on('data', (text: Buffer) => lines.push(text.toString()))
    const code = await fleetCommand(args, {
      out: (text) => out.push(text),
      err: err as unknown as NodeJS.WriteStream,
      env,
      fleetFile: join(dir, 'fleet.json'),
      ...(hasBackups ? { backups: async () => ({ take: takeBackup, restore: restoreBackup }) } : {}),
    })
    return { code, out: out.join('\n'), err: lines.join('') }
  }

  it('say what they have done, and what the next step is', async () => {
    const file = join(dir, 'a.rdb')
    const taken = await run(['backup', file])
    expect(taken.out).to.match(/^All that Redis held at 20\S+Z is in \S+a\.rdb, \d+ bytes\.$/)
    const restored = await run(['restore', file], { REDIS_URL: target.url })
    expect(restored.err).to.equal('')
    expect(restored.out)
      .to.match(/^Redis holds what it held at 20\S+Z\. .* is forgotten: .*Start the fleet now\.$/m)
      .and.match(/will be said to be unknown: 0 by mail, 0 by push, 0 by sms\. "fleet resend"/)
    expect([taken.code, restored.code]).to.deep.equal([0, 0])
    await target.redis().flushall()
    const again = await run(['restore', file, '--send-again', '--json'], { REDIS_URL: target.url })
    expect(JSON.parse(again.out)).to.include({ file, sendAgain: true })
    expect(await target.redis().hget('fleet', 'layout')).to.equal(await source.redis().hget('fleet', 'layout'))
  })

  it('say in one line what is wrong', async () => {
    const full = await run(['restore', join(dir, 'a.rdb')], { REDIS_URL: target.url })
    expect(full.err).to.equal('restore: that Redis holds data already: stop the fleet, and name an empty one\n')
    expect((await run(['restore', join(dir, 'a.rdb')])).err).to.equal(
      'restore: say into which Redis, an empty one: set REDIS_URL\n',
    )
    expect((await run(['backup', join(dir, 'a.rdb')])).err).to.match(
      /^backup: \S+ is there already: name another file\n$/,
    )
    expect((await run(['backup'])).err).to.equal('backup: <file> is missing; usage: fleet backup <file>\n')
    expect((await run(['backup', join(dir, 'b.rdb')], {}, false)).err).to.match(/^backup: this needs the sources/)
    expect(full.code).to.equal(2)
  })
})
