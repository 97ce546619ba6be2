/** Every command against the real queue over HTTP, with couriers that work. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HistoryKey, memberOf, parseHistoryKey } from '@courier-fleet/api-types'
import { type Client, createClient } from '@courier-fleet/client'
import { announceProcess, confirmSigner, keys } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { fleetCommand } from '../src/index.ts'
import { recipientNames } from '../src/recipient-names.ts'
import { startCommandedFleet } from './commanded-fleet.ts'
import { startProxy } from './proxy.ts'

describe('the commands of fleet', () => {
  let fleet: Awaited<ReturnType<typeof startCommandedFleet>>
  before(async () => {
    fleet = await startCommandedFleet()
    await fleet.linkPeople()
  })
  after(() => fleet.stop())

  const run = (...args: string[]) => fleet.run(fleetCommand, args)
  const adminEnv = () => ({ FLEET_API_URL: fleet.apiUrl, FLEET_API_KEY: fleet.service.keyOf.admin })
  const asAdmin = (...args: string[]) => fleet.run(fleetCommand, args, adminEnv())
  const far = new Date(Date.now() + 300 * 86_400_000).toISOString()
  const message = { to: ['group:own'], text: 'Hello\u001b[31m red', at: far }
  const later = async () => (await fleet.client.send(message)).key

  it('sends, and does not wait when told so', async () => {
    const { code, out } = await run(
      'send',
      '--to',
      'user:anna',
      '--text',
      'Hi',
      '--subject',
      'About',
      '--at',
      '+1h',
      '--wait',
      '0',
      '--json',
    )
    expect(JSON.parse(out)).to.include({ settled: false })
    expect(code).to.equal(4)
  })

  it('sends a message of a type, with what it says of the rules; what is refused says why', async () => {
    const now = ['--to', 'user:anna', '--at', '+1h', '--wait', '0', '--json']
    const sent = await run(
      'send',
      ...now,
      '--text',
      'Of a type',
      '--type',
      'general',
      '--level',
      '2',
      '--quiet',
      'respect',
    )
    const { history } = JSON.parse(sent.out)
    expect(history).to.deep.include({ type: { id: 'general', name: { ru: 'Общее', en: 'General' } }, level: 2 })
    expect(history).to.include({ quiet: 'respect' })
    const wrong = await run('send', ...now, '--text', 'Of none', '--type', 'newz')
    expect([wrong.code, wrong.err]).to.match(/^2,send: .*there is no type "newz". There are .*general/)
    expect((await run('send', ...now, '--text', 'x', '--level', '9')).err).to.match(
      /^send: --level is 1, 2, 3, 4, 5, not "9"/,
    )
  })

  it('watches to the end: the ending in words, each channel, who was not reached; 0 only when everyone was', async () => {
    const { key } = await fleet.client.send({ to: ['group:own'], text: 'Now' })
    const some = await run('watch', key)
    expect(some.out).to.match(
      /^Of 3 people: 1 sent to the chat; 1 not delivered \(1 blocked us\); 1 without a contact\.$/m,
    )
    expect(some.out)
      .to.match(/^channel +delivered +sent to chat +not confirmed +failed +no contact/m)
      .and.match(/^telegram +0 +1 +0 +1 +1/m)
    expect(some.out).to.match(/^Not delivered:\n {2}.*\(boris\): Telegram: not delivered \(blocked us\)$/m)
    expect([some.code, some.err]).to.match(/^1,.*settled/s)
    const mine = await fleet.client.send({ to: ['user:anna'], text: 'Now' })
    const all = await run('watch', mine.key, '--json')
    expect([all.code, all.err, JSON.parse(all.out).ending]).to.deep.equal([0, '', 'handed-over'])
  })

  it('watches for a while only', async () => {
    // no whole number of milliseconds
    const { code, out, err } = await run('watch', await later(), '--wait', '0.2001')
    expect([code, out]).to.match(/4,.*nothing has been sent yet/)
    // nothing where the first word of the service comes too late
    expect(err).to.match(/^(scheduled, due in \d+ s\n)?$/)
  })

  it('watches as long as it is told to, be that months', async () => {
    const key = await later()
    const watching = run('watch', key, '--wait', '9999999')
    await Promise.race([fleet.client.cancel(key), watching])
    expect((await watching).code).to.equal(1)
  })

  it('goes on watching when its connection was cut', async () => {
    const proxy = await startProxy(fleet.apiUrl)
    const { key } = await fleet.client.send({ to: ['user:anna'], text: 'Soon', at: far })
    const env = { FLEET_API_URL: proxy.url, FLEET_API_KEY: fleet.service.keyOf.trainer }
    const watching = fleet.run(fleetCommand, ['watch', key], env)
    await proxy.carried(/text\/event-stream.*"scheduled"/s)
    proxy.cut()
    await fleet.fixture.fallDue(parseHistoryKey(key))
    const { code, err } = await watching
    expect(err).to.match(/^scheduled.*settled/s)
    expect(code).to.equal(0)
    await proxy.stop()
  })

  it('tells the status of one message, its text harmless to a terminal, and of the latest', async () => {
    const key = await later()
    const one = await run('status', key)
    expect(one.out).to.match(/^state +scheduled$/m)
    expect(one.out).to.match(/^text +Hello \[31m red$/m)
    expect(one.code).to.equal(0)
    const latest = await run('list', '--limit', '3')
    expect(latest.out.split('\n')).to.have.length(4)
    expect(latest.out)
      .to.match(/^key +sender +to +people +state/)
      .and.match(new RegExp(`^${key} +trainer-1 +Own group +\\d+ +scheduled`, 'm'))
      .and.not.contain('\u001b')
    expect(JSON.parse((await run('list', '--limit', '2', '--json')).out).histories).to.have.length(2)
  })

  it('lists the messages of others for operators only', async () => {
    const key = await later()
    for (const whose of [['--sender', 'staff-1'], ['--all']]) {
      const seen = await run('list', ...whose, '--limit', '100')
      expect(seen.err).to.match(/operator/)
      expect(seen.code).to.equal(2)
    }
    const env = { FLEET_API_URL: fleet.apiUrl, FLEET_API_KEY: fleet.service.keyOf.operator }
    const own = await fleet.run(fleetCommand, ['list', '--all', '--limit', '100'], env)
    expect(own.out).to.match(new RegExp(`^${key} +trainer-1 +Own group +\\d+ +scheduled`, 'm'))
    // whoever sends nothing may not know what groups are called
    const namesFor = async (role: 'trainer' | 'student') =>
      recipientNames(createClient({ apiUrl: fleet.apiUrl, apiKey: fleet.service.keyOf[role] }))
    expect((await namesFor('trainer'))('group:own')).to.equal('Own group')
    expect((await namesFor('student'))('group:own')).to.equal('group:own')
    expect((await run('list', '--all', '--sender', 'x')).err).to.equal('list: say --sender or --all, not both\n')
  })

  it('says what became of people of whom it was unknown, or has them sent to again', async () => {
    const { key } = await fleet.client.send({ to: ['user:anna'], text: 'Now', channels: ['telegram'] })
    expect((await run('watch', key, '--until', 'handed-over')).code).to.equal(0)
    const ref = parseHistoryKey(key)
    // as an answer that is lost leaves it, on a channel that folds no resends
    await fleet.service.redis
      .multi()
      .setrange(keys.receipts(ref, 'telegram'), 0, 'u')
      .hset(keys.history(ref), { 'telegram:s': 0, 'telegram:u': 1 })
      .exec()
    expect((await run('receipts', key, '--state', 'unknown')).out)
      .to.match(/^person +name +channel +since +what +told by/m)
      .and.match(/^anna +Анна Каренина +Telegram +\d{4}-\S+Z +not known whether it arrived/m)
    for (const args of [
      ['resend', key, 'telegram'],
      ['resolve', key, 'telegram', 'failed', '--all', '--person', 'anna'],
    ])
      expect((await run(...args)).err).to.match(/say who: --person <id>, or --all/)
    expect((await run('resolve', key, 'telegram', 'lost', '--all')).err).to.match(
      /outcome is delivered or failed, not "lost"/,
    )

    const again = await run('resend', key, 'telegram', '--person', 'anna')
    expect([again.code, again.out]).to.match(/^0,Sent again: 1\. They may get it twice\./)
    expect((await run('watch', key, '--until', 'handed-over')).code).to.equal(0)
    expect((await run('receipts', key)).out).to.match(/sent to the chat \(sent again/)

    const none = await run('resolve', key, 'telegram', 'failed', '--all')
    expect([none.code, none.out]).to.deep.equal([1, 'Of none of them is it unknown.'])
    await fleet.service.redis
      .multi()
      .setrange(keys.receipts(ref, 'telegram'), 0, 'u')
      .hset(keys.history(ref), { 'telegram:s': 0, 'telegram:u': 1 })
      .exec()
    const told = await run('resolve', key, 'telegram', 'delivered', '--all')
    expect([told.code, told.out]).to.deep.equal([0, 'Noted as delivered: 1.'])
    expect((await run('receipts', key)).out).to.match(/delivered \(somebody found out that it arrived\) +trainer-1/)
  })

  it('releases what waits for an operator', async () => {
    const key = await later()
    expect((await asAdmin('list', '--all', '--held')).out).to.equal('No message waits for an operator.')
    const ref = parseHistoryKey(key)
    await fleet.service.redis.hset(keys.history(ref), 'held', Date.now())
    await fleet.service.redis.zadd(keys.held(ref.shard), Date.now(), memberOf(ref))
    expect((await asAdmin('list', '--all', '--held')).out).to.match(new RegExp(`^${key} .*held`, 'm'))
    await fleet.service.redis.hdel(keys.history(ref), 'held')
    await fleet.service.redis.zrem(keys.held(ref.shard), memberOf(ref))
    const released = await asAdmin('release', key)
    expect([released.code, released.out]).to.deep.equal([0, `Released: it goes out at ${far}`])
    expect((await run('release', key)).err).to.match(/operator/)
  })

  it('corrects the text', async () => {
    const key = await later()
    const corrected = await run('correct', key, '--text', 'The other way round')
    expect([corrected.code, corrected.out]).to.deep.equal([
      0,
      `Accepted, as version 2. See whom it reaches with: fleet watch ${key}`,
    ])
    expect((await run('status', key)).out).to.match(/^text +The other way round$/m)
    expect((await run('correct', key)).err).to.contain('--text')
    const same = await run('correct', key, '--text', 'The other way round', '--edits-only')
    expect([same.code, same.err]).to.deep.equal([2, 'correct: text: this is its text already\n'])
  })

  it('corrects texts by language, and the values of their fields', async () => {
    const texts = (ru: string, en: string) => JSON.stringify({ ru, en })
    const at = new Date(Date.now() + 200 * 86_400_000).toISOString()
    const text = { ru: 'Комната {{room}}', en: 'Room {{room}}' }
    const { key } = await fleet.client.send({ to: ['group:own'], text, fields: { room: '204' }, at })
    const next = texts('Зал {{room}}', 'Hall {{room}}')
    const rehearsed = await run('correct', key, '--texts', next, '--dry-run')
    expect([rehearsed.code, rehearsed.out]).to.deep.equal([
      0,
      'Nothing was changed. It would be:\nIt has not begun: everybody gets the new text alone.',
    ])
    const done = await run('correct', key, '--texts', next, '--language', 'en', '--fields', '{"room": "305"}')
    expect([done.code, done.err]).to.deep.equal([0, ''])
    const { text: now, texts: others, fields } = await fleet.client.history(key)
    expect({ now, others, fields }).to.deep.equal({
      now: 'Hall {{room}}',
      others: { ru: 'Зал {{room}}' },
      fields: { room: '305' },
    })
    const missing = await run('correct', key, '--text', 'Floor {{floor}}')
    expect(missing.code).to.equal(2)
    expect(missing.err).to.match(/^correct: .*3 people have no value for floor: /)
  })

  it('says what a correction and a recall would do, and changes nothing', async () => {
    const { key } = await fleet.client.send({ to: ['group:own'], text: 'Now', channels: ['telegram'] })
    await run('watch', key)
    const correction = await run('correct', key, '--text', 'Then', '--dry-run')
    expect([correction.code, correction.out]).to.deep.equal([
      0,
      'Nothing was changed. It would be:\nTelegram: 1 told by a message of its own.',
    ])
    expect(JSON.parse((await run('correct', key, '--text', 'Then', '--dry-run', '--json')).out)).to.include({
      people: 3,
    })
    const withEdits = await run('correct', key, '--text', 'Then', '--dry-run', '--edits-only')
    expect(withEdits.out).to.contain('Telegram: 1 keep the old text.')
    const both = await run('correct', key, '--text', 'Then', '--edits-only', '--tell-all')
    expect(both.err).to.contain('--tell-all or --edits-only, not both')
    const recall = await run('cancel', key, '--recall', '--dry-run')
    expect([recall.code, recall.out]).to.deep.equal([
      0,
      'Nothing was changed. It would be:\nTelegram: 1 still have it, or may.',
    ])
    expect((await fleet.client.history(key)).versions).to.equal(undefined)
    const notBegun = await later()
    expect((await run('correct', notBegun, '--text', 'Then', '--dry-run')).out).to.contain(
      'everybody gets the new text',
    )
    expect((await run('cancel', notBegun, '--recall', '--dry-run')).out).to.contain('nobody gets it')
    expect((await run('cancel', notBegun, '--dry-run')).err).to.contain('add --recall')
    expect((await run('status', notBegun)).out).to.match(/scheduled/)
  })

  it('reschedules and cancels', async () => {
    const key = await later()
    const sooner = new Date(Date.now() + 200 * 86_400_000).toISOString()
    expect((await run('reschedule', key, '--at', sooner)).out).to.equal(`Due ${sooner}`)
    const moved = await run('reschedule', key, '--at', '+1d', '--json')
    expect(Date.parse(JSON.parse(moved.out).at) - Date.now()).to.be.within(86_000_000, 86_400_000)
    const cancelled = await run('cancel', key)
    expect([cancelled.code, cancelled.out]).to.deep.equal([0, 'Cancelled: nobody gets it.'])
    expect((await run('status', key)).out)
      .to.match(/^to +not kept after it was cancelled: 3 people$/m)
      .and.to.match(/^text +not kept after it was cancelled$/m)
    const recalled = await run('cancel', await later(), '--recall')
    expect([recalled.code, recalled.out], 'nobody has it').to.deep.equal([0, 'Cancelled: nobody gets it.'])
    const again = await run('reschedule', key, '--at', '+1h')
    expect(again.code).to.equal(2)
    expect(again.err).to.match(/^reschedule: .+\n$/)
  })

  it('rehearses', async () => {
    const { code, out } = await run('rehearse', '--to', 'group:own', '--to', 'user:anna', '--text', 'Hello')
    expect(out).to.match(/^\d of 3 people can be reached; 1 named twice, counted once\.$/m)
    expect(out).to.contain('Clara, the "third" (clara): ')
    expect(out).not.to.contain('SMS each')
    expect(code).to.equal(1)
    const { directory } = fleet.fixture
    await directory.putPerson({ id: 'rita', name: 'Rita', role: 'student', timeZone: 'Europe/Moscow', language: 'en' })
    await directory.linkContact('sms', 'rita', '+79002220009')
    await fleet.service.set({ tariffs: { currency: 'RUB', prices: [{ prefix: '+79', perPart: 2_500_000 }] } })
    const priced = await asAdmin('rehearse', '--to', 'user:rita', '--channels', 'sms', '--text', 'Hello')
    expect(priced.code).to.equal(0)
    expect(priced.out).to.contain(
      '1 SMS each, 1 in all, ₽2.50; we do not know when it will be done: SMS does not work now.',
    )
    const to = ['--to', 'user:rita', '--channels', 'sms', '--text', 'Hello', '--at', far, '--wait', '0']
    const sent = await asAdmin('send', ...to)
    expect(sent.out).to.match(
      /^1 SMS each, 1 in all, ₽2\.50; we do not know when it will be done: SMS does not work now\.$/m,
    )
    const [key = ''] = /\S+\.admin-1\.\S+/.exec(sent.out) ?? []
    expect((await asAdmin('status', key)).out).to.match(/^forecast +1 SMS each, 1 in all, ₽2\.50; /m)
  })

  it('sends and rehearses a text in the language of each, with fields, and shows what somebody would read', async () => {
    const { directory } = fleet.fixture
    await directory.putPerson({
      id: 'greta',
      name: 'Greta',
      role: 'student',
      timeZone: 'Europe/Berlin',
      language: 'de',
    })
    await directory.linkContact('sms', 'greta', '+79002220008')
    await directory.linkContact('vk', 'greta', '593000777')
    const texts = JSON.stringify({ en: '{{name}}: room {{room}}', de: '{{name}}: Raum {{room}}!' })
    const said = ['--to', 'user:greta', '--texts', texts, '--language', 'en', '--fields', '{"room": "204"}']
    const rehearsed = await asAdmin('rehearse', ...said, '--preview', 'greta')
    expect(rehearsed.out).to.contain("The longest text is that of greta: 16 characters; the most SMS take greta's: 1.")
    expect(rehearsed.out).to.contain('Calls of VK: 1.')
    expect(rehearsed.out).to.contain('As greta would read it:\nGreta: Raum 204!')
    const sent = await asAdmin('send', ...said, '--at', far, '--wait', '0')
    expect(sent.out).to.match(/^Accepted \S+ for 1 person/)
    const refused = await asAdmin('send', '--to', 'user:greta', '--text', '{{seat}}', '--fields', '{}', '--wait', '0')
    expect(refused.err).to.contain('1 of 1 people have no value for seat: greta;')
    const wrong = await asAdmin('send', '--to', 'user:greta', '--texts', 'x')
    expect([wrong.code, wrong.err]).to.deep.equal([
      2,
      'send: --texts is a JSON object, such as {"ru": "…", "en": "…"}\n',
    ])
    const both = await asAdmin('send', '--to', 'user:greta', '--texts', '{}', '--text', 'x')
    expect([both.code, both.err]).to.deep.equal([2, 'send: say --text or --texts, not both\n'])
  })

  it('makes templates in versions, sends with one, and to the people of a table with values of their own', async () => {
    expect((await run('templates')).out).to.equal('No templates.')
    const named = ['templates', 'put', 'exam', '--ru', 'Экзамен', '--en', 'Exam', '--ask', 'room']
    expect((await run(...named, '--text', '{{room}}')).err).to.match(/^templates: .*staff/)
    expect((await asAdmin(...named, '--text', '{{name}}: {{room}}')).out).to.equal('exam: created, version 1.')
    expect((await asAdmin(...named, '--text', '{{name}} in {{room}}')).out).to.equal('exam: updated, version 2.')
    const stale = await asAdmin(...named, '--text', '{{room}}', '--version', '1')
    expect(stale.err).to.contain('the template "exam" is at version 2, not 1')
    expect((await run('templates')).out).to.match(/^exam +2 +Exam +Экзамен +room +– +in use$/m)
    expect((await run('templates', 'versions', 'exam')).out).to.match(
      /^exam version 2, .*\n {2}\{\{name}} in .*\n\nexam version 1, /s,
    )
    const folder = mkdtempSync(join(tmpdir(), 'fleet-'))
    const table = join(folder, 'rooms.csv')
    const sendTable = async (content: string, ...more: string[]) => {
      writeFileSync(table, content)
      return run('send', '--template', 'exam', '--recipients', table, '--at', '+1h', '--wait', '0', ...more)
    }
    const sent = await sendTable('\uFEFFperson;room;floor\r\nanna;"2;04";\r\nboris;205;1\r\n', '--json')
    const { history } = JSON.parse(sent.out)
    expect(history).to.deep.include({
      to: ['user:anna', 'user:boris'],
      ownValues: 2,
      template: { id: 'exam', version: 2 },
    })
    const shown = await asAdmin('rehearse', '--template', 'exam@1', '--recipients', table, '--preview', 'anna')
    expect(shown.out)
      .to.contain('As anna would read it:\n')
      .and.match(/: 2;04$/m)
    expect((await sendTable('person,room\nanna,\n')).err).to.contain('1 of 1 people have no value for room: anna;')
    for (const [content, said] of [
      ['room\n204\n', 'the table of recipients needs a first line with the column person'],
      ['person,room,room\nanna,1,2\n', 'two columns of the table are called room'],
      ['person,room\n,1\n', 'row 2 of the table names no person'],
      ['person,room\n', 'the table of recipients names nobody'],
      ['person,room\nanna,"1\n', 'a quote in the table is never closed'],
      ['person,room\nanna,"1"2\n', 'something stands behind a quote in the table'],
    ] as const)
      expect(await sendTable(content), content)
        .to.deep.include({ code: 2 })
        .and.property('err')
        .contains(said)
    const both = await run('send', '--to', 'user:anna', '--template', 'exam', '--text', 'x')
    expect([both.code, both.err]).to.deep.equal([2, 'send: say --template or the text itself, not both\n'])
    expect((await asAdmin('templates', 'archive', 'exam')).out).to.equal('Archived exam: nothing more is sent with it.')
    expect((await run('templates')).out).to.equal('No templates.')
    expect((await run('templates', '--all')).out).to.match(/^exam +3 .* archived$/m)
    rmSync(folder, { recursive: true })
  })

  it('tells what is left of the day', async () => {
    expect(await run('limits')).to.deep.equal({ code: 0, out: 'No limit.', err: '' })
  })

  it('finds people and shows one', async () => {
    const all = await asAdmin('people', '--limit', '2')
    expect(all.out).to.match(/^id +name +role/)
    expect(all.out).to.match(/… and more: --limit$/)
    const found = await asAdmin('people', '--search', 'анна', '--json')
    expect(JSON.parse(found.out).people.map(({ id }: { id: string }) => id)).to.deep.equal(['anna'])
    const one = await asAdmin('people', 'anna')
    expect(one.out).to.match(/^vk +1001 +active$/m)
    expect((await asAdmin('people', 'nobody')).err).to.match(/^people: .*nobody/)
  })

  it('links a further phone behind those somebody has, and unlinks one of them', async () => {
    const { directory } = fleet.fixture
    await directory.putPerson({ id: 'nina', name: 'Nina', role: 'student', timeZone: 'Europe/Moscow', language: 'en' })
    const [first, second, third] = ['+79002220031', '+79002220032', '+79002220033'] as const
    const phones = (out: string) => out.match(/^sms +\S+/gm)?.map((line) => line.replace(/^sms +/, ''))
    for (const phone of [first, second]) {
      const linked = await asAdmin('contacts', 'link', 'nina', 'sms', phone)
      expect([linked.code, linked.out]).to.match(/^0,Linked\. They have on sms:\n\nchannel +address +state/)
    }
    const again = await asAdmin('contacts', 'link', 'nina', 'sms', '8 900 222-00-31')
    expect([again.code, again.out]).to.match(/^0,It is theirs already\. They have on sms:\n/)
    const json = await asAdmin('contacts', 'link', 'nina', 'sms', third, '--json')
    expect(JSON.parse(json.out).contacts.sms.others.map(({ address }: { address: string }) => address)).to.deep.equal([
      second,
      third,
    ])
    expect(phones((await asAdmin('people', 'nina')).out)).to.deep.equal([first, second, third])
    const fourth = await asAdmin('contacts', 'link', 'nina', 'sms', '+79002220034')
    expect([fourth.code, fourth.err]).to.match(/^2,contacts: .*at most 3 contacts on sms/)
    const other = await asAdmin('contacts', 'link', 'nina', 'vk', '593000888')
    expect([other.code, other.err]).to.match(/^2,contacts: .*one contact on vk/)

    const unlinked = await asAdmin('contacts', 'unlink', 'nina', 'sms', first)
    expect([unlinked.code, phones(unlinked.out)]).to.deep.equal([0, [second, third]])
    const nothing = await asAdmin('contacts', 'unlink', 'nina', 'sms', first)
    expect([nothing.code, nothing.out]).to.match(
      /^1,Nothing was unlinked: they have no such contact\. They have on sms:\n/,
    )
    await asAdmin('contacts', 'unlink', 'nina', 'sms', second)
    const last = await asAdmin('contacts', 'unlink', 'nina', 'sms', third)
    expect([last.code, last.out]).to.deep.equal([0, 'Unlinked. They have none on sms.'])

    const refused = await run('contacts', 'link', 'nina', 'sms', first)
    expect([refused.code, refused.err]).to.match(/^2,contacts: /)
  })

  it('lists groups and members', async () => {
    expect((await run('groups')).out).to.match(/^group:own +\S.* 3 +trainer-1$/m)
    expect((await run('groups', 'own')).out.split('\n')).to.include.members(['anna', 'boris', 'clara'])
    const enrol = ['enrol', '--group', 'own', '--channel', 'vk']
    const made = await run(...enrol, '--days', '2')
    expect([made.code, made.err]).to.deep.equal([0, ''])
    expect(made.out)
      .to.match(/^\w+ +\S.* \d{12}/m)
      .and.match(/\d+ made, good until /)
    expect((await run(...enrol, '--csv')).out.split('\n')[1]).to.match(/^\w+,[^,]+,\d{12},/)
    expect((await run(...enrol, '--html')).out).to.match(/^<!doctype html>[\s\S]*<section class="strip"/)
    const refused = await run('enrol', '--group', 'own')
    expect([refused.code, refused.err]).to.deep.equal([2, 'enrol: it needs --group and --channel\n'])
  })

  it('makes a topic, joins and leaves it, and writes to it', async () => {
    expect((await run('topics')).out).to.equal('No topics.')
    const put = (...more: string[]) => asAdmin('topics', 'put', 'choir', '--ru', 'Хор', '--en', 'Choir', ...more)
    expect((await put()).out).to.equal('topic:choir: created. Nobody may write to it yet: --sender')
    expect((await put('--sender', 'staff')).out).to.equal('topic:choir: updated.')
    expect((await asAdmin('topics', 'join', 'choir', '--person', 'anna')).out).to.equal('anna is in topic:choir.')
    expect((await asAdmin('topics', 'members', 'choir')).out).to.equal('anna')
    const [, line] = (await run('topics')).out.split('\n')
    expect(line).to.match(/^topic:choir +Choir +Хор +no +yes +no +– +staff$/)
    const refused = await run('send', '--to', 'topic:choir', '--text', 'x', '--wait', '0')
    expect([refused.code, refused.err]).to.match(/^2,.*you are not among its senders/)
    expect((await asAdmin('rehearse', '--to', 'topic:choir')).out).to.match(/1/)
    const left = await asAdmin('topics', 'leave', 'choir', '--person', 'anna')
    expect(left.out).to.equal('anna is not in topic:choir any more.')
    expect((await asAdmin('topics', 'members', 'choir')).out).to.equal('Nobody.')
    expect((await run('topics', 'members', 'choir')).code).to.equal(2)
    expect((await asAdmin('topics', 'remove', 'choir')).out).to.equal('Removed topic:choir.')
    const unsaid = await run('topics', 'join')
    expect([unsaid.code, unsaid.err]).to.deep.equal([2, 'topics: say which: join <id>; "fleet topics" lists them\n'])
  })

  it('subscribes a URL, tries it, gives it a new secret, replays and removes it', async () => {
    let status = 204
    const receiver = createServer((_request, response) => response.writeHead(status).end())
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    try {
      expect((await run('subscriptions')).out).to.equal('No subscriptions.')
      const added = await run('subscriptions', 'add', url, '--resource', 'group', '--id', 'own')
      const [, id = ''] = /^whsec_\S+\nIts id is (\w+); the secret is shown only now\.$/.exec(added.out) ?? []
      expect((await run('subscriptions', 'list')).out).to.match(
        new RegExp(`^${id} +group own +trainer-1 +active +${url}$`, 'm'),
      )
      const test = await run('subscriptions', 'test', id)
      expect([test.code, test.out]).to.match(/^0,Taken: it answered 204 in \d+ ms\.$/)
      status = 500
      const failed = await run('subscriptions', 'test', id)
      expect([failed.code, failed.out]).to.deep.equal([
        1,
        'Not taken: it answered 500; only 2xx says that it was taken.',
      ])
      const lines = (await run('subscriptions', 'deliveries', id)).out.split('\n')
      expect(lines[1]).to.match(/a test +1 +not taken +500/)
      expect(lines[2]).to.match(/a test +1 +taken +204/)
      expect((await run('subscriptions', 'rotate', id)).out).to.match(
        /^whsec_\S+\nIt is shown only now\. The one before it signs, too/,
      )
      expect((await run('subscriptions', 'replay', id, '--last', '2h')).out).to.match(
        /^What has changed since 20\S+ is sent again\.$/,
      )
      expect((await run('subscriptions', 'replay', id, '--last', '15d')).err).to.match(/at most 14 days ago/)
      expect((await asAdmin('subscriptions', '--owner', '*', '--json')).out).to.include(id)
      expect((await run('subscriptions', 'remove', id)).out).to.equal(`Removed ${id}.`)
      expect((await run('subscriptions', 'test', id)).code).to.equal(2)
      expect((await run('subscriptions', 'add', url)).err).to.match(/say what is followed: --resource history\|person/)
      expect((await run('subscriptions', 'add')).err).to.match(/say where to/)
      const refused = await run('subscriptions', 'add', 'https://10.0.0.1/', '--resource', 'history')
      expect([refused.code, refused.err]).to.match(/^2,.*must lead to a public address/)
    } finally {
      receiver.close()
    }
  })

  it('gives out all that is known of one person, and erases them once it is said that this is meant', async () => {
    const put = { name: 'Кого сотрут', role: 'student' } as const
    for (const id of ['to-erase', 'erased-later'])
      await fleet.service.directory.putPerson({ id, ...put, timeZone: 'UTC', language: 'ru' })
    const begun = await asAdmin('erase', 'erased-later', '--reason', 'mistake', '--yes', '--wait', '0')
    expect(begun).to.include({ code: 1, out: 'It is not done yet, and goes on by itself.' })
    const known = JSON.parse((await asAdmin('data', 'to-erase')).out)
    expect(known.person).to.include({ id: 'to-erase', name: put.name })
    expect(await run('data', 'to-erase')).to.include({ code: 2 })
    const unsaid = await asAdmin('erase', 'to-erase', '--reason', 'left')
    expect(unsaid.code).to.equal(2)
    expect(unsaid.err).to.include('cannot be taken back')
    expect((await asAdmin('erase', 'to-erase', '--reason', 'because', '--yes')).code).to.equal(2)
    const done = await asAdmin('erase', 'to-erase', '--reason', 'left', '--yes')
    expect(done).to.include({ code: 0, out: 'Erased: nothing is left of them but counts.' })
    expect((await asAdmin('data', 'to-erase')).code).to.equal(2)
  })

  it('finds what one person got, by id or by name, for operators', async () => {
    const sent = JSON.parse(
      (await run('send', '--to', 'user:anna', '--text', 'For anna', '--at', '+1h', '--wait', '0', '--json')).out,
    ).history
    const found = await asAdmin('find', 'anna')
    expect([found.code, found.err]).to.deep.equal([0, ''])
    expect(found.out)
      .to.match(/ anna$|, anna$/m)
      .and.include(sent.key)
      .and.include('For anna')
      .and.include('not begun')
    const json = JSON.parse((await asAdmin('find', 'anna', '--json')).out)
    expect(json.person).to.equal('anna')
    expect(json.messages[0]).to.include({ key: sent.key, text: 'For anna' })
    expect(await asAdmin('find', 'nobody-at-all')).to.include({ code: 1, out: 'Nobody is called so.' })
    expect(await run('find', 'anna')).to.include({ code: 2 })
    await run('cancel', sent.key)
  })

  it('shows what counts for somebody, and what room the rules leave', async () => {
    expect((await asAdmin('diary', '--person', 'anna')).out).to.equal(
      'Nothing counts.\n\nNo rule says how many there may be.',
    )
    expect(JSON.parse((await asAdmin('diary', '--person', 'anna', '--json')).out)).to.deep.include({
      person: 'anna',
      entries: [],
      room: [],
    })
    expect((await run('diary', '--person', 'anna')).err).to.match(/operator/)
  })

  it('shows what somebody wishes, and changes what is named', async () => {
    expect((await asAdmin('wishes', '--person', 'anna')).out)
      .to.match(/^general +General +Общее +on$/m)
      .and.match(/^Quiet hours: the fleet's$/m)
    const set = await asAdmin('wishes', 'set', '--person', 'anna', '--off', 'general:sms', '--quiet', '23:00-07:00')
    expect(set.out)
      .to.match(/^general .* off on sms$/m)
      .and.match(/^Quiet hours: 23:00-07:00$/m)
    expect((await asAdmin('wishes', 'set', '--person', 'anna', '--off', 'general')).out)
      .to.match(/^general .* off$/m)
      .and.match(/23:00-07:00$/)
    const back = await asAdmin('wishes', 'set', '--person', 'anna', '--on', 'general', '--quiet', 'never')
    expect(back.out)
      .to.match(/^general .* off on sms$/m)
      .and.match(/^Quiet hours: never$/m)
    expect((await asAdmin('wishes', 'set', '--person', 'anna', '--quiet', 'fleet')).out).to.match(/the fleet's$/)
    expect(JSON.parse((await asAdmin('wishes', '--person', 'anna', '--json')).out)).to.deep.include({
      off: ['general:sms'],
    })
    for (const [args, err] of [
      [['set'], /^wishes: say what: /],
      [['--off', 'general'], /^wishes: to change anything: /],
      [['set', '--quiet', '23-7'], /^wishes: --quiet 23-7: hours such as /],
      [['set', '--off', 'newz'], /^wishes: .*there is no type "newz"/],
    ] as const) {
      const refused = await asAdmin('wishes', ...args, '--person', 'anna')
      expect(refused.code, args.join(' ')).to.equal(2)
      expect(refused.err).to.match(err)
    }
    expect((await run('wishes', '--person', 'anna')).err).to.match(/operator/)
  })

  it('makes, lists and revokes API keys', async () => {
    const made = await asAdmin('keys', 'create', '--owner', 'anna', '--role', 'student', '--label', 'phone')
    const [, id] = /Its id is (\S+);/.exec(made.out) as unknown as [string, string]
    expect(made.out).to.match(/^cf_/)
    expect((await asAdmin('keys')).out).to.match(new RegExp(`^${id} +anna +student .* phone$`, 'm'))
    const { apiKeys } = await createClient({ apiUrl: fleet.apiUrl, apiKey: fleet.service.keyOf.admin }).apiKeys()
    const created = apiKeys.find((key) => key.id === id)?.created as number
    // the day of whoever sits there: for one of the two it is another than in UTC
    const zone = new Date(created).getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati'
    const before = process.env.TZ
    process.env.TZ = zone
    try {
      const { out } = await fleet.run(fleetCommand, ['keys'], adminEnv(), { isTerminal: true })
      const day = new Intl.DateTimeFormat('sv', { timeZone: zone }).format(created)
      expect(out).to.match(new RegExp(`^${id} +anna +student +${day} .* phone$`, 'm'))
      expect(day).not.to.equal(new Date(created).toISOString().slice(0, 10))
    } finally {
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    }
    expect((await asAdmin('keys', 'revoke', id)).out).to.equal(`Revoked ${id}\nanna has nothing scheduled.`)
    expect((await asAdmin('keys')).out).not.to.contain(id)
  })

  it('says of a key that is revoked what its owner has scheduled, and the message becomes of that what is said', async () => {
    const { fixture, apiUrl, admin } = fleet
    const make = async (owner: string, role: string) => {
      const { id, apiKey } = await admin.createApiKey({ owner, role, label: 'x' })
      return { id, client: createClient({ apiUrl, apiKey }) }
    }
    const at = new Date(Date.now() + 3_600_000).toISOString()
    const send = (by: { client: Client }) =>
      by.client.send({ to: ['user:anna'], text: 'Later', at, duplicates: 'allow' })
    const revoke = async (key: { id: string }) => (await asAdmin('keys', 'revoke', key.id)).out.split('\n')
    /** Falls due now. */
    const isHeld = async (key: string) => {
      await admin.reschedule(key, new Date().toISOString())
      const { state, heldSince } = await until(async () => {
        const history = await admin.history(key)
        return history.state !== 'scheduled' || history.heldSince ? history : undefined
      }, 'it falls due')
      return state === 'scheduled' && heldSince !== undefined
    }

    await fixture.directory.putPerson({ id: 'dean', name: 'Dean', role: 'staff', timeZone: 'UTC', language: 'en' })
    const ofPerson = await make('dean', 'staff')
    const [person, ...more] = [await send(ofPerson), await send(ofPerson)]
    const said = await revoke(ofPerson)
    expect(said[1]).to.equal(
      `dean has 2 messages scheduled, the last due ${at}. It goes out all the same, with whichever key it was accepted: dean is a person, and sends by their role.`,
    )
    expect(said[2]).to.equal('See them: fleet list --sender dean · Cancel one: fleet cancel <key>')
    expect(await isHeld(person.key)).to.equal(false)
    for (const { key } of more) expect((await asAdmin('cancel', key)).code).to.equal(0)

    const own = await admin.createApiKey({ owner: 'chief', role: 'admin', label: 'x' })
    const env = { FLEET_API_URL: apiUrl, FLEET_API_KEY: own.apiKey }
    const itself = await fleet.run(fleetCommand, ['keys', 'revoke', own.id], env)
    expect([itself.code, itself.out]).to.deep.equal([
      0,
      `Revoked ${own.id}\nWhat chief has scheduled could not be read; it is not taken back.`,
    ])

    const [one, other] = [await make('portal', 'staff'), await make('portal', 'staff')]
    const system = [await send(one), await send(one)]
    expect((await revoke(one))[1]).to.match(
      /^portal has 2 messages .*\. It goes out all the same, but where its other keys/,
    )
    expect(await isHeld(system[0]?.key ?? '')).to.equal(false)
    expect((await revoke(other))[1]).to.match(
      /^portal has 1 message scheduled, due .*\. It is held when it falls due, for an operator to decide: no other key/,
    )
    expect(await isHeld(system[1]?.key ?? '')).to.equal(true)
  })

  it('sends and rehearses with an address that is asked first', async () => {
    const said = ['--to', 'group:own', '--recheck', 'https://timetable.example.org/?lesson=17', '--recheck-each']
    const rehearsed = await asAdmin('rehearse', ...said, '--on-silence', 'drop')
    expect(rehearsed.out).to.contain(
      'Just before sending we ask timetable.example.org. Its answer can stop the message.',
    )
    const sent = await asAdmin('send', ...said, '--text', 'Still on', '--at', '+1d', '--wait', '0')
    expect(sent.out).to.contain('Just before sending we ask timetable.example.org')
    const refused = await run('send', ...said, '--text', 'Still on', '--at', '+1d', '--wait', '0')
    expect(refused.err).to.contain('timetable.example.org')
    const alone = await asAdmin('send', '--to', 'group:own', '--text', 'Still on', '--on-silence', 'drop')
    expect([alone.code, alone.err]).to.deep.equal([2, 'send: say which address is asked: --recheck URL\n'])
  })

  it('makes a type with a deadline, and says of its messages who was told in time', async () => {
    const alert = ['types', 'put', 'alert', '--ru', 'Тревога', '--en', 'Alert', '--deadline', 'PT1H']
    expect((await asAdmin(...alert)).out).to.equal('alert: created.')
    expect((await run('types')).out).to.match(/^alert +Alert +Тревога +3 +allowed +– +– +PT1H +– /m)
    const sent = await asAdmin(
      'send',
      '--to',
      'user:anna',
      '--text',
      'Now',
      '--type',
      'alert',
      '--channels',
      'telegram',
    )
    expect(sent.out).to.contain('In time (1 hour): 1 of the 1 it was sent to, 100 %.')
    const { out } = await asAdmin('stats', '--by', 'type,reason', '--type', 'alert')
    expect(out).to.match(/^type +within the deadline +later +share\nalert +1 +0 +100 %$/m)
    expect((await asAdmin('types', 'remove', 'alert')).out).to.equal('Removed alert.')
  })

  it('lists, makes and removes types of message', async () => {
    expect((await run('types')).out).to.match(/^general +General +Общее +3 +allowed +– /m)
    const put = ['types', 'put', 'news', '--ru', 'Новости', '--en', 'News', '--level', '2', '--cap', '3/day:wait']
    expect((await run(...put)).err).to.match(/^types: .*operator/)
    const made = await asAdmin(
      ...put,
      '--cap',
      '1/PT1H',
      '--interval',
      'PT10M',
      '--duplicates',
      'PT24H',
      '--sender',
      'staff',
    )
    expect([made.code, made.out, made.err]).to.deep.equal([0, 'news: created.', ''])
    expect((await run('types')).out).to.match(
      /^news +News +Новости +2 +allowed +3\/day:wait, 1\/PT1H +PT10M +– +PT24H +– +– +respect +staff$/m,
    )
    const again = await asAdmin(...put.slice(0, 7), '--deadline', 'PT1H', '--dry-run')
    expect([again.code, again.out]).to.deep.equal([0, 'news: would be updated.'])
    expect((await asAdmin('types', 'remove', 'news', '--dry-run')).out).to.equal('news: would be removed.')
    expect((await asAdmin('types', 'remove', 'news')).out).to.equal('Removed news.')
  })

  it('gets, sets, tells the history of and restores settings', async () => {
    expect((await run('settings')).err).to.match(/^settings: .*operator/)
    const { version } = JSON.parse((await asAdmin('settings', '--json')).out) as { version: number }
    await asAdmin('send', '--to', 'group:own', '--text', 'Tomorrow', '--at', '+1d', '--wait', '0')
    const change = 'quiet: null → {"from":"22:00","to":"08:00"}'
    const note =
      /\nNote: \d+ messages? ha(s|ve) not started, to \d+ recipients? in all, the first is due \S+Z\. The rules/
    const dry = await asAdmin('settings', 'set', 'quiet=22:00-08:00', '--dry-run')
    expect(dry.code).to.equal(0)
    expect(dry.out).to.match(/^Nothing was changed, this is version \d+ still\. It would become:\n/)
    expect(dry.out).to.contain(change).and.to.match(note)
    const set = await asAdmin('settings', 'set', 'quiet=22:00-08:00')
    expect(set.code).to.equal(0)
    expect(set.out).to.match(new RegExp(`^Version ${version + 1}:\n`))
    expect(set.out).to.contain(change).and.to.match(note)
    expect((await asAdmin('settings', 'set', 'channels.vk.perSecond=50', '--dry-run')).out).to.match(
      /^Note: VK allows at most 20 calls a second: /m,
    )
    expect((await asAdmin('settings', 'set', 'channels.vk.perSecond=10')).code).to.equal(0)
    expect((await asAdmin('settings', 'set', '{"interval":"PT10M"}', '--version', String(version))).err).to.match(
      /^settings: .*the settings are at version \d+, not \d+/,
    )
    const shown = (await asAdmin('settings', 'get')).out
    expect(shown).to.match(/^channels +\{"vk":\{"perSecond":10\}\}$/m)
    expect(shown).to.match(/^\d+ of \d+ processes use version \d+ of the settings\.$/m)
    const history = (await asAdmin('settings', 'history')).out
    expect(history).to.match(/^\d+ {2}\S+Z {2}admin-1\n {4}channels\.vk\.perSecond: null → 10$/m)
    expect((await asAdmin('settings', 'restore', String(version))).out).to.match(/^quiet: .* → null$/m)
    const back = await asAdmin('settings', 'restore', String(version + 1), '--dry-run')
    expect(back.out).to.match(/^Nothing was changed.*\n.*\nNote: /s)
    expect((await asAdmin('settings', 'set', 'quiet')).err).to.match(/^settings: say what to set: /)
    expect((await asAdmin('settings', 'set', 'quietJitterSeconds=soon')).err).to.match(
      /^settings: .*quietJitterSeconds/,
    )
  })

  it('tells times on a terminal by the clock of whoever sits there, and in a pipe as programs read them', async () => {
    await asAdmin('events', 'put', 'exam-9', '--at', '+2h', '--name', 'Exam')
    await asAdmin('settings', 'set', 'quietJitterSeconds=30')
    const utc = /\d{4}-\d\d-\d\dT\d\d:\d\d/
    const calls = [['settings', 'history'], ['events'], ['events', 'show', 'exam-9'], ['stats', '--by', 'hour']]
    for (const call of calls) {
      const shown = await fleet.run(fleetCommand, call, adminEnv(), { isTerminal: true })
      expect([shown.code, utc.test(shown.out)], call.join(' ')).to.deep.equal([0, false])
      expect(shown.out, call.join(' ')).to.match(/\d{1,2} [A-Z][a-z]{2,3} \d{4}, \d\d:\d\d:\d\d (UTC|GMT)/)
      expect((await asAdmin(...call)).out, call.join(' ')).to.match(utc)
    }
  })

  it('shows the channels', async () => {
    const { code, out } = await run('channels')
    expect(out).to.match(/^telegram +(not )?ready +\d of \d +0 +0 +0 +0\.0 s +(–|\d+\.\d\d \/ \d+\.\d\d s)$/m)
    expect(code).to.equal(0)
  })

  it('names a courier that cannot send, with since when and why', async () => {
    const identity = { name: 'courier-vk-7', role: 'courier', channel: 'vk' }
    const notReady = { since: Date.UTC(2026, 8, 1), why: 'VK cannot be reached (ECONNREFUSED)' }
    const announced = announceProcess(fleet.fixture.redis, identity, () => ({ ready: false, notReady }))
    await announced.refresh()
    const { out } = await run('channels')
    await announced.stop()
    expect(out).to.match(/^vk +not ready +0 of 1 /m)
    expect(out).to.include(
      'courier-vk-7 is not ready since 2026-09-01T00:00:00.000Z: VK cannot be reached (ECONNREFUSED)',
    )
  })

  it('tells how much was sent, and what came of it', async () => {
    const { key } = await fleet.client.send({ to: ['group:own'], text: 'Counted' })
    await run('watch', key)
    const { code, out } = await asAdmin('stats', '--last', '2h', '--by', 'channel,reason')
    expect(out)
      .to.match(/^channel +reason +started +sent .*failed .*no-contact/m)
      .and.match(/^telegram +blocked +0 +0( +0)* +[1-9]\d*( +0)+$/m)
      .and.match(/^accepted +to people +cancelled +to people\n +[1-9]\d* +[1-9]\d* +\d+ +\d+$/m)
      .and.match(/^class +started +late, mean +99 % within\nnormal +[1-9]\d* +\d+\.\d{3} s +[\d.]+ s$/m)
    expect(code).to.equal(0)
    const { receipts } = JSON.parse((await asAdmin('stats', '--type', 'general', '--channel', 'vk', '--json')).out)
    expect(receipts[0]).to.include({ type: 'general' })
    expect((await asAdmin('stats')).out)
      .to.match(/^type +started +sent or further +delivered or further +read or further +confirmed$/m)
      .and.match(/^general +[1-9]\d* +[1-9]\d* +\d+ +\d+ +0$/m)
    expect((await asAdmin('stats', '--type', 'unheard-of')).out).to.match(/^Nothing from 20.* to 20/)
    expect((await asAdmin('stats', '--by', 'state')).err).to.equal(
      'stats: --by takes type, channel, reason, hour between commas, not "state"\n',
    )
    expect((await asAdmin('stats', '--last', 'week')).err).to.match(/--last takes a length of time such as 24h or 7d/)
    expect((await run('stats')).err).to.match(/^stats: .*operator/)
  })

  it('tells how far people have come with a message, in numbers or one by one', async () => {
    const { key } = await fleet.client.send({ to: ['group:own'], text: 'Flowing', channels: ['telegram'] })
    await run('watch', key)
    const { code, out } = await run('flow', key)
    expect(out)
      .to.match(/^channel +people +sent +delivered +read +confirmed\nTelegram +3 +1 +0 +0 +0$/m)
      .and.match(/^Telegram +312000000 +failed +not delivered \(blocked us\) +1$/m)
    expect(code).to.equal(0)
    const rows = (await run('flow', key, '--stage', 'sent')).out
    expect(JSON.parse(rows)).to.deep.equal({ ordinal: 0, person: 'anna', flow: { telegram: '200000000' } })
    expect((await run('flow', key, '--format', 'csv')).out).to.match(/^1,boris,telegram,312000000,failed$/m)
    expect((await run('flow', key, '--stage', 'lost')).err).to.match(/^flow: --stage is pending, stopped, /)
  })

  it('reads the audit', async () => {
    await asAdmin('keys', 'create', '--owner', 'boris', '--role', 'student', '--label', 'x')
    const { out } = await asAdmin('audit', '--limit', '1')
    expect(out).to.match(/api-key\.created .* admin-1 by api/)
    expect((await run('audit')).err).to.match(/^audit: /)
  })

  it('says how each is called, and what its exit code means', async () => {
    const help = await run('help')
    expect(help.out)
      .to.match(/^ {2}reschedule <key> /m)
      .and.match(/^ {2}import +every line was taken/m)
    for (const args of [
      ['help', 'cancel'],
      ['cancel', '--help'],
    ]) {
      const { code, out } = await run(...args)
      expect(out)
        .to.match(/^Usage: fleet cancel <key> \[options\]$/m)
        .and.match(/^ {2}1 +it had begun, and stops, or is taken back$/m)
      expect(code).to.equal(0)
    }
  })

  it('has colours on a terminal alone, and none where NO_COLOR says so', async () => {
    const onTerminal = (env: NodeJS.ProcessEnv, ...args: string[]) =>
      fleet.run(fleetCommand, args, env, { isTerminal: true })
    expect((await onTerminal({}, 'help', 'cancel')).out).to.contain('\x1b[1mUsage:\x1b[22m fleet cancel')
    expect((await onTerminal({}, 'cancel')).err).to.equal(
      '\x1b[31mcancel:\x1b[39m <key> is missing; usage: fleet cancel <key>\n',
    )
    for (const args of [['help', 'cancel'], ['cancel']]) {
      for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
        const { out, err } = await onTerminal(env, ...args)
        expect(out + err)
          .to.contain('fleet cancel')
          .and.not.contain('\x1b')
      }
      const { out, err } = await run(...args)
      expect(out + err).to.not.contain('\x1b')
    }
  })

  it('says which version it is', async () => {
    const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
    expect(await run('--version')).to.deep.equal({ code: 0, out: JSON.parse(manifest).version, err: '' })
  })

  it('retires a channel that has no courier any more, and tells what still waits for it', async () => {
    const [, vk] = fleet.runners
    await vk?.stop(1000)
    const { key } = await fleet.client.send({ to: ['group:own'], text: 'Waits for VK' })
    for await (const { channels } of fleet.client.watch(key)) if (channels.telegram?.state === 'settled') break
    const retired = await asAdmin('channels', 'retire', 'vk')
    expect(retired.out).to.match(/^Retired vk; still waiting for it: 3 people in 1 piece\(s\), the first since 20/)
    expect(retired.code).to.equal(0)
    const next = await fleet.client.sendAndWait({ to: ['user:anna'], text: 'Not by VK' }, 20)
    expect(next.history.expected).to.deep.equal(['telegram'])
    expect((await run('channels', 'retire', 'vk')).err).to.match(/^channels: .*operator/)
  })

  const wrong: [args: string[], says: RegExp][] = [
    [[], /^Usage: fleet <command>/],
    [['sned'], /^fleet: there is no command "sned"; did you mean "fleet send"\?\n$/],
    [['launch-rocket'], /^fleet: .*"fleet help" lists the commands\n$/],
    [['watch'], /^watch: <key> is missing; usage: fleet watch <key>\n$/],
    [['watch', 'a', 'b'], /^watch: too many arguments; usage: fleet watch <key>\n$/],
    [['help', 'sned'], /^fleet: there is no command "sned"; did you mean "fleet send"\?\n$/],
    [['reschedule', 'x', '--at', '2030-01-01 08:00'], /^reschedule: --at takes now, .*, not "2030-01-01 08:00"\n$/],
    [['watch', 'nonsense'], /^watch: .*not a history key.*\n$/],
    [['list', '--limit', 'many'], /^list: --limit takes a whole number above 0, not "many"\n$/],
    [['send', '--tx', 'x'], /^send: Unknown option '--tx'; did you mean --t\w+\?\n$/],
    [['send', '--text', '--wait', '5'], /^send: --text takes a value, and --wait is another option\n$/],
    [['send', '--text'], /^send: option '--text <TEXT>' argument missing\n$/],
    [['--vresion'], /^fleet: Unknown option '--vresion'; did you mean --version\?\n$/],
    [['send', '--quickly'], /^send: Unknown option '--quickly'; it takes --to, --channels, --text/],
    [['reschedule', 'x'], /^reschedule: say when to send it: --at/],
    [['rehearse'], /^rehearse: say whom to send to/],
    [['keys', 'make'], /^keys: action is create or revoke, not "make"\n$/],
    [['roles', 'remove'], /^roles: say which: /],
    [['people', '--role', 'staff'], /^people: say whose role it is: /],
    [
      ['contacts', 'unlink', 'anna', 'sms'],
      /^contacts: <address> is missing; usage: fleet contacts <action> <person> <channel> <address>\n$/,
    ],
    [['contacts', 'add', 'anna', 'sms', '1'], /^contacts: action is link or unlink, not "add"\n$/],
    [['keys', 'create'], /^keys: say whose it is: /],
    [['keys', 'revoke'], /^keys: say which: /],
    [['channels', 'retire'], /^channels: say which: /],
    [['completion', 'tcsh'], /^completion: shell is bash or zsh or fish, not "tcsh"\n$/],
  ]
  for (const [args, says] of wrong) {
    it(`says in one line what is wrong with ${args.join(' ') || 'nothing at all'}`, async () => {
      const { code, out, err } = await run(...args)
      expect(err).to.match(says)
      expect([code, out]).to.deep.equal([2, ''])
    })
  }

  it('tells how many have confirmed a message, and how those who have not are found and reminded', async () => {
    const { out } = await run('send', '--to', 'group:own', '--text', 'Read this', '--confirm', '--json')
    const { key } = (JSON.parse(out) as { history: { key: HistoryKey } }).history
    const told = await run('status', key)
    expect(told.out).to.match(/^Confirmed by 0 of 3 people\.$/m)
    const token = (await confirmSigner(fleet.service.redis))({ ref: parseHistoryKey(key), ordinal: 0, version: 1 })
    const [address] = Object.values((await fleet.service.directory.contactsOf('telegram', ['anna']))[0] ?? {})
    const inbound = createClient({ apiUrl: fleet.apiUrl, apiKey: fleet.service.keyOf.inbound })
    await inbound.confirm({ channel: 'telegram', address: address as string, token })
    expect((await run('status', key)).out).to.match(/^Confirmed by 1 of 3 people\.$/m)

    const yes = await run('receipts', key, '--confirmed', 'yes', '--json')
    const [anna] = (JSON.parse(yes.out) as { receipts: { person: string }[] }).receipts
    expect(anna?.person).to.equal('anna')
    const [line = ''] = /^ {2}to remind them: fleet .*$/m.exec(told.out) ?? []
    const [, ...remind] = line.trim().replace('to remind them: ', '').replace('TEXT', 'Please').split(' ')
    const reminded = JSON.parse((await run(...remind, '--json')).out) as { history: { audience: { size: number } } }
    expect(reminded.history.audience.size).to.equal(2)
  })
})
