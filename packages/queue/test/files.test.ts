import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type FileView, type MessageFileView, maxFileBytes, type ProblemDocument } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { findFile, receiveFile, useFile } from '../src/files/file-folder.ts'
import { removeFilesOf, sweepFiles } from '../src/files/remove-files.ts'
import { far, type Service, startService } from './service.ts'

const dayMs = 86_400_000
const pdf = Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const zip = Buffer.from('504b0506000000000000000000000000000000000000', 'hex')
const sms = '+79001234567'

describe('files of messages', () => {
  const dir = mkdtempSync(join(tmpdir(), 'files-'))
  const rules = {
    timeZone: 'Europe/Moscow',
    quotas: {},
    bodyTimeoutMs: 20_000,
    publicUrl: 'https://fleet.example',
    files: { dir, keptMs: 30 * dayMs, bytesADay: { trainer: 60 * 1_048_576 } },
  }
  let service: Service
  let url: string
  before(async () => {
    service = await startService(undefined, rules)
    url = await service.listen()
    await service.directory.linkContact('sms', 'anna', sms)
  })
  after(async () => {
    await service.stop()
    rmSync(dir, { recursive: true, force: true })
  })
  beforeEach(() => service.redis.del(keys.storedFiles('trainer-1')))

  type Uploaded = { status: number; headers: Headers; json: FileView & ProblemDocument }
  const uploadAs = async (
    as: 'trainer' | 'staff',
    name: string,
    body: Uint8Array,
    more: Record<string, string> = {},
  ) => {
    const answer = await fetch(`${url}/v1/files?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.keyOf[as]}`,
        'content-type': 'application/octet-stream',
        connection: 'close',
        ...more,
      },
      body: body as Uint8Array<ArrayBuffer>,
    })
    return { status: answer.status, headers: answer.headers, json: await answer.json() } as Uploaded
  }
  const upload = (name: string, body: Uint8Array, more?: Record<string, string>) =>
    uploadAs('trainer', name, body, more)
  const fileOf = async (key: string) => (await service.history(key)).files?.[0] as MessageFileView
  const follow = (link: string, headers = {}) => fetch(link.replace('https://fleet.example', url), { headers })
  const left = () => readdirSync(dir).filter((name) => name.startsWith('.'))

  it('says by the content what a file is, and cleans its name', async () => {
    const named = [
      ['План 1.pdf', pdf, 'План 1.pdf', 'application/pdf'],
      ['../../etc/pass"wd.exe', png, 'pass_wd.exe.png', 'image/png'],
      ['C:\\docs\\.htaccess', png, 'htaccess.png', 'image/png'],
      ['a\u202egnp.pdf', pdf, 'a_gnp.pdf', 'application/pdf'],
      ['list.csv', Buffer.from('имя;сумма\n'), 'list.csv', 'text/csv'],
      [`${'я'.repeat(200)}.PDF`, pdf, `${'я'.repeat(96)}.PDF`, 'application/pdf'],
    ] as const
    for (const [given, bytes, name, type] of named) {
      const { status, json } = await upload(given, bytes)
      expect(status, given).to.equal(201)
      expect(json).to.include({ name, type, size: bytes.length })
      expect(Date.parse(json.until)).to.be.closeTo(Date.now() + dayMs, 60_000)
    }
  })

  it('takes nothing that runs, and nothing that a browser shows as a page', async () => {
    const refused = [
      ['page.html', Buffer.from('<!doctype html><script>alert(1)</script>')],
      ['picture.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
      ['run.png', Buffer.from('#!/bin/sh\nrm -rf /\n')],
      ['setup.pdf', Buffer.from('4d5a90000300000004000000ffff0000', 'hex')],
      ['much.zip', zip],
      ['bytes.txt', Buffer.from([0x41, 0x00, 0xff])],
      // names that every object knows
      ['page.constructor', Buffer.from('<!doctype html><script>alert(1)</script>')],
      ['text.__proto__', Buffer.from('text')],
    ] as const
    for (const [name, bytes] of refused) {
      const { status, json } = await upload(name, bytes)
      expect([status, json.code], name).to.deep.equal([422, 'unsupported-file'])
    }
    expect((await upload('nothing.pdf', Buffer.alloc(0))).json.code).to.equal('empty-file')
    expect(left(), 'nothing of them is left').to.deep.equal([])
  })

  it('refuses what is too large, too much in a day, or of no length, and takes it once under one Idempotency-Key', async () => {
    const large = Buffer.alloc(maxFileBytes + 1, 'a')
    expect((await upload('large.txt', large)).json.code).to.equal('too-large')
    const { json: first, status } = await upload('once.pdf', pdf, { 'idempotency-key': 'once' })
    const again = await upload('once.pdf', pdf, { 'idempotency-key': 'once' })
    expect([status, again.status, again.headers.get('idempotency-replayed')]).to.deep.equal([201, 201, 'true'])
    expect(again.json.id).to.equal(first.id)
    expect((await upload('once.pdf', png, { 'idempotency-key': 'once' })).json.code).to.equal('idempotency-key-reused')
    const most = large.subarray(0, maxFileBytes)
    for (const _ of [1, 2]) expect((await upload('most.txt', most)).status).to.equal(201)
    const { status: refused, json, headers } = await upload('most.txt', most)
    expect([refused, json.code]).to.deep.equal([429, 'too-many-files'])
    expect(Number(headers.get('retry-after'))).to.be.closeTo(86_400, 60)
    const stream = new Blob([pdf]).stream()
    const unsaid = await fetch(`${url}/v1/files?name=a.pdf`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.keyOf.trainer}`, 'content-type': 'application/octet-stream' },
      body: stream,
      duplex: 'half',
    } as RequestInit)
    expect([unsaid.status, ((await unsaid.json()) as ProblemDocument).code]).to.deep.equal([411, 'length-required'])
  })

  it('goes with a message of its sender, as a link below the text that SMS count', async () => {
    const { json: file } = await upload('План.pdf', pdf)
    const asked = { to: ['group:own'], text: 'Hello', channels: ['sms', 'http'] }
    const rehearse = async (body: object) =>
      (await service.call('/v1/audiences:resolve', { method: 'POST', as: 'trainer', body })).json as never
    const bare = (await rehearse(asked)) as { text: { sms: object } }
    const full = (await rehearse({ ...asked, files: [file.id] })) as { text: { sms: object }; files: MessageFileView[] }
    expect(bare.text.sms).to.deep.equal({ encoding: 'gsm', parts: 1, total: 1 })
    expect(full.files).to.have.length(1)
    expect(full.files[0]).to.deep.include({ name: 'План.pdf', asLink: ['sms'] })
    // 5 characters, a line break, and a link of 79: by SMS a name would make it Cyrillic
    expect(full.text.sms).to.deep.equal({ encoding: 'gsm', parts: 1, total: 1 })
    const long = await rehearse({ ...asked, text: 'a'.repeat(100), files: [file.id] })
    expect((long as typeof full).text.sms).to.deep.equal({ encoding: 'gsm', parts: 2, total: 2 })

    const key = await service.send({ files: [file.id] })
    const shown = await fileOf(key)
    expect(shown).to.deep.include({ id: file.id, name: 'План.pdf', type: 'application/pdf', size: pdf.length })
    expect(Date.parse(shown.until)).to.be.closeTo(Date.parse(far) + 31 * dayMs, 60_000)

    const others = await service.call('/v1/messages', {
      method: 'POST',
      as: 'staff',
      body: { to: ['group:own'], text: 'Hello', files: [file.id] },
    })
    expect([others.status, others.json.code, others.json.field]).to.deep.equal([422, 'unknown-file', 'files'])
    const six = Array.from({ length: 6 }, (_, index) => `${index}`.repeat(12))
    expect(await refusal({ files: six })).to.deep.equal([422, 'invalid'])
    expect(await refusal({ files: ['../../../etc'] })).to.deep.equal([422, 'invalid'])
  })

  const refusal = async (body: object) => {
    const call = { method: 'POST', as: 'trainer', body: { to: ['group:own'], text: 'Hello', ...body } } as const
    const { status, json } = await service.call('/v1/messages', call)
    return [status, json.code]
  }

  it('gives it to whoever has the link, to be saved and never shown, until its end', async () => {
    const { json: file } = await upload('План (1).pdf', pdf)
    const { link } = await fileOf(await service.send({ files: [file.id], expires: undefined, at: 'now' }))
    const answer = await follow(link)
    expect(answer.status).to.equal(200)
    expect(Buffer.from(await answer.arrayBuffer()).equals(pdf)).to.equal(true)
    expect(Object.fromEntries(answer.headers)).to.deep.include({
      'content-type': 'application/pdf',
      'content-length': String(pdf.length),
      'content-disposition': "attachment; filename*=UTF-8''%D0%9F%D0%BB%D0%B0%D0%BD%20%281%29.pdf",
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    })
    const forged = [
      link.replace(/s=.{4}/, 's=AAAA'),
      link.replace(/e=\w+/, (end) => `${end}z`),
      link.replace(/\/f\/.{12}/, '/f/AAAAAAAAAAAA'),
      link.replace(/\?.*/, ''),
      `${url}/f/..%2F..%2Fetc%2Fpasswd?e=zzzzzz&s=q1w2e3r4t5y6u7i8`,
    ]
    for (const each of forged) {
      const refused = await follow(each, { 'accept-language': 'en' })
      expect(refused.status, each).to.equal(404)
      expect(await refused.text()).to.contain('This link is cut or not ours')
    }
    const { now } = service.clock
    service.clock.now = () => now() + 31 * dayMs + 3_600_000
    try {
      const late = await follow(link, { 'accept-language': 'ru' })
      expect(late.status).to.equal(410)
      expect(await late.text()).to.contain('больше нет')
    } finally {
      service.clock.now = now
    }
  })

  it('does not move a message beyond the end of its links', async () => {
    const { json: file } = await upload('plan.pdf', pdf)
    const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()
    const key = await service.send({ files: [file.id], at: inDays(1) })
    const move = async (at: string) => {
      const call = { method: 'PATCH', as: 'trainer', body: { at } } as const
      return (await service.call(`/v1/histories/${key}`, call)).json.code
    }
    expect(await move(inDays(32))).to.equal('files-end-first')
    expect(await move(inDays(29))).to.equal(undefined)
    const event = (at: string) =>
      service.call('/v1/events/exam', { method: 'PUT', as: 'trainer', body: { at } }).then(({ json }) => json.code)
    expect(await event(inDays(1))).to.equal(undefined)
    await service.send({ files: [file.id], at: undefined, event: 'exam' })
    expect(await event(inDays(40))).to.equal('files-end-first')
    expect(await event(inDays(20))).to.equal(undefined)
  })

  it('keeps what a message needs, and removes what none does, and what a crash has left', async () => {
    const [needed, unused] = [await upload('needed.pdf', pdf), await upload('unused.pdf', pdf)]
    const key = await service.send({ files: [needed.json.id], at: 'now' })
    const { link } = await fileOf(key)
    await sweepFiles(dir, Date.now() + 2 * dayMs)
    expect(readdirSync(dir)).to.include(needed.json.id).and.not.include(unused.json.id)
    expect(await refusal({ files: [unused.json.id] })).to.deep.equal([422, 'unknown-file'])
    // of a process that died: one on its way in, and one on its way out that is needed
    mkdirSync(join(dir, '.new-halfofafile1'))
    renameSync(join(dir, needed.json.id), join(dir, `.gone-${needed.json.id}`))
    await sweepFiles(dir, Date.now() + 3 * dayMs)
    expect(left()).to.deep.equal([])
    expect(readdirSync(dir)).to.include(needed.json.id)
    await sweepFiles(dir, Date.now() + 32 * dayMs)
    expect(readdirSync(dir)).not.to.include(needed.json.id)
    expect((await follow(link)).status, 'its time is not over, but it is gone').to.equal(410)
    expect(await fileOf(key), 'names and sizes stay').to.include({ name: 'needed.pdf', size: pdf.length })
  })

  it('removes nothing that a message has been told it keeps, however the two come together', async () => {
    const longAgo = Date.now() - 2 * dayMs
    for (let round = 0; round < 200; round += 1) {
      const id = `race-${String(round).padStart(7, '0')}`
      const incoming = await receiveFile(dir, id, Readable.from(pdf), maxFileBytes)
      await incoming.keep({ id, name: 'a.pdf', type: 'application/pdf', size: 1, of: 'trainer-1', atMs: longAgo })
      const sweeping = sweepFiles(dir, Date.now())
      for (let turn = 0; turn < round % 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      const isKept = await useFile(dir, id, { untilMs: Date.now() + dayMs })
      await sweeping
      const isThere = (await findFile(dir, id)) !== undefined
      if (isKept) expect(isThere, id).to.equal(true)
      rmSync(join(dir, id), { recursive: true, force: true })
    }
  })

  it('erases with a person what they uploaded, and what was for them alone', async () => {
    const ids = await Promise.all(['a.pdf', 'b.pdf', 'c.pdf'].map(async (name) => (await upload(name, pdf)).json.id))
    const [alone, shared, unnamed] = ids as [string, string, string]
    for (const id of [alone, shared]) await service.send({ to: ['user:anna'], files: [id] })
    await service.send({ files: [shared] })
    expect(await removeFilesOf(dir, 'anna')).to.equal(1)
    expect(readdirSync(dir)).to.include.members([shared, unnamed]).and.not.include(alone)
    await removeFilesOf(dir, 'trainer-1')
    expect(readdirSync(dir)).to.deep.equal([])
  })

  it('says when the disk is nearly full, and that a fleet without a folder takes none', async () => {
    const { files, ...without } = rules
    const full = await startService(service, { ...rules, files: { ...files, freeBytes: Number.MAX_SAFE_INTEGER } })
    const none = await startService(service, without)
    const call = {
      method: 'POST',
      as: 'trainer',
      body: pdf.toString('latin1'),
      headers: { 'content-type': 'application/octet-stream' },
    } as const
    try {
      const answers = [full, none].map((one) => one.call('/v1/files?name=a.pdf', call))
      expect((await Promise.all(answers)).map(({ status, json }) => [status, json.code])).to.deep.equal([
        [503, 'files-full'],
        [503, 'no-files'],
      ])
    } finally {
      await full.stop()
      await none.stop()
    }
  })
})
