import { expect } from 'chai'
import fc from 'fast-check'
import { fieldsIn, type PersonalText, renderText, slipIn } from '../src/index.ts'

const anna = { id: 'anna', name: 'Анна', language: 'ru-RU' }
const withFields = (text: string, fields: Record<string, string> = {}): PersonalText => ({ text, personal: { fields } })
const read = (written: PersonalText, reader: Parameters<typeof renderText>[1] = anna) => renderText(written, reader)

describe('a text that is not the same for everybody', () => {
  it('is in the language of each; whoever reads none of the others has the first', () => {
    const written = { text: 'Fire drill', personal: { language: 'en', texts: { ru: 'Учебная тревога', de: 'Übung' } } }
    const inLanguage = (language: string | undefined) => read(written, { id: 'x', language }).text
    expect(['ru', 'RU', 'ru-RU', 'de_AT', 'en', 'fr', '', undefined].map(inLanguage)).to.deep.equal([
      ...Array(3).fill('Учебная тревога'),
      'Übung',
      ...Array(4).fill('Fire drill'),
    ])
    expect(inLanguage('constructor')).to.equal('Fire drill')
  })

  it('has values in the place of its fields, and another text where there is none', () => {
    const written = withFields('{{name}} ({{ id }}): {{room}}, {{floor|ground floor}}{{note|}}.', { room: '204' })
    expect(read(written)).to.deep.equal({ text: 'Анна (anna): 204, ground floor.' })
  })

  it('never has a hole: what has no value is named, each once', () => {
    const written = withFields('{{name}}: {{room}} {{seat}} {{room}} {{constructor}}')
    expect(read(written, { id: 'gone' })).to.deep.equal({ missing: ['name', 'room', 'seat', 'constructor'] })
  })

  it('has braces where they are meant, and all of them where it has no fields', () => {
    expect(read(withFields('{{{{name}} {x} }} {{name}}')).text).to.equal('{{name}} {x} }} Анна')
    const plain = 'Hello {{name}} {{{{ {{'
    expect(read({ text: plain }).text).to.equal(plain)
    expect(read({ text: plain, personal: { language: 'ru', texts: {} } }).text).to.equal(plain)
  })

  it('does not read a value as a text: fields, patterns of replace and escapes in it are text', () => {
    const values = ['{{id}}', '{{{{', '$& $1 $$', '<b>', '=1+1', '\u202Eabc', 'é', '\\n']
    for (const value of values)
      expect(read(withFields('{{a}}|{{b}}', { a: value, b: value })).text).to.equal(`${value}|${value}`)
    const escaped = renderText(withFields('[{{a}}', { a: '[x' }), anna, (value) => value.replace('[', '('))
    expect(escaped.text, 'values alone are escaped').to.equal('[(x')
  })

  it('says what looks like a field and is none', () => {
    expect(['{{a}}', 'a', '{{{{', '{{имя|нет}}', '{{ a-1 | }}'].map(slipIn)).to.deep.equal(Array(5).fill(undefined))
    expect(
      ['{{', '{{}}', '{{a', '{{a b}}', '{{1}}', '{{a{b}}'].map((text) => slipIn(text) !== undefined),
    ).to.deep.equal(Array(6).fill(true))
  })

  it('has no field with a value left in it, whatever the text and the values are', () => {
    const name = fc.constantFrom('name', 'id', 'room', 'seat')
    const field = fc.tuple(name, fc.constantFrom('', '|other')).map(([known, fallback]) => `{{${known}${fallback}}}`)
    const words = fc.string().map((text) => text.replace(/[{}]/g, ''))
    const value = fc.string({ minLength: 1 }).map((text) => `-${text.replace(/[{}]/g, '')}`)
    fc.assert(
      fc.property(fc.array(fc.oneof(field, words)), value, value, (parts, room, seat) => {
        const { text = '' } = read(withFields(parts.join(''), { room, seat }))
        expect(text).not.to.match(/\{\{(name|id|room|seat)/)
        expect(fieldsIn(text)).to.deep.equal([])
      }),
    )
  })
})
