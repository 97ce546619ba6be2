import { expect } from 'chai'
import { reasonWords } from '../src/reason-words.ts'
import { en } from '../src/texts/en.ts'

describe('why somebody was not reached', () => {
  it('is said in words where the code of the provider is known, else as the provider says it', () => {
    expect(reasonWords(en, 'USER_IS_BLOCKED: the person has blocked the bot')).to.equal('has blocked us')
    expect(reasonWords(en, 'contact blocked: 901: no permission')).to.equal('has blocked us')
    expect(reasonWords(en, 'opted out')).to.equal('asked us to stop')
    expect(reasonWords(en, '0x0000000B: bad address')).to.equal('0x0000000B: bad address')
  })
})
