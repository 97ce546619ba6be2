/** A template as it is written on the page, and as the API takes it. */
import { type TemplateView, templateBody } from '@courier-fleet/api-types'
import { expect } from 'chai'
import {
  blank,
  bodyOf,
  draftOf,
  examplesOf,
  fallbackIn,
  flawIn,
  hasFlaws,
  inputOf,
  namesIn,
  type TemplateDraft,
} from '../src/template-draft.ts'

const body = templateBody.parse({
  name: { ru: 'Аудитория', en: 'Room' },
  text: { en: '{{name}}, room {{room}}, {{seat|any seat}}', ru: '{{name}}, ауд. {{room}}, {{seat|любое место}}' },
  language: 'ru',
  fields: [{ name: 'room', label: { ru: 'Аудитория', en: 'Room' }, example: '204' }],
  type: 'schedule',
})
const view: TemplateView = { ...body, id: 'room', version: 3, at: '2026-09-01T09:00:00.000Z', by: 'desk' }

describe('a template on the page', () => {
  it('is made of a version and becomes the same body again, also of one text, and of one that was archived', () => {
    const draft = draftOf(view)
    expect(draft.texts.map(({ language }) => language)).to.deep.equal(['ru', 'en'])
    expect(templateBody.parse(inputOf(draft))).to.deep.equal(body)
    const { language: _, type: __, ...one } = { ...body, text: 'Just {{{{', fields: [] }
    expect(templateBody.parse(bodyOf({ ...view, ...one, language: undefined, type: undefined }))).to.deep.equal(one)
    expect(templateBody.parse(bodyOf({ ...view, archived: true }))).to.deep.equal(body)
  })

  it('asks for what stands in the text, in the words there are', () => {
    const asked = [{ name: 'seat', label: { ru: ' ', en: '' }, example: ' ' }, { name: 'gone' }]
    const draft: TemplateDraft = { ...draftOf(view), asked }
    expect(inputOf(draft).fields).to.deep.equal([{ name: 'seat' }])
    expect(examplesOf(draft)).to.deep.equal({ seat: '[seat]', gone: '[gone]' })
    expect(examplesOf(draftOf(view))).to.deep.equal({ room: '204' })
  })

  it('knows what each field is, and what is wrong with a text', () => {
    const { texts } = draftOf(view)
    expect(namesIn(texts)).to.deep.equal(['room', 'seat'])
    expect([fallbackIn(texts, 'seat'), fallbackIn(texts, 'room')]).to.deep.equal(['любое место', undefined])
    expect(hasFlaws(draftOf(view))).to.equal(false)
    const [ru, en] = [
      { language: 'ru', text: '{{name}}: {{room}}' },
      { language: 'en', text: '{{room}}' },
    ] as const
    expect(flawIn([ru, en], ru)).to.equal(undefined)
    expect(flawIn([ru, en], en)).to.deep.equal({ is: 'lacks', names: ['name'] })
    const slip = { language: 'en', text: 'a {{ro om}}' }
    expect(flawIn([ru, slip], slip)).to.deep.equal({ is: 'slip', mark: '{{ro om}}' })
    expect(hasFlaws({ ...blank, texts: [ru, { ...ru, text: '{{name}} {{room}}' }] }), 'twice in Russian').to.equal(true)
    expect(flawIn([ru, { language: 'en', text: '' }], { language: 'en', text: '' }), 'not written yet').to.equal(
      undefined,
    )
  })
})
