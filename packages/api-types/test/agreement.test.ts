/** Records of consent name the wordings: none of those that were ever shown is changed or taken out. */
import { createHash } from 'node:crypto'
import { agreementIds, agreementText, agreementWords } from '@courier-fleet/api-types'
import { expect } from 'chai'

const shownOnce = {
  'application-1-ru': 'f9a1b35c',
  'application-1-en': '8f912013',
  'code-1-ru': 'f9a1b35c',
  'code-1-en': '8f912013',
  'page-1-ru': '7dc602bc',
  'page-1-en': '2caacab8',
  'page-2-ru': 'a1349cc1',
  'page-2-en': '9216e918',
  'push-1-ru': '08728535',
  'push-1-en': '89685bb5',
}

describe('the words by which people agree', () => {
  it('stay what they were under their id: another wording has to be another version', () => {
    const now = agreementIds.map((id) => [
      id,
      createHash('sha256')
        .update(agreementWords(id) ?? '')
        .digest('hex'),
    ])
    expect(Object.fromEntries(now.map(([id, digest]) => [id, digest?.slice(0, 8)]))).to.deep.equal(shownOnce)
  })

  it('are shown in the language of the person, the newest version of each', () => {
    // beside a contact that is linked already, whether messages come there without it or not
    const words = 'Даю согласие получать сообщения здесь'
    expect(agreementText('page', 'ru-RU')).to.deep.equal({ id: 'page-2-ru', words })
    expect(agreementText('page', 'fr')).to.deep.equal({ id: 'page-2-en', words: 'I agree to get messages here' })
    expect(agreementWords('page-9-ru'), 'of a later build').to.equal(undefined)
  })
})
