/** One history, told by every entrance: the same numbers, nobody twice, and "got it" of what is known only. The page is in test/browser. */
import { type PeopleClass, peopleClasses, receiptBytes, type TrackerReport } from '@courier-fleet/api-types'
import { type Language, languages } from '@courier-fleet/words'
import { expect } from 'chai'
import fc from 'fast-check'
import { outcomeOf } from '../../packages/bot/src/outgoing/outcome.ts'
import { wordsOf } from '../../packages/bot/src/texts/index.ts'
import { fleetCommand } from '../../packages/command-line/src/index.ts'
import { startCommandedFleet } from '../../packages/command-line/test/commanded-fleet.ts'
import { wordingFor } from '../../packages/inbound/src/sms/wording.ts'
import { readFourThings, readSentence, saysGotIt } from './read-sentence.ts'
import { type MadeUp, madeUp, truthOf, write } from './same-history.ts'

interface Said {
  readonly entrance: string
  readonly language: Language
  readonly text: string
  /** without the reasons: there is no room */
  readonly short?: true
}

describe('one history, told by every entrance', () => {
  let fleet: Awaited<ReturnType<typeof startCommandedFleet>>
  before(async () => {
    fleet = await startCommandedFleet()
  })
  after(() => fleet.stop())

  const moment = (ms: number) => new Date(ms).toISOString()
  const sentences = (text: string) => text.split('\n').find((line) => /^[^ ].*\.$/.test(line)) ?? ''

  async function everyEntrance(report: TrackerReport): Promise<Said[]> {
    const { history } = report
    const status = await fleet.run(fleetCommand, ['status', history.key])
    const watched = await fleet.run(fleetCommand, ['watch', history.key, '--wait', '0.05'])
    const latest = await fleet.run(fleetCommand, ['list', '--limit', '1'])
    const spoken = await Promise.all(
      languages.map(async (language): Promise<Said[]> => {
        const words = wordsOf[language]
        const outcome = words.outcome(await outcomeOf(fleet.client, history, language))
        const short = wordingFor(language).outcome(history, undefined)
        return [
          { entrance: 'bot, on its way', language, text: words.progress(history, moment) },
          { entrance: 'bot, outcome', language, text: sentences(outcome) },
          {
            entrance: 'bot, list',
            language,
            text: words.historyLine('', history, '', []).split('\n')[0] ?? '',
            short: true,
          },
          { entrance: 'SMS', language, text: short, short: true },
        ]
      }),
    )
    return [
      { entrance: 'API', language: 'en', text: report.sentence },
      { entrance: 'command line, status', language: 'en', text: sentences(status.out.split('\n\n')[1] ?? '') },
      { entrance: 'command line, watch', language: 'en', text: sentences(watched.out) },
      { entrance: 'command line, list', language: 'en', text: latest.out.split('\n')[1] ?? '', short: true },
      ...spoken.flat(),
    ]
  }

  /** Whoever waits is told as waiting: all of the pending where none of them is attempted, else some of them at most. */
  function expectWaiting(made: MadeUp, text: string, where: string): void {
    const pending = truthOf(made).get('pending') ?? 0
    const bytes = made.people.flatMap((receipts) => receipts.map(({ byte }) => byte))
    const said = /(\d+) (?:people wait|person waits|челове\p{L}* жд|из них жд)/u.exec(text)?.[1]
    const isAll = pending > 0 && !bytes.includes(receiptBytes.attempting)
    if (isAll) expect(Number(said), where).to.equal(pending)
    else expect(Number(said ?? 0), where).to.be.at.most(pending)
  }

  async function check(made: MadeUp): Promise<void> {
    const key = await write(fleet.fixture, 'trainer-1', made)
    const report = await fleet.client.track(key, 0)
    const truth = truthOf(made)
    const { people } = report.history
    for (const name of peopleClasses) expect(people?.[name], name).to.equal(truth.get(name) ?? 0)
    for (const { entrance, language, text, short } of await everyEntrance(report)) {
      const where = `${entrance}, ${language}: ${text}`
      const four = short && readFourThings(text)
      if (four) {
        const of = (...names: PeopleClass[]) => names.reduce((sum, name) => sum + (truth.get(name) ?? 0), 0)
        const [sent, doubt] = [of('sentToChat', 'handedOver'), of('pending', 'unknown')]
        expect(four, where).to.deep.equal([of('delivered'), sent, doubt, of('notDelivered', 'withoutContact')])
        continue
      }
      const { counts, whys } = readSentence(language, text)
      expect([...counts].sort(), where).to.deep.equal([...truth].sort())
      expect(saysGotIt(language, text), where).to.equal(truth.has('delivered'))
      if (short) continue
      if (made.isNight) expectWaiting(made, text, where)
      const explained = ['unknown', 'notDelivered']
        .map((name) => truth.get(name as 'unknown') ?? 0)
        .filter((count) => count > 0)
      expect(whys, where).to.have.members(explained)
    }
  }

  it('says the same numbers everywhere, each person once, in every history that can be', async () => {
    await fc.assert(fc.asyncProperty(madeUp, check), { numRuns: 60 })
  })

  it('lists nobody twice on the command line, and nobody who has it or is still being sent to', async () => {
    await fc.assert(
      fc.asyncProperty(madeUp, async (made) => {
        const key = await write(fleet.fixture, 'trainer-1', made)
        const { code, out } = await fleet.run(fleetCommand, ['watch', key, '--wait', '0.05', '--json'])
        const { named } = JSON.parse(out) as { named: Record<string, { person: string }[]> }
        const people = Object.values(named).flatMap((some) => some.map(({ person }) => person))
        const truth = truthOf(made)
        const counts = Object.entries(named).map(([name, some]) => [name, some.length])
        const expected = (['notDelivered', 'unknown', 'handedOver', 'withoutContact'] as const).flatMap((name) =>
          truth.has(name) ? [[name, truth.get(name)]] : [],
        )
        expect(counts).to.have.deep.members(expected)
        expect(new Set(people).size).to.equal(people.length)
        const inDoubt = ['handedOver', 'pending', 'unknown', 'notDelivered'].some((name) =>
          truth.has(name as 'pending'),
        )
        expect(code === 0).to.equal(!inDoubt && (truth.has('delivered') || truth.has('sentToChat')))
      }),
      { numRuns: 30 },
    )
  })

  it('is read back as it is meant: a sentence that counts somebody twice is found', () => {
    expect(() => readSentence('en', 'Of 3 people: 2 delivered; 2 delivered.')).to.throw('told 2 times')
    expect(saysGotIt('ru', 'Дошло до всех: 3 человека.')).to.equal(true)
    expect(saysGotIt('ru', 'Из 3 человек: не дошло — 2; неизвестно, дошло ли — 1.')).to.equal(false)
    expect(
      saysGotIt('en', 'Nobody got it. Of 1 person: 1 not delivered (1 taken by the operator, and not delivered).'),
    ).to.equal(false)
  })
})
