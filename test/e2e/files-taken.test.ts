/** A file that a channel takes: one upload for everybody, whoever is killed meanwhile, and it stays with the message when that is corrected. */
import { createHash } from 'node:crypto'
import type { CorrectionRehearsal, FileView, HistoryView } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { addressesIn, goodContacts, studentsOf } from './roster.ts'

const students = studentsOf('all-students')
const pdf = Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')
const sent = { name: 'План.pdf', size: pdf.length, sha256: createHash('sha256').update(pdf).digest('hex') }

for (const channel of ['vk', 'telegram'] as const) {
  const text = `План экзаменов, ${channel}`
  const good = goodContacts(students, [channel])

  describe(`files on ${channel}`, () => {
    let fleet: Fleet
    let file: FileView
    let key: string
    before(async () => {
      const couriers = { telegram: 0, vk: 0, sms: 0, [channel]: 2 }
      fleet = await startFleet({ couriers, env: { LEASE_MS: '1500' } })
      const answer = await fetch(`${fleet.apiUrl}/v1/files?name=${encodeURIComponent(sent.name)}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${fleet.apiKey}`, 'content-type': 'application/octet-stream' },
        body: pdf,
      })
      file = (await answer.json()) as FileView
    })
    after(() => fleet.stop())

    const rehearsed = async (correction: object) => {
      const path = `/v1/histories/${key}/corrections?dryRun=true`
      return (await fleet.api.call<CorrectionRehearsal>('POST', path, correction)).body.channels[channel]
    }
    const history = async () => (await fleet.api.call<HistoryView>('GET', `/v1/histories/${key}`)).body

    it('reach everybody once, from one upload, though the courier that has uploaded them is killed before it sends', async () => {
      await fleet.kill(`courier-${channel}-2`, 'SIGTERM')
      for (const more of [{ count: 1 }, {}]) await fleet.sandbox.fault({ channel, kind: 'hang', ...more })
      key = await fleet.api.send({ to: ['cohort:all-students'], text, channels: [channel], files: [file.id] })
      await until(async () => (await fleet.sandbox.faults()).length === 1, 'it has begun to send')
      expect(await fleet.sandbox.uploads()).to.deep.equal([{ channel, ...sent }])
      expect(await fleet.sandbox.accepted(text)).to.deep.equal([])
      await fleet.kill(`courier-${channel}-1`)
      await fleet.sandbox.clearFaults()
      await fleet.start(`courier-${channel}-2`)
      expect((await fleet.api.track(key)).settled).to.equal(true)
      const rows = await fleet.sandbox.accepted(text, channel)
      expect(addressesIn(rows)).to.deep.equal(good)
      for (const row of rows) expect(row.files).to.deep.equal([sent])
      expect(await fleet.sandbox.uploads()).to.have.length(1)
      expect((await history()).files?.[0]?.asLink).to.deep.equal([])
    })

    it('stay with the message when it is corrected, as it was rehearsed', async () => {
      const correction = { text: `${text}, исправленный` }
      expect(await rehearsed(correction)).to.include({ edited: good.length, followedUp: 0 })
      const { status } = await fleet.api.call('POST', `/v1/histories/${key}/corrections`, correction)
      expect(status).to.be.within(200, 202)
      await until(async () => (await fleet.sandbox.revisions()).length >= good.length, 'everybody has the new text')
      const { messages } = await fleet.sandbox.chat(channel, good[0]?.split(' ')[1] ?? '')
      expect(messages.map((message) => [message.text.split('\n').at(-1), message.files])).to.deep.equal([
        [correction.text, [sent]],
      ])
      expect(await fleet.sandbox.uploads()).to.have.length(1)
    })

    it('are with a text that is corrected to more than a caption has, or that is sent anew with their link, as was said', async () => {
      await until(async () => (await history()).state === 'settled', 'the correction before is over')
      const correction = { text: `Длиннее. ${'я'.repeat(1100)}`, followUp: 'where-needed' }
      const foretold = await rehearsed(correction)
      const isCaption = channel === 'telegram'
      expect(foretold).to.include({ edited: isCaption ? 0 : good.length, followedUp: isCaption ? good.length : 0 })
      await fleet.api.call('POST', `/v1/histories/${key}/corrections`, correction)
      const became = async () => (await history()).versions?.at(-1)?.corrected?.[channel]
      await until(async () => {
        const { edited = 0, followedUp = 0 } = (await became()) ?? {}
        return edited + followedUp >= good.length
      }, 'everybody has the longer text')
      expect(await became()).to.include({ edited: foretold?.edited, followedUp: foretold?.followedUp })
      const { messages } = await fleet.sandbox.chat(channel, good[0]?.split(' ')[1] ?? '')
      const last = messages.at(-1)
      expect(messages).to.have.length(isCaption ? 2 : 1)
      expect(last?.files).to.deep.equal(isCaption ? undefined : [sent])
      expect(last?.text.includes('/f/')).to.equal(isCaption)
    })
  })
}
