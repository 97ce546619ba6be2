/** A draft: kept over a reload, and one attempt to send it sends once. */
import { expect } from 'chai'
import { createDraft } from '../src/stores/draft.ts'

describe('the draft', () => {
  const memory = () => {
    const items = new Map<string, string>()
    return {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
    }
  }
  const to = [{ token: 'group:ivt-101', label: 'ИВТ-101' }]

  it('is there again after a reload, the attempt to send it too', () => {
    const storage = memory()
    const draft = createDraft(storage)
    draft.change({ to, text: 'Пары не будет' })
    const attempt = draft.begin('UTC', undefined)
    const reloaded = createDraft(storage)
    expect(reloaded.content.value).to.include({ text: 'Пары не будет', when: 'now' })
    expect(reloaded.content.value.to).to.deep.equal(to)
    expect(reloaded.begin('UTC', 'another')).to.deep.equal(attempt)
  })

  it('is attempted under one key, word by word the same, until it was answered or changed', () => {
    const draft = createDraft(memory())
    draft.change({ to, text: 'One' })
    const first = draft.begin('UTC', 'a'.repeat(64))
    expect(first.message).to.deep.include({ to: ['group:ivt-101'], text: 'One', in: 10, source: 'web' })
    expect(first.message.expect).to.deep.equal({ sha256: 'a'.repeat(64) })
    expect(draft.begin('UTC', undefined)).to.equal(first)

    draft.refused()
    expect(draft.begin('UTC', undefined).idempotencyKey).not.to.equal(first.idempotencyKey)

    const second = draft.begin('UTC', undefined)
    draft.change({ text: 'Two' })
    expect(draft.attempt.value).to.equal(undefined)
    expect(draft.begin('UTC', undefined).idempotencyKey).not.to.equal(second.idempotencyKey)
  })

  it('can be taken back for ten seconds, and is there again, unless it is urgent or for later', () => {
    const draft = createDraft(memory())
    draft.change({ to, text: 'Urgent', class: 'urgent' })
    expect(draft.begin('UTC', undefined).message).to.include({ at: 'now' }).and.not.to.have.property('in')
    draft.change({ text: 'Now', class: 'normal' })
    expect(draft.begin('UTC', undefined).message).to.include({ in: 10 }).and.not.to.have.property('at')
    draft.accepted('t-01:1')
    expect(draft.content.value).to.include({ text: '' })
    expect(draft.sent.value?.key).to.equal('t-01:1')
    expect(draft.sent.value?.content).to.include({ text: 'Now' })
    draft.change({ to, text: 'Later', when: 'later', at: '2026-09-01T08:30' })
    draft.accepted('t-01:2')
    expect(draft.sent.value).to.equal(undefined)
  })

  it('goes by SMS last where that was chosen, unless SMS was taken away, or nothing else is left', () => {
    const draft = createDraft(memory())
    const stepsFor = (changes: Parameters<typeof draft.change>[0]) => {
      draft.change(changes)
      draft.refused()
      return draft.begin('UTC', undefined).message
    }
    const steps = [{ channels: ['telegram', 'vk'] }, { channels: ['sms'], after: 'PT10M', unless: 'sent' }]
    const first = stepsFor({ to, text: 'T', smsLater: ['telegram', 'vk'] })
    expect(first).to.deep.include({ steps }).and.not.have.property('channels')
    const asked = stepsFor({ confirm: true })
    expect(asked.steps?.[1]).to.include({ unless: 'confirmed' })
    expect(stepsFor({ channels: ['vk', 'sms'] }).steps?.[0]).to.deep.equal({ channels: ['vk'] })
    expect(stepsFor({ channels: ['vk'] }))
      .to.deep.include({ channels: ['vk'] })
      .and.not.have.property('steps')
    expect(stepsFor({ channels: ['sms'] }))
      .to.deep.include({ channels: ['sms'] })
      .and.not.have.property('steps')
  })

  it('says what its SMS may come to as it was typed, whichever way they go, and nothing where that was taken back', () => {
    const draft = createDraft(memory())
    draft.change({ to, text: 'T', smsAtMost: 30, smsLater: ['vk'] })
    expect(draft.begin('UTC', undefined).message).to.deep.include({ ceiling: { parts: 30 } })
    draft.refused()
    // the service says what is wrong with it: it does not go out without one
    draft.change({ smsAtMost: 0, smsLater: undefined })
    expect(draft.begin('UTC', undefined).message).to.deep.include({ ceiling: { parts: 0 } })
    draft.refused()
    draft.change({ smsAtMost: undefined })
    expect(draft.begin('UTC', undefined).message).to.not.have.property('ceiling')
  })

  it('goes out on the channels, and until the time, that were chosen', () => {
    const draft = createDraft(memory())
    const at = '2026-09-01T08:30'
    draft.change({ to, text: 'Later', when: 'later', at, channels: ['sms'], triedForHours: 3 })
    const { message } = draft.begin('UTC', undefined)
    expect(message).to.deep.include({ channels: ['sms'], expires: '2026-09-01T11:30:00.000Z' })
    draft.change({ channels: undefined, triedForHours: 24 })
    expect(draft.begin('UTC', undefined).message).to.not.have.any.keys('channels', 'expires')
  })

  it('goes out at the wall time of the person', () => {
    const draft = createDraft(memory())
    draft.change({ to, text: 'Later', when: 'later', at: '2026-09-01T08:30' })
    expect(draft.begin('Europe/Moscow', undefined).message.at).to.equal('2026-09-01T08:30:00+03:00')
  })

  it('is not shown to whoever signs in next at this browser, but to the same person again', () => {
    const storage = memory()
    const draft = createDraft(storage)
    draft.openFor('t-01')
    draft.change({ to, text: 'Mine' })
    const reloaded = createDraft(storage)
    reloaded.openFor('t-01')
    expect(reloaded.content.value.text).to.equal('Mine')
    reloaded.openFor('t-02')
    expect(reloaded.content.value).to.deep.include({ text: '', to: [] })
  })

  it('begins empty, also when what was kept cannot be read', () => {
    const storage = memory()
    storage.setItem('draft', '{"content":')
    expect(createDraft(storage).content.value).to.include({ text: '', when: 'now' })
  })
})
