import type { Acceptance, RehearsalView } from '@courier-fleet/api-types'
import { useChannel } from '@courier-fleet/store'
import { expect } from 'chai'
import { far } from './service.ts'
import { startUniversity, type University } from './university.ts'

const long = 'Я'.repeat(20_000)

describe('a text and the channels it is for', () => {
  let fleet: University
  before(async () => {
    fleet = await startUniversity()
  })
  after(() => fleet.stop())

  const send = (body: object) =>
    fleet.ask<Acceptance & { code?: string; field?: string; detail?: string }>(
      'POST /v1/messages',
      { as: 'trainer' },
      { to: ['group:own'], text: long, at: far, ...body },
    )

  it('is refused at once when none of them takes it, with what they take', async () => {
    const { status, json } = await send({ channels: ['sms'] })
    expect([status, json.code, json.field]).to.deep.equal([422, 'text-too-long', 'text'])
    expect(json.detail).to.match(/sms takes 255 parts, which are 17085 of such characters, and this needs 299$/)
    const issued = await fleet.ask<{ key: string }>('POST /v1/history-keys', { as: 'trainer' })
    const put = await fleet.ask(
      `PUT /v1/histories/${issued.json.key}`,
      { as: 'trainer' },
      { to: ['group:own'], text: long, at: far, channels: ['sms'] },
    )
    expect([put.status, put.json.code]).to.deep.equal([422, 'text-too-long'])
  })

  it('is accepted when one of them takes it, and when it is short enough for the phone', async () => {
    expect((await send({ channels: ['sms', 'vk'] })).status).to.equal(201)
    expect((await send({ channels: ['sms'], text: 'Я'.repeat(17_000) })).status).to.equal(201)
  })

  it('counts those in use where none is named', async () => {
    await useChannel(fleet.redis, 16, 'sms')
    expect((await send({})).status).to.equal(422)
    await useChannel(fleet.redis, 16, 'telegram')
    expect((await send({})).status).to.equal(201)
  })

  it('is rehearsed: which channels cannot take it', async () => {
    const rehearse = (text: string) =>
      fleet.ask<RehearsalView>(
        'POST /v1/audiences:resolve',
        { as: 'trainer' },
        { to: ['group:own'], text, channels: ['sms', 'telegram'] },
      )
    expect((await rehearse(long)).json.text?.tooLongOn).to.deep.equal(['sms'])
    expect((await rehearse('Короткий')).json.text?.tooLongOn).to.deep.equal([])
  })
})
