import { type MessageType, typeOf } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { decide, type Facts } from '../src/decide.ts'
import { switchesOf } from '../src/switches.ts'

const typed = (id: string, number: number, optOut: MessageType['optOut']): MessageType => ({
  ...typeOf([], id),
  number,
  optOut,
})
const settings = { types: [typed('news', 2, 'allowed'), typed('rector', 3, 'mandatory')] }

/** Whom a message of this type reaches on VK who has said this. */
function fate(type: string | undefined, off: readonly string[], said: 'nothing' | 'STOP' = 'nothing'): string {
  const policy = { foldsResends: true, maxWaitMs: 0, maxTries: 1, switches: switchesOf('vk', type, settings) }
  const contact: Facts['contact'] = { state: said === 'STOP' ? 'opted-out' : 'active', wishes: { off: [...off] } }
  const decision = decide({ receipt: 'pending', contact }, policy, 0)
  return decision.kind === 'settle' ? (decision.reason as string) : decision.kind
}

describe('rules: what people have switched off', () => {
  const everywhere = ['general', 'news', 'rector', 'service', 'gone']
  const here = everywhere.map((type) => `${type}:vk`)
  const elsewhere = everywhere.map((type) => `${type}:sms`)
  const table: [type: string | undefined, mandatory: boolean][] = [
    [undefined, false],
    ['general', false],
    ['news', false],
    // its rules were removed since: that of none
    ['gone', false],
    ['rector', true],
    ['service', true],
  ]
  for (const [type, mandatory] of table) {
    const others = everywhere.filter((each) => each !== (type ?? 'general'))
    it(`type ${type ?? 'none'}: ${mandatory ? 'nothing but STOP stops it' : 'its own switches and STOP stop it'}`, () => {
      expect(fate(type, []), 'nobody said anything').to.equal('send')
      expect(fate(type, others), 'other types').to.equal('send')
      expect(fate(type, elsewhere), 'other channels').to.equal('send')
      expect(fate(type, everywhere), 'everywhere').to.equal(mandatory ? 'send' : 'type-off')
      expect(fate(type, here), 'on this channel').to.equal(mandatory ? 'send' : 'type-off')
      expect(fate(type, [], 'STOP')).to.equal('opted-out')
      expect(fate(type, everywhere, 'STOP'), 'STOP comes first').to.equal('opted-out')
    })
  }

  it('whoever may have it already is not judged by it', () => {
    const policy = { foldsResends: true, maxWaitMs: 0, maxTries: 1, switches: switchesOf('vk', 'news', settings) }
    const contact: Facts['contact'] = { state: 'active', wishes: { off: ['news'] } }
    expect(decide({ receipt: 'attempting', contact }, policy, 0)).to.deep.equal({ kind: 'send' })
  })
})
