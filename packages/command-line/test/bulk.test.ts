import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { fleetCommand } from '../src/index.ts'
import { startCommandedFleet } from './commanded-fleet.ts'

describe('what is piped in, and what is for spreadsheets', () => {
  let fleet: Awaited<ReturnType<typeof startCommandedFleet>>
  let dir: string
  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'courier-fleet-bulk-'))
    fleet = await startCommandedFleet()
    await fleet.linkPeople()
  })
  after(async () => {
    await fleet.stop()
    rmSync(dir, { recursive: true })
  })

  const run = (...args: string[]) => fleet.run(fleetCommand, args)
  const piped = (input: string[], ...args: string[]) => fleet.run(fleetCommand, args, {}, { input })
  const line = (text: string, to = 'user:anna') => JSON.stringify({ to: [to], text, in: 3600 })

  it('sends a message a line, says which were refused and why, and nothing twice when it is repeated', async () => {
    const file = join(dir, 'messages.ndjson')
    writeFileSync(file, `${line('One')}\n${line('Two', 'group:none')}\n${line('Three')}\n\n`)
    const first = await run('bulk', file, '--json')
    const { idempotencyKey, answers } = JSON.parse(first.out)
    expect([first.code, answers.map(({ status }: { status: number }) => status)]).to.deep.equal([1, [201, 422, 201]])
    const again = await run('bulk', file, '--idempotency-key', idempotencyKey)
    expect(again.out).to.match(/^2 accepted, of them 2 before, 1 refused\n {2}line 2: to\.0: .*none/)
    expect(again.code).to.equal(1)
    const all = await piped([line('Four'), '\n', line('Five')], 'bulk', '-')
    expect([all.code, all.out]).to.deep.equal([0, '2 accepted, 0 refused'])
  })

  it('sends nothing of what it cannot read', async () => {
    const before = (await fleet.client.histories()).histories.length
    const broken = await piped([`${line('Six')}\n{"to":\n`], 'bulk', '-')
    expect([broken.code, broken.err]).to.deep.equal([2, 'bulk: line 2 is no JSON; nothing was sent\n'])
    expect((await piped([''], 'bulk', '-')).err).to.match(/^bulk: there are no lines: /)
    expect((await run('bulk', '-')).err).to.equal('bulk: there is nothing on stdin: name a file instead of -\n')
    expect((await run('bulk', join(dir, 'none'))).err).to.match(/^bulk: cannot read .*none: there is no such file\n$/)
    expect((await fleet.client.histories()).histories).to.have.length(before)
  })

  it('sends the text that is piped in, with a class, and until when', async () => {
    const expires = new Date(Date.now() + 7_200_000).toISOString()
    const rest = [
      '--to',
      'user:anna',
      '--in',
      '3600',
      '--wait',
      '0',
      '--json',
      '--class',
      'urgent',
      '--expires',
      expires,
    ]
    const sent = await piped(['Two lines\n', 'of it\n'], 'send', '--text', '-', ...rest)
    expect(JSON.parse(sent.out).history).to.include({ text: 'Two lines\nof it', class: 'urgent', expires })
    expect((await run('send', '--to', 'user:anna', '--text', 'x', '--class', 'first')).err).to.match(
      /^send: --class is urgent, normal, bulk, not "first"/,
    )
  })

  it('tells the receipts for a spreadsheet: in words, with names, all of them, no formula among them', async () => {
    const directory = fleet.fixture.directory
    await directory.putPerson({
      id: 'eve',
      name: '=HYPERLINK("http://x")',
      role: 'student',
      timeZone: 'UTC',
      language: 'en',
    })
    await directory.putGroup({ id: 'sheet', name: 'Sheet', owners: ['trainer-1'] })
    await directory.addMembers('sheet', ['anna', 'boris', 'eve'])
    const { history } = await fleet.client.sendAndWait(
      { to: ['group:sheet'], text: 'Hello', channels: ['telegram'] },
      60,
    )
    const { code, out } = await run('receipts', history.key, '--csv')
    const [head, ...lines] = out.split('\n')
    expect(head).to.equal('\uFEFFperson,name,channel,since,what,told by,detail,confirmed')
    expect(lines).to.have.length(3)
    expect(lines[0]).to.match(/^anna,Анна Каренина,Telegram,\d{4}-\S+Z,sent to the chat,,,$/)
    expect(lines[1]).to.match(/^boris,.*,Telegram,\S+Z,not delivered \(blocked us\),,/)
    expect(lines[2]).to.contain(`"'=HYPERLINK(""http://x"")"`)
    const few = await run('receipts', history.key, '--csv', '--limit', '1', '--separator', 'semicolon')
    expect(few.out.split('\n')).to.have.length(2)
    expect(few.out).to.match(/^anna;Анна Каренина;/m)
    expect(code).to.equal(0)
  })
})
