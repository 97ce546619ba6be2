import { expect } from 'chai'
import { fleetSettings, messageTypeBody, roleBody } from '../src/index.ts'

const hidden = { ru: 'Нов\u202eости', en: 'News' }

describe('names of types and roles', () => {
  it('with a character that nobody sees are refused as those of people are', () => {
    for (const body of [
      messageTypeBody.safeParse({ name: hidden }),
      roleBody.safeParse({ name: hidden, rights: 'staff', quota: 3 }),
    ]) {
      expect(body.error?.issues.map(({ path, message }) => [path.join('.'), message])).to.deep.equal([
        [
          'name.ru',
          'has the character U+202E after "Нов": control characters, line ends and what nobody sees may not be in a name',
        ],
      ])
    }
  })

  it('are read as they were given before that was refused', () => {
    const types = [{ id: 'news', number: 2, ...messageTypeBody.parse({ name: { ru: 'Н', en: 'N' } }), name: hidden }]
    const roles = [{ id: 'dean', name: hidden, rights: 'staff' as const, quota: 3 }]
    const read = fleetSettings.parse({ types, roles })
    expect([read.types[0]?.name, read.roles[0]?.name]).to.deep.equal([hidden, hidden])
  })
})
