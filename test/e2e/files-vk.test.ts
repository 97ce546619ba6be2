/** A file that VK takes: one upload for everybody, whoever is killed meanwhile, and it stays with the message when that is corrected. */
import { createHash } from 'node:crypto'
import type { FileView, HistoryView } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { addressesIn, goodContacts, studentsOf } from './roster.ts'

const students = studentsOf('all-students')
const pdf = Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')
const sent = { name: 'План.pdf', size: pdf.length, sha256: createHash('sha256').update(pdf).digest('hex') }
const text = 'План экзаменов'

describe('files on VK', () => {
  let fleet: Fleet
  let file: FileView
  let key: string
  before(async () => {
    fleet = await startFleet({ couriers: { telegram: 0, vk: 2, sms: 1 }, env: { LEASE_MS: '1500' } })
    const answer = await fetch(`${fleet.apiUrl}/v1/files?name=${encodeURIComponent(sent.name)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fleet.apiKey}`, 'content-type': 'application/octet-stream' },
      body: pdf,
    })
    file = (await answer.json()) as FileView
  })
  after(() => fleet.stop())

  it('reach everybody once, from one upload, though the courier that has uploaded them is killed before it sends', async () => {
    await fleet.kill('courier-vk-2', 'SIGTERM')
    await fleet.sandbox.fault({ channel: 'vk', kind: 'hang', count: 1 })
    key = await fleet.api.send({ to: ['cohort:all-students'], text, channels: ['vk'], files: [file.id] })
    await until(async () => (await fleet.sandbox.faults()).length === 0, 'VK has the file, and answers nothing more')
    expect(await fleet.sandbox.uploads()).to.deep.equal([{ channel: 'vk', ...sent }])
    expect(await fleet.sandbox.accepted(text)).to.deep.equal([])
    await fleet.kill('courier-vk-1')
    await fleet.start('courier-vk-2')
    expect((await fleet.api.track(key)).settled).to.equal(true)
    const rows = await fleet.sandbox.accepted(text, 'vk')
    expect(addressesIn(rows)).to.deep.equal(goodContacts(students, ['vk']))
    for (const row of rows) expect(row.files).to.deep.equal([sent])
    expect(await fleet.sandbox.uploads()).to.have.length(1)
    const { body } = await fleet.api.call<HistoryView>('GET', `/v1/histories/${key}`)
    expect(body.files?.[0]?.asLink).to.deep.equal([])
  })

  it('stay with the message when it is corrected', async () => {
    const version = { text: 'План экзаменов, исправленный' }
    const { status } = await fleet.api.call('POST', `/v1/histories/${key}/corrections`, version)
    expect(status).to.be.within(200, 202)
    const good = goodContacts(students, ['vk'])
    await until(async () => (await fleet.sandbox.revisions()).length >= good.length, 'everybody has the new text')
    const address = good[0]?.split(' ')[1] ?? ''
    const { messages } = await fleet.sandbox.chat('vk', address)
    expect(messages.map((message) => [message.text.split('\n').at(-1), message.files])).to.deep.equal([
      [version.text, [sent]],
    ])
    expect(await fleet.sandbox.uploads()).to.have.length(1)
  })
})
