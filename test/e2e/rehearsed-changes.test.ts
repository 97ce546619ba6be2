/** A correction and a recall do what was said of them before, by the couriers and the phones of the stand-ins. */
import type { CorrectionOutcome, CorrectionRehearsal, HistoryView, RecallRehearsal } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { isGood, studentsOf } from './roster.ts'

const students = studentsOf('all-students')
const channels = ['telegram', 'vk', 'sms'] as const
const [old, next, long] = ['Экзамен в понедельник', 'Экзамен во вторник', 'Длинно. '.repeat(700)] as const

describe('a correction and a recall that are rehearsed', () => {
  let fleet: Fleet
  before(async () => {
    fleet = await startFleet()
    // reports come when they like: what is compared is to change by what is done alone
    await fleet.sandbox.fault({ channel: 'sms', kind: 'reports', mode: 'none' })
  })
  after(() => fleet.stop())

  const withText = (text: string, followUp = 'where-needed') => ({ text, followUp })
  const rehearse = async (key: string, body: object) => {
    const path = `/v1/histories/${key}/corrections?dryRun=true`
    const answer = await fleet.api.call<CorrectionRehearsal>('POST', path, body)
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
    return answer.body
  }
  /** What has become of it, as a rehearsal counts it: nobody is open any more. */
  const became = ({ versions }: HistoryView) =>
    Object.fromEntries(
      Object.entries(versions?.at(-1)?.corrected ?? {}).map(([channel, counts]) => {
        expect(counts, channel).to.include({ pending: 0, unknown: 0 })
        const { edited, followedUp, uncorrected, alsoTold } = counts
        return [channel, { edited, followedUp, uncorrected, alsoTold }]
      }),
    )
  const foretold = ({ channels: counted }: CorrectionRehearsal) =>
    Object.fromEntries(
      Object.entries(counted).map(([channel, { edited, followedUp, uncorrected, alsoTold }]) => [
        channel,
        { edited, followedUp, uncorrected, alsoTold },
      ]),
    )
  async function correctAsForetold(key: string, body: object): Promise<CorrectionRehearsal> {
    const before = await fleet.api.history(key)
    const rehearsal = await rehearse(key, body)
    expect(await fleet.api.history(key)).to.deep.equal(before)
    const done = await fleet.api.call<CorrectionOutcome>('POST', `/v1/histories/${key}/corrections`, body)
    expect([done.status, done.body.version]).to.deep.equal([202, rehearsal.version])
    const { history } = await fleet.api.track(key)
    expect(became(history)).to.deep.equal(foretold(rehearsal))
    for (const [channel, { cost: _cost, alsoTold: _besides, ...counts }] of Object.entries(rehearsal.channels)) {
      const sum = Object.values(counts).reduce((all, each) => all + each, 0)
      expect(sum, channel).to.equal(students.length)
    }
    return rehearsal
  }

  it('a correction edits and tells those of whom it was said, also of a text that takes several messages', async () => {
    const key = await fleet.api.send({ to: ['cohort:all-students'], text: old, channels: [...channels] })
    await fleet.api.track(key)
    // since it was sent one of them wants nothing more by SMS, and another is known by no number any more
    const [first, second] = students.filter((each) => isGood(each, 'sms'))
    await fleet.api.call('DELETE', `/v1/contacts/sms/${first?.id}`)
    const switched = await fleet.api.call('PUT', `/v1/people/${second?.id}/wishes`, { off: ['general:sms'] })
    expect(switched.status, JSON.stringify(switched.body)).to.equal(200)
    const { channels: counted } = await correctAsForetold(key, withText(next))
    for (const channel of ['telegram', 'vk'] as const) {
      const good = students.filter((each) => isGood(each, channel)).length
      expect(counted[channel], channel).to.include({ edited: good, followedUp: 0, notSent: 0, attempting: 0 })
    }
    const bySms = students.filter((each) => isGood(each, 'sms')).length
    expect(counted.sms).to.include({ edited: 0, followedUp: bySms - 2, uncorrected: 2 })
    expect(counted.sms?.cost).to.include({ people: bySms - 2 })
    const again = await correctAsForetold(key, withText(long))
    expect(again.channels.telegram?.edited).to.equal(0)
    expect(again.channels.vk?.followedUp).to.be.above(0)
    const none = await correctAsForetold(key, withText(old, 'never'))
    expect(none.channels.vk).to.include({ edited: 0, followedUp: 0 })
    expect(none.channels.vk?.uncorrected).to.be.above(0)
  })

  it('one that is always told of: chats are edited, and a message of its own says so; both are taken back', async () => {
    const text = 'Зачёт в пятницу'
    const key = await fleet.api.send({ to: ['cohort:all-students'], text, channels: ['telegram', 'vk'] })
    await fleet.api.track(key)
    const { channels: counted } = await correctAsForetold(key, withText('Зачёт в субботу', 'always'))
    for (const channel of ['telegram', 'vk'] as const) {
      const good = students.filter((each) => isGood(each, channel))
      expect(counted[channel], channel).to.include({ edited: good.length, alsoTold: good.length, followedUp: 0 })
      const [one] = good
      const texts = async () => {
        const { messages } = await fleet.sandbox.chat(channel, one?.contacts[channel] as string)
        return messages.filter(({ from, text }) => from === 'client' && text.includes('Зачёт')).map((each) => each.text)
      }
      const [first = '', second = '', ...more] = await texts()
      expect([first.split('\n').at(-1), second.split('\n').at(-1), more]).to.deep.equal([
        'Зачёт в субботу',
        'Зачёт в субботу',
        [],
      ])
      expect(second).to.contain('Исправление к сообщению от ')
      expect(first).to.not.contain('Исправление')
    }
    await fleet.api.call('DELETE', `/v1/histories/${key}?recall=true`)
    const { history } = await fleet.api.track(key)
    for (const channel of ['telegram', 'vk'] as const) {
      const good = students.filter((each) => isGood(each, channel))
      expect(history.recalled?.channels[channel], channel).to.include({ deleted: good.length, remaining: 0 })
      const { messages } = await fleet.sandbox.chat(channel, good[0]?.contacts[channel] as string)
      expect(messages.filter(({ text }) => text.includes('Зачёт'))).to.deep.equal([])
    }
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
  })

  it('a recall takes it from those of whom it was said', async () => {
    const key = await fleet.api.send({ to: ['cohort:all-students'], text: old, channels: [...channels] })
    await fleet.api.track(key)
    const before = await fleet.api.history(key)
    const path = `/v1/histories/${key}?recall=true`
    const { status, body } = await fleet.api.call<RecallRehearsal>('DELETE', `${path}&dryRun=true`)
    expect(status, JSON.stringify(body)).to.equal(200)
    expect(await fleet.api.history(key)).to.deep.equal(before)
    expect(body.channels.telegram?.deleted).to.be.above(0)
    await fleet.api.call('DELETE', path)
    const { history } = await fleet.api.track(key)
    for (const channel of channels) {
      const { deleted, replaced, remaining } = body.channels[channel] ?? {}
      expect(history.recalled?.channels[channel]).to.deep.equal({ deleted, replaced, remaining, pending: 0 })
    }
    const again = await fleet.api.call('DELETE', `${path}&dryRun=true`)
    expect([again.status, again.body.code]).to.deep.equal([409, 'was-cancelled'])
  })
})
