import { expect } from 'chai'
import fc from 'fast-check'
import { instant } from '../src/given-fields.ts'
import { messageBody } from '../src/message-body.ts'
import { wholeCharacters } from '../src/whole-characters.ts'

const at = '2099-09-01T09:00:00.000Z'
/** each in order by itself */
const fields = {
  text: 'Fire drill at noon',
  template: { id: 'drill' },
  language: 'ru',
  at,
  in: 60,
  event: 'exam-5',
  about: 'coupon:17',
  offset: -3600,
  steps: [{ channels: ['telegram'] }, { channels: ['sms'], after: 'PT10M', unless: 'delivered' }],
  channels: ['sms'],
  whenOnline: true,
}
type Field = keyof typeof fields

describe('the body of a message', () => {
  it('says what does not go together, all of it, by the field that is one too many', () => {
    fc.assert(
      fc.property(fc.subarray(Object.keys(fields) as Field[]), (given) => {
        const has = (...names: Field[]) => names.every((name) => given.includes(name))
        const wrong: [Field, boolean][] = [
          ['in', has('at', 'in')],
          ['event', has('event', 'at') || has('event', 'in')],
          ['about', has('event', 'about')],
          ['offset', has('offset') && !has('event')],
          ['steps', has('steps', 'channels')],
          ['steps', has('steps', 'whenOnline')],
          ['text', !has('text') && !has('template')],
          ['template', has('text', 'template')],
          ['language', has('language')],
        ]
        const body = Object.fromEntries(given.map((name) => [name, fields[name]]))
        const { error } = messageBody.safeParse({ to: ['role:trainer'], ...body })
        const told = error?.issues.map(({ path, code }) => `${code} ${path.join('.')}`) ?? []
        expect(told).to.deep.equal(wrong.flatMap(([field, isWrong]) => (isWrong ? [`custom ${field}`] : [])))
      }),
    )
  })

  it('is due at the same moment however that is written, and it is kept in one way', () => {
    const moment = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    })
    const offset = fc.constantFrom('Z', '+03:00', '-11:30', '+00:00')
    const digits = fc.nat(6)
    fc.assert(
      fc.property(moment, offset, digits, (date, zone, decimals) => {
        const [seconds, fraction] = date.toISOString().slice(0, -1).split('.') as [string, string]
        const text = `${seconds}${decimals === 0 ? '' : `.${fraction.padEnd(6, '0').slice(0, decimals)}`}${zone}`
        expect(instant.parse(text)).to.equal(new Date(Date.parse(text)).toISOString())
      }),
      { numRuns: 1000 },
    )
  })

  it('has whole characters: what UTF-8 cannot say is replaced, and nothing else', () => {
    const units = fc.array(fc.constantFrom('\uD83D', '\uDE00', '\uD83D\uDE00', '\uFFFD', 'ж', 'a'))
    fc.assert(
      fc.property(units, (some) => {
        const text = some.join('')
        expect(wholeCharacters(text)).to.equal(Buffer.from(text, 'utf8').toString('utf8'))
      }),
      { numRuns: 1000 },
    )
  })
})
