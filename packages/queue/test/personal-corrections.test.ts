/** A text that is not the same for everybody is corrected: what is accepted, kept, refused by name, and foretold. */
import {
  type Acceptance,
  type CorrectionRehearsal,
  type HistoryView,
  memberOf,
  type ProblemDocument,
  parseHistoryKey,
} from '@courier-fleet/api-types'
import { keys, parseRecord } from '@courier-fleet/store'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

const staff = { as: 'staff' } as const
const later = () => new Date(Date.now() + 3_600_000).toISOString()
const texts = { ru: 'Комната {{room}}', en: 'Room {{room}}' }

describe('corrections of a text that is not the same for everybody', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity()
    for (const [index, id] of ['anna', 'boris', 'clara'].entries()) {
      const language = ['ru', 'en', 'de'][index] as string
      const fields: Record<string, string> = index === 0 ? { floor: '2' } : {}
      await fleet.directory.putPerson({ id, name: id, role: 'student', timeZone: 'UTC', language, fields })
      await fleet.directory.linkContact('sms', id, `+7900222000${index}`)
    }
  })
  afterEach(() => fleet.stop())

  async function send(more: object = {}): Promise<string> {
    const body = { to: ['group:own'], text: texts, fields: { room: '204' }, at: later(), ...more }
    const { status, json } = await fleet.ask<Acceptance>('POST /v1/messages', staff, body)
    expect(status, JSON.stringify(json)).to.equal(201)
    return json.key
  }
  const correct = async (key: string, body: object, query = '') => {
    const path = `POST /v1/histories/${key}/corrections${query}`
    const { status, json } = await fleet.ask<CorrectionRehearsal & ProblemDocument>(path, staff, body)
    return { status, json, said: [status, json.code, json.field] }
  }
  const shown = async (key: string) => {
    const {
      text,
      language,
      texts: others,
      fields,
      ownValues,
      versions,
    } = (await fleet.ask<HistoryView>(`GET /v1/histories/${key}`, staff)).json
    return { text, language, texts: others, fields, ownValues, versions }
  }
  const recordOf = async (key: string) =>
    parseRecord((await fleet.redis.get(keys.record(parseHistoryKey(key)))) as string)

  it('takes new texts by language: values and the language of others stay, both texts are kept, each begins as its language does', async () => {
    const key = await send({ language: 'ru' })
    const next = { ru: 'Зал {{room}}', en: 'Hall {{room}}' }
    expect((await correct(key, { text: next })).status).to.equal(202)
    const { versions, ...now } = await shown(key)
    expect(now).to.deep.equal({
      text: next.ru,
      language: 'ru',
      texts: { en: next.en },
      fields: { room: '204' },
      ownValues: undefined,
    })
    expect(
      versions?.map(({ text, language, texts: others, fields }) => ({ text, language, others, fields })),
    ).to.deep.equal([
      { text: texts.ru, language: 'ru', others: { en: texts.en }, fields: { room: '204' } },
      { text: next.ru, language: 'ru', others: { en: next.en }, fields: { room: '204' } },
    ])
    const { correction } = await recordOf(key)
    expect(correction?.intro).to.match(/^Исправление к сообщению от /)
    expect(correction?.intros?.en).to.match(/^Correction of the message of /)
  })

  it('takes other values, for all or for one, and keeps those that are not named', async () => {
    const recipients = [
      { person: 'anna', fields: { seat: '1' } },
      { person: 'boris', fields: { seat: '2' } },
      { person: 'clara', fields: { seat: '3' } },
    ]
    const text = '{{room}} {{seat}}'
    const key = await send({ text, recipients })
    const same = await correct(key, { text })
    expect([...same.said, same.json.detail]).to.deep.equal([422, 'cannot-correct', 'text', 'this is its text already'])
    expect(
      (await correct(key, { text, fields: { hall: 'A' }, recipients: [{ person: 'boris', fields: { seat: '9' } }] }))
        .status,
    ).to.equal(202)
    const again = await correct(key, { text, fields: { hall: 'A' } })
    expect([again.status, again.json.version], 'the same call again').to.deep.equal([202, 2])
    const other = await correct(key, { text, fields: { hall: 'B' } })
    expect([other.status, other.json.version], 'the same text with another value').to.deep.equal([202, 3])
    expect((await correct(key, { text, fields: { hall: 'A' } })).json.version).to.equal(4)
    expect((await recordOf(key)).personal).to.deep.equal({
      fields: { room: '204', hall: 'A' },
      each: { anna: { seat: '1' }, boris: { seat: '9' }, clara: { seat: '3' } },
    })
    const { versions, ownValues } = await shown(key)
    expect([ownValues, versions?.map((each) => each.ownValues)]).to.deep.equal([3, [3, 3, 3, 3]])
    expect(JSON.stringify(versions), 'nobody is shown what others have').to.not.contain('"9"')
  })

  it('refuses by name whom it has no value for, and everything else that is wrong with it; nothing is changed', async () => {
    const key = await send()
    const missing = await correct(key, { text: 'Floor {{floor}}, {{name}}' })
    expect(missing.said).to.deep.equal([422, 'missing-field', 'fields'])
    const { people, fields, first } = missing.json
    expect({ people, fields, first }).to.deep.equal({ people: 2, fields: ['floor'], first: ['boris', 'clara'] })
    expect(missing.json.detail).to.contain('2 of 3 people have no value for floor: boris, clara')
    const rehearsed = await correct(key, { text: 'Floor {{floor}}' }, '?dryRun=true')
    expect(rehearsed.said, 'a rehearsal is refused as it is').to.deep.equal([422, 'missing-field', 'fields'])
    const wrong: [object, (number | string)[]][] = [
      [{ text: 'Room {{ro om}}' }, [422, 'invalid', 'text']],
      [{ text: { ru: '{{room}}', en: 'x' } }, [422, 'fields-differ', 'text']],
      [{ text: { ru: 'x', de: 'y' }, language: 'fr' }, [422, 'invalid', 'language']],
      [{ text: 'x', language: 'ru' }, [422, 'invalid', 'language']],
      [{ text: {} }, [422, 'invalid', 'text']],
      [{ text: { ru: 'x', de: 'y' } }, [422, 'which-language', 'language']],
      [
        { text: '{{room}}', recipients: [{ person: 'nobody', fields: { room: '1' } }] },
        [422, 'not-in-audience', 'recipients'],
      ],
      [
        { text: '{{room}}', fields: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}`, 'x'])) },
        [422, 'invalid', 'fields'],
      ],
    ]
    for (const [body, said] of wrong) expect((await correct(key, body)).said, JSON.stringify(body)).to.deep.equal(said)
    expect((await shown(key)).versions).to.equal(undefined)
    const given = {
      text: 'Floor {{floor}}',
      recipients: ['boris', 'clara'].map((person) => ({ person, fields: { floor: '3' } })),
    }
    expect((await correct(key, given)).status, 'what anna has herself is hers').to.equal(202)
  })

  it('is not given to a message for URLs, which have no language and no name', async () => {
    const key = await send({ to: ['url:https://example.org/x'], text: 'Moved', fields: undefined })
    for (const body of [{ text: texts }, { text: '{{name}}', fields: {} }])
      expect((await correct(key, body)).said).to.deep.equal([422, 'urls-and-people', 'text'])
  })

  it('braces are braces where the message had no fields and is given none', async () => {
    const key = await send({ text: 'Plain {{', fields: undefined })
    expect((await correct(key, { text: 'Plain {{floor}}' })).status).to.equal(202)
    expect((await recordOf(key)).personal).to.equal(undefined)
    expect((await correct(key, { text: '{{name}}', fields: {} })).status).to.equal(202)
    expect((await recordOf(key)).personal).to.deep.equal({ fields: {} })
    expect((await correct(key, { text: texts, fields: { room: '1' } })).status, 'into several languages').to.equal(202)
  })

  it('does not ask for values of whoever was removed since', async () => {
    const key = await send({ text: '{{name}}', fields: {} })
    expect((await fleet.ask('DELETE /v1/people/clara', { as: 'admin' })).status).to.be.within(200, 204)
    const body = { text: 'Floor {{floor}}', recipients: [{ person: 'boris', fields: { floor: '3' } }] }
    expect((await correct(key, body)).status).to.equal(202)
  })

  it('is foretold by what each would read: whose text no edit takes is told, and the SMS cost what theirs have parts', async () => {
    await fleet.set({ tariffs: { currency: 'RUB', prices: [{ prefix: '+79', perPart: 2_000_000 }] } })
    for (const [index, id] of ['anna', 'boris', 'clara'].entries())
      await fleet.directory.linkContact('telegram', id, String(8001 + index))
    const key = await send({ channels: ['sms', 'telegram'] })
    const ref = parseHistoryKey(key)
    const now = Date.now()
    for (const channel of ['sms', 'telegram']) {
      await fleet.redis.set(keys.receipts(ref, channel), Buffer.concat([Buffer.from('sss'), Buffer.alloc(12)]))
      await fleet.redis.hset(keys.history(ref), `${channel}:settled`, now)
      for (const ordinal of ['0', '1', '2'])
        await fleet.redis.hset(keys.evidence(ref, channel), ordinal, `#${10 + Number(ordinal)}`)
    }
    await fleet.redis.hset(keys.history(ref), {
      expected: 'sms,telegram',
      started: now,
      state: 'settled',
      settled: now,
    })
    await fleet.redis.zrem(keys.due(ref.shard), `${memberOf(ref)}:0`)
    // more than one message of Telegram holds, for whoever reads it in Russian
    const text = { ru: `Зал {{room}} ${'ж'.repeat(4_090)}`, en: 'Hall {{room}}' }
    const { status, json } = await correct(key, { text, language: 'en' }, '?dryRun=true')
    expect(status, JSON.stringify(json)).to.equal(200)
    expect(json.channels.telegram).to.include({ edited: 2, followedUp: 1 })
    const { cost, ...counts } = json.channels.sms ?? {}
    expect(counts).to.include({ edited: 0, followedUp: 3 })
    expect(cost).to.include({ people: 3 }).and.to.not.have.property('partsEach')
    expect(cost?.parts).to.be.above(60)
  })
})
